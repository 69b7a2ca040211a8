// Makes records out of rows that come as lists of values, in the order of their table's columns.

import type { ColumnKind, Table } from './table.ts';

export type RowDecoder<R> = (values: readonly unknown[]) => R;

/**
 * Written as an object literal for each table: records then have one shape, and making one takes a fifth of what
 * setting fields by name does. `first` is the place of the first column; `decoded` gives the JavaScript that makes a
 * field out of a value.
 */
export function rowDecoder<R>(
  table: Table<R>,
  first = 0,
  decoded: (kind: ColumnKind, value: string) => string = (_kind, value) => value,
): RowDecoder<R> {
  const fields = table.columns.map(({ field, kind }, at) => `${field}: ${decoded(kind, `values[${first + at}]`)}`);
  return new Function('values', `return { ${fields.join(', ')} };`) as RowDecoder<R>;
}
