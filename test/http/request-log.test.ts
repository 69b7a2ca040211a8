// Recorded API requests, over HTTP: what is recorded, how developers find it, and what happens when there are too many.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { momentAt } from '../../src/domain/moment.ts';
import type { RequestDetails, RequestList } from '../../src/http/dashboard/request-routes.ts';
import { type RecorderLimits, requestRecorder } from '../../src/http/request-recorder.ts';
import type { HttpRequest } from '../../src/http/route.ts';
import { prune } from '../../src/jobs/prune.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';
import { must } from '../support/api-client.ts';
import { type DashboardClient, signIn } from '../support/dashboard.ts';
import { engines, freshStore, sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMerchant, aScope } from '../support/records.ts';
import { until } from '../support/until.ts';

async function listed(client: DashboardClient, query = ''): Promise<RequestList> {
  return must(200, await client.get(`/requests${query}`)) as unknown as RequestList;
}

for (const engine of engines) {
  describe(`The request log (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine);

    it('has the requests of a merchant with masked bodies, and those of nobody else', async () => {
      const shop = await paydesk().newMerchant();
      const other = await paydesk().newMerchant();
      const client = await signIn(paydesk(), shop, 'developer');
      const created = await shop.test.post('/checkout-sessions', {
        ...{ amount: 1250, currency: 'EUR', metadata: { order: '6735' } },
        ...{ customer_email: 'ada@example.org', description: 'Kaffee für zwei' },
      });
      const answer = must(201, created);
      must(200, await other.test.get('/me'));
      await until('it is recorded', async () => (await listed(client)).data.length > 0);
      const { data, kept_days } = await listed(client);
      assert.deepEqual([data.length, kept_days], [1, 7]);
      const [request] = data;
      assert.ok(request !== undefined && request.duration_ms > 0);
      assert.deepEqual(
        [request.id, request.method, request.path, request.status],
        [created.headers.get('request-id'), 'POST', '/checkout-sessions', 201],
      );
      const details = must(200, await client.get(`/requests/${request.id}`)) as unknown as RequestDetails;
      assert.deepEqual(JSON.parse(String(details.request_body)), {
        ...{ amount: 1250, currency: 'EUR', metadata: { order: '[hidden]' }, customer_email: '[hidden]' },
        description: 'Kaffee für zwei',
      });
      assert.equal(details.response_bytes, Buffer.byteLength(JSON.stringify(answer)));
      assert.equal(JSON.parse(String(details.response_body)).amount, 1250);
      assert.ok(!String(details.response_body).includes('ada@example.org'));
      const stranger = await signIn(paydesk(), other, 'developer');
      assert.equal((await stranger.get(`/requests/${request.id}`)).status, 404);
      const support = await signIn(paydesk(), shop, 'support');
      assert.equal((await support.get('/requests')).status, 403);
    });

    it('is filtered by status, method, path and key, and has pages', async () => {
      const shop = await paydesk().newMerchant();
      const client = await signIn(paydesk(), shop, 'developer');
      for (let n = 0; n < 3; n++) must(200, await shop.test.get('/me'));
      must(200, await shop.test.get('/payment-intents?limit=1'));
      assert.equal((await shop.test.post('/checkout-sessions', { amount: -1 })).status, 400);
      assert.equal((await shop.test.get('/payment-intents/pi_x')).status, 404);
      await until('all are recorded', async () => (await listed(client)).data.length === 6);
      const paths = async (query: string) => (await listed(client, query)).data.map(({ path }) => path).sort();
      assert.deepEqual(await paths('?status=4xx'), ['/checkout-sessions', '/payment-intents/pi_x']);
      assert.deepEqual(await paths('?status=400'), ['/checkout-sessions']);
      assert.deepEqual(await paths('?status=error&method=GET'), ['/payment-intents/pi_x']);
      assert.deepEqual(await paths('?path=/me'), ['/me', '/me', '/me']);
      assert.deepEqual(await paths('?path=limit%3D1'), ['/payment-intents?limit=1']);
      assert.deepEqual(await paths('?key=key_none'), []);
      const [{ key = '' } = {}] = (await listed(client)).data;
      assert.equal((await listed(client, `?key=${key}`)).data.length, 6);
      const first = await listed(client, '?limit=4');
      const rest = await listed(client, `?limit=4&cursor=${first.next_cursor}`);
      assert.deepEqual([first.data.length, first.has_more, rest.data.length, rest.has_more], [4, true, 2, false]);
      assert.equal((await client.get('/requests?status=7xx')).status, 400);
      assert.equal((await client.get('/requests?cursor=nothing')).status, 400);
    });

    it('has requests whatever text their query contains', async () => {
      const shop = await paydesk().newMerchant();
      const client = await signIn(paydesk(), shop, 'developer');
      const cut = `${'a'.repeat(499)}😀bbb`;
      for (const value of ['\0', cut])
        assert.equal((await shop.test.get(`/payment-intents?status=${encodeURIComponent(value)}`)).status, 400);
      must(200, await shop.test.get('/me'));
      await until('all are recorded', async () => (await listed(client)).data.length === 3);
      const paths = (await listed(client)).data.map(({ path }) => path);
      assert.deepEqual(
        paths.toSorted(),
        ['/me', `/payment-intents?status=${'a'.repeat(499)}\ufffd…`, '/payment-intents?status=\ufffd'].toSorted(),
      );
    });

    it('does not have requests of the dashboard, or those without a valid key', async () => {
      const shop = await paydesk().newMerchant();
      const client = await signIn(paydesk(), shop, 'developer');
      must(200, await client.get('/home'));
      await fetch(`${paydesk().url}/me`, { headers: { Authorization: 'Bearer sk_test_wrong' } });
      must(200, await shop.test.get('/me'));
      await until('it is recorded', async () => (await listed(client)).data.length > 0);
      assert.deepEqual(
        (await listed(client)).data.map(({ path }) => path),
        ['/me'],
      );
    });

    it('is streamed to those who watch', async () => {
      const shop = await paydesk().newMerchant();
      const client = await signIn(paydesk(), shop, 'developer');
      must(200, await shop.test.get('/me'));
      await until('the first is recorded', async () => (await listed(client)).data.length > 0);
      const abort = new AbortController();
      const response = await fetch(`${paydesk().url}/dashboard/api/requests/tail?status=error`, {
        headers: { Cookie: client.cookie },
        signal: abort.signal,
      });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      must(200, await shop.test.get('/me'));
      assert.equal((await shop.test.get('/payment-intents/pi_x')).status, 404);
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        if (text.includes('data: ')) break;
      }
      abort.abort();
      const [, data = ''] = /data: (.*)/.exec(text) ?? [];
      assert.deepEqual([JSON.parse(data).path, JSON.parse(data).status], ['/payment-intents/pi_x', 404]);
    });

    it('is streamed to a few windows of a user, so that others can watch theirs', async (t) => {
      const shop = await paydesk().newMerchant();
      const [client, other] = [await signIn(paydesk(), shop, 'developer'), await signIn(paydesk(), shop, 'developer')];
      const abort = new AbortController();
      t.after(() => abort.abort());
      const watch = ({ cookie }: DashboardClient) =>
        fetch(`${paydesk().url}/dashboard/api/requests/tail`, { headers: { Cookie: cookie }, signal: abort.signal });
      const opened = await Promise.all(Array.from({ length: 12 }, () => watch(client)));
      const statuses = opened.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
      assert.equal((await watch(other)).status, 200);
      await opened.find(({ status }) => status === 200)?.body?.cancel();
      await until('there is room again', async () => (await watch(client)).status === 200);
    });
  });
}

describe('A request that is not recorded', () => {
  const moment = () => momentAt(Date.now(), randomBytes);
  const caller = { ...aScope(), merchant: aMerchant(), keyId: 'key_1' };
  const reply = { status: 200, headers: {}, body: '{}' };
  const aRequest = (): HttpRequest => ({
    ...{ requestId: moment().newId('req'), startedAt: performance.now(), method: 'GET', path: '/me', id: '' },
    ...{ query: new URLSearchParams(), headers: {}, ip: '127.0.0.1', protocol: null },
    body: async () => new Uint8Array(),
  });
  const few: RecorderLimits = {
    total: { perSecond: 1, burst: 3 },
    reads: { perSecond: 1, burst: 2 },
    others: { perSecond: 1, burst: 2 },
  };

  function recorderOn(store: Store, limits?: RecorderLimits) {
    const time = { now: 0 };
    const errors: unknown[] = [];
    const recorder = requestRecorder({
      ...{ store, moment, clock: { now: () => Date.now() }, steadyClock: { now: () => time.now } },
      ...{ onError: (error) => errors.push(error), ...(limits === undefined ? {} : { limits }) },
    });
    return { recorder, time, errors };
  }

  it('is counted, and the log says how many there were', async (t) => {
    const { store } = await freshStore(t, sqlite);
    const { recorder, time } = recorderOn(store, few);
    for (let n = 0; n < 10; n++) recorder.record(aRequest(), caller, reply);
    time.now += 1_000;
    recorder.record(aRequest(), caller, reply);
    recorder.record({ ...aRequest(), method: 'POST' }, caller, reply);
    await recorder.close();
    const rows = await store.list('requestSummaries', { scope: caller, limit: 100 });
    assert.deepEqual(
      rows.filter(({ unrecorded }) => unrecorded !== null).map(({ unrecorded }) => unrecorded),
      [8],
    );
    assert.deepEqual([rows.length, recorder.unrecorded()], [5, 8]);
  });

  it('is one of a merchant with too many, and not one of another merchant', async (t) => {
    const { store } = await freshStore(t, sqlite);
    const { recorder } = recorderOn(store, { ...few, total: { perSecond: 1, burst: 100 } });
    const other = { ...caller, ...aScope() };
    for (let n = 0; n < 10; n++) recorder.record(aRequest(), caller, reply);
    recorder.record(aRequest(), other, reply);
    await recorder.close();
    assert.equal((await store.list('requestSummaries', { scope: caller, limit: 100 })).length, 3);
    assert.equal((await store.list('requestSummaries', { scope: other, limit: 100 })).length, 1);
  });

  it('is one whose bodies would take too much memory while they wait for storage', async (t) => {
    const { store } = await freshStore(t, sqlite);
    const plenty = { perSecond: 1_000, burst: 1_000 };
    const { recorder } = recorderOn(store, { total: plenty, reads: plenty, others: plenty });
    const large = { ...reply, body: JSON.stringify({ text: 'x'.repeat(60_000) }) };
    for (let n = 0; n < 500; n++) recorder.record(aRequest(), caller, large, new Uint8Array(60_000));
    const held = (500 - recorder.unrecorded()) * 120_000;
    assert.ok(held > 4_000_000 && held <= 8_000_000, String(held));
    await recorder.close();
    recorder.record(aRequest(), caller, large, new Uint8Array(60_000));
    const before = recorder.unrecorded();
    await recorder.close();
    assert.equal(recorder.unrecorded(), before, 'there is room again');
  });

  it('is one that storage could not take, which is reported later and slows nobody down', async (t) => {
    const { store } = await freshStore(t, sqlite);
    let isDown = true;
    const unsteady: Store = {
      ...store,
      commit: async (changes) => {
        if (isDown) throw new StorageUnavailable('down');
        return store.commit(changes);
      },
    };
    const { recorder, errors, time } = recorderOn(unsteady);
    for (let n = 0; n < 3; n++) recorder.record(aRequest(), caller, reply);
    await until('storage was tried', async () => errors.length > 0);
    isDown = false;
    time.now += 10_000;
    await recorder.close();
    const rows = await store.list('requestSummaries', { scope: caller, limit: 100 });
    assert.deepEqual(
      rows.map(({ unrecorded }) => unrecorded),
      [3],
    );
  });

  it('is deleted after its days, and all of them if nothing is recorded any more', async (t) => {
    const { store } = await freshStore(t, sqlite);
    const { recorder } = recorderOn(store);
    recorder.record(aRequest(), caller, reply);
    await recorder.close();
    const count = () => store.count('requestSummaries', { scope: caller }, 10);
    const limits = { windowMs: 3_600_000, perSession: 10, perAddress: 100, perCard: 50 };
    const retention = { deliveriesMs: null, eventsMs: null, auditEntriesMs: null, mailMs: null, customersMs: null };
    const pruneAt = (time: number, requestLogDays: number) =>
      prune({ store, clock: { now: () => time }, limits, retention, requestLogDays });
    await pruneAt(Date.now() + 6 * 86_400_000, 7);
    assert.equal(await count(), 1);
    await pruneAt(Date.now() + 8 * 86_400_000, 7);
    assert.equal(await count(), 0);
    recorder.record(aRequest(), caller, reply);
    await recorder.close();
    await pruneAt(Date.now() + 1_000, 0);
    assert.equal(await count(), 0);
  });
});
