// The acquirer does not respond to a capture, a cancel or a refund: the merchant learns that the outcome is unknown,
// repeats the same request, and gets the response once there is one.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { assertRefused, type Fields, must } from '../support/api-client.ts';
import { describeOnEachEngine, type Engine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
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
import { unreliable } from './unreliable.ts';

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const inProgress = { status: 409, code: 'payment_in_progress' } as const;
const calls = [
  { call: '/capture', body: { amount_to_capture: 900 }, status: 'succeeded', captured: 900 },
  { call: '/cancel', body: { cancellation_reason: 'abandoned' }, status: 'canceled', captured: 0 },
] as const;

async function scene(t: { after(work: () => Promise<void>): void }, engine: Engine) {
  const { faults, storage } = unreliable();
  const clock = fakeClock();
  const settings = { ...manyDeclines, PAYDESK_ACQUIRER_TIMEOUT: '10' };
  const paydesk = await startPaydesk(t, engine, { settings, storage, runningClock: clock });
  return { ...(await openShop(paydesk)), faults, clock };
}

describeOnEachEngine('While the acquirer is silent,', (engine) => {
  for (const { call, body, status, captured } of calls) {
    for (const silence of ['unreachable', 'silent'] as const) {
      it(`${call.slice(1)} is in progress, and the same request gets its response when the acquirer ${silence === 'unreachable' ? 'is reachable' : 'responds'} again`, async (t) => {
        const shop = await scene(t, engine);
        const session = await authorisedSession(shop);
        const key = randomUUID();
        const send = (given: Fields = body, as: string = key) =>
          shop.merchant.test.post(intentPath(session, call), given, keyed(as));
        shop.faults.acquirer = silence;
        for (const _ of [1, 2]) {
          const response = await send();
          assertRefused(response, inProgress);
          assert.match(String(response.error.message), /same Idempotency-Key/);
        }
        assertRefused(await send({}), { status: 422, code: 'idempotency_key_reused' });
        assertRefused(await send(body, randomUUID()), inProgress);
        assert.equal((await paymentState(shop, session)).intent.status, 'requires_capture');

        shop.faults.acquirer = 'healthy';
        const response = await send();
        assert.deepEqual([must(200, response).status, response.body.amount_captured], [status, captured]);
        assert.equal(response.headers.get('idempotent-replayed'), null);
        const replayed = await send();
        assert.equal(replayed.text, response.text);
        assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
        assert.equal((await atAcquirer(shop, session)).amountCaptured, captured);
        const { events } = await paymentState(shop, session);
        assert.deepEqual(events.toSorted(), ['checkout_session.completed', `payment_intent.${status}`]);
      });
    }

    it(`${call.slice(1)} gets its response from the same request even if the outcome was learned meanwhile`, async (t) => {
      const shop = await scene(t, engine);
      const session = await authorisedSession(shop);
      const key = randomUUID();
      const send = () => shop.merchant.test.post(intentPath(session, call), body, keyed(key));
      shop.faults.acquirer = 'silent';
      assertRefused(await send(), inProgress);
      shop.faults.acquirer = 'healthy';
      shop.clock.advance(1_000);
      await until('it is reconciled', async () => (await paymentState(shop, session)).intent.status === status);
      const response = await send();
      assert.deepEqual([must(200, response).status, response.headers.get('idempotent-replayed')], [status, null]);
      assert.equal((await send()).headers.get('idempotent-replayed'), 'true');
    });

    it(`${call.slice(1)} that the acquirer never got can be requested again with a new key`, async (t) => {
      const shop = await scene(t, engine);
      const session = await authorisedSession(shop);
      const key = randomUUID();
      const send = (as: string) => shop.merchant.test.post(intentPath(session, call), body, keyed(as));
      shop.faults.acquirer = 'unreachable';
      assertRefused(await send(key), inProgress);
      shop.faults.acquirer = 'healthy';
      shop.clock.advance(1_000);
      const released = async () =>
        (await shop.paydesk.store.find('paymentIntents', shop.merchant.scope, String(session.payment_intent)))
          ?.pendingOperationId === null;
      await until('it is known not to have been made', released);
      const notDone = call === '/capture' ? 'payment_not_capturable' : 'payment_not_cancelable';
      assertRefused(await send(key), { status: 409, code: notDone });
      assert.equal(must(200, await send(randomUUID())).status, status);
    });
  }

  it('repeated requests do not delay the scheduled inquiry', async (t) => {
    const shop = await scene(t, engine);
    const session = await authorisedSession(shop);
    const send = (
      (key) => () =>
        shop.merchant.test.post(intentPath(session, '/capture'), {}, keyed(key))
    )(randomUUID());
    shop.faults.acquirer = 'silent';
    for (const _ of [1, 2, 3]) assertRefused(await send(), inProgress);
    shop.faults.acquirer = 'healthy';
    shop.clock.advance(1_000);
    await until('it is reconciled', async () => (await paymentState(shop, session)).intent.status === 'succeeded');
  });

  it('a refund is created, is pending, and is made once, even if the acquirer never got it', async (t) => {
    const shop = await scene(t, engine);
    for (const silence of ['unreachable', 'silent'] as const) {
      const session = await paidSession(shop);
      const key = randomUUID();
      const send = () => shop.merchant.test.post(intentPath(session, '/refund'), { amount: 300 }, keyed(key));
      shop.faults.acquirer = silence;
      const first = await send();
      assert.equal(must(201, first).status, 'pending');
      const again = await send();
      assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true']);
      shop.faults.acquirer = 'healthy';
      shop.clock.advance(1_000);
      const refund = async () => must(200, await shop.merchant.test.get(`/refunds/${first.body.id}`)).status;
      await until('it has succeeded', async () => (await refund()) === 'succeeded');
      const { intent } = await paymentState(shop, session);
      assert.deepEqual([intent.amount_refunded, (await atAcquirer(shop, session)).amountRefunded], [300, 300]);
      assert.equal((await send()).text, first.text, 'the first response is final');
    }
  });
});
