// Counters of attempts: concurrent commits never exceed a limit, a rejected commit stores nothing, and counters that have
// expired are erased.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type CountChange, mergedSlots, type Slots } from '../../src/domain/attempt-counts.ts';
import { newOperation } from '../../src/domain/operation.ts';
import { changesOf, committed, conflicts, mustCommit, mustStore } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aMoment, aPayment } from '../support/records.ts';

const slot = startOfTests - (startOfTests % 1000);

function change(key: string, counts: readonly [number, number], overrides: Partial<CountChange> = {}): CountChange {
  const slots = { [slot]: counts } as const;
  return { key, slots, lastDeclinedAt: 0, eraseAt: slot + 1, atMost: null, since: slot - 10_000, ...overrides };
}

const total = (slots: Slots = {}): [number, number] =>
  Object.values(slots).reduce<[number, number]>((sum, [a, b]) => [sum[0] + a, sum[1] + b], [0, 0]);

describeOnEachStore('Counters of attempts', (engine) => {
  it('allow exactly as many commits as their limit, at any concurrency and in several processes', async (t) => {
    const { store, openAnother } = await freshStore(t, engine);
    const stores = engine.name === 'postgres' ? [store, await openAnother(), await openAnother()] : [store];
    const payments = Array.from({ length: 120 }, () => aPayment());
    const outcomes = await Promise.all(
      payments.map((payment, index) =>
        (stores[index % stores.length] ?? store).commit({
          ...changesOf(payment),
          attemptCounts: [
            // In alternating order: this must not cause a deadlock.
            ...(index % 2 === 0 ? [change('card 1', [1, 0], { atMost: 17 })] : []),
            change('address 1', [1, 0], { atMost: 1_000 }),
            ...(index % 2 === 0 ? [] : [change('card 1', [1, 0], { atMost: 17 })]),
            change(`session ${index}`, [1, 0], { atMost: 1 }),
          ],
        }),
      ),
    );
    assert.deepEqual(conflicts(outcomes), Array(103).fill('limit'));
    const counters = await store.attemptCounters(['card 1', 'address 1', 'card 2']);
    const counted = Object.fromEntries(counters.map(({ key, slots }) => [key, total(slots)]));
    assert.deepEqual(counted, { 'card 1': [17, 0], 'address 1': [17, 0] });
    for (const [index, { session }] of payments.entries()) {
      const stored = await store.find('checkoutSessions', session, session.id);
      const counter = await store.attemptCounters([`session ${index}`]);
      const isCommitted = outcomes[index]?.committed === true;
      assert.deepEqual([stored !== null, counter.length], [isCommitted, isCommitted ? 1 : 0], 'all or nothing');
    }
  });

  it('count nothing if the commit has a version conflict', async (t) => {
    const { store } = await freshStore(t, engine);
    const stored = await mustStore(store, aPayment());
    await mustCommit(store, { checkoutSessions: [{ ...stored.session, amount: 7 }] });
    const outcome = await store.commit({
      checkoutSessions: [stored.session],
      attemptCounts: [change('card 1', [1, 0], { atMost: 5 })],
    });
    assert.deepEqual(outcome, { committed: false, conflict: 'version' });
    assert.deepEqual(await store.attemptCounters(['card 1']), []);
  });

  it('allow another attempt after one was released, but not after one was declined', async (t) => {
    const { store } = await freshStore(t, engine);
    const attemptOnce = () => store.commit({ attemptCounts: [change('card 1', [1, 0], { atMost: 2 })] });
    assert.deepEqual([await attemptOnce(), await attemptOnce()], [committed, committed]);
    assert.deepEqual(conflicts([await attemptOnce()]), ['limit']);
    await mustCommit(store, { attemptCounts: [change('card 1', [-1, 0])] });
    assert.deepEqual(await attemptOnce(), committed);
    await mustCommit(store, { attemptCounts: [change('card 1', [-1, 1], { lastDeclinedAt: slot + 7 })] });
    assert.deepEqual(conflicts([await attemptOnce()]), ['limit']);
    const [counter] = await store.attemptCounters(['card 1']);
    assert.deepEqual([total(counter?.slots), counter?.lastDeclinedAt], [[1, 1], slot + 7]);
    const later = { atMost: 2, since: slot, slots: { [slot + 5_000]: [1, 0] } } as const;
    await mustCommit(store, { attemptCounts: [change('card 1', [0, 0], later)] });
    const [slid] = await store.attemptCounters(['card 1']);
    assert.deepEqual(slid?.slots, later.slots, 'slots before the window are dropped');
  });

  it('add up according to the rules for any sequence of changes', async (t) => {
    const { store } = await freshStore(t, engine);
    const steps = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 5 }),
        counts: fc.constantFrom<readonly [number, number]>([1, 0], [-1, 0], [-1, 1], [0, 1]),
        later: fc.constantFrom(0, 0, 0, 1),
        atMost: fc.constantFrom(null, 2, 4),
      }),
      { maxLength: 15 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const key = `card ${run++}`;
        let expected: Slots = {};
        let since = slot - 2;
        for (const { at, counts, later, atMost } of sequence) {
          since += later;
          // Only attempts that start have a limit; they start now, within the window.
          const starts = counts[0] > 0;
          const slots = { [(starts ? since + 1 : slot) + at]: counts };
          const wanted = { slots, since, atMost: starts ? atMost : null };
          const next = mergedSlots(expected, wanted.slots, wanted.since);
          const [underWay, declined] = total(next);
          const fits = wanted.atMost === null || underWay + declined <= wanted.atMost;
          const { committed: done } = await store.commit({ attemptCounts: [change(key, [0, 0], wanted)] });
          assert.equal(done, fits);
          expected = fits ? next : mergedSlots(expected, {}, since);
          const [found] = await store.attemptCounters([key]);
          assert.deepEqual(mergedSlots(found?.slots ?? {}, {}, since), expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are erased when they expire, or immediately when they count nothing', async (t) => {
    const { store } = await freshStore(t, engine);
    await mustCommit(store, {
      attemptCounts: [
        ...Array.from({ length: 5 }, (_, index) => change(`card ${index}`, [0, 1], { eraseAt: slot + 100 })),
        change('card later', [0, 1], { eraseAt: slot + 200 }),
        change('card under way', [1, 0], { eraseAt: slot + 200 }),
      ],
    });
    await mustCommit(store, { attemptCounts: [change('card under way', [-1, 0], { eraseAt: slot + 200 })] });
    await store.eraseAttempts(slot + 99, 0, 100);
    const names = Array.from({ length: 5 }, (_, index) => `card ${index}`);
    const left = async () => (await store.attemptCounters([...names, 'card later', 'card under way'])).length;
    assert.equal(await left(), 6);
    assert.equal(await store.eraseAttempts(slot + 100, 0, 3), 3);
    assert.equal(await store.eraseAttempts(slot + 100, 0, 3), 2);
    assert.equal(await left(), 1);
    assert.equal(await store.eraseAttempts(slot + 200, 0, 3), 1);
  });

  it('are no longer referenced by old operations', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent, session } = await mustStore(store, aPayment());
    const attempt = { keys: { session: 's', address: 'a', card: 'c' }, slot };
    const operationAt = (at: number) => {
      const terms = { paymentIntentId: intent.id, checkoutSessionId: session.id, amount: 1250, attempt };
      return newOperation(aMoment(at).newId('op'), intent, { kind: 'payment', ...terms }, aMoment(at));
    };
    const [old, recent] = [operationAt(slot - 1), operationAt(slot)];
    await mustCommit(store, { operations: [old, recent] });
    assert.deepEqual((await store.findBy('operations', 'id', old.id))?.attempt, attempt);
    assert.equal(await store.eraseAttempts(slot, slot, 100), 1);
    assert.deepEqual(await store.findBy('operations', 'id', old.id), { ...old, version: 1, attempt: null });
    assert.deepEqual((await store.findBy('operations', 'id', recent.id))?.attempt, attempt);
  });
});
