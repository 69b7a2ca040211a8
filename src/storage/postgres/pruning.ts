// Deletes old rows. Those that must be kept despite their age may be millions: each call examines some of them, and the next
// call continues there.

import { oldRows } from '../sql.ts';
import type { Table } from '../table.ts';
import { type ChangeRowsDeps, type ChosenRow, changingRows } from './chosen-rows.ts';
import { keyTypes, type RowsOf, sqlTypes } from './rows.ts';
import { statementName } from './statement-name.ts';

export interface PruningDeps extends ChangeRowsDeps {
  readonly readRows: RowsOf;
}

/** Deletes rows from before a time, about so many at most; returns how many. */
export type Prune = (before: number, limit: number) => Promise<number>;

/** Of those that may have to be kept, a call examines up to so many times its limit. */
const examinedPerLimit = 10;

export function postgresPruning(deps: PruningDeps): (table: Table<unknown>) => Prune {
  const prunings = new Map<string, Prune>();
  return (table) => {
    const prune = prunings.get(table.name) ?? pruningOf(deps, table);
    prunings.set(table.name, prune);
    return prune;
  };
}

function pruningOf({ readRows, ...deps }: PruningDeps, table: Table<unknown>): Prune {
  const { name, key, prunedBy, prunedOnly } = table;
  const keys = key.map((column) => `t.${column.name}`).join(', ');
  const remove = changingRows(deps, {
    ...{ meaning: `prune ${name} rows`, table: name, key: keyTypes(table), set: null },
    ...(prunedOnly === null ? {} : { condition: prunedOnly }),
  });
  const read = (text: string, values: unknown[]) =>
    readRows({ name: statementName(`prune ${name}`, text), text, values });
  if (prunedBy === null || prunedOnly === null) {
    const text = oldRows(table, keys);
    return async (before, limit) => (await remove(await read(text, [before, limit]))).length;
  }

  const place = `t.${prunedBy.name}, ${keys}`;
  const types = ['bigint', ...key.map(({ kind }) => sqlTypes[kind])];
  const after = types.map((type, at) => `$${at + 3}::${type}`).join(', ');
  const first = `SELECT ${place} FROM ${name} t WHERE t.${prunedBy.name} < $1 ORDER BY ${place} LIMIT $2`;
  const next = first.replace('WHERE', `WHERE (${place}) > (${after}) AND`);

  /** Deletes what may be deleted among the next rows. `last`: where they end; null if there are no more. */
  async function examine(last: ChosenRow | null, before: number, limit: number) {
    const rows = await read(last === null ? first : next, [before, limit, ...(last ?? [])]);
    const deleted = await remove(rows.map((row) => row.slice(1)));
    return { deleted: deleted.length, last: rows.length < limit ? null : (rows.at(-1) ?? null) };
  }

  let reached: ChosenRow | null = null;
  return async (before, limit) => {
    let deleted = 0;
    // Mostly it is the oldest that nothing needs any more.
    for (let oldest: ChosenRow | null = null; deleted < limit; ) {
      const step = await examine(oldest, before, limit - deleted);
      deleted += step.deleted;
      oldest = step.last;
      if (oldest === null) return deleted;
      if (step.deleted === 0) break;
    }
    for (let steps = 0; steps < examinedPerLimit && deleted < limit; steps += 1) {
      const step = await examine(reached, before, limit);
      deleted += step.deleted;
      reached = step.last;
      if (reached === null) break;
    }
    return deleted;
  };
}
