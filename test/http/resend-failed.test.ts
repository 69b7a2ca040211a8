// What an endpoint missed is sent again on request: once, oldest first, a thousand at a time.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { type Delivery, resend } from '../../src/domain/delivery.ts';
import type { Event } from '../../src/domain/event.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';
import { type ApiResponse, assertRefused, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment, anEvent, aPayment } from '../support/records.ts';

const url = 'https://shop.example/webhooks';
const iso = (ms: number): string => new Date(ms).toISOString();

describeOnEachEngine('Sending again what failed', (engine) => {
  const paydesk = paydeskForSuite(engine);

  async function scene() {
    const merchant = await paydesk().newMerchant();
    const { id } = must(201, await merchant.test.post('/webhook-endpoints', { url }));
    const endpoint = String(id);
    const again = (since: unknown): Promise<ApiResponse> =>
      merchant.test.post(`/webhook-endpoints/${endpoint}/resend-failed`, { since });
    return { ...merchant, endpoint, again };
  }
  /** Events, each with a delivery to the endpoint that is over; a millisecond apart, from that time on. */
  async function missed(
    { scope }: TestMerchant,
    endpoint: string,
    {
      count = 1,
      from,
      status = 'failed',
      store = paydesk().store,
    }: { count?: number; from: number; status?: Delivery['status']; store?: Store },
  ): Promise<Event[]> {
    const { intent } = aPayment({ scope });
    const events = Array.from({ length: count }, (_, at) => anEvent(intent, aMoment(from + at)));
    const deliveries = events.map(
      (event): Delivery => ({ ...resend(event, endpoint, aMoment(event.createdAt)), status, dueAt: null }),
    );
    for (let at = 0; at < count; at += 100) {
      await mustCommit(store, {
        events: events.slice(at, at + 100),
        deliveries: deliveries.slice(at, at + 100),
      });
    }
    return events;
  }
  async function deliveriesOf({ scope }: TestMerchant, { id }: Event): Promise<readonly Delivery[]> {
    return paydesk().store.deliveries(scope, id, { limit: 9 });
  }

  it('makes one new delivery for each event whose last one failed at that time or later', async () => {
    const shop = await scene();
    const now = paydesk().clock.now();
    const other = String(must(201, await shop.test.post('/webhook-endpoints', { url })).id);
    const [early] = await missed(shop, shop.endpoint, { from: now - 5_000 });
    const [first] = await missed(shop, shop.endpoint, { from: now - 4_000 });
    const [second] = await missed(shop, shop.endpoint, { from: now - 3_000 });
    const [arrived] = await missed(shop, shop.endpoint, { from: now - 2_000, status: 'delivered' });
    const [elsewhere] = await missed(shop, other, { from: now - 1_000 });
    assert.ok(early && first && second && arrived && elsewhere);

    assert.deepEqual(must(200, await shop.again(iso(now - 4_000))), { resent: 2, has_more: false });
    for (const event of [first, second]) {
      const [again, before, ...others] = await deliveriesOf(shop, event);
      assert.deepEqual(others, []);
      assert.equal(before?.status, 'failed');
      assert.deepEqual([again?.endpointId, again?.status], [shop.endpoint, 'pending']);
    }
    for (const event of [early, arrived, elsewhere]) assert.equal((await deliveriesOf(shop, event)).length, 1);
    assert.deepEqual(must(200, await shop.again(iso(now - 4_000))), { resent: 0, has_more: false }, 'not twice');
    assert.deepEqual(must(200, await shop.again(iso(now - 5_000))), { resent: 1, has_more: false });
  });

  it('sends a thousand a call, the oldest first, until none is left', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const events = await missed(shop, shop.endpoint, { count: 1_105, from });
    assert.deepEqual(must(200, await shop.again(iso(from))), { resent: 1_000, has_more: true });
    const left = await paydesk().store.failedDeliveries(shop.scope, shop.endpoint, from, 1_000);
    assert.deepEqual(
      left.map(({ eventId }) => eventId),
      events.slice(1_000).map(({ id }) => id),
    );
    assert.deepEqual(must(200, await shop.again(iso(from))), { resent: 105, has_more: false });
    assert.deepEqual(must(200, await shop.again(iso(from))), { resent: 0, has_more: false });
  });

  it('sends nothing twice when it is asked for several times at once', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const events = await missed(shop, shop.endpoint, { count: 150, from });
    const answers = await Promise.all([1, 2, 3, 4].map(() => shop.again(iso(from))));
    const resent = answers.map((answer) => Number(must(200, answer).resent));
    assert.equal(
      resent.reduce((sum, count) => sum + count, 0),
      150,
    );
    for (const event of events) assert.equal((await deliveriesOf(shop, event)).length, 2);
  });

  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  it('answers a request with a key once more when it is repeated, and sends nothing again', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const path = `/webhook-endpoints/${shop.endpoint}/resend-failed`;
    const again = (key: string, since = from) => shop.test.post(path, { since: iso(since) }, keyed(key));
    await missed(shop, shop.endpoint, { count: 1_105, from });
    const key = randomUUID();
    const first = await again(key);
    assert.deepEqual(must(200, first), { resent: 1_000, has_more: true });
    const replayed = await again(key);
    assert.deepEqual([replayed.text, replayed.headers.get('idempotent-replayed')], [first.text, 'true']);
    assert.equal((await paydesk().store.failedDeliveries(shop.scope, shop.endpoint, from, 1_000)).length, 105);
    assertRefused(await again(key, from + 1), { status: 422, code: 'idempotency_key_reused' });
    assert.deepEqual(must(200, await again(randomUUID())), { resent: 105, has_more: false });
    const nothing = randomUUID();
    assert.deepEqual(must(200, await again(nothing)), { resent: 0, has_more: false });
    await missed(shop, shop.endpoint, { from });
    assert.deepEqual(must(200, await again(nothing)), { resent: 0, has_more: false }, 'the first answer');
    assertRefused(await shop.test.post(path, { since: iso(from) }, keyed('x')), {
      status: 400,
      code: 'idempotency_key_invalid',
    });
  });

  it('has one effect and one answer for many requests with one key at once', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const path = `/webhook-endpoints/${shop.endpoint}/resend-failed`;
    const events = await missed(shop, shop.endpoint, { count: 350, from });
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => shop.test.post(path, { since: iso(from - (turn % 3)) }, keyed(key))),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 4);
    for (const answer of made) assert.deepEqual(answer.body, { resent: 350, has_more: false });
    for (const answer of answers.filter((one) => !made.includes(one))) {
      assertRefused(answer, { status: 422, code: 'idempotency_key_reused' });
    }
    for (const event of events) assert.equal((await deliveriesOf(shop, event)).length, 2);
  });

  it('goes on where it ended after a failure, and answers for all of it', async (t) => {
    let commits = 0;
    const storage = (store: Store): Store => ({
      ...store,
      async commit(changes) {
        if ((changes.deliveries?.length ?? 0) > 0 && ++commits === 3) throw new StorageUnavailable('out of reach');
        return store.commit(changes);
      },
    });
    const shaky = await startPaydesk(t, engine, { storage });
    const merchant = await shaky.newMerchant();
    const endpoint = String(must(201, await merchant.test.post('/webhook-endpoints', { url })).id);
    const from = shaky.clock.now() - 10_000;
    const events = await missed(merchant, endpoint, { count: 350, from, store: shaky.store });
    const path = `/webhook-endpoints/${endpoint}/resend-failed`;
    const key = randomUUID();
    const again = () => merchant.test.post(path, { since: iso(from) }, keyed(key));
    assertRefused(await again(), { status: 503, code: 'storage_unavailable' });
    assert.equal((await shaky.store.failedDeliveries(merchant.scope, endpoint, from, 1_000)).length, 150);
    const other = await merchant.test.post(path, { since: iso(from - 1) }, keyed(key));
    assertRefused(other, { status: 422, code: 'idempotency_key_reused' });
    assert.deepEqual(must(200, await again()), { resent: 350, has_more: false });
    assert.equal((await again()).headers.get('idempotent-replayed'), 'true');
    for (const event of events) {
      assert.equal((await shaky.store.deliveries(merchant.scope, event.id, { limit: 9 })).length, 2);
    }
  });

  it('is refused for a disabled endpoint, and without a time', async () => {
    const shop = await scene();
    const missing = await shop.test.post(`/webhook-endpoints/${shop.endpoint}/resend-failed`, {});
    assertRefused(missing, { status: 400, code: 'parameter_missing', param: 'since' });
    for (const since of ['yesterday', '2026-01-15', '2026-01-15T12:30:00', '2026-13-15T12:30:00Z', '', 5, null]) {
      assertRefused(await shop.again(since), { status: 400, code: 'parameter_invalid', param: 'since' });
    }
    for (const since of [
      '2026-01-15T12:30Z',
      '2026-01-15T12:30:00Z',
      '2026-01-15T13:30:00.5+01:00',
      '1970-01-01T00:00:00Z',
    ])
      must(200, await shop.again(since));
    must(200, await shop.test.patch(`/webhook-endpoints/${shop.endpoint}`, { disabled: true }));
    assertRefused(await shop.again(iso(0)), { status: 409, code: 'webhook_endpoint_disabled' });
  });
});
