// Jobs that have much to do leave turns of the event loop to requests.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { prune } from '../../src/jobs/prune.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { anIdempotencyRecord, aScope } from '../support/records.ts';
import { until } from '../support/until.ts';

describe('A job that has more to do', () => {
  it('lets the event loop turn before it goes on', async () => {
    let runs = 0;
    const job = runJob({
      run: async () => {
        runs += 1;
        return runs < 1_000;
      },
      everyMs: 60_000,
      onError: (error) => assert.fail(String(error)),
    });
    const seen: number[] = [];
    for (let turn = 0; turn < 10; turn++) {
      await nextTurn();
      seen.push(runs);
    }
    assert.ok((seen.at(-1) ?? 0) <= 12, `after ten turns it has run ${seen.at(-1)} times`);
    await until('it has done all', () => runs === 1_000);
    await job.stop();
  });

  it('ends when it is stopped', async () => {
    let runs = 0;
    const job = runJob({
      run: async () => {
        runs += 1;
        return true;
      },
      everyMs: 60_000,
      onError: () => {},
    });
    await nextTurn();
    await job.stop();
    const ended = runs;
    await nextTurn();
    assert.equal(runs, ended);
  });
});

describeOnEachEngine('Pruning', (engine) => {
  it('goes on until all that is old is gone, bite by bite', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const records = Array.from({ length: 120 }, () => anIdempotencyRecord({ ...scope, createdAt: 1 }));
    await mustCommit(store, { idempotencyRecords: records });
    const clock = { now: () => 10 * 86_400_000 };
    let bites = 1;
    while (await prune(store, clock, { windowMs: 3_600_000, perSession: 10, perAddress: 100, perCard: 50 })) bites += 1;
    assert.ok(bites > 1);
    assert.deepEqual(await store.walk('idempotencyRecords', null, 10), []);
  });
});
