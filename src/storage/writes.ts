// The rows that a change set writes, in the order in which they are written.

import type { Changes } from '../domain/change-set.ts';
import { isView, type Sources, type Table } from './table.ts';

export interface Write {
  readonly table: Table<unknown>;
  readonly record: Readonly<Record<string, unknown>>;
  /** Null: a new row. Otherwise the version that the stored row must still have. */
  readonly readVersion: number | null;
}

/** A change set names a few of many tables, so they are looked up rather than all gone through. */
export function writesInto(sources: Sources): (changes: object) => Write[] {
  const targets = new Map<string, { readonly name: string; readonly table: Table<unknown>; readonly order: number }>();
  for (const [order, [name, source]] of Object.entries(sources).entries()) {
    if (!isView(source)) targets.set(name, { name, table: source as Table<unknown>, order });
  }
  return (changes) => {
    const recordsOf = changes as Changes<Record<string, unknown>>;
    const changed = Object.keys(changes).flatMap((name) => targets.get(name) ?? []);
    changed.sort((a, b) => a.order - b.order);
    const writes: Write[] = [];
    for (const { name, table } of changed) {
      for (const record of recordsOf[name] ?? []) writes.push(writeOf(table, record as object));
    }
    return writes;
  };
}

function writeOf(table: Table<unknown>, record: object): Write {
  const stored = { ...record } as Record<string, unknown>;
  const version = table.versioned ? Number(stored.version) : 0;
  if (table.versioned) stored.version = version + 1;
  return { table, record: stored, readVersion: version === 0 ? null : version };
}
