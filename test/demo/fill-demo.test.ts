// Demo data in the database: complete, consistent, and nothing left for a service to catch up on.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, it } from 'node:test';
import type { FilledDemo } from '../../src/demo/fill-demo.ts';
import { demoDays } from '../../src/demo/rhythm.ts';
import type { CheckoutSession } from '../../src/domain/checkout-session.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import type { Dispute } from '../../src/domain/dispute.ts';
import type { Event, EventType } from '../../src/domain/event.ts';
import { timeOfId } from '../../src/domain/ids.ts';
import type { Merchant, Scope } from '../../src/domain/merchant.ts';
import { momentAt } from '../../src/domain/moment.ts';
import type { Operation } from '../../src/domain/operation.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import type { PaymentLink } from '../../src/domain/payment-link.ts';
import type { Refund } from '../../src/domain/refund.ts';
import type { Store } from '../../src/storage/store.ts';
import { createMerchant } from '../../src/usecases/create-merchant.ts';
import { demoMerchantIn, fillWithDemo } from '../support/demo-filling.ts';
import { describeOnEachStore, freshStore, type OpenedStore } from '../support/engines.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';

const until = Date.UTC(2026, 2, 20, 16, 45, 12, 300);
const from = until - demoDays * 86_400_000;
const payments = 600;

interface Rows {
  readonly intents: readonly PaymentIntent[];
  readonly sessions: readonly CheckoutSession[];
  readonly operations: readonly Operation[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly links: readonly PaymentLink[];
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

async function rowsOf(store: Store, scope: Scope): Promise<Rows> {
  const page = { scope, limit: 100_000 };
  return {
    intents: await store.list('paymentIntents', page),
    sessions: await store.list('checkoutSessions', page),
    operations: await store.list('operations', page),
    refunds: await store.list('refunds', page),
    disputes: await store.list('disputes', page),
    links: await store.list('paymentLinks', page),
    events: await store.list('events', page),
    deliveries: await store.list('deliveries', page),
  };
}

const countBy = <T>(items: readonly T[], key: (item: T) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(items, key)].map(([name, of]) => [name, of.length]));

/** One purchase in four collides with another commit at first, and is made again. */
function withCollisions(store: Store): Store {
  let purchases = 0;
  return {
    ...store,
    async commit(changes) {
      if (changes.checkoutSessions === undefined) return store.commit(changes);
      purchases += 1;
      return purchases % 4 === 1 ? { committed: false, conflict: 'version' } : store.commit(changes);
    },
  };
}

describeOnEachStore('Demo data', (engine) => {
  let opened: OpenedStore;
  let merchant: Merchant;
  let scope: Scope;
  let filled: FilledDemo;
  let rows: Rows;
  const cleanUps: (() => Promise<void>)[] = [];

  before(async () => {
    opened = await freshStore({ after: (work) => cleanUps.push(work) }, engine);
    merchant = await demoMerchantIn(opened.store, until);
    scope = { merchantId: merchant.id, livemode: false };
    filled = await fillWithDemo(opened.store, merchant, { payments, until, seed: 7 });
    rows = await rowsOf(opened.store, scope);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  it('is what was reported', () => {
    const { intents, refunds, disputes, events, deliveries, links } = rows;
    assert.equal(intents.length, payments);
    assert.equal(rows.sessions.length, payments);
    assert.deepEqual(
      filled.byStatus,
      countBy(intents, ({ status }) => status),
    );
    assert.deepEqual(
      [filled.payments, filled.refunds, filled.disputes, filled.events, filled.deliveries],
      [payments, refunds.length, disputes.length, events.length, deliveries.length],
    );
    assert.deepEqual(filled.links.toSorted(), links.map(({ id }) => id).toSorted());
  });

  it('is a believable month: most is paid, and every kind of outcome occurs', () => {
    const { intents, sessions, operations, refunds, disputes } = rows;
    const byStatus = countBy(intents, ({ status }) => status);
    assert.ok((byStatus.succeeded ?? 0) > 0.75 * payments && (byStatus.succeeded ?? 0) < 0.9 * payments);
    assert.ok((byStatus.expired ?? 0) > 0.08 * payments);
    assert.ok((byStatus.canceled ?? 0) > 3);
    assert.equal(byStatus.processing, undefined);
    const methods = countBy(intents, ({ paymentMethod }) => paymentMethod?.type ?? 'none');
    for (const method of ['card', 'ideal', 'sepa_debit', 'bancontact']) assert.ok((methods[method] ?? 0) > 10, method);
    assert.ok(Object.keys(countBy(intents, ({ currency }) => currency)).length >= 6);
    const reasons = countBy(
      intents.filter(({ lastPaymentError }) => lastPaymentError !== null),
      ({ lastPaymentError }) => lastPaymentError?.decline_code ?? lastPaymentError?.code ?? '',
    );
    assert.ok(Object.keys(reasons).length >= 4, JSON.stringify(reasons));
    assert.ok(refunds.some(({ status }) => status === 'failed'));
    assert.ok(refunds.some(({ amount, paymentIntentId }) => amount < (intentOf(paymentIntentId)?.amount ?? 0)));
    assert.ok(disputes.length >= 2);
    assert.ok(operations.some(({ kind }) => kind === 'capture') && operations.some(({ kind }) => kind === 'void'));
    assert.ok(intents.some(({ amountCaptured, amount }) => amountCaptured > 0 && amountCaptured < amount));
    assert.ok(sessions.some(({ paymentLinkId }) => paymentLinkId !== null));
    const ofShop = sessions.filter(({ paymentLinkId }) => paymentLinkId === null);
    assert.ok(ofShop.every(({ customerEmail }) => /@[a-z.]*example(\.[a-z]+)?$/.test(customerEmail ?? '')));
    assert.ok(ofShop.every(({ lineItems, metadata }) => lineItems !== null && /^ORD-\d+$/.test(metadata.order ?? '')));
  });

  const intentOf = (id: string): PaymentIntent | undefined => rows.intents.find((intent) => intent.id === id);

  it('lies within the last thirty days, with ids of their time', () => {
    const { intents, sessions, refunds, events } = rows;
    for (const { id, createdAt } of [...intents, ...sessions, ...refunds, ...events]) {
      assert.ok(createdAt >= from && createdAt <= until, `${id} was created at ${createdAt}`);
      assert.equal(timeOfId(id), createdAt);
    }
    for (const { id, status, createdAt, openedAt, completedAt } of sessions) {
      if (status === 'completed') assert.ok(openedAt !== null, id);
      assert.ok(openedAt === null || (openedAt > createdAt && openedAt < (completedAt ?? until)), id);
    }
    const days = new Set(intents.map(({ createdAt }) => Math.floor((createdAt - from) / 86_400_000)));
    assert.equal(days.size, demoDays);
    assert.deepEqual(
      intents.map(({ createdAt }) => createdAt),
      intents.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
    );
  });

  it('has an event for every change, and no other events', () => {
    const { intents, sessions, refunds, disputes, events, operations } = rows;
    const subjects = (type: EventType): string[] =>
      events.filter((event) => event.type === type).map(({ data }) => String(data.id));
    const expected = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id).toSorted();
    const same = (type: EventType, items: readonly { id: string }[]) =>
      assert.deepEqual(subjects(type).toSorted(), expected(items), type);
    same(
      'payment_intent.succeeded',
      intents.filter(({ status }) => status === 'succeeded'),
    );
    same(
      'payment_intent.canceled',
      intents.filter(({ status }) => status === 'canceled'),
    );
    same(
      'checkout_session.completed',
      sessions.filter(({ status }) => status === 'completed'),
    );
    same(
      'checkout_session.expired',
      sessions.filter(({ status }) => status === 'expired'),
    );
    same('refund.created', refunds);
    same(
      'refund.failed',
      refunds.filter(({ status }) => status === 'failed'),
    );
    same('dispute.created', disputes);
    same(
      'dispute.closed',
      disputes.filter(({ status }) => status === 'won' || status === 'lost'),
    );
    const failed = operations.filter(({ kind, status }) => kind === 'payment' && status === 'failed');
    assert.ok(subjects('payment_intent.payment_failed').length > 0);
    // Those that ended because their session expired have the session's event instead.
    assert.ok(subjects('payment_intent.payment_failed').length <= failed.length);
  });

  it('agrees with the books of the sandbox', async () => {
    const books = await sandboxBooks(opened.store).walk('payments', null, 100_000);
    const paymentOperations = rows.operations.filter(({ kind }) => kind === 'payment');
    assert.deepEqual(books.map(({ id }) => id).toSorted(), paymentOperations.map(({ id }) => id).toSorted());
    const byIntent = Map.groupBy(books, ({ id }) => paymentOperations.find((one) => one.id === id)?.paymentIntentId);
    for (const { id, currency, amountCaptured, amountRefunded, status } of rows.intents) {
      const ofIntent = byIntent.get(id) ?? [];
      const total = (amount: (payment: (typeof books)[number]) => number) =>
        ofIntent.reduce((sum, payment) => sum + amount(payment), 0);
      assert.equal(
        total((payment) => payment.amountCaptured),
        amountCaptured,
        id,
      );
      assert.equal(
        total((payment) => payment.amountRefunded),
        amountRefunded,
        id,
      );
      assert.ok(ofIntent.every((payment) => payment.currency === currency));
      assert.equal(
        ofIntent.some((payment) => payment.status === 'authorised'),
        status === 'requires_capture',
        id,
      );
    }
    const followUps = await sandboxBooks(opened.store).walk('followUps', null, 100_000);
    const succeeded = rows.operations.filter(({ kind, status }) => kind !== 'payment' && status === 'succeeded');
    assert.deepEqual(followUps.map(({ id }) => id).toSorted(), succeeded.map(({ id }) => id).toSorted());
  });

  it('has links with several uses, one used up, one expired and one deactivated, and counts that are right', () => {
    const statuses = countBy(rows.links, ({ status }) => status);
    assert.ok((statuses.active ?? 0) >= 2);
    assert.deepEqual([statuses.expired, statuses.inactive], [1, 1]);
    assert.ok((statuses.completed ?? 0) >= 1);
    assert.ok(rows.links.some(({ timesCompleted }) => timesCompleted > 1));
    for (const { id, timesUsed, timesCompleted, timesReserved } of rows.links) {
      const ofLink = rows.intents.filter(({ paymentLinkId }) => paymentLinkId === id);
      assert.equal(timesUsed, ofLink.length);
      assert.equal(timesCompleted, ofLink.filter(({ linkUse }) => linkUse === 'completed').length);
      assert.ok(timesReserved <= ofLink.length - timesCompleted);
    }
  });

  it('has an endpoint that works and one that fails, with deliveries that were tried by then', () => {
    const { working, failing } = filled.endpoints;
    const to = (endpoint: { id: string }) => rows.deliveries.filter(({ endpointId }) => endpointId === endpoint.id);
    assert.ok(to(working).filter(({ status }) => status === 'delivered').length > 0.97 * to(working).length);
    assert.equal(to(working).length, rows.events.length);
    const failed = to(failing).filter(({ status }) => status === 'failed');
    assert.ok(failed.length >= 3, `${failed.length} failed`);
    assert.ok(failed.every(({ attempts }) => attempts.length === 4));
    for (const { attempts, createdAt, dueAt, status } of rows.deliveries) {
      assert.ok(attempts.every(({ at }, index) => at >= (attempts[index - 1]?.at ?? createdAt) && at <= until + 40));
      assert.equal(dueAt === null, status !== 'pending');
      assert.ok(dueAt === null || dueAt > until);
    }
  });

  it('ends with an authorisation to capture and a dispute to respond to', () => {
    assert.ok(rows.intents.some(({ status }) => status === 'requires_capture'));
    assert.ok(rows.disputes.some(({ status }) => status === 'needs_response'));
  });

  it('has the API requests of the last seven days, masked as if they had been recorded', async () => {
    const requests = await opened.store.list('requestRecords', { scope, limit: 10_000 });
    const since = until - 7 * 86_400_000;
    const keys = await opened.store.list('keysOfMode', { scope, limit: 10 });
    assert.ok(requests.length > 100);
    for (const { id, createdAt, keyId, duration } of requests) {
      assert.ok(createdAt >= since && createdAt <= until && timeOfId(id) === createdAt && duration > 0);
      assert.ok(keys.some((key) => key.id === keyId));
    }
    const recent = rows.sessions.filter(({ createdAt, paymentLinkId }) => createdAt >= since && paymentLinkId === null);
    const created = requests.filter(({ path, status }) => path === '/checkout-sessions' && status === 201);
    assert.equal(created.length, recent.length);
    const answers = created.map(({ responseBody }) => JSON.parse(String(responseBody)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set(['open']));
    assert.deepEqual(answers.map(({ id }) => id).toSorted(), recent.map(({ id }) => id).toSorted());
    const kinds = countBy(
      requests,
      ({ method, path, status }) => `${method} ${path.replace(/\/\w+_\w+/, '')} ${status}`,
    );
    for (const kind of ['GET /checkout-sessions 200', 'POST /payment-intents/refund 201']) assert.ok(kinds[kind], kind);
    assert.ok(requests.some(({ status }) => status >= 400));
    const bodies = requests.map(({ requestBody, responseBody }) => `${requestBody} ${responseBody}`).join('\n');
    assert.doesNotMatch(bodies, /@(?:example|mail|post)\b|_secret_/);
  });

  it('leaves nothing overdue', async () => {
    const { sessions, intents, operations } = rows;
    assert.ok(sessions.every(({ status, expiresAt }) => status !== 'open' || expiresAt > until - 1_000));
    assert.ok(intents.every(({ captureBefore }) => captureBefore === null || captureBefore > until - 20_000));
    assert.ok(operations.every(({ dueAt, status }) => dueAt === null || status === 'action_needed'));
    assert.equal((await opened.store.unfinished(until)).unknown.length, 0);
    const books = await sandboxBooks(opened.store).walk('payments', null, 100_000);
    assert.ok(books.every(({ settleAt }) => settleAt === null));
    assert.ok(books.every(({ disputeDueAt }) => disputeDueAt === null || disputeDueAt > until));
    const notices = await opened.store.list('acquirerNotices', { scope, limit: 1_000 });
    assert.ok(notices.length >= rows.disputes.length && notices.every(({ dueAt }) => dueAt === null));
  });

  it('is in test mode, and its administrative changes are in the audit trail at their real time', async () => {
    const live = { merchantId: merchant.id, livemode: true };
    assert.equal(await opened.store.count('paymentIntents', { scope: live }, 1), 0);
    assert.equal(await opened.store.count('webhookEndpoints', { scope: live }, 1), 0);
    const entries = await opened.store.list('auditEntries', { limit: 100, where: { merchantId: merchant.id } });
    const created = entries.filter(({ action }) => action === 'webhook_endpoint.created');
    assert.deepEqual(
      created.map(({ actor, createdAt }) => [actor, createdAt]),
      [
        ['cli:tester', until],
        ['cli:tester', until],
      ],
    );
    assert.equal(await opened.store.count('mailMessages', {}, 1), 0);
    assert.equal((await opened.store.attemptCounters([`session ${rows.sessions[0]?.id}`])).length, 0);
  });

  it('is added to by a second run, for the same endpoints, and looks the same for the same seed, even after collisions', async () => {
    const { store } = opened;
    const again = await fillWithDemo(store, merchant, { payments: 80, until: until + 60_000, seed: 8 });
    const after = await rowsOf(store, scope);
    assert.equal(after.intents.length, payments + 80);
    assert.deepEqual(
      [again.endpoints.working.id, again.endpoints.failing.id],
      [filled.endpoints.working.id, filled.endpoints.failing.id],
    );
    const moment = () => momentAt(until, randomBytes);
    const other = await createMerchant({ store, moment, random: randomBytes, actor: 'test' }, 'Other');
    if (other === null) throw new Error('the merchant was not created');
    await fillWithDemo(withCollisions(store), other.merchant, { payments, until, seed: 7 });
    const theirs = await rowsOf(store, { merchantId: other.merchant.id, livemode: false });
    // Ids are random, and so is the order of payments that were created in the same millisecond.
    const look = ({ intents, sessions }: Rows) =>
      intents
        .map(({ createdAt, amount, currency, status, paymentMethod, checkoutSessionId }) => {
          const { customerEmail, metadata } = sessions.find(({ id }) => id === checkoutSessionId) ?? {};
          return { createdAt, amount, currency, status, paymentMethod, customerEmail, metadata };
        })
        .sort((one, other) => one.createdAt - other.createdAt || one.amount - other.amount);
    assert.deepEqual(look(theirs), look(rows));
  });
});
