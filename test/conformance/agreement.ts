// The check after every scenario: our books and the provider's agree to the last unit, nothing was charged twice, there
// is one event for each change, and no operation is left unknown.

import assert from 'node:assert/strict';
import type { Event } from '../../src/domain/event.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import type { Operation } from '../../src/domain/operation.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import type { Refund } from '../../src/domain/refund.ts';
import type { Store } from '../../src/storage/store.ts';
import type { ProviderPayment } from './provider-under-test.ts';
import { operationsOf, quiet, type Scene } from './scene.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const refundedOf = ({ refunds }: ProviderPayment): number =>
  sum(refunds.filter(({ status }) => status !== 'failed').map(({ amount }) => amount));

export async function assertAgreement(scene: Scene): Promise<void> {
  await quiet(scene);
  const { provider, merchant, sessions, failures } = scene;
  const { store } = scene.paydesk;
  const ledgers: Ledgers = {
    ...{ store, scope: merchant.scope, books: await provider.books(store) },
    ...{ operations: await operationsOf(scene), events: await merchant.events() },
  };
  for (const { id } of sessions) await assertPayment(ledgers, String(id), failures.get(id) ?? 0);
  await assertNothingUnknown(ledgers);
}

/** Both sides of the books. */
export interface Ledgers {
  readonly store: Store;
  readonly scope: Scope;
  readonly operations: readonly Operation[];
  readonly events: readonly Event[];
  readonly books: readonly ProviderPayment[];
}

/** Of one session. `failures`: how many attempts must have failed; null: any number. Returns the payment. */
export async function assertPayment(
  { store, scope, operations: all, events, books }: Ledgers,
  sessionId: string,
  failures: number | null,
): Promise<PaymentIntent> {
  const payment = await store.find('paymentsBySession', scope, sessionId);
  assert.ok(payment !== null);
  const { intent, session } = payment;
  const operations = all.filter(({ paymentIntentId }) => paymentIntentId === intent.id);
  const theirs = books.filter(({ operation }) =>
    operations.some(({ id, kind }) => kind === 'payment' && id === operation),
  );
  const refunds = await store.list('refunds', { scope, where: { paymentIntentId: intent.id }, limit: 100 });
  const about = JSON.stringify({ intent, operations, theirs, refunds }, null, 1);

  assertSettled(intent, operations, theirs, about);
  assertMoney(intent, theirs, refunds, about);
  assertReferences(intent, operations, theirs, about);
  const types = events
    .filter(({ data }) => [data.id, data.payment_intent].some((id) => id === session.id || id === intent.id))
    .map(({ type }) => type);
  const count = (type: string): number => types.filter((one) => one === type).length;
  assert.deepEqual(
    {
      succeeded: count('payment_intent.succeeded'),
      canceled: count('payment_intent.canceled'),
      failed: count('payment_intent.payment_failed'),
      completed: count('checkout_session.completed'),
      expired: count('checkout_session.expired'),
      refunds: count('refund.created'),
      failedRefunds: count('refund.failed'),
    },
    {
      succeeded: intent.status === 'succeeded' ? 1 : 0,
      canceled: intent.status === 'canceled' ? 1 : 0,
      failed: failures ?? count('payment_intent.payment_failed'),
      completed: session.status === 'completed' ? 1 : 0,
      expired: session.status === 'expired' ? 1 : 0,
      refunds: refunds.length,
      failedRefunds: refunds.filter(({ status }) => status === 'failed').length,
    },
    `one event for each change: ${types.join(', ')}\n${about}`,
  );
  return intent;
}

/** Only a payment that the customer can still complete at the provider is open, and that is known. */
function assertSettled(
  intent: PaymentIntent,
  operations: readonly Operation[],
  theirs: readonly ProviderPayment[],
  about: string,
): void {
  assert.equal(intent.pendingOperationId, null, about);
  assert.notEqual(intent.status, 'processing', about);
  for (const { id, status } of operations) {
    const isOpen = theirs.some(({ operation, isOpen: open }) => operation === id && open);
    assert.ok(status === 'succeeded' || status === 'failed' || (status === 'action_needed' && isOpen), about);
  }
}

function assertMoney(
  intent: PaymentIntent,
  theirs: readonly ProviderPayment[],
  refunds: readonly Refund[],
  about: string,
): void {
  assert.equal(sum(theirs.map(({ captured }) => captured)), intent.amountCaptured, `captured: ${about}`);
  assert.equal(sum(theirs.map(refundedOf)), intent.amountRefunded, `refunded: ${about}`);
  assert.equal(sum(theirs.map(({ held }) => held)), intent.status === 'requires_capture' ? intent.amount : 0, about);
  const charged = theirs.filter((one) => one.held > 0 || one.captured > refundedOf(one));
  assert.ok(charged.length <= 1, `charged twice: ${about}`);
  if (intent.status === 'succeeded') assert.ok(intent.amountCaptured > 0, about);
  else assert.equal(intent.amountCaptured, intent.amountRefunded, `money of a payment that was not made: ${about}`);
  assert.ok(intent.amountCaptured <= intent.amount * Math.max(1, theirs.length), about);
  const made = theirs.flatMap((one) => one.refunds.filter(({ status }) => status === 'succeeded'));
  const ours = refunds.filter(({ status }) => status === 'succeeded');
  const amounts = (list: readonly { readonly amount: number }[]): number[] =>
    list.map(({ amount }) => amount).toSorted((a, b) => a - b);
  assert.deepEqual(amounts(ours), amounts(made), `refund by refund: ${about}`);
  assert.ok(
    refunds.every(({ status }) => status !== 'pending'),
    about,
  );
}

function assertReferences(
  intent: PaymentIntent,
  operations: readonly Operation[],
  theirs: readonly ProviderPayment[],
  about: string,
): void {
  for (const { reference, operation: id, amount, currency } of theirs) {
    const ours = operations.find((one) => one.id === id);
    assert.equal(amount, intent.amount, about);
    assert.equal(currency, intent.currency, about);
    if (ours === undefined || ours.status === 'failed') continue;
    if (ours.acquirerId !== null) assert.equal(ours.acquirerReference, reference, about);
    if (intent.operationId === id) assert.equal(intent.acquirer?.reference, reference, about);
  }
}

/** What the provider has and we do not know was begun and given up: no money moved. */
export async function assertNothingUnknown({ store, books }: Ledgers): Promise<void> {
  for (const one of books) {
    const known = one.operation === null ? null : await store.findBy('operations', 'id', one.operation);
    if (known === null) assert.deepEqual([one.held, one.captured], [0, 0], JSON.stringify(one));
  }
}
