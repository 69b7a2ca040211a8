// When a group of commits to PostgreSQL starts beside others that are slow.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { commitQueue, type Waiting } from '../../src/storage/postgres/commit-queue.ts';

/** A queue of which each commit is a group, and no group ends. */
function stuckQueue(t: TestContext, maxLanes: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const groups: (readonly Waiting[])[] = [];
  let kinds = 0;
  const commit = commitQueue({
    kindOf: () => String(kinds++),
    ...{ maxGroup: 64, usualLanes: 2, worthAnotherLane: 16, maxLanes },
    held: () => null,
    commitGroup: (group) => {
      groups.push(group);
      return new Promise(() => {});
    },
  });
  return { commit: () => void commit([], []), groups };
}

describe('A group of commits', () => {
  it('starts when the one before it is slow, and after twice the time with each that is slow', async (t) => {
    const { commit, groups } = stuckQueue(t, 16);
    for (let count = 0; count < 10; count++) commit();
    await nextTurn();
    const startedAt: number[] = [];
    for (let ms = 0; ms <= 300; ms++) {
      while (startedAt.length < groups.length) startedAt.push(ms);
      t.mock.timers.tick(1);
      await nextTurn();
    }
    assert.deepEqual(startedAt, [0, 4, 12, 28, 60, 124, 188, 252]);
  });

  it('waits if there is no connection for it', async (t) => {
    const { commit, groups } = stuckQueue(t, 3);
    for (let count = 0; count < 10; count++) commit();
    await nextTurn();
    for (let ms = 0; ms < 1_000; ms++) {
      t.mock.timers.tick(1);
      await nextTurn();
    }
    assert.equal(groups.length, 3);
  });
});
