// The check after every scenario: our books and the provider's agree to the last unit, nothing was charged twice, there
// is one event for each change, and no operation is left unknown.

import assert from 'node:assert/strict';
import type { Operation } from '../../src/domain/operation.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import type { Refund } from '../../src/domain/refund.ts';
import type { Fields } from '../support/api-client.ts';
import type { ProviderPayment } from './provider-under-test.ts';
import { operationsOf, quiet, type Scene } from './scene.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const refundedOf = ({ refunds }: ProviderPayment): number =>
  sum(refunds.filter(({ status }) => status !== 'failed').map(({ amount }) => amount));

export async function assertAgreement(scene: Scene): Promise<void> {
  await quiet(scene);
  const books = await scene.provider.books();
  const operations = await operationsOf(scene);
  for (const session of scene.sessions) await assertPayment(scene, session, operations, books);
  await assertNothingUnknown(scene, books);
}

async function assertPayment(
  { paydesk, merchant, failures }: Scene,
  asked: Fields,
  all: readonly Operation[],
  books: readonly ProviderPayment[],
): Promise<void> {
  const { store } = paydesk;
  const payment = await store.find('paymentsBySession', merchant.scope, String(asked.id));
  assert.ok(payment !== null);
  const { intent, session } = payment;
  const operations = all.filter(({ paymentIntentId }) => paymentIntentId === intent.id);
  const theirs = books.filter(({ operation }) =>
    operations.some(({ id, kind }) => kind === 'payment' && id === operation),
  );
  const refunds = await store.list('refunds', {
    ...{ scope: merchant.scope, where: { paymentIntentId: intent.id }, limit: 100 },
  });
  const about = JSON.stringify({ intent, operations, theirs, refunds }, null, 1);

  assertSettled(intent, operations, theirs, about);
  assertMoney(intent, theirs, refunds, about);
  assertReferences(intent, operations, theirs, about);
  const types = (await merchant.events())
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
      failed: failures.get(asked.id) ?? 0,
      completed: session.status === 'completed' ? 1 : 0,
      expired: session.status === 'expired' ? 1 : 0,
      refunds: refunds.length,
      failedRefunds: refunds.filter(({ status }) => status === 'failed').length,
    },
    `one event for each change: ${types.join(', ')}\n${about}`,
  );
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
async function assertNothingUnknown({ paydesk }: Scene, books: readonly ProviderPayment[]): Promise<void> {
  for (const one of books) {
    const known = one.operation === null ? null : await paydesk.store.findBy('operations', 'id', one.operation);
    if (known === null) assert.deepEqual([one.held, one.captured], [0, 0], JSON.stringify(one));
  }
}
