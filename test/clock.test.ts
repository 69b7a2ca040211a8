// The clock of the service follows its reference and never runs backward.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ServiceClockOptions, startServiceClock, steadyClock } from '../src/clock.ts';
import { startOfTests } from './support/fake-clock.ts';
import { until } from './support/until.ts';

/** Clocks that a test controls. If `reference` is null, the system clock is the reference. */
function times(reference: number | null = null) {
  const at = { monotonic: 5_000.5, system: startOfTests, reference };
  const pass = (ms: number): void => {
    at.monotonic += ms;
    at.system += ms;
    if (at.reference !== null) at.reference += ms;
  };
  const differences: [number, boolean][] = [];
  const options: ServiceClockOptions = {
    monotonic: () => at.monotonic,
    system: () => at.system,
    reference: async () => at.reference,
    onDifference: (ms, isTooMuch) => differences.push([ms, isTooMuch]),
    compareEveryMs: 1,
  };
  return { at, pass, options, differences };
}

const hour = 3_600_000;

describe('The service clock with the system clock as reference', () => {
  it('follows it, and jumps forward immediately', async (t) => {
    const { at, pass, options } = times();
    const clock = await startServiceClock(options);
    t.after(() => clock.stop());
    assert.equal(clock.now(), startOfTests);
    pass(1_234);
    assert.equal(clock.now(), startOfTests + 1_234);
    at.system += hour;
    assert.equal(clock.now(), startOfTests + 1_234 + hour);
    assert.equal(clock.wall.now(), clock.now());
  });

  it('does not go back with it: delays keep their length within 10 % until the two agree', async (t) => {
    for (const step of [30_000, hour]) {
      const { at, pass, options } = times();
      const clock = await startServiceClock(options);
      t.after(() => clock.stop());
      const before = clock.now();
      at.system -= step;
      assert.equal(clock.now(), before);
      assert.equal(clock.wall.now(), before - step, 'the wall clock is the reference');
      assert.equal(clock.systemAheadMs(), -step);
      pass(5_000);
      assert.equal(clock.now(), before + 4_500);
      for (let passed = 0; passed < step * 10; passed += step / 4) {
        pass(step / 4);
        clock.now();
      }
      assert.equal(clock.now(), at.system, 'they agree');
      pass(1_000);
      assert.equal(clock.now(), at.system);
    }
  });

  it('reports once that the two differ by more than 2 s, and once that they agree again', async (t) => {
    const { at, pass, options, differences } = times();
    const clock = await startServiceClock(options);
    t.after(() => clock.stop());
    at.system -= 30_000;
    await until('the difference is reported', () => differences.length === 1);
    assert.deepEqual(differences, [[-30_000, true]]);
    pass(280_000);
    await until('the end is reported', () => differences.length === 2);
    assert.deepEqual(differences[1]?.[1], false);
    at.system -= 1_000;
    pass(1_000);
    assert.equal(differences.length, 2);
  });
});

describe('The service clock with the database clock as reference', () => {
  it('ignores the system clock, and reports how far that is off', async (t) => {
    const { at, pass, options, differences } = times(startOfTests - hour);
    const clock = await startServiceClock(options);
    t.after(() => clock.stop());
    assert.equal(clock.now(), startOfTests - hour);
    assert.deepEqual(differences, [[hour, true]], 'from the start');
    for (const step of [hour, -3 * hour, -30_000]) {
      at.system += step;
      pass(1_000);
      assert.equal(clock.now(), at.reference);
      assert.equal(clock.wall.now(), at.reference);
    }
    at.system = at.reference ?? 0;
    await until('they agree', () => differences.length === 2);
  });

  it('jumps forward with it, slows down instead of going back, and keeps running while it is unavailable', async (t) => {
    const { at, pass, options } = times(startOfTests);
    let queries = 0;
    const reference = async (): Promise<number | null> => {
      queries += 1;
      if (at.reference === 0) throw new Error('gone');
      return at.reference;
    };
    const clock = await startServiceClock({ ...options, reference });
    t.after(() => clock.stop());
    const untilQueried = async (): Promise<void> => {
      const before = queries;
      await until('it was queried again', () => queries >= before + 2);
    };
    at.reference = startOfTests + hour;
    await untilQueried();
    assert.equal(clock.now(), startOfTests + hour);
    at.reference -= 10_000;
    await untilQueried();
    assert.equal(clock.now(), startOfTests + hour);
    pass(100_000);
    assert.equal(clock.now(), at.reference, 'reached by running slower');
    const expected = clock.now() + 5_000;
    at.reference = 0;
    await untilQueried();
    at.monotonic += 5_000;
    assert.equal(clock.now(), expected);
  });

  it('accounts for the time that the query took', async (t) => {
    const { at, options } = times(startOfTests);
    const slow = async (): Promise<number | null> => {
      at.monotonic += 4_000;
      at.system += 4_000;
      return at.reference;
    };
    const clock = await startServiceClock({ ...options, reference: slow, compareEveryMs: hour });
    t.after(() => clock.stop());
    assert.equal(clock.now(), startOfTests + 2_000, 'the middle of the possible range');
  });

  it('does not start without it', async () => {
    const { options } = times();
    const gone = async (): Promise<never> => {
      throw new Error('gone');
    };
    await assert.rejects(startServiceClock({ ...options, reference: gone }), /gone/);
  });
});

describe('A steady clock', () => {
  it('never runs backward, whatever its reference does', () => {
    const step = fc.record({
      passMs: fc.double({ min: 0, max: 10_000, noNaN: true }),
      reference: fc.option(fc.integer({ min: -2 * hour, max: 2 * hour })),
      uncertainMs: fc.integer({ min: 0, max: 500 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let monotonic = 0.25;
        const clock = steadyClock(startOfTests, () => monotonic);
        let before = clock.now();
        for (const { passMs, reference, uncertainMs } of steps) {
          monotonic += passMs;
          if (reference !== null) clock.follow(startOfTests + reference, startOfTests + reference + uncertainMs);
          const after = clock.now();
          assert.ok(Number.isInteger(after));
          assert.ok(after >= before);
          if (reference !== null) assert.ok(after >= Math.floor(startOfTests + reference));
          before = after;
        }
      }),
    );
  });
});
