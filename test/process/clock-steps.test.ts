// System clocks that step while the service runs, and clocks that are wrong from the start: what waits comes in time,
// nothing expires early, and streams of events miss nothing.

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
/** Far more than anything here may take, far less than a clock is wrong by. */
const waitMs = 25_000;
const cardThatSettlesLater = '4000000000000077';
const cardOfASilentAcquirer = '4000000000000093';

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

/** All that is stored has come, each once. */
async function assertStreamed(stream: StreamReader, api: ApiClient): Promise<void> {
  const stored = await storedIds(api);
  await until('all events have come', () => stream.frames.length >= stored.length, waitMs);
  assert.deepEqual(stream.frames.map(({ id }) => id).toSorted(), stored.toSorted());
}

const signedAtMs = ({ headers }: ReceivedRequest): number =>
  Number(/^t=(\d+),/.exec(String(headers['service-signature']))?.[1]) * 1_000;

describeOnEachEngine('A system clock that steps under a running service', (engine) => {
  it('holds up no payment, webhook or stream', async (t) => {
    const clock = await aSystemClock(t);
    const { server, api } = await (await scene(t, engine)).start(clock.settings);
    const customer = customerAt(server.url);
    const stream = await readEventStream(t, api);
    await until('it has begun', () => stream.lastId() !== '');
    // Fails each event once: so each needs a retry.
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
      await customer.payByCard(silent.id, cardOfASilentAcquirer);
      assert.equal((await intentOf(api, settling)).status, 'processing');
      await clock.step(server, shiftMs);
      const isDue = engine.name === 'sqlite' && shiftMs > 0;
      if (isDue) await until('its time has come', async () => (await statusOf(api, waiting)) === 'expired', waitMs);
      await expire(api);
      await untilIntent(api, settling, 'succeeded');
      await untilIntent(api, silent, 'succeeded');
      if (!isDue) assert.equal(await statusOf(api, waiting), 'open', step);
      await assertStreamed(stream, api);
      const events = (await storedIds(api)).length;
      await until(`each webhook was retried after ${step}`, () => receiver.requests.length >= 2 * events, waitMs);
      assert.equal(receiver.requests.length, 2 * events, 'once');
      const last = receiver.requests.at(-1);
      assert.ok(last !== undefined);
      const expected = Date.now() + (engine.name === 'sqlite' ? shiftMs : 0);
      assert.ok(
        Math.abs(signedAtMs(last) - expected) < 60_000,
        'signed with the time that the system or the database has',
      );
      assert.equal(await statusOf(api, await newSession(api)), 'open', 'a new session is open');
    }
    assert.match(server.stdout(), /"level":"warn".*this system's clock is \d+ s (?:behind|ahead of)/);
  });

  it('leaves nothing waiting for the time that the clock had before, also after a restart', async (t) => {
    const { start } = await scene(t, engine);
    const before = await start((await aSystemClock(t, hour)).settings);
    const customer = customerAt(before.server.url);
    const [settling, silent] = [await newSession(before.api), await newSession(before.api)];
    await customer.payByCard(settling.id, cardThatSettlesLater);
    await customer.payByCard(silent.id, cardOfASilentAcquirer);
    await expire(before.api);
    const known = await storedIds(before.api);
    await before.server.kill();
    const { api } = await start();
    await untilIntent(api, settling, 'succeeded');
    await untilIntent(api, silent, 'succeeded');
    await expire(api);
    const stream = await readEventStream(t, { ...api, lastEventId: known[0] ?? '' });
    const since = (await storedIds(api)).filter((id) => !known.includes(id));
    await until('what came since has come', () => stream.frames.length >= since.length, waitMs);
    assert.deepEqual(stream.frames.map(({ id }) => id).toSorted(), since.toSorted());
  });
});

describe('A process whose clock is ahead of the others (postgres)', () => {
  for (const aheadMs of [6_000, hour, -hour]) {
    it(`by ${aheadMs / 1000} s expires nobody's session, hides no event, and says so`, async (t) => {
      const { start } = await scene(t, postgres);
      const right = await start();
      const session = await newSession(right.api);
      const wrong = await start((await aSystemClock(t, aheadMs)).settings);
      const streams = [await readEventStream(t, right.api), await readEventStream(t, wrong.api)];
      await until('they have begun', () => streams.every((stream) => stream.lastId() !== ''));
      for (let round = 0; round < 5; round += 1) {
        await expire(wrong.api);
        await expire(right.api);
      }
      for (const stream of streams) await assertStreamed(stream, right.api);
      assert.deepEqual(
        streams[0]?.frames.map(({ id }) => id),
        streams[1]?.frames.map(({ id }) => id),
      );
      const made = await newSession(wrong.api);
      assert.ok(Math.abs(Date.parse(String(made.created_at)) - Date.now()) < 5_000);
      assert.equal(await statusOf(wrong.api, session), 'open');
      assert.equal(await statusOf(right.api, made), 'open');
      const said = new RegExp(
        `this system's clock is ${Math.abs(aheadMs) / 1000} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database`,
      );
      assert.match(wrong.server.stdout(), said);
      assert.doesNotMatch(right.server.stdout(), /this system's clock/);
    });
  }
});
