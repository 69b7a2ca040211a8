// Customers return from the provider as often as they like, and anybody who has the address can do the same. A request to
// the provider for each visit would use up the limit of the merchant's account, which all their customers share. So visits
// share inquiries: one at a time for an operation, and none soon after the last one was answered. A visit in between waits
// for the next one, so that every customer learns the outcome. Per process: with several, each asks this often.
//
// The provider's notification comes at the same moment as the customer, and may be first, in this process or another. Then
// the visit waits for the outcome that it brings, instead of showing a payment that is still being processed.

import type { Payment } from '../domain/life-cycle.ts';
import type { Clock } from '../domain/moment.ts';
import { type AcquirerDeps, isAwaited, type OpenedOperation, readOperation } from './ask-acquirer.ts';
import { completeAction } from './complete-action.ts';

/** From an answer to the next inquiry. */
const restMs = 2_000;
/** Within that time. The oldest is forgotten first, and could then be inquired about a little early. */
const maxAnswered = 10_000;

/** How long after the action a visit waits for the outcome that somebody else brings. */
const outcomeWithinMs = 2_000;
const lookEveryMs = 25;

/** Whether the payment is still waiting for the customer. */
type Returned = 'waiting' | 'moved';

/** `payment`: as it was just read. */
export type CompleteReturnedAction = (operationId: string, payment: Payment) => Promise<Returned>;

export interface ReturnDeps extends AcquirerDeps {
  readonly steadyClock: Clock;
}

export function returnedActions(deps: ReturnDeps): CompleteReturnedAction {
  const { steadyClock, pause } = deps;
  const inProgress = new Map<string, Promise<Returned>>();
  /** When operations that still wait for the customer were last answered, oldest first. */
  const answered = new Map<string, number>();

  async function complete(operationId: string, payment?: Payment): Promise<Returned> {
    const completed = await completeAction(deps, operationId, payment === undefined ? {} : { payment });
    if (completed === 'overtaken') await untilSettled(deps, operationId);
    return completed === 'waiting' ? 'waiting' : 'moved';
  }

  async function inquire(operationId: string, payment: Payment): Promise<Returned> {
    const answeredAt = answered.get(operationId);
    const waitMs = answeredAt === undefined ? 0 : answeredAt + restMs - steadyClock.now();
    if (waitMs > 0) await pause(waitMs);
    let result: Returned | null = null;
    try {
      result = await complete(operationId, waitMs > 0 ? undefined : payment);
      return result;
    } finally {
      remember(operationId, result);
    }
  }

  function remember(operationId: string, result: Returned | null): void {
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
    if (provider === 'sandbox') return complete(operationId, payment);
    const shared = inProgress.get(operationId);
    if (shared !== undefined) return shared;
    const started = inquire(operationId, payment).finally(() => inProgress.delete(operationId));
    inProgress.set(operationId, started);
    return started;
  };
}

async function untilSettled({ store, moment, pause }: ReturnDeps, operationId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < outcomeWithinMs; waitedMs += lookEveryMs) {
    const opened = await readOperation(store, operationId);
    if (opened === null || !isJustSent(opened, moment().now)) return;
    await pause(lookEveryMs);
  }
}

/** The action was done a moment ago, and the acquirer has yet to respond. What is left to the bank takes longer. */
function isJustSent({ operation, intent, session }: OpenedOperation, now: number): boolean {
  const last = operation.history?.at(-1);
  const isRecent = last?.step === 'action_done' && now - last.at < outcomeWithinMs;
  const isUnanswered = operation.status === 'pending' && operation.unknownSince === null;
  return isRecent && isUnanswered && session.status === 'open' && isAwaited(operation, { intent, session });
}
