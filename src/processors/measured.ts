// Times the calls to an acquirer.

import type { Clock } from '../domain/moment.ts';
import { type Processor, ProcessorSilent } from './processor.ts';

/** `silent`: no response in time. */
export type CallOutcome = 'answered' | 'silent' | 'error';

export function measured(
  processor: Processor,
  steadyClock: Clock,
  observe: (call: string, outcome: CallOutcome, seconds: number) => void,
): Processor {
  async function timed<T>(call: string, run: () => Promise<T>): Promise<T> {
    const startedAt = steadyClock.now();
    let outcome: CallOutcome = 'error';
    try {
      const result = await run();
      outcome = 'answered';
      return result;
    } catch (error) {
      if (error instanceof ProcessorSilent) outcome = 'silent';
      throw error;
    } finally {
      observe(call, outcome, (steadyClock.now() - startedAt) / 1000);
    }
  }
  return {
    begin: (request) => timed('begin', () => processor.begin(request)),
    actionOf: (reference, livemode) => timed('action', () => processor.actionOf(reference, livemode)),
    authorise: (reference, livemode) => timed('authorise', () => processor.authorise(reference, livemode)),
    capture: (request) => timed('capture', () => processor.capture(request)),
    void: (request) => timed('void', () => processor.void(request)),
    refund: (request) => timed('refund', () => processor.refund(request)),
    inquire: (reference, livemode) => timed('inquire', () => processor.inquire(reference, livemode)),
    close: (reference, livemode) => timed('close', () => processor.close(reference, livemode)),
    onNotification: (listener) => processor.onNotification(listener),
  };
}
