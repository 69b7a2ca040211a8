// What the outcome of a capture, void or refund changes.

import type { MoneyOutcome } from '../acquirers/acquirer.ts';
import { move, type Payment, type Trigger } from '../domain/life-cycle.ts';
import type { Moment } from '../domain/moment.ts';
import { isForLatePayment, lapseReason, type Operation, secondPaymentReason } from '../domain/operation.ts';
import { nextReleaseAt } from '../domain/payment-intent.ts';
import { type Refund, settleRefund } from '../domain/refund.ts';
import type { Decision } from './decide-and-commit.ts';
import { returnedAgain } from './return-late-payment.ts';
import { changesOf, closed, inquiredAgain, type Settlement, succeeds } from './settlement.ts';

const isUndecided = ({ kind }: MoneyOutcome): boolean => kind === 'pending' || kind === 'action' || kind === 'ready';

/** A capture or void. */
export function settleFollowUp(
  operation: Operation,
  payment: Payment,
  outcome: MoneyOutcome,
  settlement: Settlement,
): Decision<Payment> {
  const { moment, paidAt } = settlement;
  if (isUndecided(outcome)) {
    return { changes: { operations: inquiredAgain(operation, settlement) }, result: payment };
  }
  const ended = closed(operation, outcome, settlement.moment.now);
  // The payment had ended before, so nothing else changes.
  if (isForLatePayment(operation)) {
    const again = succeeds(outcome)
      ? null
      : returnedAgain(ended, outcome, { since: paidAt ?? operation.createdAt, moment });
    return { changes: again ?? { operations: [ended] }, result: payment };
  }
  if (!succeeds(outcome)) return stillHeld(ended, payment, outcome, moment);
  const moved = move(payment, triggerOf(operation), moment, {
    pendingOperationId: null,
    captureBefore: null,
    lastPaymentError: null,
    ...(operation.kind === 'capture' ? { amountCaptured: payment.intent.amountCaptured + operation.amount } : {}),
    ...(operation.kind === 'void' ? { cancellationReason: operation.reason } : {}),
  });
  // Written at the version that was read: if it was settled meanwhile, the commit conflicts, and this is decided again.
  if (moved === null) return { changes: { operations: [ended] }, result: payment };
  return { changes: { ...changesOf(moved), operations: [ended] }, result: moved };
}

function triggerOf({ kind, reason }: Operation): Trigger {
  if (kind === 'capture') return 'capture';
  return reason === lapseReason ? 'authorisation_lapsed' : 'cancel';
}

/** A failed capture or void leaves the authorisation unchanged; if it has lapsed, it is voided again later. */
function stillHeld(operation: Operation, payment: Payment, { kind }: MoneyOutcome, { now }: Moment): Decision<Payment> {
  const { captureBefore } = payment.intent;
  const lapsed = operation.kind === 'void' && captureBefore !== null && captureBefore <= now;
  const intent = {
    ...payment.intent,
    pendingOperationId: null,
    captureBefore: lapsed ? nextReleaseAt(kind === 'not_made' ? 'lost' : 'refused', now) : captureBefore,
  };
  return { changes: { operations: [operation], paymentIntents: [intent] }, result: { ...payment, intent } };
}

export function settleRefundOperation(
  operation: Operation,
  { intent, session, refund }: Payment & { refund: Refund },
  outcome: MoneyOutcome,
  settlement: Settlement,
): Decision<Payment & { refund: Refund }> {
  const before = { intent, session, refund };
  if (isUndecided(outcome)) {
    return { changes: { operations: inquiredAgain(operation, settlement) }, result: before };
  }
  const ended = closed(operation, outcome, settlement.moment.now);
  const refused = isForLatePayment(operation) && !succeeds(outcome);
  const again = refused ? returnedAgain(ended, outcome, { since: refund.createdAt, moment: settlement.moment }) : null;
  if (again !== null) return { changes: again, result: before };
  const change = settleRefund(intent, refund, succeeds(outcome) ? 'succeeded' : 'failed', settlement.moment);
  if (change === null) return { changes: { operations: [ended] }, result: before };
  const after = operation.reason === secondPaymentReason ? intent : change.intent;
  return {
    changes: {
      operations: [ended],
      refunds: [change.refund],
      // Its amount was reserved when the refund was opened, so hundreds of concurrent successes do not conflict on the
      // intent.
      ...(after === intent ? {} : { paymentIntents: [after] }),
      events: change.events,
    },
    result: { intent: after, session, refund: change.refund },
  };
}
