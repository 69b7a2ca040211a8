// What a database that is distributed by merchant requires of statements and indexes. Statements are judged by their text:
// ordinary PostgreSQL would run them all.

import type pg from 'pg';
import { placements } from '../../src/storage/postgres/distribution.ts';

export interface SentStatement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

interface Reference {
  readonly table: string;
  readonly alias: string;
}

const distributed = [...placements].flatMap(([table, placement]) => (placement === 'by_merchant' ? [table] : []));

const references = new RegExp(
  `\\b(FROM|JOIN|UPDATE|INTO|USING)\\s+(${distributed.join('|')})\\b(?:\\s+(?:AS\\s+)?(?!SET\\b|ON\\b|WHERE\\b|ORDER\\b|VALUES\\b)([a-z]\\w*))?`,
  'g',
);
const locks = /\bFOR (?:NO KEY )?UPDATE\b|\bFOR (?:KEY )?SHARE\b/;
const recurses = /\bWITH RECURSIVE\b/;
const modifies = new RegExp(`\\b(?:INSERT INTO|UPDATE|DELETE FROM) (?:${distributed.join('|')})\\b`);

/**
 * A statement that locks, modifies or recurses must name one merchant for each distributed table in it: by a parameter, by
 * another row of which that is known, or by what it inserts. Null: it does.
 */
export function problemOf({ text, values = [] }: SentStatement): string | null {
  if (!locks.test(text) && !recurses.test(text) && !modifies.test(text)) return null;
  const all = [...text.matchAll(references)];
  const inserted = all.filter(([, verb]) => verb === 'INTO');
  const others = all.filter(([, verb]) => verb !== 'INTO');
  for (const [, , table = ''] of inserted) {
    const merchants = insertedMerchants(text, table, values);
    if (merchants === null) return `inserts into ${table} what it selects`;
    if (merchants.size !== 1) return `inserts rows of ${merchants.size} merchants into ${table}`;
  }
  const unnamed = unnamedIn(
    text,
    others.map(([, , table = '', alias]) => ({ table, alias: alias ?? table })),
  );
  return unnamed.length === 0 ? null : `names no merchant for ${unnamed.map(({ table }) => table).join(', ')}`;
}

/** Null: they do not come from a list of values. */
function insertedMerchants(text: string, table: string, values: readonly unknown[]): Set<unknown> | null {
  const insert = new RegExp(`INSERT INTO ${table}(?: AS \\w+)? \\(([^)]*)\\) VALUES (\\(.*)`, 's').exec(text);
  if (insert === null) return null;
  const at = (insert[1] ?? '').split(', ').indexOf('merchant_id');
  const rows = [...(insert[2] ?? '').matchAll(/\(([^()]*\$[^()]*)\)/g)];
  return new Set(rows.map(([, row = '']) => values[Number(/\$(\d+)/.exec(row.split(', ')[at] ?? '')?.[1]) - 1]));
}

function unnamedIn(text: string, tables: readonly Reference[]): Reference[] {
  const named = new Set<string>();
  for (;;) {
    const before = named.size;
    for (const { table, alias } of tables) {
      const column = alias === table ? `(?:\\b${table}\\.|[^.\\w])merchant_id` : `\\b${alias}\\.merchant_id`;
      const same = [...named].map((other) => `${other}\\.merchant_id`);
      if (new RegExp(`${column} = (?:${['\\$\\d', ...same].join('|')})`).test(text)) named.add(alias);
    }
    if (named.size === before) return tables.filter(({ alias }) => !named.has(alias));
  }
}

/** Unique indexes that no server could check alone, and tables of merchants that nobody has placed. */
export async function schemaProblems(client: pg.Client): Promise<string[]> {
  const { rows: indexes } = await client.query<{ name: string; relation: string }>(
    `SELECT i.indexrelid::regclass::text AS name, c.relname AS relation
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1) AND i.indisunique
       AND NOT EXISTS (
         SELECT 1 FROM pg_attribute a
         WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND a.attname = 'merchant_id')`,
    [distributed],
  );
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> ALL ($1)
       AND 2 = (SELECT count(*) FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attname IN ('merchant_id', 'livemode') AND NOT a.attisdropped)`,
    [[...placements.keys()]],
  );
  return [
    ...indexes.map(({ name, relation }) => `the unique index ${name} of ${relation} does not include the merchant`),
    ...tables.map(({ name }) => `${name} belongs to merchants, but has no placement`),
  ];
}
