// Changes rows that a read has selected. The read takes no locks, so it can span all merchants, even if their rows are on
// different servers. The change locks rows, and on a distributed database there is one statement per merchant. Rows that
// another process has changed since or has locked are skipped.

import type { Query } from './rows.ts';
import { statementName } from './statement-name.ts';

export interface RowChange {
  /** For the name of the prepared statement. */
  readonly meaning: string;
  readonly table: string;
  /** The columns that identify a row, with their SQL types. */
  readonly key: Readonly<Record<string, string>>;
  /** A `bigint` column that must still have the value that was read, which follows the key in `ChosenRow`. */
  readonly unchanged?: string;
  /** An SQL condition on the row `t`, checked when it is locked. */
  readonly condition?: string;
  /** The SET clause, where `$value` is the given value; null deletes the row. */
  readonly set: string | null;
}

/** The values of the key, then that of the `unchanged` column. */
export type ChosenRow = readonly unknown[];

/** Returns the rows that were changed, in the given order. */
export type ChangeRows = (chosen: readonly ChosenRow[], value?: unknown) => Promise<readonly ChosenRow[]>;

export interface ChangeRowsDeps {
  readonly query: Query;
  /** Whether the rows of this table are distributed by merchant. */
  readonly isDistributed: (table: string) => boolean;
}

const merchantColumn = 'merchant_id';

export function changingRows({ query, isDistributed }: ChangeRowsDeps, change: RowChange): ChangeRows {
  const byMerchant = isDistributed(change.table);
  const { text, keySize } = statementFor(change, byMerchant);
  const name = statementName(change.meaning, text);
  const merchantIndex = Object.keys(change.key).indexOf(merchantColumn);

  async function changeGroup(chosen: readonly ChosenRow[], value: unknown): Promise<string[]> {
    const size = chosen[0]?.length ?? 0;
    const lists = Array.from({ length: size }, (_, at) =>
      byMerchant && at === merchantIndex ? chosen[0]?.[at] : chosen.map((row) => row[at]),
    );
    const values = value === undefined ? lists : [...lists, value];
    const { rows } = await query({ name, text, values });
    return rows.map((row) => Object.values(row).join(' '));
  }

  return async (chosen, value) => {
    if (chosen.length === 0) return [];
    const groups = byMerchant ? [...Map.groupBy(chosen, (row) => row[merchantIndex]).values()] : [chosen];
    const changed = new Set((await Promise.all(groups.map((group) => changeGroup(group, value)))).flat());
    return chosen.filter((row) => changed.has(row.slice(0, keySize).join(' ')));
  };
}

function statementFor({ table, key, unchanged, condition, set }: RowChange, byMerchant: boolean) {
  const names = Object.keys(key);
  const given: [string, string][] = Object.entries({ ...key, ...(unchanged === undefined ? {} : { seen: 'bigint' }) });
  const lists = given.flatMap(([name, type], at) => {
    return byMerchant && name === merchantColumn ? [] : [{ name, sql: `$${at + 1}::${type}[]` }];
  });
  const merchant = `$${names.indexOf(merchantColumn) + 1}`;
  const same = (row: string, other: string): string =>
    names
      .map((name) => `${row}.${name} = ${byMerchant && name === merchantColumn ? merchant : `${other}.${name}`}`)
      .join(' AND ');
  const conditions = [
    same('t', 'chosen'),
    ...(unchanged === undefined ? [] : [`t.${unchanged} = chosen.seen`]),
    ...(condition === undefined ? [] : [condition]),
  ];
  const changed = names.map((name) => `c.${name}`).join(', ');
  const change =
    set === null
      ? `DELETE FROM ${table} c USING locked`
      : `UPDATE ${table} c SET ${set.replaceAll('$value', `$${given.length + 1}`)} FROM locked`;
  const text = `
    WITH locked AS (
      SELECT ${names.map((name) => `t.${name}`).join(', ')}
      FROM ${table} t, unnest(${lists.map(({ sql }) => sql).join(', ')}) AS chosen (${lists.map(({ name }) => name).join(', ')})
      WHERE ${conditions.join(' AND ')} FOR UPDATE OF t SKIP LOCKED
    )
    ${change} WHERE ${same('c', 'locked')} RETURNING ${changed}`;
  return { text, keySize: names.length };
}
