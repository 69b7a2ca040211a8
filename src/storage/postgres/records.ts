// Reads, claims and pruning of any set of tables, from their descriptions.

import type { Scope } from '../../domain/merchant.ts';
import type { Claim, Page, RecordStore, Selection } from '../record-store.ts';
import { type RowDecoder, rowDecoder } from '../row-decoder.ts';
import { idWithinScope, known, rootOf, selected, tableIn } from '../selection.ts';
import { countSql, dueRows, keyNames, listCondition, pruneSql, walkCondition } from '../sql.ts';
import { type Column, columnNames, isView, type Source, type Sources, type Table } from '../table.ts';
import { writesInto } from '../writes.ts';
import type { GroupCommit } from './group-commit.ts';
import { firstColumn, type LookUp, lookUpsTogether } from './look-ups.ts';
import { encode, type Query, type RowsOf } from './rows.ts';
import { sharedReads } from './shared-reads.ts';
import { statementName } from './statement-name.ts';

type Find = (...key: (string | boolean)[]) => Promise<unknown>;

export interface RecordsDeps {
  readonly query: Query;
  readonly readRows: RowsOf;
  readonly group: GroupCommit;
}

export function postgresRecords({
  query,
  readRows,
  group,
}: RecordsDeps): <S extends Sources>(sources: S) => RecordStore<S> {
  const listRows = sharedReads(readRows);

  async function many(table: Table<unknown>, condition: string, values: unknown[]): Promise<unknown[]> {
    const text = `SELECT ${columnNames(table)} FROM ${table.name} t ${condition}`;
    const rows = await listRows({ name: statementName(`list ${table.name}`, text), text, values });
    return rows.map(decoderOf(table));
  }

  return <S extends Sources>(sources: S) => {
    const byKey = new Map<string, Find>();
    const byField = new Map<string, Map<string, Find>>();
    for (const [name, source] of Object.entries(sources) as [string, Source][]) {
      const root = rootOf(source);
      if (idWithinScope(root) !== null) byKey.set(name, lookUpsTogether(readRows, lookUp(name, source, root.key)));
      const finders = source.foundBy.map(
        (column) => [column.field, lookUpsTogether(readRows, lookUp(name, source, [column]))] as const,
      );
      byField.set(name, new Map(finders));
    }
    const tableOf = (name: string): Table<unknown> => tableIn(sources, name);

    const store: RecordStore<Sources> = {
      commit: (changes) => group.commit(writesInto(sources, changes)),
      find: (name: string, { merchantId, livemode }: Scope, id: string) =>
        known(byKey.get(name), name)(merchantId, livemode, id) as never,
      findBy: (name: string, field: string, value: string) =>
        known(byField.get(name)?.get(field), `${name} by ${field}`)(value) as never,
      list(name, { limit, after, ...which }: Page<unknown>) {
        const table = tableOf(name);
        const { shape, values } = selected<unknown>(table, which, encode);
        const condition = listCondition(table, { ...shape, after: after !== undefined });
        return many(table, condition, [...values, ...(after === undefined ? [] : [after]), limit]) as never;
      },
      async count(name, which: Selection<unknown>, atMost) {
        const table = tableOf(name);
        const { shape, values } = selected<unknown>(table, which, encode);
        const text = countSql(table, shape);
        const [row] = await readRows({
          name: statementName(`count ${table.name}`, text),
          text,
          values: [...values, atMost],
        });
        return Number(row?.[0] ?? 0);
      },
      walk(name, after: unknown, limit) {
        const table = tableOf(name);
        const key = after as Readonly<Record<string, unknown>> | null;
        const values = key === null ? [] : table.key.map((column) => encode(column, key[column.field]));
        return many(table, walkCondition(table, key !== null), [...values, limit]) as never;
      },
      async claim(name, work: string, { now, leaseMs, limit }: Claim) {
        const table = tableOf(name);
        const text = claimSql(table, work);
        const values = [now + leaseMs, now, limit];
        const { rows } = await query({ name: statementName(`claim ${table.name}`, text), text, values });
        return rows.map((row) => Object.fromEntries(table.key.map(({ field, name }) => [field, row[name]]))) as never;
      },
      async prune(name, before, limit) {
        const table = tableOf(name);
        const text = pruneSql(table, keyNames(table));
        const { rowCount } = await query({
          name: statementName(`prune ${table.name}`, text),
          text,
          values: [before, limit],
        });
        return rowCount ?? 0;
      },
    };
    return store as unknown as RecordStore<S>;
  };
}

const decoders = new Map<Table<unknown>, RowDecoder<unknown>>();

function decoderOf(table: Table<unknown>): RowDecoder<unknown> {
  const decoder = decoders.get(table) ?? rowDecoder(table);
  decoders.set(table, decoder);
  return decoder;
}

/** Reads a record, or one of each part of a view, with one query. */
function lookUp(name: string, source: Source, by: readonly Column[]): LookUp<unknown> {
  const root = rootOf(source);
  const others = isView(source) ? source.others : [];
  const alias = (at: number): string => `t${at}`;
  const tables = [root, ...others.map(({ table }) => table)];
  const conditions = [
    by.map((column) => `${alias(0)}.${column.name} = wanted.${column.name}`),
    ...others.map(({ on }, at) =>
      on.map((pair) => `${alias(at + 1)}.${pair.own.name} = ${alias(0)}.${pair.root.name}`),
    ),
  ];
  let next = firstColumn;
  const decoders = tables.map((table) => {
    const decode = rowDecoder(table, next);
    next += table.columns.length;
    return decode;
  });
  const [decodeRoot, ...decodeOthers] = decoders;
  if (decodeRoot === undefined) throw new RangeError(`${name} has no table`);
  return {
    meaning: `find ${name} by ${by.map((column) => column.name).join(', ')}`,
    key: Object.fromEntries(by.map(({ name, kind }) => [name, kind === 'boolean' ? 'boolean' : 'text'])),
    columns: tables.map((table, at) => columnNames(table, alias(at))).join(', '),
    from: tables
      .map((table, at) => {
        const all = [...(conditions[at] ?? []), ...only(table, alias(at))];
        return `JOIN ${table.name} ${alias(at)} ON ${all.join(' AND ')}`;
      })
      .join(' '),
    decode: isView(source)
      ? (values) => ({
          [source.root.field]: decodeRoot(values),
          ...Object.fromEntries(others.map(({ field }, at) => [field, decodeOthers[at]?.(values)])),
        })
      : decodeRoot,
  };
}

function only({ only }: Table<unknown>, alias: string): string[] {
  return only === null ? [] : [only.replaceAll('t.', `${alias}.`)];
}

/** The row locks are taken once, in a CTE of their own: a subquery could be run again and claim beyond the limit. */
function claimSql(table: Table<unknown>, work: string): string {
  const claim = known(table.claims[work], `${table.name} ${work}`);
  const names = table.key.map(({ name }) => name);
  const due = claim.dueAt.name;
  return `
    WITH due AS (
      ${dueRows(table, claim, names.map((name) => `t.${name}`).join(', '))
        .replaceAll('$1', '$1::bigint')
        .replaceAll('$2', '$2::bigint')}
      FOR UPDATE OF t SKIP LOCKED
    ), claimed AS (
      UPDATE ${table.name} c SET ${claim.leasedUntil ?? due} = $1 FROM due
      WHERE ${names.map((name) => `c.${name} = due.${name}`).join(' AND ')}
      RETURNING ${names.map((name) => `c.${name}`).join(', ')}, c.${due}
    )
    SELECT ${names.join(', ')} FROM claimed ORDER BY ${due}`;
}
