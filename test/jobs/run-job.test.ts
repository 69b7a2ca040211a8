// Jobs with a lot of work yield to the event loop between runs, so that requests are still served.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { prune } from '../../src/jobs/prune.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { anIdempotencyRecord, aScope } from '../support/records.ts';
import { until } from '../support/until.ts';

describe('A job that has more to do', () => {
  it('yields to the event loop before it continues', async () => {
    let runs = 0;
    const job = runJob({
      run: async () => {
        runs += 1;
        return runs < 1_000;
      },
      ...{ everyMs: 60_000, steadyClock: performance },
      reports: { failed: (error) => assert.fail(String(error)), worksAgain: () => assert.fail() },
    });
    const seen: number[] = [];
    for (let tick = 0; tick < 10; tick++) {
      await nextTick();
      seen.push(runs);
    }
    assert.ok((seen.at(-1) ?? 0) <= 12, `after ten ticks it has run ${seen.at(-1)} times`);
    await until('all runs are done', () => runs === 1_000);
    await job.stop();
  });

  it('ends when it is stopped', async () => {
    let runs = 0;
    const job = runJob({
      run: async () => {
        runs += 1;
        return true;
      },
      ...{ everyMs: 60_000, steadyClock: performance },
      reports: { failed: () => {}, worksAgain: () => {} },
    });
    await nextTick();
    await job.stop();
    const ended = runs;
    await nextTick();
    assert.equal(runs, ended);
  });
});

describe('A job that keeps failing', () => {
  it('is reported at once, then once a minute or with another reason, and when it works again', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reported: string[] = [];
    let [runs, now] = [0, 0];
    const job = runJob({
      run: async () => {
        runs += 1;
        // It takes longer than the pause between two runs.
        now += 20_000;
        if (runs <= 9) throw new Error(runs === 5 ? 'no password' : 'no connection');
        return false;
      },
      ...{ everyMs: 500, steadyClock: { now: () => now } },
      reports: {
        failed: (error, failures) => reported.push(`${(error as Error).message}, ${failures} in a row`),
        worksAgain: (failures) => reported.push(`works after ${failures}`),
      },
    });
    for (let run = 1; run <= 12; run++) {
      await nextTick();
      t.mock.timers.tick(500);
    }
    await job.stop();
    assert.deepEqual(reported, [
      'no connection, 1 in a row',
      'no connection, 4 in a row',
      'no password, 5 in a row',
      'no connection, 6 in a row',
      'no connection, 9 in a row',
      'works after 9',
    ]);
  });
});

describeOnEachEngine('Pruning', (engine) => {
  it('continues batch by batch until everything old is gone', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const records = Array.from({ length: 120 }, () => anIdempotencyRecord({ ...scope, createdAt: 1 }));
    await mustCommit(store, { idempotencyRecords: records });
    const clock = { now: () => 10 * 86_400_000 };
    let batches = 1;
    while (
      await prune({
        ...{ store, clock, batch: 25, requestLogDays: 7 },
        limits: { windowMs: 3_600_000, perSession: 10, perAddress: 100, perCard: 50 },
        retention: { deliveriesMs: null, eventsMs: null, auditEntriesMs: null, customersMs: null, mailMs: null },
      })
    )
      batches += 1;
    assert.ok(batches > 1);
    assert.deepEqual(await store.walk('idempotencyRecords', null, 10), []);
  });
});
