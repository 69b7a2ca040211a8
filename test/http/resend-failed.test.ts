// Resending what an endpoint missed: once, oldest first, a thousand at a time.

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

describeOnEachEngine('Resending failed deliveries', (engine) => {
  const paydesk = paydeskForSuite(engine);

  async function scene() {
    const merchant = await paydesk().newMerchant();
    const { id } = must(201, await merchant.test.post('/webhook-endpoints', { url }));
    const endpoint = String(id);
    const resendFailed = (since: unknown): Promise<ApiResponse> =>
      merchant.test.post(`/webhook-endpoints/${endpoint}/resend-failed`, { since });
    return { ...merchant, endpoint, resendFailed };
  }
  /** Stores events a millisecond apart, from that time on, each with a finished delivery to the endpoint. */
  async function storeMissedEvents(
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
    return paydesk().store.list('deliveries', { scope: scope, limit: 9, where: { eventId: id } });
  }

  it('creates one new delivery for each event whose last delivery failed at that time or later', async () => {
    const shop = await scene();
    const now = paydesk().clock.now();
    const other = String(must(201, await shop.test.post('/webhook-endpoints', { url })).id);
    const [early] = await storeMissedEvents(shop, shop.endpoint, { from: now - 5_000 });
    const [first] = await storeMissedEvents(shop, shop.endpoint, { from: now - 4_000 });
    const [second] = await storeMissedEvents(shop, shop.endpoint, { from: now - 3_000 });
    const [delivered] = await storeMissedEvents(shop, shop.endpoint, { from: now - 2_000, status: 'delivered' });
    const [elsewhere] = await storeMissedEvents(shop, other, { from: now - 1_000 });
    assert.ok(early && first && second && delivered && elsewhere);

    assert.deepEqual(must(200, await shop.resendFailed(iso(now - 4_000))), { resent: 2, has_more: false });
    for (const event of [first, second]) {
      const [latest, before, ...others] = await deliveriesOf(shop, event);
      assert.deepEqual(others, []);
      assert.equal(before?.status, 'failed');
      assert.deepEqual([latest?.endpointId, latest?.status], [shop.endpoint, 'pending']);
    }
    for (const event of [early, delivered, elsewhere]) assert.equal((await deliveriesOf(shop, event)).length, 1);
    assert.deepEqual(must(200, await shop.resendFailed(iso(now - 4_000))), { resent: 0, has_more: false }, 'not twice');
    assert.deepEqual(must(200, await shop.resendFailed(iso(now - 5_000))), { resent: 1, has_more: false });
  });

  it('resends a thousand per call, oldest first, until none is left', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const events = await storeMissedEvents(shop, shop.endpoint, { count: 1_105, from });
    assert.deepEqual(must(200, await shop.resendFailed(iso(from))), { resent: 1_000, has_more: true });
    const left = await paydesk().store.deliveryQueue.failed(shop.scope, shop.endpoint, from, 1_000);
    assert.deepEqual(
      left.map(({ eventId }) => eventId),
      events.slice(1_000).map(({ id }) => id),
    );
    assert.deepEqual(must(200, await shop.resendFailed(iso(from))), { resent: 105, has_more: false });
    assert.deepEqual(must(200, await shop.resendFailed(iso(from))), { resent: 0, has_more: false });
  });

  it('resends nothing twice when requested several times at once', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const events = await storeMissedEvents(shop, shop.endpoint, { count: 150, from });
    const responses = await Promise.all([1, 2, 3, 4].map(() => shop.resendFailed(iso(from))));
    const resent = responses.map((response) => Number(must(200, response).resent));
    assert.equal(
      resent.reduce((sum, count) => sum + count, 0),
      150,
    );
    for (const event of events) assert.equal((await deliveriesOf(shop, event)).length, 2);
  });

  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  it('replays the response to a repeated key, and resends nothing', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const path = `/webhook-endpoints/${shop.endpoint}/resend-failed`;
    const resendFailed = (key: string, since = from) => shop.test.post(path, { since: iso(since) }, keyed(key));
    await storeMissedEvents(shop, shop.endpoint, { count: 1_105, from });
    const key = randomUUID();
    const first = await resendFailed(key);
    assert.deepEqual(must(200, first), { resent: 1_000, has_more: true });
    const replayed = await resendFailed(key);
    assert.deepEqual([replayed.text, replayed.headers.get('idempotent-replayed')], [first.text, 'true']);
    assert.equal((await paydesk().store.deliveryQueue.failed(shop.scope, shop.endpoint, from, 1_000)).length, 105);
    assertRefused(await resendFailed(key, from + 1), { status: 422, code: 'idempotency_key_reused' });
    assert.deepEqual(must(200, await resendFailed(randomUUID())), { resent: 105, has_more: false });
    const nothing = randomUUID();
    assert.deepEqual(must(200, await resendFailed(nothing)), { resent: 0, has_more: false });
    await storeMissedEvents(shop, shop.endpoint, { from });
    assert.deepEqual(must(200, await resendFailed(nothing)), { resent: 0, has_more: false }, 'the first response');
    assertRefused(await shop.test.post(path, { since: iso(from) }, keyed('x')), {
      status: 400,
      code: 'idempotency_key_invalid',
    });
  });

  it('has one effect and one response for many concurrent requests with one key', async () => {
    const shop = await scene();
    const from = paydesk().clock.now() - 10_000;
    const path = `/webhook-endpoints/${shop.endpoint}/resend-failed`;
    const events = await storeMissedEvents(shop, shop.endpoint, { count: 350, from });
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => shop.test.post(path, { since: iso(from - (turn % 3)) }, keyed(key))),
    );
    const succeeded = responses.filter(({ status }) => status === 200);
    assert.equal(succeeded.length, 4);
    for (const response of succeeded) assert.deepEqual(response.body, { resent: 350, has_more: false });
    for (const response of responses.filter((one) => !succeeded.includes(one))) {
      assertRefused(response, { status: 422, code: 'idempotency_key_reused' });
    }
    for (const event of events) assert.equal((await deliveriesOf(shop, event)).length, 2);
  });

  it('resumes after a failure, and reports the total', async (t) => {
    let commits = 0;
    const storage = (store: Store): Store => ({
      ...store,
      async commit(changes) {
        if ((changes.deliveries?.length ?? 0) > 0 && ++commits === 3) throw new StorageUnavailable('out of reach');
        return store.commit(changes);
      },
    });
    const unreliable = await startPaydesk(t, engine, { storage });
    const merchant = await unreliable.newMerchant();
    const endpoint = String(must(201, await merchant.test.post('/webhook-endpoints', { url })).id);
    const from = unreliable.clock.now() - 10_000;
    const events = await storeMissedEvents(merchant, endpoint, { count: 350, from, store: unreliable.store });
    const path = `/webhook-endpoints/${endpoint}/resend-failed`;
    const key = randomUUID();
    const resendFailed = () => merchant.test.post(path, { since: iso(from) }, keyed(key));
    assertRefused(await resendFailed(), { status: 503, code: 'storage_unavailable' });
    assert.equal((await unreliable.store.deliveryQueue.failed(merchant.scope, endpoint, from, 1_000)).length, 150);
    const other = await merchant.test.post(path, { since: iso(from - 1) }, keyed(key));
    assertRefused(other, { status: 422, code: 'idempotency_key_reused' });
    assert.deepEqual(must(200, await resendFailed()), { resent: 350, has_more: false });
    assert.equal((await resendFailed()).headers.get('idempotent-replayed'), 'true');
    for (const event of events) {
      assert.equal(
        (await unreliable.store.list('deliveries', { scope: merchant.scope, limit: 9, where: { eventId: event.id } }))
          .length,
        2,
      );
    }
  });

  it('is refused for a disabled endpoint, and without a valid time', async () => {
    const shop = await scene();
    const missing = await shop.test.post(`/webhook-endpoints/${shop.endpoint}/resend-failed`, {});
    assertRefused(missing, { status: 400, code: 'parameter_missing', param: 'since' });
    for (const since of ['yesterday', '2026-01-15', '2026-01-15T12:30:00', '2026-13-15T12:30:00Z', '', 5, null]) {
      assertRefused(await shop.resendFailed(since), { status: 400, code: 'parameter_invalid', param: 'since' });
    }
    for (const since of [
      '2026-01-15T12:30Z',
      '2026-01-15T12:30:00Z',
      '2026-01-15T13:30:00.5+01:00',
      '1970-01-01T00:00:00Z',
    ])
      must(200, await shop.resendFailed(since));
    must(200, await shop.test.patch(`/webhook-endpoints/${shop.endpoint}`, { disabled: true }));
    assertRefused(await shop.resendFailed(iso(0)), { status: 409, code: 'webhook_endpoint_disabled' });
  });
});
