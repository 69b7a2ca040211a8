// A group of change sets as one statement, so that a commit is one round trip and no transaction waits for us.
//
// Rows come as JSON, one parameter for each table and verb, with the number of their change set: the text depends only on
// what is written, so few texts exist and each is prepared once. Every row that must still have its version is locked
// first, in the order of the keys. `gate` holds the change sets whose rows all have theirs and whose new keys are free; every
// write asks the gate. So a change set that conflicts is left out, and the others of its group are written.
//
// Events come last, with positions in the order of commit: see event-positions.ts.

import type { CountChange } from '../../domain/attempt-counts.ts';
import { type Column, changingColumns, columnNames, type Table } from '../table.ts';
import type { Write } from '../writes.ts';
import { counting } from './attempt-counts.ts';
import { positionedInserts } from './event-positions.ts';
import { bytesAsText, sqlTypes } from './rows.ts';
import { statementName } from './statement-name.ts';

/** The writes of one change set. */
export interface Changing {
  readonly writes: readonly Write[];
  readonly counts: readonly CountChange[];
}

export interface CommitStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Change sets of one shape can be committed by one statement. */
export function shapeOf({ writes, counts }: Changing): string {
  const parts = new Set(writes.map(({ table, readVersion }) => `${readVersion === null ? '+' : '='}${table.name}`));
  if (counts.length > 0) parts.add('counts');
  return [...parts].join('');
}

/** Returns a row for each change set: `open`, and else which conflict keeps it out. */
export function commitStatement(shape: string, group: readonly Changing[]): CommitStatement {
  const { text, parameters } = known(shape, group);
  return {
    name: statementName(`commit ${shape}`, text),
    text,
    values: parameters.map((parameter) => parameter(group)),
  };
}

type Parameter = (group: readonly Changing[]) => unknown;

interface Prepared {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

const prepared = new Map<string, Prepared>();

function known(shape: string, [first]: readonly Changing[]): Prepared {
  const found = prepared.get(shape) ?? prepare(first ?? { writes: [], counts: [] });
  prepared.set(shape, found);
  return found;
}

function prepare({ writes, counts }: Changing): Prepared {
  const parameters: Parameter[] = [];
  const place = (parameter: Parameter): string => `$${parameters.push(parameter)}`;
  const inserted = [...new Set(writes.filter(({ readVersion }) => readVersion === null).map(({ table }) => table))];
  const updated = [...new Set(writes.filter(({ readVersion }) => readVersion !== null).map(({ table }) => table))];

  const given: string[] = [
    `changes AS (SELECT generate_series(0, ${place((group) => group.length - 1)}::int) AS change)`,
  ];
  const locks: string[] = [];
  const verdicts: string[] = [];
  const steps: string[] = [];
  const done: string[] = [];

  for (const table of inserted) {
    const rows = place((group) => rowsOf(group, table, true));
    given.push(
      `new_${table.name} AS (SELECT * FROM json_to_recordset(${rows}::json) AS row (change int, ordinal int, ${typed(table.columns)}))`,
    );
    if (table.oftenTaken) {
      const same = table.key.map(({ field, name }) => `stored.${name} = new."${field}"`).join(' AND ');
      verdicts.push(`EXISTS (SELECT 1 FROM new_${table.name} new JOIN ${table.name} stored ON ${same}
        WHERE new.change = changes.change) AS "taken ${table.taken}"`);
    }
    if (table.positioned) continue;
    steps.push(`insert_${table.name} AS (
      INSERT INTO ${table.name} (${columnNames(table)}) SELECT ${valuesOf(table.columns)} FROM new_${table.name} new JOIN gate USING (change)
      ORDER BY ${valuesOf(table.key)} RETURNING 1)`);
    done.push(`insert_${table.name}`);
  }
  for (const table of updated) {
    const columns = [...table.key, ...changingColumns(table)];
    const rows = place((group) => rowsOf(group, table, false));
    given.push(
      `changed_${table.name} AS (SELECT * FROM json_to_recordset(${rows}::json) AS row (change int, read_version bigint, ${typed(columns)}))`,
    );
    const same = table.key.map(({ field, name }) => `stored.${name} = new."${field}"`).join(' AND ');
    locks.push(`locked_${table.name} AS MATERIALIZED (
      SELECT new.change FROM changed_${table.name} new JOIN ${table.name} stored ON ${same} AND stored.version = new.read_version
      ORDER BY ${table.key.map(({ name }) => `stored.${name}`).join(', ')} FOR UPDATE OF stored)`);
    verdicts.push(`(SELECT count(*) FROM locked_${table.name} l WHERE l.change = changes.change)
      < (SELECT count(*) FROM changed_${table.name} n WHERE n.change = changes.change) AS "stale ${table.name}"`);
    const changes = changingColumns(table).map((column) => `${column.name} = ${newValue(column)}`);
    steps.push(`update_${table.name} AS (
      UPDATE ${table.name} stored SET ${changes.join(', ')} FROM changed_${table.name} new JOIN gate USING (change)
      WHERE ${same} RETURNING 1)`);
    done.push(`update_${table.name}`);
  }
  if (counts.length > 0) {
    const { rows, crowded, step } = counting(
      place((group) => JSON.stringify(countsOf(group))),
      place(sinceOf),
    );
    given.push(rows);
    verdicts.push(`${crowded} AS "crowded"`);
    steps.push(step);
    done.push('counts');
  }
  const after = done.map((name) => `(SELECT count(*) FROM ${name}) >= 0`);
  for (const table of inserted.filter(({ positioned }) => positioned))
    steps.push(...positionedInserts(table, valuesOf(table.columns), after));

  const names = verdicts.map((verdict) => verdict.slice(verdict.lastIndexOf('"', verdict.length - 2)));
  const closed = names.length === 0 ? 'false' : names.join(' OR ');
  const text = `WITH ${[
    ...given,
    ...locks,
    `verdicts AS MATERIALIZED (SELECT ${['change', ...verdicts].join(', ')} FROM changes)`,
    `gate AS MATERIALIZED (SELECT change FROM verdicts WHERE NOT (${closed}))`,
    ...steps,
  ].join(', ')} SELECT * FROM verdicts ORDER BY change`;
  return { text, parameters };
}

/** JSON comes as text within the JSON of the rows: PostgreSQL would refuse some of it there, such as \u0000. */
const typed = (columns: readonly Column[]): string =>
  columns.map(({ field, kind }) => `"${field}" ${kind === 'json' ? 'text' : sqlTypes[kind]}`).join(', ');
const newValue = ({ field, kind }: Column): string => `new."${field}"${kind === 'json' ? '::json' : ''}`;
const valuesOf = (columns: readonly Column[]): string => columns.map(newValue).join(', ');

function rowsOf(group: readonly Changing[], table: Table<unknown>, isNew: boolean): string {
  const rows: object[] = [];
  const bytes = table.columns.filter(({ kind }) => kind === 'bytes');
  const json = table.columns.filter(({ kind }) => kind === 'json');
  for (const [change, { writes }] of group.entries()) {
    for (const [ordinal, { table: written, record, readVersion }] of writes.entries()) {
      if (written !== table || (readVersion === null) !== isNew) continue;
      const row: Record<string, unknown> = { change, ordinal, read_version: readVersion, ...record };
      for (const { field } of bytes) row[field] = bytesAsText(record[field]);
      for (const { field } of json) row[field] = record[field] === null ? null : JSON.stringify(record[field]);
      rows.push(row);
    }
  }
  return JSON.stringify(rows);
}

function countsOf(group: readonly Changing[]): object[] {
  return group.flatMap(({ counts }, change) => counts.map((count) => ({ change, ...count })));
}

function sinceOf(group: readonly Changing[]): number {
  return Math.min(...group.flatMap(({ counts }) => counts.map(({ since }) => since)));
}
