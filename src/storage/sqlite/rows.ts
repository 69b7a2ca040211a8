// Records to SQLite rows and back.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Column, Table } from '../tables.ts';

export function encode(column: Column, value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (column.kind === 'json') return JSON.stringify(value);
  if (column.kind === 'boolean') return value ? 1 : 0;
  return value as SQLInputValue;
}

type Decode<R> = (values: readonly SQLOutputValue[]) => R;

/**
 * Makes a record out of the values of all columns, in their order. Written as an object literal for each table: records
 * then have one shape, and making one takes a fifth of what setting fields by name does.
 */
export function decoder<R>(table: Table<R>): Decode<R> {
  const fields = table.columns.map(({ field, kind }, at) => `${field}: ${decoded(kind, `values[${at}]`)}`);
  return new Function('values', `return { ${fields.join(', ')} };`) as Decode<R>;
}

function decoded(kind: Column['kind'], value: string): string {
  if (kind === 'json') return `${value} === null ? null : JSON.parse(${value})`;
  return kind === 'boolean' ? `${value} !== 0` : value;
}
