// What customers are told about money for a payment that has ended unpaid here: it may have arrived too late.

import { isForLatePayment, type Operation } from './operation.ts';
import type { PaymentIntent } from './payment-intent.ts';

/**
 * `none`: nothing was paid. `possible`: the acquirer could not end the payment, so it may still be paid, or was, and the
 * money is returned then. `kept`: it could not be returned.
 */
export const lateMoneyKinds = ['none', 'possible', 'returning', 'returned', 'kept'] as const;
export type LateMoney = (typeof lateMoneyKinds)[number];

/** `operations`: those of the payment. */
export function lateMoneyOf(
  { amountCaptured, amountRefunded }: Pick<PaymentIntent, 'amountCaptured' | 'amountRefunded'>,
  operations: readonly Pick<Operation, 'kind' | 'status' | 'reason'>[],
): LateMoney {
  if (amountCaptured > amountRefunded) return 'kept';
  const returns = operations.filter((operation) => operation.kind === 'refund' || isForLatePayment(operation));
  const has = (status: Operation['status']): boolean => returns.some((operation) => operation.status === status);
  if (has('pending')) return 'returning';
  if (has('succeeded')) return 'returned';
  if (returns.length > 0) return 'kept';
  return operations.some(isUnfinishedPayment) ? 'possible' : 'none';
}

function isUnfinishedPayment({ kind, status }: Pick<Operation, 'kind' | 'status'>): boolean {
  return kind === 'payment' && (status === 'action_needed' || status === 'pending');
}
