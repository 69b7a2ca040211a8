// The sandbox's disputed card: it pays normally, and a few seconds later the customer's bank takes the payment back.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BeginRequest } from '../../src/acquirers/acquirer.ts';
import { disputeStepMs, evidenceWithinMs, sendAgainMs } from '../../src/acquirers/sandbox/disputes.ts';
import { sandbox } from '../../src/acquirers/sandbox/sandbox.ts';
import { assertRefused, entriesOf, type Fields, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { customerAt } from '../support/customer.ts';
import { describeOnEachEngine, freshStore, postgres } from '../support/engines.ts';
import { fakeClock, startOfTests } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aDispute, aMoment, plainLook } from '../support/records.ts';
import { sandboxBooks, sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { intentPath, openShop, paid, paymentState, type Shop } from './scene.ts';

const card = '4000000000000259';

const beginRequest = (id: string, number: string): BeginRequest => ({
  ...{ id, amount: 1250, currency: 'EUR', captureMethod: 'automatic', method: 'card' },
  card: { kind: 'details', number, expMonth: 12, expYear: 2034, cvc: '123', name: '' },
  ...{ returnUrl: 'https://pay.test.example/return', notificationUrl: 'https://pay.test.example/notifications' },
  ...{ description: null, customerEmail: null, ...plainLook },
  ids: { paymentIntent: aMoment().newId('pi'), checkoutSession: aMoment().newId('cs') },
});

const localhost = { PAYDESK_PUBLIC_URL: 'http://localhost:4020' };

const disputesOf = async ({ merchant }: Pick<Shop, 'merchant'>, query = ''): Promise<Fields[]> =>
  entriesOf(await merchant.test.get(`/disputes${query}`));

async function untilDisputed(shop: Shop, status = 'needs_response'): Promise<Fields> {
  await until(`a dispute is ${status}`, async () => (await disputesOf(shop))[0]?.status === status);
  const [dispute, ...others] = await disputesOf(shop);
  assert.deepEqual(others, []);
  return dispute ?? assert.fail();
}

const disputeEvents = async ({ merchant }: Shop): Promise<string[]> =>
  (await merchant.events()).map(({ type }) => type).filter((type) => type.startsWith('dispute.'));

describeOnEachEngine('The disputed card', (engine) => {
  it('pays, and is disputed a few seconds later', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine));
    const { clock } = shop.paydesk;
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, card);
    assert.deepEqual((await paymentState(shop, session)).events, paid);
    clock.advance(disputeStepMs);
    const { id, ...dispute } = await untilDisputed(shop);
    assert.match(String(id), /^dp_[0-9a-z]{30}$/);
    const operation = (
      await shop.paydesk.store.find('paymentIntents', shop.merchant.scope, String(session.payment_intent))
    )?.operationId;
    assert.deepEqual(dispute, {
      object: 'dispute',
      payment_intent: session.payment_intent,
      amount: 1250,
      currency: 'EUR',
      reason: 'fraudulent',
      status: 'needs_response',
      evidence_due_by: new Date(clock.now() + evidenceWithinMs).toISOString(),
      acquirer: { provider: 'sandbox', reference: operation?.replace('op_', 'du_') },
      livemode: false,
      created_at: new Date(clock.now()).toISOString(),
    });
    assert.deepEqual(must(200, await shop.merchant.test.get(`/disputes/${id}`)), { id, ...dispute });
    const { intent } = await paymentState(shop, session);
    assert.deepEqual([intent.status, intent.amount_captured, intent.amount_refunded], ['succeeded', 1250, 0]);
    assert.deepEqual(await disputeEvents(shop), ['dispute.created']);
  });

  it('sends the event to endpoints that subscribe to it by name, and to no others', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine, { settings: localhost }));
    const receiver = await startWebhookReceiver(t);
    const subscribe = async (path: string, fields: object) =>
      must(201, await shop.merchant.test.post('/webhook-endpoints', { url: `${receiver.url}${path}`, ...fields }));
    await subscribe('/by-default', {});
    await subscribe('/disputes', { enabled_events: ['dispute.created'] });
    await subscribe('/closed', { enabled_events: ['dispute.closed'] });
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, card);
    shop.paydesk.clock.advance(disputeStepMs);
    const dispute = await untilDisputed(shop);
    await until('the event was sent', () => receiver.requests.some(({ path }) => path === '/disputes'));
    await until('the others were sent', () => receiver.requests.length >= 3);
    const sent = receiver.requests.map(({ path, body }) => [path, JSON.parse(body.toString()) as Fields] as const);
    assert.deepEqual(sent.map(([path, { type }]) => `${path} ${type}`).toSorted(), [
      '/by-default checkout_session.completed',
      '/by-default payment_intent.succeeded',
      '/disputes dispute.created',
    ]);
    const { id, object, payment_intent, amount, currency, status, reason, evidence_due_by } = dispute;
    const [, event] = sent.find(([path]) => path === '/disputes') ?? assert.fail();
    assert.deepEqual(event.data, { id, object, payment_intent, amount, currency, status, reason, evidence_due_by });
  });

  it('is lost when the time for evidence is over', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine));
    await shop.customer.payByCard((await shop.merchant.newSession()).id, card);
    shop.paydesk.clock.advance(disputeStepMs);
    const opened = await untilDisputed(shop);
    await until('the sandbox waits for evidence', async () => {
      const [payment] = await sandboxBooks(shop.paydesk.store).walk('payments', null, 10);
      return payment?.disputeDueAt === shop.paydesk.clock.now() + evidenceWithinMs;
    });
    shop.paydesk.clock.advance(evidenceWithinMs);
    const lost = await untilDisputed(shop, 'lost');
    assert.deepEqual(lost, { ...opened, status: 'lost' });
    assert.deepEqual(await disputeEvents(shop), ['dispute.created', 'dispute.closed']);
    await until('nothing is left to do', async () => {
      const [payment] = await sandboxBooks(shop.paydesk.store).walk('payments', null, 10);
      return payment?.disputeDueAt === null;
    });
  });

  it('has a sibling whose dispute is won within seconds, and can be refunded then', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine));
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000002685');
    for (const status of ['needs_response', 'under_review', 'won']) {
      shop.paydesk.clock.advance(disputeStepMs);
      assert.equal((await untilDisputed(shop, status)).reason, 'product_not_received');
      await until('the sandbox has seen that we know', async () => {
        const [payment] = await sandboxBooks(shop.paydesk.store).walk('payments', null, 10);
        const next = status === 'won' ? null : shop.paydesk.clock.now() + disputeStepMs;
        return payment?.disputeDueAt === next;
      });
    }
    assert.deepEqual(await disputeEvents(shop), ['dispute.created', 'dispute.updated', 'dispute.closed']);
    assert.equal(must(201, await shop.merchant.test.post(intentPath(session, '/refund'), {})).status, 'succeeded');
  });

  it('is announced again until the notification was accepted', async (t) => {
    const { store } = await freshStore(t, engine);
    const clock = fakeClock();
    const bank = sandbox({ books: sandboxBooks(store), clock, publicUrl: 'https://pay.test.example' });
    const id = aMoment().newId('op');
    await bank.begin(beginRequest(id, card));
    await bank.authorise({ id, amount: 1250, currency: 'EUR', reference: null, state: null, createdAt: clock.now() });
    const sent: string[] = [];
    const accepts = async (notice: { id: string }): Promise<void> => {
      sent.push(notice.id);
    };
    await bank.disputeDue(accepts);
    assert.deepEqual(sent, [], 'not at once');
    clock.advance(disputeStepMs);
    await assert.rejects(bank.disputeDue(async () => assert.fail('storage is down')));
    await bank.disputeDue(accepts);
    assert.deepEqual(sent, [], 'not immediately');
    clock.advance(sendAgainMs);
    await bank.disputeDue(accepts);
    clock.advance(sendAgainMs);
    await bank.disputeDue(accepts);
    assert.deepEqual(sent, [`${id}:needs_response`]);
    const fact = await bank.resolveNotice({ id: '1', type: 'payment.disputed', subject: id });
    assert.deepEqual(fact?.kind === 'payment' && fact.disputes[0]?.createdAt, startOfTests + disputeStepMs);
    assert.equal(await bank.resolveNotice({ id: '1', type: 'payment.disputed', subject: 'op_unknown' }), null);
  });

  it('is disputed by the next process if this one stops before', async (t) => {
    const first = await startPaydesk(t, engine);
    const shop = await openShop(first);
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, card);
    await first.stop();
    const later = first.clock.now() + 60_000;
    const second = await first.startAnother({ runningClock: { now: () => later } });
    const { merchantId } = shop.merchant.scope;
    const stored = () => second.store.list('disputes', { scope: { merchantId, livemode: false }, limit: 10 });
    await until('it is disputed', async () => (await stored()).length === 1);
    assert.equal((await stored())[0]?.paymentIntentId, session.payment_intent);
  });

  it('is disputed for what was captured, unless that was refunded', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine));
    const refunded = await shop.merchant.newSession();
    await shop.customer.payByCard(refunded.id, card);
    must(201, await shop.merchant.test.post(intentPath(refunded, '/refund'), {}));
    const session = await shop.merchant.newSession({ capture_method: 'manual' });
    await shop.customer.payByCard(session.id, card);
    shop.paydesk.clock.advance(disputeStepMs);
    must(200, await shop.merchant.test.post(intentPath(session, '/capture'), { amount_to_capture: 1_000 }));
    shop.paydesk.clock.advance(disputeStepMs);
    const dispute = await untilDisputed(shop);
    assert.deepEqual([dispute.payment_intent, dispute.amount], [session.payment_intent, 1_000]);
  });

  it('cannot be refunded once it is disputed: the refund fails', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine));
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, card);
    shop.paydesk.clock.advance(disputeStepMs);
    await untilDisputed(shop);
    assert.equal(must(201, await shop.merchant.test.post(intentPath(session, '/refund'), {})).status, 'failed');
    const { intent, events } = await paymentState(shop, session);
    assert.equal(intent.amount_refunded, 0);
    assert.ok(events.includes('refund.failed'));
  });
});

describe('The disputed card on PostgreSQL', () => {
  it('is one dispute with one event, however many processes look for it', async (t) => {
    const first = await startPaydesk(t, postgres);
    await first.startAnother({ runningClock: first.clock });
    await first.startAnother({ runningClock: first.clock });
    const shop = await openShop(first);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => shop.merchant.newSession()));
    await Promise.all(sessions.map(({ id }) => customerAt(first.url).payByCard(id, card)));
    first.clock.advance(disputeStepMs);
    await until('all are disputed', async () => (await disputesOf(shop, '?limit=100')).length === 10);
    const notices = await first.store.walk('acquirerNotices', null, 100);
    await until('all notices are processed', async () =>
      (await first.store.walk('acquirerNotices', null, 100)).every(({ dueAt }) => dueAt === null),
    );
    assert.equal(notices.length, 10);
    assert.deepEqual(
      await disputeEvents(shop),
      Array.from({ length: 10 }, () => 'dispute.created'),
    );
  });
});

describeOnEachEngine('Disputes', (engine) => {
  it('are listed newest first, by page, payment and status, and belong to a merchant and mode', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine));
    const sessions: Fields[] = [];
    for (let at = 0; at < 3; at += 1) {
      const session = await shop.merchant.newSession();
      await shop.customer.payByCard(session.id, card);
      shop.paydesk.clock.advance(disputeStepMs);
      await until('it is disputed', async () => (await disputesOf(shop)).length === at + 1);
      sessions.unshift(session);
    }
    const all = await disputesOf(shop);
    assert.deepEqual(
      all.map(({ payment_intent }) => payment_intent),
      sessions.map(({ payment_intent }) => payment_intent),
    );
    const page = must(200, await shop.merchant.test.get('/disputes?limit=2'));
    assert.deepEqual([page.data, page.has_more], [all.slice(0, 2), true]);
    const rest = must(200, await shop.merchant.test.get(`/disputes?limit=2&cursor=${page.next_cursor}`));
    assert.deepEqual([rest.data, rest.has_more, rest.next_cursor], [all.slice(2), false, null]);
    const [, second] = all;
    assert.deepEqual(await disputesOf(shop, `?payment_intent=${second?.payment_intent}`), [second]);
    assert.equal((await disputesOf(shop, '?status=needs_response')).length, 3);
    assert.deepEqual(await disputesOf(shop, `?status=won&payment_intent=${second?.payment_intent}`), []);
    for (const [query, param] of [
      ['payment_intent=cs_1', 'payment_intent'],
      ['status=open', 'status'],
      ['cursor=x', 'cursor'],
      ['limit=0', 'limit'],
    ] as const) {
      const refused = await shop.merchant.test.get(`/disputes?${query}`);
      assertRefused(refused, { status: 400, code: 'parameter_invalid', param });
    }
    const stranger = await shop.paydesk.newMerchant();
    for (const api of [shop.merchant.live, stranger.test, stranger.live]) {
      assert.deepEqual(entriesOf(await api.get('/disputes')), []);
      assertRefused(await api.get(`/disputes/${second?.id}`), { status: 404, code: 'dispute_not_found' });
    }
    assertRefused(await shop.merchant.test.get('/disputes/dp_x'), { status: 404, code: 'dispute_not_found' });
    assert.equal((await shop.merchant.test.post('/disputes', {})).status, 405);
  });

  it('of live payments are shown to live keys only', async (t) => {
    const { paydesk, merchant } = await openShop(await startPaydesk(t, engine));
    const live = aDispute({ ...merchant.scope, livemode: true });
    const { id, paymentIntentId } = live;
    await mustCommit(paydesk.store, { disputes: [live] });
    const dispute = must(200, await merchant.live.get(`/disputes/${id}`));
    assert.deepEqual([dispute.livemode, dispute.payment_intent], [true, paymentIntentId]);
    assert.deepEqual(entriesOf(await merchant.live.get('/disputes')), [dispute]);
    assert.deepEqual(entriesOf(await merchant.test.get('/disputes')), []);
    assertRefused(await merchant.test.get(`/disputes/${id}`), { status: 404, code: 'dispute_not_found' });
  });

  it('do not touch sandbox payments with other cards', async (t) => {
    const shop = await openShop(await startPaydesk(t, engine));
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4242424242424242');
    const intent = await shop.paydesk.store.find('paymentIntents', shop.merchant.scope, String(session.payment_intent));
    const { disputeDueAt } = (await sandboxPayment(shop.paydesk.store, intent?.operationId ?? '')) ?? assert.fail();
    assert.equal(disputeDueAt, null);
  });
});
