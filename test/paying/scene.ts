// What the tests of paying share: a shop with a customer, and how a payment stands, as its merchant sees it.

import assert from 'node:assert/strict';
import type { SandboxPayment } from '../../src/processors/sandbox/sandbox-payment.ts';
import { type Fields, must } from '../support/api-client.ts';
import { type Customer, customerAt } from '../support/customer.ts';
import type { Paydesk, TestMerchant } from '../support/paydesk.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';

/** No limit on declines is met by chance: all customers of the tests have one address. */
export const manyDeclines: Readonly<Record<string, string>> = {
  PAYDESK_DECLINES_PER_SESSION: '1000000',
  PAYDESK_DECLINES_PER_ADDRESS: '1000000',
  PAYDESK_DECLINES_PER_CARD: '1000000',
};

export interface Shop {
  readonly paydesk: Paydesk;
  readonly merchant: TestMerchant;
  readonly customer: Customer;
}

export async function openShop(paydesk: Paydesk): Promise<Shop> {
  return { paydesk, merchant: await paydesk.newMerchant(), customer: customerAt(paydesk.url) };
}

/** A payment that stands. `events` are those that its merchant was told, oldest first, by type. */
export interface Standing {
  readonly intent: Fields;
  readonly session: Fields;
  readonly events: readonly string[];
}

export async function standing({ merchant }: Pick<Shop, 'merchant'>, session: Fields): Promise<Standing> {
  return {
    intent: must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`)),
    session: must(200, await merchant.test.get(`/checkout-sessions/${session.id}`)),
    events: await eventsOf(merchant, session),
  };
}

/** Of one payment. Ids of the same millisecond have no order, so those of one commit come by type, backwards. */
async function eventsOf(merchant: TestMerchant, session: Fields): Promise<string[]> {
  const about = (data: Fields): boolean =>
    [data.id, data.payment_intent].some((id) => id === session.id || id === session.payment_intent);
  const events = (await merchant.events()).filter(({ data }) => about(data));
  for (const { data, livemode } of events) {
    assert.equal(livemode, false);
    assert.equal(data.currency, session.currency);
  }
  return events.toSorted((a, b) => a.createdAt - b.createdAt || (a.type < b.type ? 1 : -1)).map(({ type }) => type);
}

export async function untilStatus(shop: Pick<Shop, 'merchant'>, session: Fields, status: string): Promise<Standing> {
  await until(`the payment is ${status}`, async () => (await standing(shop, session)).intent.status === status);
  return standing(shop, session);
}

/** What the acquirer has of a payment's current or last operation. */
export async function atAcquirer({ paydesk, merchant }: Shop, session: Fields): Promise<SandboxPayment> {
  const intent = await paydesk.store.find('paymentIntents', merchant.scope, String(session.payment_intent));
  const payment = await sandboxPayment(paydesk.store, intent?.operationId ?? '');
  assert.ok(payment !== null, 'the acquirer knows the payment');
  return payment;
}

export const paid: readonly string[] = ['payment_intent.succeeded', 'checkout_session.completed'];
export const failed: readonly string[] = ['payment_intent.payment_failed'];

/** Authorised, to be captured. */
export async function authorisedSession({ merchant, customer }: Shop, fields: Fields = {}): Promise<Fields> {
  const session = await merchant.newSession({ capture_method: 'manual', ...fields });
  await customer.payByCard(session.id, '4242424242424242');
  return session;
}

export async function paidSession({ merchant, customer }: Shop, fields: Fields = {}): Promise<Fields> {
  const session = await merchant.newSession(fields);
  await customer.payByCard(session.id, '4242424242424242');
  return session;
}

/** Of the same payment: a path of the API below it. */
export function intentPath(session: Fields, below: string = ''): string {
  return `/payment-intents/${session.payment_intent}${below}`;
}
