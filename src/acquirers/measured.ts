// Times the calls to an acquirer.

import type { Clock } from '../domain/moment.ts';
import { type Acquirer, AcquirerSilent } from './acquirer.ts';

/** `silent`: no response in time. */
export type CallOutcome = 'answered' | 'silent' | 'error';

export function measured(
  acquirer: Acquirer,
  steadyClock: Clock,
  observe: (call: string, outcome: CallOutcome, seconds: number) => void,
): Acquirer {
  async function timed<T>(call: string, run: () => Promise<T>): Promise<T> {
    const startedAt = steadyClock.now();
    let outcome: CallOutcome = 'error';
    try {
      const result = await run();
      outcome = 'answered';
      return result;
    } catch (error) {
      if (error instanceof AcquirerSilent) outcome = 'silent';
      throw error;
    } finally {
      observe(call, outcome, (steadyClock.now() - startedAt) / 1000);
    }
  }
  return {
    begin: (request) => timed('begin', () => acquirer.begin(request)),
    authorise: (payment) => timed('authorise', () => acquirer.authorise(payment)),
    capture: (capture) => timed('capture', () => acquirer.capture(capture)),
    void: (release) => timed('void', () => acquirer.void(release)),
    refund: (refund) => timed('refund', () => acquirer.refund(refund)),
    inquire: (operation) => timed('inquire', () => acquirer.inquire(operation)),
    close: (operation) => timed('close', () => acquirer.close(operation)),
  };
}
