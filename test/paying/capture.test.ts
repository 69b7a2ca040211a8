// Manual capture: the customer authorises, the merchant captures all or part, cancels, or lets it lapse.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { assertRefused, must } from '../support/api-client.ts';
import { textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import {
  atAcquirer,
  authorisedSession,
  intentPath,
  manyDeclines,
  openShop,
  paidSession,
  paymentState,
} from './scene.ts';

const completed = 'checkout_session.completed';
const sevenDaysMs = 7 * 24 * 60 * 60 * 1000;
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describeOnEachEngine('A payment with manual capture', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  it('is authorised: the session completes, and nothing is captured yet', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop);
    const { intent, session: after, events } = await paymentState(shop, session);
    assert.equal(intent.status, 'requires_capture');
    assert.equal(intent.amount_captured, 0);
    assert.equal(intent.last_payment_error, null);
    assert.equal(after.status, 'completed');
    assert.deepEqual(events, [completed]);
    const { status, amountCaptured } = await atAcquirer(shop, session);
    assert.deepEqual([status, amountCaptured], ['authorised', 0]);
  });

  it('is captured in full', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop);
    shop.paydesk.clock.advance(1);
    const captured = must(200, await shop.merchant.test.post(intentPath(session, '/capture')));
    assert.equal(captured.status, 'succeeded');
    assert.equal(captured.amount_captured, 1250);
    const { intent, events } = await paymentState(shop, session);
    assert.deepEqual(intent, captured);
    assert.deepEqual(events, [completed, 'payment_intent.succeeded']);
    assert.equal((await atAcquirer(shop, session)).amountCaptured, 1250);
  });

  it('is captured in part: the rest is released', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop);
    const captured = must(
      200,
      await shop.merchant.test.post(intentPath(session, '/capture'), { amount_to_capture: 1 }),
    );
    assert.deepEqual([captured.status, captured.amount, captured.amount_captured], ['succeeded', 1250, 1]);
    assert.equal((await atAcquirer(shop, session)).amountCaptured, 1);
    const again = await shop.merchant.test.post(intentPath(session, '/capture'), { amount_to_capture: 1249 });
    assertRefused(again, { status: 409, code: 'payment_not_capturable' });
    const tooMuch = await shop.merchant.test.post(intentPath(session, '/refund'), { amount: 2 });
    assertRefused(tooMuch, { status: 400, code: 'parameter_invalid', param: 'amount' });
  });

  it('cannot be captured for more than was authorised, or for nothing', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop);
    for (const amount of [1251, 0, -1, 1.5, '1250']) {
      const response = await shop.merchant.test.post(intentPath(session, '/capture'), { amount_to_capture: amount });
      assertRefused(response, { status: 400, code: 'parameter_invalid', param: 'amount_to_capture' });
    }
    const { intent, events } = await paymentState(shop, session);
    assert.deepEqual([intent.status, intent.amount_captured, events], ['requires_capture', 0, [completed]]);
  });

  it('cannot be captured twice, after cancellation, or before authorisation', async () => {
    const shop = await openShop(paydesk());
    const [captured, canceled] = [await authorisedSession(shop), await authorisedSession(shop)];
    const [fresh, automatic] = [await shop.merchant.newSession({ capture_method: 'manual' }), await paidSession(shop)];
    must(200, await shop.merchant.test.post(intentPath(captured, '/capture')));
    must(200, await shop.merchant.test.post(intentPath(canceled, '/cancel')));
    for (const session of [captured, canceled, fresh, automatic]) {
      const before = await paymentState(shop, session);
      const response = await shop.merchant.test.post(intentPath(session, '/capture'));
      assertRefused(response, { status: 409, code: 'payment_not_capturable' });
      assert.deepEqual(await paymentState(shop, session), before);
    }
  });

  it('is canceled with a reason: the hold is released, and the merchant gets an event', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop);
    shop.paydesk.clock.advance(1);
    const reason = { cancellation_reason: 'out of stock' };
    const canceled = must(200, await shop.merchant.test.post(intentPath(session, '/cancel'), reason));
    assert.equal(canceled.status, 'canceled');
    assert.equal(canceled.cancellation_reason, 'out of stock');
    assert.equal(canceled.canceled_at, new Date(shop.paydesk.clock.now()).toISOString());
    const { intent, session: after, events } = await paymentState(shop, session);
    assert.deepEqual(intent, canceled);
    assert.equal(after.status, 'completed');
    assert.deepEqual(events, [completed, 'payment_intent.canceled']);
    assert.equal((await atAcquirer(shop, session)).status, 'voided');
    const page = await shop.customer.open(session.id);
    assert.ok(textOfPage(page).includes('Payment cancelled'), textOfPage(page));
    const again = await shop.merchant.test.post(intentPath(session, '/cancel'), reason);
    assertRefused(again, { status: 409, code: 'payment_not_cancelable' });
  });

  it('cannot be canceled once captured', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop);
    must(200, await shop.merchant.test.post(intentPath(session, '/capture')));
    const response = await shop.merchant.test.post(intentPath(session, '/cancel'));
    assertRefused(response, { status: 409, code: 'payment_not_cancelable' });
  });

  it('is captured once by ten concurrent requests, and once by twenty with one key', async () => {
    const shop = await openShop(paydesk());
    const [session, other] = [await authorisedSession(shop), await authorisedSession(shop)];
    const responses = await Promise.all(times(10).map(() => shop.merchant.test.post(intentPath(session, '/capture'))));
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, ...times(9).map(() => 409)]);
    assert.equal((await atAcquirer(shop, session)).amountCaptured, 1250);
    assert.deepEqual((await paymentState(shop, session)).events.toSorted(), [completed, 'payment_intent.succeeded']);

    const key = randomUUID();
    const body = { amount_to_capture: 700 };
    const capture = () => shop.merchant.test.post(intentPath(other, '/capture'), body, keyed(key));
    const same = await Promise.all(times(20).map(capture));
    for (const response of same) {
      assert.equal(response.status, 200, response.text);
      assert.equal(response.text, same[0]?.text);
    }
    assert.equal((await paymentState(shop, other)).intent.amount_captured, 700);
    const replayed = await capture();
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    assert.equal(replayed.text, same[0]?.text);
    const differs = await shop.merchant.test.post(intentPath(other, '/capture'), {}, keyed(key));
    assertRefused(differs, { status: 422, code: 'idempotency_key_reused' });
  });

  it('is canceled once by twenty requests with one key', async () => {
    const shop = await openShop(paydesk());
    for (const session of [await authorisedSession(shop), await shop.merchant.newSession()]) {
      const key = randomUUID();
      const body = { cancellation_reason: 'abandoned' };
      const cancel = () => shop.merchant.test.post(intentPath(session, '/cancel'), body, keyed(key));
      const same = await Promise.all(times(20).map(cancel));
      for (const response of same) assert.equal(response.text, same[0]?.text);
      assert.equal(same[0]?.status, 200);
      assert.equal((await cancel()).headers.get('idempotent-replayed'), 'true');
      const differs = await shop.merchant.test.post(intentPath(session, '/cancel'), {}, keyed(key));
      assertRefused(differs, { status: 422, code: 'idempotency_key_reused' });
      const { events } = await paymentState(shop, session);
      assert.equal(events.filter((type) => type === 'payment_intent.canceled').length, 1);
      assert.equal(events.length, 2);
    }
  });

  it('is captured or canceled if both are requested at once, never both', async () => {
    const shop = await openShop(paydesk());
    await Promise.all(
      times(10).map(async (turn) => {
        const session = await authorisedSession(shop);
        const calls = ['/capture', '/cancel', '/capture', '/cancel'];
        if (turn % 2 === 0) calls.reverse();
        const responses = await Promise.all(calls.map((call) => shop.merchant.test.post(intentPath(session, call))));
        assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
        const { intent, events } = await paymentState(shop, session);
        const { status, amountCaptured } = await atAcquirer(shop, session);
        assert.equal(intent.amount_captured, amountCaptured);
        assert.equal(intent.status, status === 'captured' ? 'succeeded' : 'canceled');
        assert.equal(events.length, 2);
        assert.ok(events.includes(`payment_intent.${intent.status}`));
      }),
    );
  });
});

describeOnEachEngine('An authorisation', (engine) => {
  it('lapses after 7 days, not a millisecond early, and not if captured', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const shop = await openShop(paydesk);
    const captured = await authorisedSession(shop);
    must(200, await shop.merchant.test.post(intentPath(captured, '/capture')));
    const probe = await authorisedSession(shop);
    paydesk.clock.advance(1);
    const session = await authorisedSession(shop);
    const end = paydesk.clock.now() + sevenDaysMs;

    // The job runs at startup and every 10 seconds; the probe, due a millisecond earlier, shows that it ran.
    paydesk.clock.set(end - 1);
    const first = await paydesk.startAnother({ runningClock: paydesk.clock });
    const lapsed = async (one: typeof session) => (await paymentState(shop, one)).intent.status === 'canceled';
    await until('the probe has lapsed', () => lapsed(probe));
    assert.equal((await paymentState(shop, session)).intent.status, 'requires_capture');

    paydesk.clock.set(end);
    const late = await shop.merchant.test.post(intentPath(session, '/capture'));
    assertRefused(late, { status: 409, code: 'payment_not_capturable' });
    await first.stop();
    await paydesk.startAnother({ runningClock: paydesk.clock });
    await until('it has lapsed', () => lapsed(session));
    const { intent, session: after, events } = await paymentState(shop, session);
    assert.equal(intent.canceled_at, new Date(end).toISOString());
    assert.equal(intent.cancellation_reason, 'authorization_expired');
    assert.equal((await atAcquirer(shop, session)).status, 'voided', 'nothing is held any longer');
    assert.equal(intent.amount_captured, 0);
    assert.equal(after.status, 'completed');
    assert.deepEqual(events, [completed, 'payment_intent.canceled']);
    const kept = await paymentState(shop, captured);
    assert.deepEqual([kept.intent.status, kept.events.length], ['succeeded', 2]);
    assert.equal((await atAcquirer(shop, captured)).status, 'captured');
  });
});
