// Counts attempts in progress and declined attempts in a sliding window.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type AttemptKeys,
  attemptKeys,
  type CountChange,
  decline,
  failChallenge,
  mergedSlots,
  type Slots,
  start,
  totalOf,
  uncount,
} from '../../src/domain/attempt-counts.ts';
import { secretBox } from '../../src/domain/secret-box.ts';

const windowMs = 600_000;
const limits = { windowMs, perSession: 3, perAddress: 5, perCard: 4 };
const keys: AttemptKeys = { session: 'session 1', address: 'address 1', card: 'card 1' };
const now = Date.UTC(2026, 0, 15);

function after(...changes: readonly CountChange[]): Record<string, { underWay: number; declined: number }> {
  const counters: Record<string, Slots> = {};
  for (const { key, slots, since } of changes) counters[key] = mergedSlots(counters[key] ?? {}, slots, since);
  return Object.fromEntries(Object.entries(counters).map(([key, slots]) => [key, totalOf(slots)]));
}

describe('An attempt', () => {
  it('counts from its start by address and card, each with its own limit', () => {
    const { attempt, changes } = start(keys, limits, now);
    assert.deepEqual(attempt.keys, keys);
    assert.deepEqual(
      changes.map(({ key, atMost }) => [key, atMost]),
      [
        ['address 1', 5],
        ['card 1', 4],
      ],
    );
    for (const total of Object.values(after(...changes))) assert.deepEqual(total, { underWay: 1, declined: 0 });
  });

  it('still counts once declined, and does not count after any other outcome', () => {
    const { attempt, changes } = start(keys, limits, now);
    for (const later of [0, 4_000, windowMs / 2]) {
      const declined = after(...changes, ...decline(attempt, limits, now + later));
      assert.deepEqual(Object.keys(declined).toSorted(), ['address 1', 'card 1', 'session 1']);
      for (const total of Object.values(declined)) assert.deepEqual(total, { underWay: 0, declined: 1 });
      const ended = after(...changes, ...uncount(attempt, limits, now + later));
      for (const total of Object.values(ended)) assert.deepEqual(total, { underWay: 0, declined: 0 });
    }
  });

  it('does not affect later attempts if it ends after its window', () => {
    const [first, second] = [start(keys, limits, now), start(keys, limits, now + windowMs)];
    const ended = uncount(first.attempt, limits, now + windowMs + 1);
    for (const total of Object.values(after(...first.changes, ...second.changes, ...ended)))
      assert.equal(total.underWay, 1);
  });

  it('counts for its card and session, but not for its address, after a failed challenge', () => {
    assert.deepEqual(after(...failChallenge({ keys, slot: null }, limits, now)), {
      'session 1': { underWay: 0, declined: 1 },
      'card 1': { underWay: 0, declined: 1 },
    });
  });

  it('has no count to return while it waits for the customer', () => {
    assert.deepEqual(uncount({ keys, slot: null }, limits, now), []);
    assert.deepEqual(decline({ keys, slot: null }, limits, now), []);
  });
});

describe('A window of declines', () => {
  const declinesAt = (times: readonly number[]): Slots => {
    let slots: Slots = {};
    for (const at of times) {
      const { attempt, changes } = start(keys, limits, at);
      for (const { key, slots: more, since } of [...changes, ...decline(attempt, limits, at)]) {
        if (key === keys.card) slots = mergedSlots(slots, more, since);
      }
    }
    return slots;
  };
  const countAt = (slots: Slots, at: number): number => totalOf(mergedSlots(slots, {}, at - windowMs)).declined;

  it('counts a decline for at least 29/30 of its length and never longer, whenever it occurred', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * windowMs }), (offset) => {
        const at = now + offset;
        const slots = declinesAt([at]);
        assert.equal(countAt(slots, at + windowMs - windowMs / 30), 1);
        assert.equal(countAt(slots, at + windowMs), 0);
      }),
    );
  });

  it('has no boundary at which twice as many attempts pass', () => {
    const times = fc.array(fc.integer({ min: 0, max: 3 * windowMs }), { maxLength: 60 });
    fc.assert(
      fc.property(times, (offsets) => {
        const passed: number[] = [];
        let slots: Slots = {};
        for (const at of offsets.toSorted((a, b) => a - b).map((offset) => now + offset)) {
          if (countAt(slots, at) >= limits.perCard) continue;
          passed.push(at);
          slots = declinesAt(passed);
        }
        const guaranteedMs = windowMs - windowMs / 30;
        for (const at of passed) {
          const within = passed.filter((other) => other > at - guaranteedMs && other <= at);
          assert.ok(within.length <= limits.perCard, `${within.length} within a window`);
        }
      }),
    );
  });
});

describe('Attempt keys', () => {
  const box = secretBox(randomBytes(32), randomBytes);
  const scope = { merchantId: 'acct_1', livemode: false };
  const of = (
    changes: Partial<typeof scope & { address: string; cardNumber: string | null; sessionId: string }> = {},
  ) =>
    attemptKeys(
      box,
      { ...scope, ...changes },
      { sessionId: 'cs_1', address: '203.0.113.7', cardNumber: '4242424242424242', ...changes },
    );

  it('are per merchant for addresses, shared by merchants for cards, and separate for each mode', () => {
    assert.deepEqual(of(), of());
    const elsewhere = of({ merchantId: 'acct_2' });
    assert.notEqual(elsewhere.address, of().address);
    assert.equal(elsewhere.card, of().card);
    assert.notEqual(of({ livemode: true }).card, of().card);
    assert.notEqual(of({ livemode: true }).address, of().address);
    assert.notEqual(of({ address: '203.0.113.8' }).address, of().address);
    assert.notEqual(of({ cardNumber: '5555555555554444' }).card, of().card);
    assert.equal(of({ cardNumber: null }).card, null);
  });

  it('reveal neither the card nor the address', () => {
    assert.ok(!JSON.stringify(of()).includes('4242') && !JSON.stringify(of()).includes('203.0.113'));
  });
});
