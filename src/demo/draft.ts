// A draft of commits: use cases read and commit here as in the database, but nothing is stored until all of it is, in one
// commit. A purchase of last week would otherwise be seen by the jobs of a running service while it is still being told:
// its session is overdue, its payment should have been asked about days ago, and its webhooks are due.

import { type Changes, type CommitOutcome, committed } from '../domain/change-set.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Claim, RecordStore } from '../storage/record-store.ts';
import { isView, type Source, type Sources, type Table, type View } from '../storage/table.ts';

type Row = Readonly<Record<string, unknown>> & { readonly version: number };

interface Drafted {
  readonly row: Row;
  /** The version that is in the database; 0: it is new. Null: a row without versions. */
  readonly storedVersion: number | null;
}

export interface Draft<S extends Sources> {
  /**
   * Finds and commits. What the draft has not written is read from the database; lists and claims contain only what the
   * draft has written.
   */
  readonly records: Pick<RecordStore<S>, 'commit' | 'find' | 'findBy' | 'list' | 'claim'>;
  /** All that was committed to the draft, as one commit. */
  changes(): Changes<Readonly<Record<string, unknown>>>;
}

/** `sources`: the tables of `stored`. Other changes, such as counters, are not kept. */
export function draftOf<S extends Sources>(sources: S, stored: RecordStore<S>): Draft<S> {
  const drafts = new Map<Table<unknown>, Map<string, Drafted>>();

  function draftsIn(table: Table<unknown>): Map<string, Drafted> {
    const known = drafts.get(table) ?? new Map<string, Drafted>();
    drafts.set(table, known);
    return known;
  }
  const rowsIn = (table: Table<unknown>): Row[] => [...draftsIn(table).values()].map(({ row }) => row);

  function rowsOf(changes: object): { table: Table<unknown>; row: Row; key: string }[] {
    return Object.entries(changes).flatMap(([name, rows]) => {
      const table: Source | undefined = sources[name];
      if (table === undefined || isView(table)) return [];
      return (rows as readonly Row[]).map((row) => ({ table, row, key: keyOf(table, row) }));
    });
  }

  async function commit(changes: object): Promise<CommitOutcome> {
    const written = rowsOf(changes);
    for (const { table, row, key } of written) {
      const before = draftsIn(table).get(key);
      const isCurrent = before === undefined || (table.versioned && before.row.version === row.version);
      if (!isCurrent) return { committed: false, conflict: table.taken };
    }
    for (const { table, row, key } of written) {
      const before = draftsIn(table).get(key);
      draftsIn(table).set(key, {
        row: table.versioned ? committed(row) : row,
        storedVersion: table.versioned ? (before?.storedVersion ?? row.version) : null,
      });
    }
    return { committed: true };
  }

  /** Undefined if the root is not drafted. */
  function drafted({ root, others }: View<unknown>, key: string): unknown {
    const row = draftsIn(root.table).get(key)?.row;
    if (row === undefined) return undefined;
    const parts = others.map(({ field, table, on }) => {
      const values = Object.fromEntries(on.map((one) => [one.own.field, row[one.root.field]]));
      const part = draftsIn(table).get(keyOf(table, values));
      if (part === undefined) throw new Error(`the ${field} of a drafted ${root.field} is not in the draft`);
      return [field, part.row] as const;
    });
    return { [root.field]: row, ...Object.fromEntries(parts) };
  }

  async function find(name: string, scope: Scope, id: string): Promise<unknown> {
    const source = sourceOf(sources, name);
    const key = `${scope.merchantId} ${scope.livemode} ${id}`;
    const found = isView(source) ? drafted(source, key) : draftsIn(source).get(key)?.row;
    return found ?? stored.find(name, scope, id);
  }

  async function findBy(name: string, field: string, value: string): Promise<unknown> {
    const found = rowsIn(tableOf(sources, name)).find((row) => row[field] === value);
    return found ?? stored.findBy(name, field as Parameters<typeof stored.findBy>[1], value);
  }

  async function list(name: string, { where = {} }: { where?: object }): Promise<unknown[]> {
    const filters = Object.entries(where).filter(([, value]) => value !== undefined);
    const matches = (row: Row): boolean => filters.every(([field, value]) => row[field] === value);
    return rowsIn(tableOf(sources, name)).filter(matches);
  }

  async function claim(name: string, work: string, { now, limit }: Claim): Promise<unknown[]> {
    const table = tableOf(sources, name);
    const field = table.claims[work]?.dueAt.field ?? '';
    const isDue = (row: Row): boolean => typeof row[field] === 'number' && row[field] <= now;
    return rowsIn(table).filter(isDue).slice(0, limit);
  }

  return {
    records: { commit, find, findBy, list, claim } as Draft<S>['records'],
    changes() {
      const written = Object.entries(sources).flatMap(([name, table]) => {
        const rows = isView(table) ? [] : [...draftsIn(table).values()];
        return rows.length === 0 ? [] : [[name, rows.map(asChange)] as const];
      });
      return Object.fromEntries(written);
    },
  };
}

function asChange({ row, storedVersion }: Drafted): Row {
  return storedVersion === null ? row : { ...row, version: storedVersion };
}

function keyOf({ key }: Table<unknown>, row: Readonly<Record<string, unknown>>): string {
  return key.map(({ field }) => String(row[field])).join(' ');
}

function sourceOf(sources: Sources, name: string): Source {
  const source = sources[name];
  if (source === undefined) throw new RangeError(`there is no table ${name}`);
  return source;
}

function tableOf(sources: Sources, name: string): Table<unknown> {
  const source = sourceOf(sources, name);
  if (isView(source)) throw new RangeError(`${name} is not a table`);
  return source;
}
