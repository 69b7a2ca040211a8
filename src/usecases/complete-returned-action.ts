// Customers return from the provider as often as they like, and anybody who has the address can do the same. A request to
// the provider for each visit would use up the limit of the merchant's account, which all their customers share. So visits
// share inquiries: one at a time for an operation, and none soon after the last one was answered. A visit in between waits
// for the next one, so that every customer learns the outcome. Per process: with several, each asks this often.

import type { Payment } from '../domain/life-cycle.ts';
import type { Clock } from '../domain/moment.ts';
import type { AcquirerDeps } from './ask-acquirer.ts';
import { completeAction } from './complete-action.ts';

/** From an answer to the next inquiry. */
const restMs = 2_000;
/** Within that time. The oldest is forgotten first, and could then be inquired about a little early. */
const maxAnswered = 10_000;

type Completed = Awaited<ReturnType<typeof completeAction>>;

/** `payment`: as it was just read. Returns whether it is still waiting for the customer. */
export type CompleteReturnedAction = (operationId: string, payment: Payment) => Promise<Completed>;

export interface ReturnDeps extends AcquirerDeps {
  readonly steadyClock: Clock;
}

export function returnedActions(deps: ReturnDeps): CompleteReturnedAction {
  const { steadyClock, pause } = deps;
  const inProgress = new Map<string, Promise<Completed>>();
  /** When operations that still wait for the customer were last answered, oldest first. */
  const answered = new Map<string, number>();

  async function inquire(operationId: string, payment: Payment): Promise<Completed> {
    const answeredAt = answered.get(operationId);
    const waitMs = answeredAt === undefined ? 0 : answeredAt + restMs - steadyClock.now();
    if (waitMs > 0) await pause(waitMs);
    let result: Completed | null = null;
    try {
      result = await completeAction(deps, operationId, waitMs > 0 ? {} : { payment });
      return result;
    } finally {
      remember(operationId, result);
    }
  }

  function remember(operationId: string, result: Completed | null): void {
    const now = steadyClock.now();
    answered.delete(operationId);
    // Otherwise there is nothing to inquire about, or the customer has another challenge to return from.
    if (result !== 'moved') answered.set(operationId, now);
    for (const [oldest, answeredAt] of answered) {
      if (answeredAt + restMs > now && answered.size <= maxAnswered) break;
      answered.delete(oldest);
    }
  }

  return (operationId, payment) => {
    // The sandbox is part of this service, and has no limit to use up.
    const provider = payment.intent.acquirer?.provider ?? 'sandbox';
    if (provider === 'sandbox') return completeAction(deps, operationId, { payment });
    const shared = inProgress.get(operationId);
    if (shared !== undefined) return shared;
    const started = inquire(operationId, payment).finally(() => inProgress.delete(operationId));
    inProgress.set(operationId, started);
    return started;
  };
}
