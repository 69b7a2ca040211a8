// Deletions on SQLite block the event loop, so their steps are sized by how long earlier ones took.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortSteps } from '../../src/storage/sqlite/short-steps.ts';

/** A machine that takes this long for each row, and a transaction that adds a fixed cost. */
function machine(msPerRow: number, msPerStep = 0.2) {
  let now = 0;
  const sizes: number[] = [];
  const held: number[] = [];
  const state = { msPerRow };
  const step = shortSteps({
    monotonicMs: () => now,
    alone: async (write) => {
      const before = now;
      const result = write();
      now += msPerStep;
      held.push(now - before);
      return result;
    },
  })();
  return {
    ...{ sizes, held, state },
    async run(steps: number, atMost = 100_000): Promise<void> {
      for (let n = 0; n < steps; n++) {
        await step((limit) => {
          sizes.push(limit);
          now += limit * state.msPerRow;
          return { examined: limit };
        }, atMost);
      }
    },
  };
}

describe('Steps of a deletion on SQLite', () => {
  it('grow slowly, and stay below 5 ms', async () => {
    const { run, sizes, held } = machine(0.02);
    await run(200);
    assert.ok(
      held.every((ms) => ms <= 5),
      `the longest held the event loop for ${Math.max(...held)} ms`,
    );
    assert.ok((sizes.at(-1) ?? 0) >= 50, `the last had ${sizes.at(-1)} rows`);
    for (const [at, size] of sizes.entries()) assert.ok(at === 0 || size <= (sizes[at - 1] ?? 0) * 1.25 + 1);
  });

  it('are halved as soon as one took longer, down to 8 rows, and grow again', async () => {
    const { run, sizes, held, state } = machine(0.02);
    await run(200);
    const before = sizes.at(-1) ?? 0;
    state.msPerRow = 0.5;
    await run(2);
    assert.deepEqual(sizes.slice(-2), [before, Math.floor(before / 2)]);
    await run(20);
    assert.ok(held.slice(-10).every((ms) => ms <= 5));
    state.msPerRow = 50;
    await run(10);
    assert.equal(sizes.at(-1), 8);
    state.msPerRow = 0.02;
    await run(200);
    assert.ok((sizes.at(-1) ?? 0) >= 50, `the last had ${sizes.at(-1)} rows`);
  });

  it('grow neither after steps with little to do, nor beyond what is left to do', async () => {
    const { run, sizes } = machine(0.001);
    await run(50, 10);
    assert.ok(sizes.every((size) => size <= 10));
  });

  it('are not measured while they wait for their turn', async () => {
    let now = 0;
    const sizes: number[] = [];
    const step = shortSteps({
      monotonicMs: () => now,
      alone: async (write) => {
        now += 1_000;
        return write();
      },
    })();
    for (let n = 0; n < 20; n++) {
      await step((limit) => {
        sizes.push(limit);
        return { examined: limit };
      }, 10_000);
    }
    assert.ok((sizes.at(-1) ?? 0) > (sizes[0] ?? 0));
  });
});
