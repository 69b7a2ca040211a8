// Converts records to PostgreSQL parameters and back.

import pg from 'pg';
import type { Column, ColumnKind, Table } from '../table.ts';

export type Row = Record<string, unknown>;
export type Query = (config: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;
/** A look-up finds rows by their keys and is short, however large the tables are. Everything else may be long. */
export type Reading = 'look-up' | 'list';
/** Runs a query that returns rows as lists of values: cheaper than objects, especially with many columns. */
export type RowsOf = (config: pg.QueryConfig, reading?: Reading) => Promise<readonly (readonly unknown[])[]>;

const int8 = 20;

/** Times and amounts stay far below 2^53, so 64-bit integers come back as numbers. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === int8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export const sqlTypes: Record<ColumnKind, string> = {
  text: 'text',
  integer: 'bigint',
  boolean: 'boolean',
  json: 'json',
  bytes: 'bytea',
};

/** The columns that identify a row, with their SQL types. */
export function keyTypes({ key }: Table<unknown>): Record<string, string> {
  return Object.fromEntries(key.map(({ name, kind }) => [name, sqlTypes[kind]]));
}

export function encode(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return column.kind === 'json' ? JSON.stringify(value) : value;
}

/** The text form of bytes in PostgreSQL. */
export function bytesAsText(bytes: unknown): string | null {
  if (!(bytes instanceof Uint8Array)) return null;
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}
