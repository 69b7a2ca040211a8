// Statements that write rows of one merchant and name that merchant, so that a distributed database sends each to the one
// server that has them.

import { type Column, changingColumns, type Table } from '../table.ts';
import type { Write } from '../writes.ts';
import { encode, sqlTypes } from './rows.ts';
import { statementName } from './statement-name.ts';

/** Of one statement: an event may go to thousands of endpoints. */
const maxRows = 100;

type Fields = Write['record'];

interface Statement {
  /** Only of texts that come again and again. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Changes one row that still has its version. */
export function updateSql({ table, record, readVersion }: Write): Statement {
  const columns = changingColumns(table);
  const set = columns.map((column, at) => `${column.name} = ${given(column, at + 1)}`);
  const key = table.key.map((column, at) => `${column.name} = ${given(column, columns.length + at + 1)}`);
  const version = `version = $${columns.length + key.length + 1}`;
  const text = `UPDATE ${table.name} SET ${set.join(', ')} WHERE ${[...key, version].join(' AND ')}`;
  const values = [...columns, ...table.key].map((column) => encode(column, record[column.field]));
  return { name: statementName(`update ${table.name}`, text), text, values: [...values, readVersion] };
}

export interface Inserts {
  readonly table: Table<unknown>;
  /** In the order of their keys; of a positioned table, in that of the change sets. */
  readonly rows: readonly Fields[];
}

/** What one statement can insert: rows of one table, merchant and mode. */
export function insertsInto(writes: readonly Write[]): Inserts[] {
  const groups = Map.groupBy(writes, ({ table, record }) => {
    return table.placement === 'by_merchant' ? `${table.name} ${record.merchantId} ${record.livemode}` : table.name;
  });
  return [...groups.values()].flatMap((group) => {
    const table = group[0]?.table;
    if (table === undefined) return [];
    const rows = group.map(({ record }) => record);
    if (!table.positioned) rows.sort((a, b) => (sortKey(table, a) < sortKey(table, b) ? -1 : 1));
    return Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, at) => ({
      table,
      rows: rows.slice(at * maxRows, (at + 1) * maxRows),
    }));
  });
}

const sortKey = ({ key }: Table<unknown>, row: Fields): string => key.map(({ field }) => row[field]).join(' ');

/** Where it is usual that a key exists, such rows are left out without an error. */
export function insertSql(table: Table<unknown>, rows: readonly Fields[], firstPosition?: number): Statement {
  const { name, columns, oftenTaken } = table;
  const values: unknown[] = [];
  const lists = rows.map((row, at) => {
    const places = columns.map((column) => given(column, values.push(encode(column, row[column.field]))));
    if (firstPosition !== undefined) places.push(`$${values.push(firstPosition + at)}::bigint`);
    return `(${places.join(', ')})`;
  });
  const names = [...columns.map((column) => column.name), ...(firstPosition === undefined ? [] : ['position'])];
  const text = `INSERT INTO ${name} (${names.join(', ')}) VALUES ${lists.join(', ')}${oftenTaken ? ' ON CONFLICT DO NOTHING' : ''}`;
  return rows.length > 1 ? { text, values } : { name: statementName(`insert ${name}`, text), text, values };
}

/** Takes a position for each of these rows of one merchant and mode; returns the last. See event-positions.ts. */
export function positionSql(rows: readonly Fields[]): Statement {
  const [first] = rows;
  const values = [first?.merchantId, first?.livemode, rows.length];
  return { name: 'take event positions', text: positionText, values };
}

const positionText = `
  INSERT INTO event_positions AS held (merchant_id, livemode, last) VALUES ($1, $2, $3)
  ON CONFLICT (merchant_id, livemode) DO UPDATE SET last = held.last + excluded.last RETURNING last`;

const given = ({ kind }: Column, place: number): string => `$${place}::${sqlTypes[kind]}`;
