// Records to SQLite rows and back.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Column, Table } from '../tables.ts';

export type Row = Record<string, SQLOutputValue>;

export function encode(column: Column, value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (column.kind === 'json') return JSON.stringify(value);
  if (column.kind === 'boolean') return value ? 1 : 0;
  return value as SQLInputValue;
}

export function decode<R>(table: Table<R>, row: Row): R {
  const record: Record<string, unknown> = {};
  for (const { field, name, kind } of table.columns) {
    const value = row[name];
    if (kind === 'json') record[field] = value === null ? null : JSON.parse(value as string);
    else if (kind === 'boolean') record[field] = value !== 0;
    else record[field] = value;
  }
  return record as R;
}
