// Records to SQLite rows and back.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Column, Table } from '../tables.ts';

export function encode(column: Column, value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (column.kind === 'json') return JSON.stringify(value);
  if (column.kind === 'boolean') return value ? 1 : 0;
  return value as SQLInputValue;
}

/** The values of all columns, in their order. */
export function decode<R>(table: Table<R>, values: readonly SQLOutputValue[]): R {
  const record: Record<string, unknown> = {};
  const { columns } = table;
  for (let at = 0; at < columns.length; at++) {
    const { field, kind } = columns[at] as Column;
    const value = values[at];
    if (kind === 'json') record[field] = value === null ? null : JSON.parse(value as string);
    else if (kind === 'boolean') record[field] = value !== 0;
    else record[field] = value;
  }
  return record as R;
}
