// System clocks that step while the service runs, or that are wrong from the start: nothing is delayed, nothing expires
// early, and event streams miss nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiClient, apiClient, entriesOf, type Fields, must } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine, freshDatabase, postgres } from '../support/engines.ts';
import { readEventStream, type StreamReader } from '../support/event-stream.ts';
import {
  aSystemClock,
  callPaydesk,
  databaseUrl,
  freshFolder,
  paydeskJson,
  type ServingProcess,
  type Settings,
  servePaydesk,
} from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { type ReceivedRequest, startWebhookReceiver } from '../support/webhook-receiver.ts';

const hour = 3_600_000;
/** Much longer than anything here should take, much shorter than the clock error. */
const waitMs = 25_000;
const cardThatSettlesLater = '4000000000000077';
const cardWithSilentAcquirer = '4000000000000093';

const settings: Settings = { PAYDESK_ACQUIRER_TIMEOUT: '1', PAYDESK_WEBHOOK_RETRY_DELAYS: '2,2,2' };

interface Scene {
  start(more?: Settings): Promise<{ server: ServingProcess; api: ApiClient }>;
}

async function scene(t: CleansUp, engine: Engine): Promise<Scene> {
  const folder = await freshFolder(t);
  const options = { folder, settings: { ...settings, DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) } };
  const { test_key: key } = await paydeskJson<{ test_key: string }>(
    ['merchant', 'create', '--name', 'Shop'],
    options,
    callPaydesk,
  );
  return {
    async start(more = {}) {
      const server = await servePaydesk(t, { folder, settings: { ...options.settings, ...more } });
      return { server, api: apiClient({ url: server.url, key }) };
    },
  };
}

const newSession = async (api: ApiClient): Promise<Fields> =>
  must(201, await api.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }));

const intentOf = async (api: ApiClient, session: Fields): Promise<Fields> =>
  must(200, await api.get(`/payment-intents/${session.payment_intent}`));

async function untilIntent(api: ApiClient, session: Fields, status: string): Promise<void> {
  await until(`the payment is ${status}`, async () => (await intentOf(api, session)).status === status, waitMs);
}

async function statusOf(api: ApiClient, session: Fields): Promise<unknown> {
  return must(200, await api.get(`/checkout-sessions/${session.id}`)).status;
}

async function expire(api: ApiClient): Promise<void> {
  must(200, await api.post(`/checkout-sessions/${(await newSession(api)).id}/expire`));
}

const storedIds = async (api: ApiClient): Promise<string[]> =>
  entriesOf(await api.get('/events?limit=100')).map(({ id }) => String(id));

/** Every stored event has arrived exactly once. */
async function assertStreamed(stream: StreamReader, api: ApiClient): Promise<void> {
  const stored = await storedIds(api);
  await until('all events have arrived', () => stream.frames.length >= stored.length, waitMs);
  assert.deepEqual(stream.frames.map(({ id }) => id).toSorted(), stored.toSorted());
}

const signedAtMs = ({ headers }: ReceivedRequest): number =>
  Number(/^t=(\d+),/.exec(String(headers['service-signature']))?.[1]) * 1_000;

describeOnEachEngine('A system clock that steps under a running service', (engine) => {
  it('delays no payment, webhook or stream', async (t) => {
    const clock = await aSystemClock(t);
    const { server, api } = await (await scene(t, engine)).start(clock.settings);
    const customer = customerAt(server.url);
    const stream = await readEventStream(t, api);
    await until('it has started', () => stream.lastId() !== '');
    // Fails each event once, so that each needs a retry.
    const failed = new Set<string>();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith(({ body }) => {
      const { id } = JSON.parse(body.toString()) as { id: string };
      if (failed.has(id)) return { status: 200 };
      failed.add(id);
      return { status: 500 };
    });
    must(201, await api.post('/webhook-endpoints', { url: receiver.url }));

    for (const shiftMs of [-30_000, -hour, hour]) {
      const step = `a step to ${shiftMs / 1000} s`;
      const waiting = await newSession(api);
      const [settling, silent] = [await newSession(api), await newSession(api)];
      await expire(api);
      await customer.payByCard(settling.id, cardThatSettlesLater);
      await customer.payByCard(silent.id, cardWithSilentAcquirer);
      assert.equal((await intentOf(api, settling)).status, 'processing');
      await clock.step(server, shiftMs);
      const isDue = engine.name === 'sqlite' && shiftMs > 0;
      if (isDue) await until('it has expired', async () => (await statusOf(api, waiting)) === 'expired', waitMs);
      await expire(api);
      await untilIntent(api, settling, 'succeeded');
      await untilIntent(api, silent, 'succeeded');
      if (!isDue) assert.equal(await statusOf(api, waiting), 'open', step);
      await assertStreamed(stream, api);
      const events = (await storedIds(api)).length;
      await until(`each webhook was retried after ${step}`, () => receiver.requests.length >= 2 * events, waitMs);
      assert.equal(receiver.requests.length, 2 * events, 'one retry each');
      const last = receiver.requests.at(-1);
      assert.ok(last !== undefined);
      const expected = Date.now() + (engine.name === 'sqlite' ? shiftMs : 0);
      assert.ok(Math.abs(signedAtMs(last) - expected) < 60_000, 'signed with the time of the system or the database');
      assert.equal(await statusOf(api, await newSession(api)), 'open', 'a new session is open');
    }
    assert.match(server.stdout(), /"level":"warn".*this system's clock is \d+ s (?:behind|ahead of)/);
  });

  it('leaves nothing waiting for the earlier clock time after a restart', async (t) => {
    const { start } = await scene(t, engine);
    const before = await start((await aSystemClock(t, hour)).settings);
    const customer = customerAt(before.server.url);
    const [settling, silent] = [await newSession(before.api), await newSession(before.api)];
    await customer.payByCard(settling.id, cardThatSettlesLater);
    await customer.payByCard(silent.id, cardWithSilentAcquirer);
    await expire(before.api);
    const known = await storedIds(before.api);
    await before.server.kill();
    const { api } = await start();
    await untilIntent(api, settling, 'succeeded');
    await untilIntent(api, silent, 'succeeded');
    await expire(api);
    const stream = await readEventStream(t, { ...api, lastEventId: known[0] ?? '' });
    const since = (await storedIds(api)).filter((id) => !known.includes(id));
    await until('the later events have arrived', () => stream.frames.length >= since.length, waitMs);
    assert.deepEqual(stream.frames.map(({ id }) => id).toSorted(), since.toSorted());
  });
});

describe('A process whose clock is ahead of the others (postgres)', () => {
  for (const aheadMs of [6_000, hour, -hour]) {
    it(`by ${aheadMs / 1000} s expires no session early, hides no event, and logs a warning`, async (t) => {
      const { start } = await scene(t, postgres);
      const right = await start();
      const session = await newSession(right.api);
      const wrong = await start((await aSystemClock(t, aheadMs)).settings);
      const streams = [await readEventStream(t, right.api), await readEventStream(t, wrong.api)];
      await until('they have started', () => streams.every((stream) => stream.lastId() !== ''));
      for (let round = 0; round < 5; round += 1) {
        await expire(wrong.api);
        await expire(right.api);
      }
      for (const stream of streams) await assertStreamed(stream, right.api);
      assert.deepEqual(
        streams[0]?.frames.map(({ id }) => id),
        streams[1]?.frames.map(({ id }) => id),
      );
      const created = await newSession(wrong.api);
      assert.ok(Math.abs(Date.parse(String(created.created_at)) - Date.now()) < 5_000);
      assert.equal(await statusOf(wrong.api, session), 'open');
      assert.equal(await statusOf(right.api, created), 'open');
      const warning = new RegExp(
        `this system's clock is ${Math.abs(aheadMs) / 1000} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database`,
      );
      assert.match(wrong.server.stdout(), warning);
      assert.doesNotMatch(right.server.stdout(), /this system's clock/);
    });
  }
});
