// Changes rows that a read has chosen. The read takes no locks, so it may go over all merchants, also where their rows are
// on different servers; the change locks, and on a distributed database there is one for each merchant. What another process
// has taken since, or holds at this moment, is left out.

import type { Query } from './rows.ts';
import { statementName } from './statement-name.ts';

export interface RowChange {
  /** For the name of the prepared statement. */
  readonly meaning: string;
  readonly table: string;
  /** The columns that name a row, with their SQL types. */
  readonly key: Readonly<Record<string, string>>;
  /** A `bigint` column that must still have the value that was read: it comes after the key. */
  readonly unchanged?: string;
  /** SQL about the row `t` that must hold when it is locked. */
  readonly condition?: string;
  /** Null deletes the row; else what is set. `$value` stands for the value that is given. */
  readonly set: string | null;
}

/** The values of the key, and then that of the column that must be unchanged. */
export type ChosenRow = readonly unknown[];

/** Returns those that were changed, in the same order. */
export type ChangeRows = (chosen: readonly ChosenRow[], value?: unknown) => Promise<readonly ChosenRow[]>;

export interface ChangeRowsDeps {
  readonly query: Query;
  /** Rows of this table are with their merchant, on one of several servers. */
  readonly isDistributed: (table: string) => boolean;
}

const merchantColumn = 'merchant_id';

export function changingRows({ query, isDistributed }: ChangeRowsDeps, change: RowChange): ChangeRows {
  const byMerchant = isDistributed(change.table);
  const { text, keySize } = statementFor(change, byMerchant);
  const name = statementName(change.meaning, text);
  const merchantAt = Object.keys(change.key).indexOf(merchantColumn);

  async function changeGroup(chosen: readonly ChosenRow[], value: unknown): Promise<string[]> {
    const size = chosen[0]?.length ?? 0;
    const lists = Array.from({ length: size }, (_, at) =>
      byMerchant && at === merchantAt ? chosen[0]?.[at] : chosen.map((row) => row[at]),
    );
    const values = value === undefined ? lists : [...lists, value];
    const { rows } = await query({ name, text, values });
    return rows.map((row) => Object.values(row).join(' '));
  }

  return async (chosen, value) => {
    if (chosen.length === 0) return [];
    const groups = byMerchant ? [...Map.groupBy(chosen, (row) => row[merchantAt]).values()] : [chosen];
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
