// Converts records to SQLite rows and back.

import type { SQLInputValue } from 'node:sqlite';
import { type RowDecoder, rowDecoder } from '../row-decoder.ts';
import type { Column, ColumnKind, Table } from '../table.ts';

export function encode(column: Column, value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (column.kind === 'json') return JSON.stringify(value);
  if (column.kind === 'boolean') return value ? 1 : 0;
  return value as SQLInputValue;
}

export function decoder<R>(table: Table<R>): RowDecoder<R> {
  return rowDecoder(table, 0, decoded);
}

function decoded(kind: ColumnKind, value: string): string {
  if (kind === 'json') return `${value} === null ? null : JSON.parse(${value})`;
  return kind === 'boolean' ? `${value} !== 0` : value;
}

/**
 * SQLite writes numbered parameters with a question mark. It takes a limit that is only a parameter into account when it
 * compiles a statement, and therefore compiles it again for every execution, but not one that is a sum. Measured: 55 µs
 * instead of 81 µs to read a list of 20 payments, and 2.4 µs instead of 19 µs to find its first row.
 */
export function numbered(sql: string): string {
  return sql.replace(/\bLIMIT \$/g, 'LIMIT 0 + $').replace(/\$(\d+)/g, '?$1');
}
