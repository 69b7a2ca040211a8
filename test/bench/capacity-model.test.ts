// The model behind docs/capacity.md: what a payment costs, what a machine carries, and the tables of the guide.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Capacity,
  type CapacityRun,
  capacityTables,
  costOfPayment,
  type Engine,
  type Measured,
  predictedRate,
} from '../../bench/capacity-model.ts';

const cost = (serviceMs: number, postgresMs: number, otherMs: number): Measured => ({
  perSecond: 100,
  serviceMs,
  postgresMs,
  otherMs,
});

function run(engine: Engine, stored: number): CapacityRun {
  const postgresMs = engine === 'sqlite' ? 0 : 0.5;
  const step = cost(0.2, postgresMs, 0.05);
  return {
    engine,
    stored,
    steps: { create: step, page: step, pay: step, webhook: step, lookup: step, list: step },
    whole: cost(1.2, engine === 'sqlite' ? 0 : 3, 0.3),
    growth: {
      tables: [{ name: 'events', rows: 2, bytes: 2048 }],
      bytes: 4096,
      walBytes: engine === 'sqlite' ? null : 8192,
      syncs: engine === 'sqlite' ? null : 0.5,
    },
  };
}

const capacity: Capacity = {
  cores: 2,
  runs: [run('postgres', 100_000), run('sqlite', 100_000), run('sqlite', 10_000), run('postgres', 10_000)],
};
const tableWith = (column: string): readonly (readonly string[])[] =>
  capacityTables(capacity).find(({ header }) => header.includes(column))?.rows ?? [];

describe('The capacity model', () => {
  it('adds up the steps of a payment, with a webhook for each of its two events', () => {
    const { serviceMs, postgresMs, otherMs } = costOfPayment(run('postgres', 10_000).steps);
    assert.deepEqual(
      [serviceMs, postgresMs, otherMs].map((ms) => ms.toFixed(2)),
      ['1.00', '2.50', '0.25'],
    );
  });

  it('is limited by the one core of a process, or by the cores of the machine', () => {
    assert.equal(predictedRate(cost(1, 0, 0.5), 4), 1_000);
    assert.equal(predictedRate(cost(1, 2, 1), 2), 500);
  });

  it('predicts both sizes from the smaller one, beside what was measured', () => {
    assert.deepEqual(tableWith('CPU predicted'), [
      ['SQLite', '10 000', '1.25 ms', '1.50 ms', '1 000/s', '100/s'],
      ['SQLite', '100 000', '1.25 ms', '1.50 ms', '1 000/s', '100/s'],
      ['PostgreSQL', '10 000', '3.75 ms', '4.50 ms', '533/s', '100/s'],
      ['PostgreSQL', '100 000', '3.75 ms', '4.50 ms', '533/s', '100/s'],
    ]);
  });

  it('says what a million payments an hour need, with cores that are busy for 60 % of the time', () => {
    assert.deepEqual(tableWith('cores for PostgreSQL'), [
      ['SQLite', '0.6', 'none', 'not counted', 'not counted', '92 GB'],
      ['PostgreSQL', '0.6', '1.4', '2.2 MB/s', '139/s', '92 GB'],
    ]);
  });

  it('marks what was measured and what is extrapolated', () => {
    const basis = tableWith('basis').map((row) => row.at(-1));
    assert.equal(basis.filter((text) => text === 'measured').length, 2);
    assert.ok(basis.every((text) => text === 'measured' || text?.startsWith('extrapolated')));
  });

  it('needs two sizes of each engine', () => {
    assert.throws(
      () => capacityTables({ ...capacity, runs: capacity.runs.slice(1) }),
      /postgres must be measured at two/,
    );
  });
});
