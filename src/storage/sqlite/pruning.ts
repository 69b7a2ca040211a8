// Deletes old rows in short steps. Rows that must be kept despite their age are passed over once per pass, not once per
// step: there may be a million of them.

import type { DatabaseSync } from 'node:sqlite';
import { oldRows } from '../sql.ts';
import type { Table } from '../table.ts';
import { numbered } from './rows.ts';
import type { ShortStep } from './short-steps.ts';

interface Step {
  readonly examined: number;
  readonly deleted: number;
  /** Nothing is left to examine. */
  readonly ended: boolean;
}

/** Deletes rows from before a time, at most so many; returns how many. */
export type Prune = (before: number, limit: number) => Promise<number>;

export function sqlitePruning(database: DatabaseSync, newStep: () => ShortStep): (table: Table<unknown>) => Prune {
  const prunings = new Map<Table<unknown>, Prune>();
  return (table) => {
    const prune = prunings.get(table) ?? pruningOf(database, table, newStep());
    prunings.set(table, prune);
    return prune;
  };
}

function pruningOf(database: DatabaseSync, table: Table<unknown>, step: ShortStep): Prune {
  const { name, prunedBy, prunedOnly } = table;
  if (prunedBy === null || prunedOnly === null) {
    const statement = database.prepare(numbered(`DELETE FROM ${name} WHERE rowid IN (${oldRows(table, 't.rowid')})`));
    return inSteps(step, (before, limit) => Number(statement.run(before, limit).changes));
  }
  const by = prunedBy.name;
  const examine = database.prepare(`
    SELECT rowid AS row, ${by} AS time, ${prunedOnly} AS prunable FROM ${name} t
    WHERE (${by}, rowid) > (?, ?) AND ${by} < ? ORDER BY ${by}, rowid LIMIT 0 + ?`);
  const remove = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
  const start = { time: Number.MIN_SAFE_INTEGER, row: Number.MIN_SAFE_INTEGER };
  let passed = start;

  function examineNext(before: number, limit: number): Step {
    const rows = examine.all(passed.time, passed.row, before, limit);
    const prunable = rows.filter((row) => row.prunable === 1);
    for (const { row } of prunable) remove.run(Number(row));
    const last = rows.at(-1);
    const ended = rows.length < limit || last === undefined;
    passed = ended ? start : { time: Number(last.time), row: Number(last.row) };
    return { examined: rows.length, deleted: prunable.length, ended };
  }
  return async (before, limit) => {
    for (let deleted = 0; ; ) {
      const done = await step((size) => examineNext(before, size), limit - deleted);
      deleted += done.deleted;
      if (done.ended || deleted >= limit) return deleted;
    }
  };
}

/** Deletes in short steps until nothing is left or the limit is reached. */
export function inSteps(step: ShortStep, deleteSome: (before: number, limit: number) => number): Prune {
  return async (before, limit) => {
    for (let deleted = 0; ; ) {
      const { examined, ended } = await step((size) => {
        const examined = deleteSome(before, size);
        return { examined, ended: examined < size };
      }, limit - deleted);
      deleted += examined;
      if (ended || deleted >= limit) return deleted;
    }
  };
}
