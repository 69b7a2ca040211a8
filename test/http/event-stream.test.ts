// Events over one long-lived connection: from now on, or from where the reader left off; each exactly once.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventBody } from '../../src/domain/event.ts';
import { idBefore } from '../../src/domain/ids.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { revokeApiKey } from '../../src/usecases/revoke-api-key.ts';
import { assertRefused, must } from '../support/api-client.ts';
import { notOnCitus } from '../support/citus.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, postgres } from '../support/engines.ts';
import { readEventStream } from '../support/event-stream.ts';
import { type Paydesk, startPaydesk, systemClock, type TestMerchant } from '../support/paydesk.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aMoment, anEvent, aPayment } from '../support/records.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';

/** Commits events with these creation times, without the payments that would cause them. */
async function commitEvents({ store }: Paydesk, scope: Scope, times: readonly number[]): Promise<string[]> {
  const { intent } = aPayment({ scope });
  const events = times.map((ms) => anEvent(intent, aMoment(ms)));
  await mustCommit(store, { events });
  return events.map(({ id }) => id);
}

const expire = async ({ test, newSession }: TestMerchant): Promise<void> => {
  const { id } = await newSession();
  must(200, await test.post(`/checkout-sessions/${id}/expire`));
};

describe('An event stream (postgres)', () => {
  const locks = notOnCitus('the lock is at another server');
  it(
    'includes the events of a commit that waited for a lock, even for a reader that resumes after newer ones',
    locks,
    async (t) => {
      const paydesk = await startPaydesk(t, postgres, { runningClock: systemClock });
      const reading = await paydesk.startAnother();
      const merchant = await paydesk.newMerchant();
      const [slow, quick] = [await merchant.newSession(), await merchant.newSession()];
      const test = { ...merchant.test, url: reading.url };
      const stream = await readEventStream(t, test);
      await until('it has begun', () => stream.lastId() !== '');
      const { url } = paydesk.address as Extract<Paydesk['address'], { engine: 'postgres' }>;
      await withClient(url, async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT 1 FROM payment_intents WHERE id = $1 FOR UPDATE', [slow.payment_intent]);
        const waiting = merchant.test.post(`/checkout-sessions/${slow.id}/expire`);
        await until('it is waiting for the lock', async () => {
          const { rowCount } = await client.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
          return (rowCount ?? 0) > 0;
        });
        // As if the lock were held for an hour: events committed meanwhile are that much newer.
        const [newer = ''] = await commitEvents(paydesk, merchant.scope, [Date.now() + 3_600_000]);
        must(200, await merchant.test.post(`/checkout-sessions/${quick.id}/expire`));
        await stream.untilFrames(2);
        const resumed = await readEventStream(t, { ...test, lastEventId: newer });
        await resumed.untilFrames(1);
        await client.query('ROLLBACK');
        must(200, await waiting);
        await stream.untilFrames(3);
        await resumed.untilFrames(2);
        const ids = stream.frames.map(({ id }) => id);
        assert.equal(ids[0], newer);
        assert.equal((JSON.parse(stream.frames[2]?.data ?? '{}') as { data: { id: string } }).data.id, slow.id);
        assert.deepEqual(
          resumed.frames.map(({ id }) => id),
          ids.slice(1),
        );
      });
    },
  );
});

describeOnEachEngine('An event stream', (engine) => {
  const withClock = { runningClock: systemClock };

  it('carries events from now on, in the webhook format, of its own merchant and mode only', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const merchant = await paydesk.newMerchant();
    await expire(merchant);
    const { test, live } = merchant;
    const stream = await readEventStream(t, test);
    const liveStream = await readEventStream(t, live);
    const otherStream = await readEventStream(t, (await paydesk.newMerchant()).test);
    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.equal(stream.headers.get('cache-control'), 'no-store');
    assert.match(stream.headers.get('request-id') ?? '', /^req_/);
    await until('it has begun', () => stream.lastId() !== '');
    await expire(merchant);
    await expire(merchant);
    await stream.untilFrames(2);
    const [, ...expected] = await merchant.events();
    assert.deepEqual(
      stream.frames,
      expected.map((event) => ({ id: event.id, type: event.type, data: JSON.stringify(eventBody(event)) })),
    );
    assert.deepEqual([liveStream.frames, otherStream.frames], [[], []]);
  });

  it('resumes after Last-Event-ID or ?after= with everything since, oldest first', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const { test, scope } = await paydesk.newMerchant();
    const start = Date.now() - 3_600_000;
    // More than one batch.
    const ids = await commitEvents(
      paydesk,
      scope,
      Array.from({ length: 450 }, (_, index) => start + index * 1_000),
    );
    const [, , third = '', fourth = ''] = ids;
    const byHeader = await readEventStream(t, { ...test, lastEventId: third, query: `?after=${fourth}` });
    await byHeader.untilFrames(447);
    assert.deepEqual(
      byHeader.frames.map(({ id }) => id),
      ids.slice(3),
    );
    const byQuery = await readEventStream(t, { ...test, query: `?after=${fourth}` });
    const fromTheStart = await readEventStream(t, { ...test, lastEventId: idBefore('evt', 0) });
    const [added = ''] = await commitEvents(paydesk, scope, [Date.now()]);
    await byQuery.untilFrames(447);
    await fromTheStart.untilFrames(451);
    assert.deepEqual(
      byQuery.frames.map(({ id }) => id),
      [...ids.slice(4), added],
    );
    assert.equal(fromTheStart.frames.at(-1)?.id, added);
  });

  it('can be resumed before its first event', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const { test, scope } = await paydesk.newMerchant();
    const first = await readEventStream(t, test);
    await until('it has begun', () => first.lastId() !== '');
    await first.close();
    const [missed] = await commitEvents(paydesk, scope, [Date.now()]);
    const second = await readEventStream(t, { ...test, lastEventId: first.lastId() });
    await second.untilFrames(1);
    assert.equal(second.frames[0]?.id, missed);
  });

  it('misses nothing and repeats nothing, whatever the clocks say, with concurrent commits and reconnecting readers', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const reading = engine.name === 'postgres' ? await paydesk.startAnother() : paydesk;
    const commit = fc.record({
      // How far off the clock of the process is, or how long the commit takes.
      offMs: fc.oneof(
        fc.constant(0),
        fc.integer({ min: -10_000, max: 10_000 }),
        fc.constantFrom(-3_600_000, 3_600_000),
      ),
      count: fc.integer({ min: 1, max: 3 }),
      reconnects: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(commit, { minLength: 5, maxLength: 25 }), async (commits) => {
        const merchant = await paydesk.newMerchant();
        const test = { ...merchant.test, url: reading.url };
        const whole = await readEventStream(t, test);
        const parts = [await readEventStream(t, test)];
        const last = () => parts.at(-1) ?? whole;
        await until('they have begun', () => whole.lastId() !== '' && last().lastId() !== '');
        const startId = last().lastId();
        let lastEventId = startId;
        const committed: Promise<string[]>[] = [];
        for (const { offMs, count, reconnects } of commits) {
          const times = Array.from({ length: count }, () => Date.now() + offMs);
          committed.push(commitEvents(paydesk, merchant.scope, times));
          if (!reconnects) continue;
          await last().close();
          lastEventId = last().lastId() || lastEventId;
          parts.push(await readEventStream(t, { ...test, lastEventId }));
        }
        const ids = (await Promise.all(committed)).flat();
        const inParts = () => parts.flatMap(({ frames }) => frames.map(({ id }) => id));
        await whole.untilFrames(ids.length);
        await until('the parts have all events', () => inParts().length >= ids.length);
        const order = whole.frames.map(({ id }) => id);
        assert.deepEqual(order.toSorted(), ids.toSorted(), 'each exactly once');
        assert.deepEqual(inParts(), order, 'in the same order for readers that reconnect');
        const again = await readEventStream(t, { ...test, lastEventId: startId });
        await again.untilFrames(ids.length);
        assert.deepEqual(
          again.frames.map(({ id }) => id),
          order,
        );
        for (const reader of [whole, last(), again]) await reader.close();
      }),
      { numRuns: 6 },
    );
  });

  it('rejects anything that is not an event id', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const { test } = await paydesk.newMerchant();
    const wrong = { status: 400, code: 'parameter_invalid' } as const;
    for (const after of ['evt_1', 'pi_01kabcd0efghjkmnpqrstvwxyz0123', '', '%00']) {
      assertRefused(await test.get(`/events/stream?after=${after}`), { ...wrong, param: 'after' });
    }
    const headers = { 'Last-Event-ID': 'yesterday' };
    assertRefused(await test.get('/events/stream', { headers }), { ...wrong, param: 'Last-Event-ID' });
    assertRefused(await test.get('/events/stream?since=1'), { status: 400, code: 'parameter_unknown', param: 'since' });
    const noKey = await test.get('/events/stream', { headers: { Authorization: '' } });
    assertRefused(noKey, { status: 401, code: 'api_key_missing' });
  });

  it('counts towards the limit of ten per key; HEAD requests and closed streams do not', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const merchant = await paydesk.newMerchant();
    const { test } = merchant;
    for (let count = 0; count < 12; count += 1) assert.equal((await test.send('HEAD', '/events/stream')).status, 200);
    const readers = [];
    for (let count = 0; count < 10; count += 1) readers.push(await readEventStream(t, test));
    const refused = await test.get('/events/stream');
    assertRefused(refused, { status: 429, code: 'rate_limited' });
    assert.match(String(refused.error.message), /10 event streams open.*Close one/);
    await (await readEventStream(t, (await paydesk.newMerchant()).test)).close();
    await readers[0]?.close();
    await until('another stream is allowed', async () => (await test.send('HEAD', '/events/stream')).status === 200);
    const next = await readEventStream(t, test);
    await until('it has begun', () => next.lastId() !== '');
    await expire(merchant);
    await next.untilFrames(1);
  });

  it('ends within seconds of the revocation of its key', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const { test } = await paydesk.newMerchant();
    const { api_key: keyId } = must(200, await test.get('/me'));
    const stream = await readEventStream(t, test);
    await revokeApiKey(
      { store: paydesk.store, moment: () => aMoment(Date.now()), actor: 'test' },
      { keyId: String(keyId) },
    );
    await stream.untilEnded(5_000);
    assert.match(stream.comments.at(-1) ?? '', /revoked/);
    await until('the key is refused', async () => (await test.get('/me')).status === 401);
  });

  it('ends when the service stops, without delaying it', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const { test, scope } = await paydesk.newMerchant();
    const stream = await readEventStream(t, test);
    const [old = ''] = await commitEvents(paydesk, scope, [Date.now()]);
    await stream.untilFrames(1);
    const waitedMs = startStopwatch();
    await paydesk.stop();
    await stream.untilEnded();
    assert.ok(waitedMs() < 3_000);
    assert.equal(stream.lastId(), old);
    const faults = paydesk.logLines().filter(({ level }) => level === 'error' || level === 'warn');
    assert.deepEqual(faults, []);
  });
});
