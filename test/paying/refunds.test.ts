// Refunds: in full, in part, never more than was captured; and who may see them.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { assertRefused, entriesOf, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import {
  atAcquirer,
  authorisedSession,
  intentPath,
  manyDeclines,
  openShop,
  paidSession,
  paymentState,
} from './scene.ts';

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describeOnEachEngine('A refund', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  it('covers the full amount by default, with an event', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop);
    shop.paydesk.clock.advance(1);
    const response = await shop.merchant.test.post(intentPath(session, '/refund'), { reason: 'returned' });
    const { id, ...refund } = must(201, response);
    assert.match(String(id), /^re_/);
    assert.deepEqual(refund, {
      object: 'refund',
      payment_intent: session.payment_intent,
      amount: 1250,
      currency: 'EUR',
      status: 'succeeded',
      reason: 'returned',
      livemode: false,
      created_at: new Date(shop.paydesk.clock.now()).toISOString(),
    });
    const { intent, events } = await paymentState(shop, session);
    assert.deepEqual([intent.status, intent.amount_captured, intent.amount_refunded], ['succeeded', 1250, 1250]);
    assert.deepEqual(events.slice(2), ['refund.created']);
    const [event] = (await shop.merchant.events()).filter(({ type }) => type === 'refund.created');
    assert.equal(event?.data.id, id);
    assert.equal(event?.data.amount, 1250);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 1250);
  });

  it('can be partial until nothing is left, and never more', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop);
    const refund = (body: object) => shop.merchant.test.post(intentPath(session, '/refund'), body);
    assertRefused(await refund({ amount: 1251 }), { status: 400, code: 'parameter_invalid', param: 'amount' });
    assert.equal(must(201, await refund({ amount: 1000 })).amount, 1000);
    assert.equal(must(201, await refund({ amount: 100 })).amount, 100);
    assertRefused(await refund({ amount: 151 }), { status: 400, code: 'parameter_invalid', param: 'amount' });
    assert.equal(must(201, await refund({})).amount, 150);
    assertRefused(await refund({ amount: 1 }), { status: 409, code: 'payment_not_refundable' });
    assertRefused(await refund({}), { status: 409, code: 'payment_not_refundable' });
    const { intent, events } = await paymentState(shop, session);
    assert.equal(intent.amount_refunded, 1250);
    assert.equal(events.filter((type) => type === 'refund.created').length, 3);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 1250);
  });

  it('fails for the card whose refunds fail, frees the amount, and can be tried again', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000005126');
    shop.paydesk.clock.advance(1);
    const key = keyed(randomUUID());
    const refund = () => shop.merchant.test.post(intentPath(session, '/refund'), { amount: 250 }, key);
    const first = must(201, await refund());
    assert.equal(first.status, 'failed');
    assert.deepEqual(must(201, await refund()), first);
    const { intent, events } = await paymentState(shop, session);
    assert.deepEqual([intent.status, intent.amount_refunded], ['succeeded', 0]);
    assert.deepEqual(events.slice(2).sort(), ['refund.created', 'refund.failed']);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 0);
    assert.equal(must(201, await shop.merchant.test.post(intentPath(session, '/refund'), {})).status, 'failed');
  });

  it('is refused for a payment that was not captured', async () => {
    const shop = await openShop(paydesk());
    const open = await shop.merchant.newSession();
    const challenged = await shop.merchant.newSession();
    await shop.customer.payByCard(challenged.id, '4000000000003220');
    const processing = await shop.merchant.newSession();
    await shop.customer.payByCard(processing.id, '4000000000000077');
    const canceled = await authorisedSession(shop);
    must(200, await shop.merchant.test.post(intentPath(canceled, '/cancel')));
    for (const session of [open, challenged, processing, canceled, await authorisedSession(shop)]) {
      const response = await shop.merchant.test.post(intentPath(session, '/refund'), { amount: 1 });
      assertRefused(response, { status: 409, code: 'payment_not_refundable' });
    }
    assert.deepEqual(entriesOf(await shop.merchant.test.get('/refunds')), []);
  });

  it('is retrieved and listed, newest first and by payment', async () => {
    const shop = await openShop(paydesk());
    const [first, second] = [await paidSession(shop), await paidSession(shop)];
    const created = [];
    for (const [session, amount] of [
      [first, 1],
      [second, 2],
      [first, 3],
    ] as const) {
      shop.paydesk.clock.advance(1);
      created.unshift(must(201, await shop.merchant.test.post(intentPath(session, '/refund'), { amount })));
    }
    assert.deepEqual(entriesOf(await shop.merchant.test.get('/refunds')), created);
    const ofFirst = entriesOf(await shop.merchant.test.get(`/refunds?payment_intent=${first.payment_intent}`));
    assert.deepEqual(
      ofFirst.map(({ amount }) => amount),
      [3, 1],
    );
    for (const refund of created) {
      assert.deepEqual(must(200, await shop.merchant.test.get(`/refunds/${refund.id}`)), refund);
    }
    const page = await shop.merchant.test.get('/refunds?limit=2');
    assert.equal(page.body.has_more, true);
    const rest = await shop.merchant.test.get(`/refunds?limit=2&cursor=${page.body.next_cursor}`);
    assert.deepEqual([...entriesOf(page), ...entriesOf(rest)], created);
    assertRefused(await shop.merchant.test.get('/refunds?payment_intent=nonsense'), {
      status: 400,
      code: 'parameter_invalid',
      param: 'payment_intent',
    });
  });

  it("does not exist for another merchant or mode, and others' payments cannot be refunded", async () => {
    const shop = await openShop(paydesk());
    const other = await openShop(paydesk());
    const session = await paidSession(shop);
    const { id } = must(201, await shop.merchant.test.post(intentPath(session, '/refund'), { amount: 1 }));
    for (const api of [other.merchant.test, other.merchant.live, shop.merchant.live]) {
      assertRefused(await api.get(`/refunds/${id}`), { status: 404, code: 'refund_not_found' });
      assert.deepEqual(entriesOf(await api.get('/refunds')), []);
      assert.deepEqual(entriesOf(await api.get(`/refunds?payment_intent=${session.payment_intent}`)), []);
      for (const call of ['/refund', '/capture', '/cancel']) {
        const response = await api.post(intentPath(session, call), {}, keyed(randomUUID()));
        assertRefused(response, { status: 404, code: 'payment_intent_not_found' });
      }
    }
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 1);
  });

  it('is created once by twenty requests with one key, and another body is refused', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop);
    const key = randomUUID();
    const refund = (body: object) => shop.merchant.test.post(intentPath(session, '/refund'), body, keyed(key));
    const responses = await Promise.all(times(20).map(() => refund({ amount: 300 })));
    for (const response of responses) {
      assert.equal(response.status, 201, response.text);
      assert.equal(response.text, responses[0]?.text);
    }
    assert.equal(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    assertRefused(await refund({ amount: 301 }), { status: 422, code: 'idempotency_key_reused' });
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 300);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 300);
  });

  it('with one key and different amounts at once has the amount in its response', async () => {
    const shop = await openShop(paydesk());
    for (const turn of times(10)) {
      const session = await paidSession(shop);
      const key = randomUUID();
      const amounts = [100 + turn, 200 + turn, 300 + turn];
      const responses = await Promise.all(
        amounts.map((amount) => shop.merchant.test.post(intentPath(session, '/refund'), { amount }, keyed(key))),
      );
      const created = responses.flatMap(({ status, body }, index) =>
        status === 201 ? [[body.amount, amounts[index]]] : [],
      );
      assert.equal(created.length, 1, responses.map(({ text }) => text).join());
      assert.equal(created[0]?.[0], created[0]?.[1], 'the amount that was requested');
      for (const { status, text } of responses) assert.ok(status === 201 || status === 422, text);
      assert.equal((await paymentState(shop, session)).intent.amount_refunded, created[0]?.[0]);
    }
  });

  it('is refused if ten at once would exceed the capture', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop);
    const responses = await Promise.all(
      times(10).map(() => shop.merchant.test.post(intentPath(session, '/refund'), { amount: 300 })),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...times(4).map(() => 201), ...times(6).map(() => 400)]);
    const { intent, events } = await paymentState(shop, session);
    assert.equal(intent.amount_refunded, 1200);
    assert.equal(events.filter((type) => type === 'refund.created').length, 4);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 1200);
  });
});
