// Records to PostgreSQL parameters and back.

import pg from 'pg';
import type { Column, Table } from '../tables.ts';

export type Row = Record<string, unknown>;

const int8 = 20;

/** Times and amounts stay far below 2^53, so 64-bit integers come back as numbers. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === int8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function encode(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return column.kind === 'json' ? JSON.stringify(value) : value;
}

/** `prefix`: the row was joined, and its columns are named `<prefix>_<column>`. */
export function decode<R>(table: Table<R>, row: Row, prefix?: string): R {
  const record: Row = {};
  for (const { field, name } of table.columns) record[field] = row[prefix === undefined ? name : `${prefix}_${name}`];
  return record as R;
}
