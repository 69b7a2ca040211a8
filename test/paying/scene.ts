// Shared by the payment tests: a shop with a customer, and the state of a payment as its merchant sees it.

import assert from 'node:assert/strict';
import type { SandboxPayment } from '../../src/acquirers/sandbox/sandbox-payment.ts';
import { type Fields, must } from '../support/api-client.ts';
import { type Customer, customerAt } from '../support/customer.ts';
import type { Paydesk, TestMerchant } from '../support/paydesk.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';

/** Limits that are never reached by accident: all customers of the tests share one address. */
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

/** The state of a payment. `events` are the types of its events, oldest first. */
export interface PaymentState {
  readonly intent: Fields;
  readonly session: Fields;
  readonly events: readonly string[];
}

export async function paymentState({ merchant }: Pick<Shop, 'merchant'>, session: Fields): Promise<PaymentState> {
  return {
    intent: must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`)),
    session: must(200, await merchant.test.get(`/checkout-sessions/${session.id}`)),
    events: await eventsOf(merchant, session),
  };
}

/** Ids of the same millisecond have no order, so events of one commit are sorted by type, descending. */
async function eventsOf(merchant: TestMerchant, session: Fields): Promise<string[]> {
  const isAbout = (data: Fields): boolean =>
    [data.id, data.payment_intent].some((id) => id === session.id || id === session.payment_intent);
  const events = (await merchant.events()).filter(({ data }) => isAbout(data));
  for (const { data, livemode } of events) {
    assert.equal(livemode, false);
    assert.equal(data.currency, session.currency);
  }
  return events.toSorted((a, b) => a.createdAt - b.createdAt || (a.type < b.type ? 1 : -1)).map(({ type }) => type);
}

export async function untilStatus(
  shop: Pick<Shop, 'merchant'>,
  session: Fields,
  status: string,
): Promise<PaymentState> {
  await until(`the payment is ${status}`, async () => (await paymentState(shop, session)).intent.status === status);
  return paymentState(shop, session);
}

/** The acquirer's record of a payment's current or last operation. */
export async function atAcquirer({ paydesk, merchant }: Shop, session: Fields): Promise<SandboxPayment> {
  const intent = await paydesk.store.find('paymentIntents', merchant.scope, String(session.payment_intent));
  const payment = await sandboxPayment(paydesk.store, intent?.operationId ?? '');
  assert.ok(payment !== null, 'the acquirer knows the payment');
  return payment;
}

/** After a challenge that was failed or canceled. */
export async function assertNeverAuthorised(shop: Shop, session: Fields): Promise<void> {
  const { status } = await atAcquirer(shop, session);
  // It is closed if its notification is processed while the visit is.
  assert.ok(status === 'begun' || status === 'closed', `no authorisation was requested: ${status}`);
}

export const paid: readonly string[] = ['payment_intent.succeeded', 'checkout_session.completed'];
export const failed: readonly string[] = ['payment_intent.payment_failed'];

/** A session whose payment is authorised but not captured. */
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

/** An API path below the session's payment intent. */
export function intentPath(session: Fields, below: string = ''): string {
  return `/payment-intents/${session.payment_intent}${below}`;
}
