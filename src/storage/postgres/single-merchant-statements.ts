// Statements that write the rows of one merchant and name that merchant, so that a distributed database routes each to the
// server that has these rows.

import { type Column, changingColumns, type Table } from '../table.ts';
import type { Write } from '../writes.ts';
import { bytesAsText, encode, sqlTypes } from './rows.ts';
import { statementName } from './statement-name.ts';

/** Per statement: an event may go to thousands of endpoints. */
const maxRows = 100;

type Fields = Write['record'];

interface Statement {
  /** Only for statements that are used repeatedly. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** The rows that one statement writes, all of the same table and merchant. */
export interface Rows {
  readonly table: Table<unknown>;
  readonly writes: readonly Write[];
}

export function updatesOf(writes: readonly Write[]): Rows[] {
  const groups = Map.groupBy(writes, ({ table, record }) => `${table.name} ${merchantOf(table, record)}`);
  return inFixedOrder(groups).flatMap(inBatches);
}

/** Updates the rows whose version is still the one that was read. */
export function updateSql({ table, writes }: Rows): Statement {
  const [first, ...more] = writes;
  if (first === undefined) throw new RangeError('nothing is updated');
  const columns = [...changingColumns(table), ...table.key];
  if (more.length > 0) return updateManySql(table, columns, writes);
  const equals = (column: Column, at: number): string => `${column.name} = ${parameter(column, at + 1)}`;
  const set = changingColumns(table).map(equals);
  const key = columns.map(equals).slice(set.length);
  const version = `version = $${columns.length + 1}`;
  const text = `UPDATE ${table.name} SET ${set.join(', ')} WHERE ${[...key, version].join(' AND ')}`;
  const values = columns.map((column) => encode(column, first.record[column.field]));
  return { name: statementName(`update ${table.name}`, text), text, values: [...values, first.readVersion] };
}

/** Values are text within JSON, which each column parses like a parameter. */
function updateManySql(table: Table<unknown>, columns: readonly Column[], writes: readonly Write[]): Statement {
  const value = ({ name, kind }: Column): string => `new.${name}${kind === 'json' ? '::json' : ''}`;
  const typed = columns.map(({ name, kind }) => `${name} ${kind === 'json' ? 'text' : sqlTypes[kind]}`);
  const byMerchant = table.placement === 'by_merchant';
  const key = table.key.map((column) => {
    const other = byMerchant && column.field === 'merchantId' ? '$2' : value(column);
    return `stored.${column.name} = ${other}`;
  });
  const text = `
    UPDATE ${table.name} stored SET ${changingColumns(table)
      .map((column) => `${column.name} = ${value(column)}`)
      .join(', ')}
    FROM json_to_recordset($1::json) AS new (read_version bigint, ${typed.join(', ')})
    WHERE ${key.join(' AND ')} AND stored.version = new.read_version`;
  const rows = writes.map(({ record, readVersion }) => ({
    read_version: readVersion,
    ...Object.fromEntries(columns.map((column) => [column.name, asJson(column, record[column.field])])),
  }));
  const merchant = byMerchant ? [writes[0]?.record.merchantId] : [];
  return { name: statementName(`update ${table.name}`, text), text, values: [JSON.stringify(rows), ...merchant] };
}

function asJson(column: Column, value: unknown): unknown {
  return column.kind === 'bytes' ? bytesAsText(value) : encode(column, value);
}

function merchantOf({ placement }: Table<unknown>, record: Fields): unknown {
  return placement === 'by_merchant' ? record.merchantId : '';
}

function inBatches(writes: readonly Write[]): Rows[] {
  const table = writes[0]?.table;
  if (table === undefined) return [];
  return Array.from({ length: Math.ceil(writes.length / maxRows) }, (_, at) => ({
    table,
    writes: writes.slice(at * maxRows, (at + 1) * maxRows),
  }));
}

/** Rows of a positioned table also share their mode, and stay in the order of the change sets; others are sorted by key. */
export function insertsOf(writes: readonly Write[]): Rows[] {
  const groups = Map.groupBy(writes, ({ table, record }) => {
    return `${table.name} ${merchantOf(table, record)} ${table.positioned ? record.livemode : ''}`;
  });
  return inFixedOrder(groups).flatMap((group) => {
    const isPositioned = group[0]?.table.positioned === true;
    return inBatches(isPositioned ? group : group.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)));
  });
}

/** Sorted, so that two transactions do not deadlock. */
const inFixedOrder = (groups: ReadonlyMap<string, Write[]>): Write[][] =>
  [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
const sortKey = ({ table, record }: Write): string => table.key.map(({ field }) => record[field]).join(' ');

/** In tables where existing keys are common, such rows are skipped without an error. */
export function insertSql({ table, writes }: Rows, firstPosition?: number): Statement {
  const { name, columns, oftenTaken, skipsTaken } = table;
  const values: unknown[] = [];
  const lists = writes.map(({ record }, at) => {
    const placeholders = columns.map((column) => parameter(column, values.push(encode(column, record[column.field]))));
    if (firstPosition !== undefined) placeholders.push(`$${values.push(firstPosition + at)}::bigint`);
    return `(${placeholders.join(', ')})`;
  });
  const names = [...columns.map((column) => column.name), ...(firstPosition === undefined ? [] : ['position'])];
  const text = `INSERT INTO ${name} (${names.join(', ')}) VALUES ${lists.join(', ')}${oftenTaken || skipsTaken ? ' ON CONFLICT DO NOTHING' : ''}`;
  return writes.length > 1 ? { text, values } : { name: statementName(`insert ${name}`, text), text, values };
}

/** Reserves a position for each of these rows of one merchant and mode; returns the last. See event-positions.ts. */
export function positionSql({ writes }: Rows): Statement {
  const { merchantId, livemode } = writes[0]?.record ?? {};
  const values = [merchantId, livemode, writes.length];
  return { name: 'take event positions', text: positionText, values };
}

const positionText = `
  INSERT INTO event_positions AS held (merchant_id, livemode, last) VALUES ($1, $2, $3)
  ON CONFLICT (merchant_id, livemode) DO UPDATE SET last = held.last + excluded.last RETURNING last`;

const parameter = ({ kind }: Column, number: number): string => `$${number}::${sqlTypes[kind]}`;
