// The JSON of Mollie's resources.

import type { Books, Capture, Chargeback, Payment, Refund } from './books.ts';
import { methodRules } from './methods.ts';
import { amountOf } from './money.ts';

export type Json = Readonly<Record<string, unknown>>;

const iso = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, '+00:00');
const link = (href: string, type = 'application/hal+json'): Json => ({ href, type });
/** A page of Mollie's lists, unless a size is given. */
const maxEmbedded = 50;
const changeTimes = {
  paid: 'paidAt',
  authorized: 'authorizedAt',
  canceled: 'canceledAt',
  expired: 'expiredAt',
  failed: 'failedAt',
} as const;

export function paymentJson(books: Books, payment: Payment, baseUrl: string, embed: readonly string[] = []): Json {
  const { id, mode, status, currency, method } = payment;
  const api = `${baseUrl}/v2/payments/${id}`;
  const isOpen = status === 'open';
  const isOver = ['paid', 'canceled', 'expired', 'failed'].includes(status);
  const refunded = books.refunded(payment);
  const chargedBack = books.chargedBack(payment);
  const embedded = {
    ...(embed.includes('captures')
      ? { captures: payment.captures.map((part) => captureJson(payment, part, baseUrl)) }
      : {}),
    ...(embed.includes('refunds')
      ? { refunds: payment.refunds.slice(0, maxEmbedded).map((part) => refundJson(payment, part, baseUrl)) }
      : {}),
    ...(embed.includes('chargebacks')
      ? { chargebacks: payment.chargebacks.slice(0, maxEmbedded).map((part) => chargebackJson(payment, part, baseUrl)) }
      : {}),
  };
  return {
    resource: 'payment',
    id,
    mode,
    createdAt: iso(payment.createdAt),
    amount: amountOf(payment.amount, currency),
    description: payment.description,
    method,
    metadata: payment.metadata,
    status,
    ...(isOver ? {} : { isCancelable: books.isCancelable(payment) }),
    ...(status in changeTimes
      ? { [changeTimes[status as keyof typeof changeTimes]]: iso(payment.changedAt) }
      : { expiresAt: iso(payment.expiresAt) }),
    ...(status === 'authorized' && payment.captureBefore !== null ? { captureBefore: iso(payment.captureBefore) } : {}),
    ...(status === 'paid'
      ? {
          amountRefunded: amountOf(refunded, currency),
          ...(chargedBack === 0 ? {} : { amountChargedBack: amountOf(chargedBack, currency) }),
          amountRemaining: amountOf(books.refundable(payment), currency),
          ...(payment.captureMode === 'manual' ? { amountCaptured: amountOf(books.captured(payment), currency) } : {}),
        }
      : {}),
    details: payment.failureReason === null ? null : { failureReason: payment.failureReason },
    locale: payment.locale,
    profileId: 'pfl_simulator',
    sequenceType: 'oneoff',
    captureMode: payment.captureMode,
    redirectUrl: payment.redirectUrl,
    webhookUrl: payment.webhookUrl,
    ...(Object.keys(embedded).length > 0 ? { _embedded: embedded } : {}),
    _links: {
      self: link(api),
      ...(isOpen ? { checkout: link(`${baseUrl}/checkout/${id}`, 'text/html') } : {}),
      ...(payment.refunds.length > 0 ? { refunds: link(`${api}/refunds`) } : {}),
      ...(payment.chargebacks.length > 0 ? { chargebacks: link(`${api}/chargebacks`) } : {}),
      dashboard: link(`${baseUrl}/dashboard/payments/${id}`, 'text/html'),
    },
  };
}

export function captureJson({ mode, currency }: Payment, capture: Capture, baseUrl: string): Json {
  const payment = `${baseUrl}/v2/payments/${capture.paymentId}`;
  return {
    resource: 'capture',
    id: capture.id,
    mode,
    amount: amountOf(capture.amount, currency),
    status: capture.status,
    metadata: capture.metadata,
    paymentId: capture.paymentId,
    createdAt: iso(capture.createdAt),
    _links: { self: link(`${payment}/captures/${capture.id}`), payment: link(payment) },
  };
}

export function refundJson({ mode, currency }: Payment, refund: Refund, baseUrl: string): Json {
  const payment = `${baseUrl}/v2/payments/${refund.paymentId}`;
  return {
    resource: 'refund',
    id: refund.id,
    mode,
    description: refund.description,
    amount: amountOf(refund.amount, currency),
    status: refund.status,
    metadata: refund.metadata,
    paymentId: refund.paymentId,
    createdAt: iso(refund.createdAt),
    _links: { self: link(`${payment}/refunds/${refund.id}`), payment: link(payment) },
  };
}

export function chargebackJson({ currency }: Payment, chargeback: Chargeback, baseUrl: string): Json {
  const payment = `${baseUrl}/v2/payments/${chargeback.paymentId}`;
  return {
    resource: 'chargeback',
    id: chargeback.id,
    amount: amountOf(chargeback.amount, currency),
    settlementAmount: amountOf(-chargeback.amount, currency),
    reason: chargeback.reason,
    paymentId: chargeback.paymentId,
    createdAt: iso(chargeback.createdAt),
    reversedAt: chargeback.reversedAt === null ? null : iso(chargeback.reversedAt),
    _links: { self: link(`${payment}/chargebacks/${chargeback.id}`), payment: link(payment) },
  };
}

/** `name`: the plural under which the items are embedded. `next`: the cursor of the next page. */
export function listJson(name: string, items: readonly Json[], next: string | null = null): Json {
  return {
    count: items.length,
    _embedded: { [name]: items },
    _links: { previous: null, next: next === null ? null : link(next) },
  };
}

export function methodsJson(enabled: readonly string[], currency: string): Json {
  const usable = enabled.filter((id) => methodRules[id]?.currencies?.includes(currency) ?? true);
  return listJson(
    'methods',
    usable.map((id) => ({ resource: 'method', id, description: methodRules[id]?.description, status: 'activated' })),
  );
}
