// What happens to a payment in the sandbox's books: rules without any effects.

import { methodSettlesLater } from '../../domain/payment-methods.ts';
import type { AcquirerOperation, BeginRequest, CardDetails } from '../acquirer.ts';
import { settleAfterMs } from './books.ts';
import { isTakenBack, withDisputePlanned } from './disputes.ts';
import type { SandboxPayment } from './sandbox-payment.ts';
import { bankScenario, cardScenario, refundsFail } from './scenarios.ts';

/** The buttons of the test pages. */
export type SandboxChoice = 'pass' | 'fail' | 'fail_later' | 'cancel';

export function begun(
  { id, amount, currency, captureMethod, method, returnUrl, merchant, locale }: BeginRequest,
  card: CardDetails | undefined,
  now: number,
): SandboxPayment {
  const settlesLater = methodSettlesLater(method);
  const scenario = card === undefined ? bankScenario(settlesLater) : cardScenario(card.number);
  return {
    id,
    version: 0,
    amount,
    currency,
    captureMethod,
    method,
    cardLast4: card === undefined ? null : card.number.slice(-4),
    action: scenario.action,
    actionStatus: scenario.action === 'none' ? 'none' : 'waiting',
    returnUrl,
    merchant: { name: merchant.name, logoUrl: merchant.logoUrl, accentColor: merchant.accentColor },
    locale,
    result: scenario.result,
    settlesLater: scenario.when === 'later',
    silent: scenario.silent,
    status: 'begun',
    settleAt: null,
    disputeStatus: null,
    disputedAt: null,
    disputeDueAt: null,
    amountCaptured: 0,
    amountRefunded: 0,
    createdAt: now,
  };
}

/** Refuses a request that arrives after it was closed. */
export function neverBegun({ id, amount, currency }: AcquirerOperation, now: number): SandboxPayment {
  const nothing = { cardLast4: null, returnUrl: '', merchant: null, locale: null, settleAt: null };
  const noDispute = { disputeStatus: null, disputedAt: null, disputeDueAt: null };
  const money = { amount, currency, captureMethod: 'automatic', amountCaptured: 0, amountRefunded: 0 } as const;
  const course = {
    action: 'none',
    actionStatus: 'none',
    result: 'approved',
    settlesLater: false,
    silent: false,
  } as const;
  return {
    id,
    version: 0,
    method: 'card',
    ...nothing,
    ...noDispute,
    ...money,
    ...course,
    status: 'closed',
    createdAt: now,
  };
}

export function sameRequest(a: SandboxPayment, b: SandboxPayment): boolean {
  const fields = ['amount', 'currency', 'captureMethod', 'method', 'cardLast4', 'action', 'silent'] as const;
  return fields.every((field) => a[field] === b[field]);
}

export function acted(payment: SandboxPayment, result: SandboxChoice): SandboxPayment {
  if (payment.actionStatus !== 'waiting' || payment.status !== 'begun') return payment;
  if (result === 'fail') return { ...payment, actionStatus: 'failed' };
  if (result === 'cancel') return { ...payment, actionStatus: 'canceled' };
  const failsLater = result === 'fail_later' && payment.settlesLater;
  return { ...payment, actionStatus: 'passed', result: failsLater ? 'bank_declined' : payment.result };
}

export function authorised(payment: SandboxPayment, now: number): SandboxPayment {
  const ready = payment.action === 'none' || payment.actionStatus === 'passed';
  if (payment.status !== 'begun' || !ready) return payment;
  if (payment.settlesLater) return { ...payment, status: 'pending', settleAt: now + settleAfterMs };
  return settled(payment, now);
}

export function settled(payment: SandboxPayment, now: number): SandboxPayment {
  if (payment.result !== 'approved') return { ...payment, status: 'declined', settleAt: null };
  if (payment.captureMethod === 'manual') return { ...payment, status: 'authorised', settleAt: null };
  return withDisputePlanned({ ...payment, status: 'captured', settleAt: null, amountCaptured: payment.amount }, now);
}

/** Each returns the payment unchanged if the follow-up is not allowed. */
export const followUpRules: Record<
  'capture' | 'void' | 'refund',
  (payment: SandboxPayment, amount: number, now: number) => SandboxPayment
> = {
  capture: (payment, amount, now) =>
    payment.status === 'authorised' && amount <= payment.amount
      ? withDisputePlanned({ ...payment, status: 'captured', amountCaptured: amount }, now)
      : payment,
  void: (payment) => (payment.status === 'authorised' ? { ...payment, status: 'voided' } : payment),
  refund: (payment, amount) =>
    payment.status === 'captured' &&
    !refundsFail(payment.cardLast4) &&
    !isTakenBack(payment) &&
    payment.amountRefunded + amount <= payment.amountCaptured
      ? { ...payment, amountRefunded: payment.amountRefunded + amount }
      : payment,
};
