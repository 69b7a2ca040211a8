// Events over one connection that stays open: from now on, or from where the reader was; each once, and none missed.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { eventBody } from '../../src/domain/event.ts';
import { idBefore } from '../../src/domain/ids.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { revokeApiKey } from '../../src/usecases/revoke-api-key.ts';
import { assertRefused, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { readEventStream } from '../support/event-stream.ts';
import { type Paydesk, startPaydesk, systemClock, type TestMerchant } from '../support/paydesk.ts';
import { aMoment, anEvent, aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

/** Events of their own, without the payments that cause them, made at these times. */
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

describeOnEachEngine('A stream of events', (engine) => {
  const withClock = { runningClock: systemClock };

  it('has what happens from now on, as webhooks carry it, of its own merchant and mode', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const merchant = await paydesk.newMerchant();
    await expire(merchant);
    const { test, live } = merchant;
    const stream = await readEventStream(t, test);
    const ofLive = await readEventStream(t, live);
    const ofOther = await readEventStream(t, (await paydesk.newMerchant()).test);
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
    assert.deepEqual([ofLive.frames, ofOther.frames], [[], []]);
  });

  it('goes on after Last-Event-ID, or ?after=, with everything since, oldest first', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const { test, scope } = await paydesk.newMerchant();
    const start = Date.now() - 3_600_000;
    // More than are read at once.
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

  it('can be come back to before the first event', async (t) => {
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

  it('misses nothing and gives nothing twice, though commits come late, side by side, and readers come and go', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const commit = fc.record({
      // How far behind its clock is, or how long the commit takes: less than the window that is read again.
      lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
      count: fc.integer({ min: 1, max: 3 }),
      reconnects: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(commit, { minLength: 5, maxLength: 25 }), async (commits) => {
        const { test, scope } = await paydesk.newMerchant();
        const whole = await readEventStream(t, test);
        const parts = [await readEventStream(t, test)];
        const last = () => parts.at(-1) ?? whole;
        await until('they have begun', () => whole.lastId() !== '' && last().lastId() !== '');
        const begunAt = last().lastId();
        const committed: Promise<string[]>[] = [];
        for (const { lateMs, count, reconnects } of commits) {
          const now = Date.now();
          committed.push(
            commitEvents(
              paydesk,
              scope,
              Array.from({ length: count }, () => now - lateMs),
            ),
          );
          if (!reconnects) continue;
          await committed.at(-1);
          await last().close();
          // As `paydesk listen` does: from a little before, leaving out what it has seen.
          parts.push(await readEventStream(t, { ...test, lastEventId: idBefore('evt', now - 10_000) }));
        }
        const ids = (await Promise.all(committed)).flat().sort();
        const seen = () => new Set(parts.flatMap(({ frames }) => frames.map(({ id }) => id)));
        await whole.untilFrames(ids.length);
        await until('the parts have all', () => ids.every((id) => seen().has(id)));
        assert.deepEqual(whole.frames.map(({ id }) => id).sort(), ids, 'each once on one connection');
        for (const { frames } of parts) assert.equal(new Set(frames.map(({ id }) => id)).size, frames.length);
        const strict = await readEventStream(t, { ...test, lastEventId: begunAt });
        const after = ids.filter((id) => id > begunAt);
        await strict.untilFrames(after.length);
        assert.deepEqual(
          strict.frames.map(({ id }) => id),
          after,
        );
        for (const reader of [whole, last(), strict]) await reader.close();
      }),
      { numRuns: 6 },
    );
  });

  it('is refused with what is no id of an event', async (t) => {
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

  it('is one of ten that a key may have open; HEAD and readers that are gone take no place', async (t) => {
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
    await until('there is room again', async () => (await test.send('HEAD', '/events/stream')).status === 200);
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
    await revokeApiKey({ store: paydesk.store, moment: () => aMoment(Date.now()), actor: 'test' }, String(keyId));
    await stream.untilEnded(5_000);
    assert.match(stream.comments.at(-1) ?? '', /revoked/);
    await until('the key is refused', async () => (await test.get('/me')).status === 401);
  });

  it('ends when the service stops, which it does not hold up', async (t) => {
    const paydesk = await startPaydesk(t, engine, withClock);
    const { test, scope } = await paydesk.newMerchant();
    const stream = await readEventStream(t, test);
    const [old = ''] = await commitEvents(paydesk, scope, [Date.now()]);
    await stream.untilFrames(1);
    const startedAt = performance.now();
    await paydesk.stop();
    await stream.untilEnded();
    assert.ok(performance.now() - startedAt < 3_000);
    assert.equal(stream.lastId(), old);
    const faults = paydesk.logLines().filter(({ level }) => level === 'error' || level === 'warn');
    assert.deepEqual(faults, []);
  });
});
