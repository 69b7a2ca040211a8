// Counts what was made, for the report at the end.

import type { ChangeSet } from '../domain/change-set.ts';
import type { PaymentIntentStatus } from '../domain/payment-intent.ts';

export interface DemoTally {
  readonly payments: number;
  readonly byStatus: Partial<Record<PaymentIntentStatus, number>>;
  readonly refunds: number;
  readonly disputes: number;
  readonly events: number;
  readonly deliveries: number;
  readonly failedDeliveries: number;
}

export function newTally(): { count(changes: ChangeSet): void; result(): DemoTally } {
  const byStatus: Partial<Record<PaymentIntentStatus, number>> = {};
  const counts = { payments: 0, refunds: 0, disputes: 0, events: 0, deliveries: 0, failedDeliveries: 0 };
  return {
    count({ paymentIntents = [], refunds = [], disputes = [], events = [], deliveries = [] }) {
      for (const { status } of paymentIntents) byStatus[status] = (byStatus[status] ?? 0) + 1;
      counts.payments += paymentIntents.length;
      counts.refunds += refunds.length;
      counts.disputes += disputes.length;
      counts.events += events.length;
      counts.deliveries += deliveries.length;
      counts.failedDeliveries += deliveries.filter(({ status }) => status === 'failed').length;
    },
    result: () => ({ ...counts, byStatus }),
  };
}
