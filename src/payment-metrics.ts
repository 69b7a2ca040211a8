// Payment metrics. Outcomes are read from commits: an operation gets its outcome in exactly one commit of one process,
// so the sum over all processes counts each once. Labels have few values, none specific to a merchant or customer.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChangeSet } from './domain/change-set.ts';
import type { Operation, OperationKind } from './domain/operation.ts';
import { isFailureCode } from './domain/payment-error.ts';
import type { PaymentIntent } from './domain/payment-intent.ts';

export interface PaymentMetrics {
  /** Counts the operations that ended with these changes. */
  countOutcomes(committed: ChangeSet, now: number): void;
  countNotification(provider: string, outcome: 'accepted' | 'refused'): void;
  observeAcquirerCall(provider: string, call: AcquirerCall): void;
  /** A call that was not made, because the account is down, full, or has to wait. */
  countTurnedAway(provider: string, why: string): void;
  /** Evaluated on every scrape: the number of accounts that are down, by provider. */
  watchAccounts(down: () => ReadonlyMap<string, number>): void;
}

export interface AcquirerCall {
  readonly call: string;
  readonly outcome: 'answered' | 'silent' | 'error';
  /** What was answered, such as `declined`; otherwise the outcome. */
  readonly answer: string;
  readonly seconds: number;
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
  const calls = new Histogram({
    name: 'paydesk_acquirer_call_duration_seconds',
    help: 'Duration of a call to the acquirer, until it responded, failed or timed out.',
    labelNames: ['provider', 'call', 'outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const answers = new Counter({
    name: 'paydesk_acquirer_calls_total',
    help: 'Calls to the acquirer by what it answered.',
    labelNames: ['provider', 'call', 'answer'] as const,
    registers,
  });
  const turnedAway = new Counter({
    name: 'paydesk_acquirer_calls_turned_away_total',
    help: 'Calls that were not made, because the account was down, had too many calls in progress, or had to wait.',
    labelNames: ['provider', 'reason'] as const,
    registers,
  });
  const notifications = new Counter({
    name: 'paydesk_acquirer_notifications_total',
    help: 'Notifications from acquirers by provider and outcome: accepted, or refused as forged, stale or malformed.',
    labelNames: ['provider', 'outcome'] as const,
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
    countNotification: (provider, outcome) => notifications.inc({ provider, outcome }),
    observeAcquirerCall(provider, { call, outcome, answer, seconds }) {
      calls.observe({ provider, call, outcome }, seconds);
      answers.inc({ provider, call, answer });
    },
    countTurnedAway: (provider, reason) => turnedAway.inc({ provider, reason }),
    watchAccounts(down) {
      new Gauge({
        name: 'paydesk_acquirer_accounts_down',
        help: 'Accounts that are not called at the moment, because they do not respond or have asked us to wait.',
        labelNames: ['provider'] as const,
        // Each process finds out by itself.
        aggregator: 'max',
        registers,
        collect() {
          for (const [provider, count] of down()) this.set({ provider }, count);
        },
      });
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
