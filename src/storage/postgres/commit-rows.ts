// The rows of a commit as parameters: JSON that PostgreSQL turns into rows again.

import type { CountChange } from '../../domain/attempt-counts.ts';
import { type Column, changingColumns, type Table } from '../table.ts';
import type { Write } from '../writes.ts';
import { bytesAsText, sqlTypes } from './rows.ts';

/** The writes of one change set. */
export interface Changing {
  readonly writes: readonly Write[];
  readonly counts: readonly CountChange[];
}

/** The rows that a change set writes to a table in one way: as new rows, or as new versions. */
export interface Part {
  readonly table: Table<unknown>;
  readonly isNew: boolean;
  /** It writes exactly one. */
  readonly isSingle: boolean;
}

/** Positions are numbered over all rows, so those always form a list. */
export function partsOf(writes: readonly Write[]): Part[] {
  const parts = new Map<string, Part>();
  for (const { table, readVersion } of writes) {
    const isNew = readVersion === null;
    const name = `${isNew} ${table.name}`;
    parts.set(name, { table, isNew, isSingle: !parts.has(name) && !table.positioned });
  }
  return [...parts.values()];
}

/** One row for each change set. */
export function singleRows(group: readonly Changing[], part: Part): string {
  return JSON.stringify(group.map(({ writes }) => writes.filter((write) => belongsTo(part, write)).map(asRow)[0]));
}

/** Any number of rows for each change set, which are numbered from 1. */
export function listedRows(group: readonly Changing[], part: Part): string {
  const rows = group.flatMap(({ writes }, at) =>
    writes.flatMap((write, ordinal) => (belongsTo(part, write) ? [{ change: at + 1, ordinal, ...asRow(write) }] : [])),
  );
  return JSON.stringify(rows);
}

function belongsTo({ table, isNew }: Part, write: Write): boolean {
  return write.table === table && (write.readVersion === null) === isNew;
}

function asRow({ table, record, readVersion }: Write): Record<string, unknown> {
  const row: Record<string, unknown> = { ...record, read_version: readVersion };
  for (const { field, kind } of table.columns) {
    if (kind === 'bytes') row[field] = bytesAsText(record[field]);
    else if (kind === 'json') row[field] = record[field] === null ? null : JSON.stringify(record[field]);
  }
  return row;
}

/** The fields of a row, and their types. JSON is passed as text: as JSON in JSON, PostgreSQL refuses \u0000 in it. */
export function fieldsOf({ table, isNew }: Part): { readonly field: string; readonly type: string }[] {
  const columns = isNew ? table.columns : [...table.key, ...changingColumns(table)];
  return [
    ...columns.map(({ field, kind }) => ({ field, type: kind === 'json' ? 'text' : sqlTypes[kind] })),
    ...(isNew ? [] : [{ field: 'read_version', type: 'bigint' }]),
  ];
}

export function typedFields(part: Part): string {
  return fieldsOf(part)
    .map(({ field, type }) => `"${field}" ${type}`)
    .join(', ');
}

/** The value of a column, from the field of a row. */
export function valueFrom(row: string, { field, kind }: Column, prefix = ''): string {
  return `${row}."${prefix}${field}"${kind === 'json' ? '::json' : ''}`;
}
