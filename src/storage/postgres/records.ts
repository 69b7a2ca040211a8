// Reads, claims and prunes the rows of any set of tables, based on their descriptions.

import type { Scope } from '../../domain/merchant.ts';
import type { Claim, Page, RecordStore, Selection } from '../record-store.ts';
import { idWithinScope, known, rootOf, selected, tableIn } from '../selection.ts';
import { countSql, dueRows, listCondition, walkCondition } from '../sql.ts';
import { type Column, isView, type Source, type Sources, type Table } from '../table.ts';
import { writesInto } from '../writes.ts';
import { type ChangeRows, type ChangeRowsDeps, changingRows } from './chosen-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import { type JsonRowDecoder, jsonRow, jsonRowDecoder } from './json-rows.ts';
import { isSame } from './key-conditions.ts';
import { type LookUp, lookUpsTogether } from './look-ups.ts';
import { postgresPruning } from './pruning.ts';
import { encode, keyTypes, type RowsOf } from './rows.ts';
import { sharedReads } from './shared-reads.ts';
import { statementName } from './statement-name.ts';

type Find = (...key: (string | boolean)[]) => Promise<unknown>;

/** How often a claim is tried if other processes have claimed everything that it found. */
const claimAttempts = 3;

export interface RecordsDeps extends ChangeRowsDeps {
  readonly readRows: RowsOf;
  readonly group: GroupCommit;
}

export function postgresRecords({
  readRows,
  group,
  ...deps
}: RecordsDeps): <S extends Sources>(sources: S) => RecordStore<S> {
  const listRows = sharedReads(readRows);
  const listQuickly = sharedReads((config) => readRows(config, 'look-up'));

  async function many(table: Table<unknown>, condition: string, values: unknown[]): Promise<unknown[]> {
    const text = `SELECT ${jsonRow(table)} FROM ${table.name} t ${condition}`;
    const rows = await (table.listedQuickly ? listQuickly : listRows)({
      name: statementName(`list ${table.name}`, text),
      text,
      values,
    });
    const decode = decoderOf(table);
    return rows.map(([row]) => decode(row));
  }

  const pruning = postgresPruning({ readRows, ...deps });
  const claims = new Map<string, ChangeRows>();
  function claimingOf(table: Table<unknown>, work: string): ChangeRows {
    const name = `${table.name} ${work}`;
    const take = claims.get(name) ?? changingRows(deps, claiming(table, work));
    claims.set(name, take);
    return take;
  }

  return <S extends Sources>(sources: S) => {
    const byKey = new Map<string, Find>();
    const byField = new Map<string, Map<string, Find>>();
    for (const [name, source] of Object.entries(sources) as [string, Source][]) {
      const root = rootOf(source);
      const isDistributed = deps.isDistributed(root.name);
      if (idWithinScope(root) !== null)
        byKey.set(name, lookUpsTogether(readRows, lookUp(name, source, root.key, isDistributed)));
      const finders = source.foundBy.map(
        (column) => [column.field, lookUpsTogether(readRows, lookUp(name, source, [column], isDistributed))] as const,
      );
      byField.set(name, new Map(finders));
    }
    const tableOf = (name: string): Table<unknown> => tableIn(sources, name);
    const writesOf = writesInto(sources);

    const store: RecordStore<Sources> = {
      commit: (changes) => group.commit(writesOf(changes)),
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
        const { text, isLeased } = dueSql(table, work);
        const values = isLeased ? [now, limit, now + leaseMs] : [now, limit];
        const take = claimingOf(table, work);
        for (let attempt = 1; ; attempt += 1) {
          const due = await readRows({ name: statementName(`claim ${table.name}`, text), text, values });
          const claimed = await take(due, now + leaseMs);
          if (claimed.length > 0 || due.length < limit || attempt === claimAttempts)
            return claimed.map((row) =>
              Object.fromEntries(table.key.map(({ field }, at) => [field, row[at]])),
            ) as never;
        }
      },
      prune: (name, before, limit) => pruning(tableOf(name))(before, limit),
    };
    return store as unknown as RecordStore<S>;
  };
}

const decoders = new Map<Table<unknown>, JsonRowDecoder<unknown>>();

function decoderOf(table: Table<unknown>): JsonRowDecoder<unknown> {
  const decoder = decoders.get(table) ?? jsonRowDecoder(table);
  decoders.set(table, decoder);
  return decoder;
}

/** Reads a record, or all parts of a view, with one query; on a distributed database, for one merchant. */
function lookUp(name: string, source: Source, by: readonly Column[], isDistributed: boolean): LookUp<unknown> {
  const root = rootOf(source);
  const byMerchant = isDistributed && by[0]?.field === 'merchantId';
  const others = isView(source) ? source.others : [];
  const alias = (at: number): string => `t${at}`;
  const tables = [root, ...others.map(({ table }) => table)];
  const conditions = [
    by.map((column, at) => {
      const value = byMerchant && at === 0 ? '$1' : `wanted.${column.name}`;
      return isSame(root, column, [alias(0), value], isDistributed);
    }),
    ...others.map(({ table, on }, at) =>
      on.map(({ own, root: column }) =>
        isSame(table, own, [alias(at + 1), `${alias(0)}.${column.name}`], isDistributed),
      ),
    ),
  ];
  const decodeRoot = decoderOf(root);
  const parts = isView(source)
    ? [source.root, ...others].map(({ field, table }) => [field, decoderOf(table)] as const)
    : [];
  return {
    meaning: `find ${name} by ${by.map((column) => column.name).join(', ')}`,
    key: Object.fromEntries(by.map(({ name, kind }) => [name, kind === 'boolean' ? 'boolean' : 'text'])),
    byMerchant,
    columns: tables.map((table, at) => jsonRow(table, alias(at))),
    from: tables
      .map((table, at) => {
        const all = [...(conditions[at] ?? []), ...only(table, alias(at))];
        return `JOIN ${table.name} ${alias(at)} ON ${all.join(' AND ')}`;
      })
      .join(' '),
    decode: isView(source)
      ? (rows) => Object.fromEntries(parts.map(([field, decode], at) => [field, decode(rows[at])]))
      : ([row]) => decodeRoot(row),
  };
}

function only({ only }: Table<unknown>, alias: string): string[] {
  return only === null ? [] : [only.replaceAll('t.', `${alias}.`)];
}

/** Finds due rows: their key, and the end of their current lease. */
function dueSql(table: Table<unknown>, work: string): { readonly text: string; readonly isLeased: boolean } {
  const claim = known(table.claims[work], `${table.name} ${work}`);
  const selected = [...table.key.map(({ name }) => name), claim.leasedUntil ?? claim.dueAt.name];
  const text = dueRows(table, claim, selected.map((name) => `t.${name}`).join(', '));
  return {
    text: text.replaceAll('$1', '$1::bigint').replaceAll('$3', '$3::bigint'),
    isLeased: claim.leasedUntil !== null,
  };
}

function claiming(table: Table<unknown>, work: string) {
  const { leasedUntil, dueAt } = known(table.claims[work], `${table.name} ${work}`);
  const lease = leasedUntil ?? dueAt.name;
  return {
    ...{ meaning: `claim ${table.name} rows`, table: table.name, key: keyTypes(table) },
    ...{ unchanged: lease, set: `${lease} = $value` },
  };
}
