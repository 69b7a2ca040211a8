// Payment metrics. Outcomes are read from commits: an operation gets its outcome in exactly one commit of one process,
// so the sum over all processes counts each once. Labels have few values, none specific to a merchant or customer.

import { Counter, Histogram, type Registry } from 'prom-client';
import type { ChangeSet } from './domain/change-set.ts';
import type { Operation, OperationKind } from './domain/operation.ts';
import { isFailureCode } from './domain/payment-error.ts';
import type { PaymentIntent } from './domain/payment-intent.ts';

export interface PaymentMetrics {
  /** Counts the operations that ended with these changes. */
  countOutcomes(committed: ChangeSet, now: number): void;
}

export function paymentMetrics(registry: Registry): PaymentMetrics {
  const registers = [registry];
  const payments = new Counter({
    name: 'paydesk_payments_total',
    help: 'Payment attempts by outcome: succeeded; authorized, to be captured; failed, with a code; abandoned; late, paid after the payment had ended.',
    labelNames: ['mode', 'method', 'outcome', 'code'] as const,
    registers,
  });
  const timesToPay = new Histogram({
    name: 'paydesk_time_to_pay_seconds',
    help: 'Time from the creation of a session to its payment.',
    labelNames: ['mode', 'method'] as const,
    buckets: [5, 10, 20, 30, 60, 120, 300, 600, 1_800, 7_200, 86_400, 604_800],
    registers,
  });
  const followUp = (name: string, what: string) =>
    new Counter({
      name: `paydesk_${name}_total`,
      help: `${what} by outcome: succeeded, or failed.`,
      labelNames: ['mode', 'outcome'] as const,
      registers,
    });
  const followUps: Record<Exclude<OperationKind, 'payment'>, ReturnType<typeof followUp>> = {
    capture: followUp('captures', 'Captures'),
    void: followUp('voids', 'Voids of an authorisation'),
    refund: followUp('refunds', 'Refunds'),
  };

  function countPayment(operation: Operation, intent: PaymentIntent | undefined, now: number): void {
    const mode = modeOf(operation);
    const method = operation.paymentMethod?.type ?? 'unknown';
    if (operation.status === 'succeeded') {
      const outcome = successOf(intent);
      payments.inc({ mode, method, outcome, code: '' });
      if (intent !== undefined && outcome !== 'late')
        timesToPay.observe({ mode, method }, (now - intent.createdAt) / 1000);
    } else if (intent === undefined || intent.status === 'expired')
      payments.inc({ mode, method, outcome: 'abandoned', code: '' });
    else {
      const code = codeOf(intent);
      // The customer chose another method: nobody declined anything.
      payments.inc({ mode, method, outcome: code === 'customer_canceled' ? 'abandoned' : 'failed', code });
    }
  }

  return {
    countOutcomes({ operations = [], paymentIntents = [] }, now) {
      for (const operation of operations) {
        const { kind, status, paymentIntentId } = operation;
        if (status !== 'succeeded' && status !== 'failed') continue;
        const intent = paymentIntents.find(({ id }) => id === paymentIntentId);
        if (kind === 'payment') countPayment(operation, intent, now);
        else followUps[kind].inc({ mode: modeOf(operation), outcome: status });
      }
    },
  };
}

const modeOf = ({ livemode }: Operation): string => (livemode ? 'live' : 'test');

/** A late payment is returned: the intent is not written, or it ended before. */
function successOf(intent: PaymentIntent | undefined): 'succeeded' | 'authorized' | 'late' {
  if (intent?.status === 'requires_capture') return 'authorized';
  return intent?.status === 'succeeded' ? 'succeeded' : 'late';
}

/** The more specific of the two codes: `insufficient_funds` rather than `card_declined`. */
function codeOf({ lastPaymentError }: PaymentIntent): string {
  const code = lastPaymentError?.decline_code ?? lastPaymentError?.code;
  if (code === undefined) return 'unknown';
  // A provider's own code is one of hundreds.
  return isFailureCode(code) ? code : 'generic_decline';
}
