// Lists on SQLite block the event loop, so they are read in steps that are sized by how long earlier ones took, one at a time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { shortReads } from '../../src/storage/sqlite/short-reads.ts';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { countPayments, listPayments } from '../../src/usecases/list-payments.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { freshDatabase, sqlite } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aDispute, aMoment, aPayment, aScope } from '../support/records.ts';

const limits = { first: 100, min: 10, max: 400 };

/** A machine that takes this long for each row. */
function machine(msPerRow: number) {
  let now = 0;
  const sizes: number[] = [];
  const newRead = shortReads(() => now);
  const read = newRead(limits);
  const step = (atMost = 100_000) =>
    read((limit) => {
      sizes.push(limit);
      now += limit * msPerRow;
      return { examined: limit };
    }, atMost);
  return { sizes, step, newRead };
}

describe('Steps of a list on SQLite', () => {
  it('shrink if they take longer than 5 ms, and grow if they take much less, within limits', async () => {
    const slow = machine(0.2);
    for (let n = 0; n < 5; n++) await slow.step();
    assert.deepEqual(slow.sizes, [100, 50, 25, 25, 25]);
    const verySlow = machine(50);
    for (let n = 0; n < 8; n++) await verySlow.step();
    assert.equal(verySlow.sizes.at(-1), 10);
    const fast = machine(0.0001);
    for (let n = 0; n < 30; n++) await fast.step();
    assert.equal(fast.sizes.at(-1), 400);
    await fast.step(7);
    assert.equal(fast.sizes.at(-1), 7);
  });

  it('run one in each tick of the event loop, whoever wants them, and let other work run in between', async () => {
    const { newRead } = machine(0);
    let tick = 0;
    let isOver = false;
    const ticks: number[] = [];
    const counting = (async () => {
      for (; !isOver; tick++) await nextTick();
    })();
    const reads = [newRead(limits), newRead(limits), newRead(limits)];
    const result = () => ({ examined: ticks.push(tick) });
    await Promise.all(reads.flatMap((read) => [read(result, 1), read(result, 1)]));
    isOver = true;
    await counting;
    assert.equal(ticks.length, 6);
    assert.equal(new Set(ticks).size, 6, `in the ticks ${ticks.join()}`);
  });

  it('that fail do not keep others from running', async () => {
    const { step, newRead } = machine(0);
    const failing = newRead(limits)((): { examined: number } => {
      throw new Error('the file is gone');
    }, 10);
    const next = step();
    await assert.rejects(failing, /the file is gone/);
    assert.deepEqual(await next, { examined: 100 });
  });
});

describe('A list of payments on SQLite', () => {
  it('is read in many short steps if the disk is slow, and shows and counts the same', async (t) => {
    const address = await freshDatabase(t, sqlite);
    assert.ok(address.engine === 'sqlite');
    let clock = 0;
    // Every time that the clock is read, 10 ms have passed.
    const monotonicMs = () => (clock += 10);
    const store = openSqliteStore({ path: address.path, serving: true, monotonicMs });
    t.after(() => store.close());
    const scope = aScope();
    const payments = Array.from({ length: 600 }, (_, at) =>
      aPayment({ scope, moment: aMoment(startOfTests + at), terms: { amount: at % 100 === 5 ? 777 : 1250 } }),
    );
    const disputes = payments.map(({ intent }) => aDispute({ ...scope, paymentIntentId: intent.id }));
    await mustCommit(store, { ...changesOf(...payments), disputes });
    const deps = { store, now: () => startOfTests };
    const expected = payments.filter(({ intent }) => intent.amount === 777).map(({ intent }) => intent.id);
    for (const status of [undefined, 'disputed', 'requires_payment_method'] as const) {
      const wanted = { scope, search: null, filter: { status, min: 777, max: 777 } };
      const before = clock;
      const page = await listPayments(deps, wanted, { limit: 20 });
      assert.deepEqual([page.payments.map(({ intent }) => intent.id), page.next], [expected.toReversed(), null]);
      const steps = (clock - before) / 20;
      assert.ok(steps >= 5, `${steps} steps`);
      const first = await listPayments(deps, wanted, { limit: 4 });
      const rest = await listPayments(deps, wanted, { limit: 4, before: first.next ?? assert.fail() });
      assert.deepEqual([...first.payments, ...rest.payments].length, expected.length);
      assert.equal(rest.next, null);
      const { counts, capped } = await countPayments(deps, wanted);
      assert.deepEqual([counts.all, counts.disputed, counts.expired, capped], [6, 6, 0, []]);
    }
  });
});
