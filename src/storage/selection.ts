// What a read by name means: its table, its filters and their values.

import type { Selection } from './record-store.ts';
import { type Column, isView, type Source, type Sources, type Table } from './table.ts';

export function known<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new RangeError(`there is no description of ${what}`);
  return found;
}

export function tableIn(sources: Sources, name: string): Table<unknown> {
  const source = known(sources[name], name);
  if (isView(source)) throw new RangeError(`${name} is a view`);
  return source as Table<unknown>;
}

/** The table whose key finds a record of the source. */
export function rootOf(source: Source): Table<unknown> {
  return isView(source) ? source.root.table : source;
}

/** The part of a key after the scope; null if records are not looked up within a scope. */
export function idWithinScope({ key }: Table<unknown>): Column | null {
  const [merchantId, livemode, id, ...more] = key;
  if (merchantId?.field !== 'merchantId' || livemode?.field !== 'livemode' || more.length > 0) return null;
  return id ?? null;
}

export function selected<V>(
  table: Table<unknown>,
  { scope, where = {}, ...others }: Selection<unknown>,
  encode: (column: Column, value: unknown) => V,
): { readonly shape: { readonly scoped: boolean; readonly filters: readonly Column[] }; readonly values: V[] } {
  if (table.scoped && scope === undefined) throw new RangeError(`${table.name} is read within a merchant and mode`);
  const given = where as Readonly<Record<string, unknown>>;
  const filters = table.filters.filter(({ field }) => given[field] !== undefined);
  // Types do not catch this if an object is spread, and an ignored filter would return too much.
  for (const name in others) throw new RangeError(`${table.name} cannot be read by ${name}`);
  for (const name in given) {
    if (!table.filters.some(({ field }) => field === name)) throw new RangeError(`${table.name} has no filter ${name}`);
  }
  const values = filters.map((column) => encode(column, given[column.field]));
  if (scope === undefined) return { shape: { scoped: false, filters }, values };
  const ofScope = [encode(merchantColumn, scope.merchantId), encode(modeColumn, scope.livemode)];
  return { shape: { scoped: true, filters }, values: [...ofScope, ...values] };
}

const merchantColumn: Column = { field: 'merchantId', name: 'merchant_id', kind: 'text' };
const modeColumn: Column = { field: 'livemode', name: 'livemode', kind: 'boolean' };
