// Reads, claims and pruning of any set of tables, from their descriptions.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Scope } from '../../domain/merchant.ts';
import type { Claim, Page, RecordStore, Selection } from '../record-store.ts';
import { idWithinScope, known, rootOf, selected, tableIn } from '../selection.ts';
import { countSql, dueRows, listCondition, walkCondition } from '../sql.ts';
import { type Column, isView, type Source, type Sources, type Table, type View } from '../table.ts';
import { writesInto } from '../writes.ts';
import { atEndOfTick } from './at-end-of-tick.ts';
import type { GroupCommit } from './group-commit.ts';
import { atPlace, placeIn } from './places.ts';
import { sqlitePruning } from './pruning.ts';
import type { Reader } from './reader.ts';
import { orUnavailable } from './result-codes.ts';
import { encode, numbered } from './rows.ts';
import type { ShortStep } from './short-steps.ts';

type Values = readonly SQLInputValue[];
type Key = Readonly<Record<string, unknown>>;
/** Finds a record by the fields that it was created for. */
type Finder = (key: Key) => unknown;

export interface Records {
  of<S extends Sources>(sources: S): RecordStore<S>;
}

export interface RecordsDeps {
  readonly database: DatabaseSync;
  readonly read: Reader;
  readonly group: GroupCommit;
  readonly newStep: () => ShortStep;
}

export function sqliteRecords({ database, read, group, newStep }: RecordsDeps): Records {
  const pruning = sqlitePruning(database, newStep);
  const statements = new Map<string, StatementSync>();
  const lists = new Map<Table<unknown>, Map<string, (...values: Values) => unknown[]>>();

  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? database.prepare(numbered(sql));
    statements.set(sql, statement);
    return statement;
  }
  function many(table: Table<unknown>, condition: string): (...values: Values) => unknown[] {
    const ofTable = lists.get(table) ?? new Map<string, (...values: Values) => unknown[]>();
    lists.set(table, ofTable);
    const list = ofTable.get(condition) ?? read.many(table, numbered(condition));
    ofTable.set(condition, list);
    return list;
  }

  function tableFinder(table: Table<unknown>, by: readonly Column[]): Finder {
    const place = placeIn(table);
    const exact = place?.exact === true;
    const usesPlace = place !== undefined && (!exact || by.length === table.key.length);
    // The plus keeps SQLite from using an index instead of the place.
    const condition = [
      ...(usesPlace ? [exact ? 'place = ?' : atPlace] : []),
      ...by.map(({ name }, at) => `${usesPlace && at === 0 ? '+' : ''}${name} = ?`),
      ...(table.only === null ? [] : [table.only]),
    ].join(' AND ');
    const find = read.one(table, `WHERE ${condition}`);
    const [a, b, c] = by;
    if (usesPlace && by.length === 3 && a !== undefined && b !== undefined && c !== undefined) {
      return (key) => find(place.of(key), encode(a, key[a.field]), encode(b, key[b.field]), encode(c, key[c.field]));
    }
    return (key) => {
      const values = by.map((column) => encode(column, key[column.field]));
      return usesPlace ? find(place.of(key), ...values) : find(...values);
    };
  }
  /** Several reads in one tick of the event loop: this is the only serving process, and it writes nothing in between. */
  function viewFinder({ root, others: parts }: View<unknown>, by: readonly Column[]): Finder {
    const findRoot = tableFinder(root.table, by);
    const others = parts.map(({ field, table, on }) => ({
      field,
      on: on.map(({ own, root: column }) => [own.field, column.field] as const),
      find: tableFinder(
        table,
        on.map(({ own }) => own),
      ),
    }));
    return (key) => {
      const found = findRoot(key) as Key | null;
      if (found === null) return null;
      const together: Record<string, unknown> = { [root.field]: found };
      for (const { field, on, find } of others) {
        const part = find(Object.fromEntries(on.map(([own, ofRoot]) => [own, found[ofRoot]])));
        if (part === null) return null;
        together[field] = part;
      }
      return together;
    };
  }
  const finder = (source: Source, by: readonly Column[]): Finder =>
    isView(source) ? viewFinder(source, by) : tableFinder(source, by);

  function of<S extends Sources>(sources: S): RecordStore<S> {
    const byKey = new Map<string, (scope: Scope, id: string) => unknown>();
    const byField = new Map<string, Map<string, Finder>>();
    for (const [name, source] of Object.entries(sources) as [string, Source][]) {
      const root = rootOf(source);
      const id = idWithinScope(root)?.field;
      if (id !== undefined) {
        const find = finder(source, root.key);
        byKey.set(name, ({ merchantId, livemode }, value) => find({ merchantId, livemode, [id]: value }));
      }
      byField.set(name, new Map(source.foundBy.map((column) => [column.field, finder(source, [column])])));
    }
    const tableOf = (name: string): Table<unknown> => tableIn(sources, name);
    const writesOf = writesInto(sources);

    const store: RecordStore<Sources> = {
      commit: (changes) => group.commit(writesOf(changes)),
      find: atEndOfTick((name: string, scope: Scope, id: string) => known(byKey.get(name), name)(scope, id) as never),
      findBy: atEndOfTick(
        (name: string, field: string, value: string) =>
          known(byField.get(name)?.get(field), `${name} by ${field}`)({ [field]: value }) as never,
      ),
      list: atEndOfTick((name: string, { limit, after, ...which }: Page<unknown>) => {
        const table = tableOf(name);
        const { shape, values } = selected(table, which, encode);
        const list = many(table, listCondition(table, { ...shape, after: after !== undefined }));
        return list(...values, ...(after === undefined ? [] : [after]), limit) as never[];
      }),
      async count(name, which: Selection<unknown>, atMost) {
        const table = tableOf(name);
        const { shape, values } = selected(table, which, encode);
        const statement = prepared(countSql(table, shape));
        return Number(orUnavailable(() => statement.get(...values, atMost))?.found ?? 0);
      },
      async walk(name, after: unknown, limit) {
        const table = tableOf(name);
        const place = placeIn(table);
        // The order of places differs from the order of keys.
        if (place?.exact === true) {
          if (after === null) return many(table, 'ORDER BY place LIMIT $1')(limit) as never[];
          return many(table, 'WHERE place > $1 ORDER BY place LIMIT $2')(place.of(after as Key), limit) as never[];
        }
        const values = after === null ? [] : table.key.map((column) => encode(column, (after as Key)[column.field]));
        return many(table, walkCondition(table, after !== null))(...values, limit) as never[];
      },
      async claim(name, work: string, { now, leaseMs, limit }: Claim) {
        const table = tableOf(name);
        const claim = known(table.claims[work], `${name} ${work}`);
        const moved = claim.leasedUntil ?? claim.dueAt.name;
        const statement = prepared(`
          UPDATE ${table.name} SET ${moved} = $3 WHERE rowid IN (${dueRows(table, claim, 't.rowid')})
          RETURNING ${table.key.map((column) => column.name).join(', ')}, ${claim.dueAt.name} AS due`);
        const rows = await group.join(() => statement.all(now, limit, now + leaseMs));
        // RETURNING does not guarantee an order.
        rows.sort((a, b) => Number(a.due ?? 0) - Number(b.due ?? 0));
        return rows.map((row) =>
          Object.fromEntries(table.key.map((column) => [column.field, decodedKey(column, row)])),
        ) as never;
      },
      prune: (name, before, limit) => pruning(tableOf(name))(before, limit),
    };
    return store as unknown as RecordStore<S>;
  }
  return { of };
}

function decodedKey({ name, kind }: Column, row: Readonly<Record<string, unknown>>): unknown {
  return kind === 'boolean' ? row[name] === 1 : row[name];
}
