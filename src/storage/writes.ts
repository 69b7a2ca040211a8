// The rows that a change set writes, in the order in which they are written.

import type { Changes } from '../domain/change-set.ts';
import { isView, type Sources, type Table } from './table.ts';

export interface Write {
  readonly table: Table<unknown>;
  readonly record: Readonly<Record<string, unknown>>;
  /** Null: a new row. Otherwise the version that the stored row must still have. */
  readonly readVersion: number | null;
}

export function writesInto(sources: Sources, changes: object): Write[] {
  const writes: Write[] = [];
  for (const name in sources) {
    const records = (changes as Changes<Record<string, unknown>>)[name];
    const source = sources[name];
    if (records === undefined || source === undefined || isView(source)) continue;
    const table = source as Table<unknown>;
    for (const record of records) {
      const stored = { ...(record as object) } as Record<string, unknown>;
      const version = table.versioned ? Number(stored.version) : 0;
      if (table.versioned) stored.version = version + 1;
      writes.push({ table, record: stored, readVersion: version === 0 ? null : version });
    }
  }
  return writes;
}
