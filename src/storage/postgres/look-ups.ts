// Look-ups by key that arrive in the same turn of the event loop share one query, as commits do on SQLite.
// Measured with 64 callers: 61 k look-ups/s together, 21 k/s one query each.

import type { RowDecoder } from '../row-decoder.ts';
import type { RowsOf } from './rows.ts';
import { statementName } from './statement-name.ts';

const maxTogether = 128;
/** Of the queries of one kind: those that come meanwhile wait, and so share the next one. */
const maxUnderWay = 2;
/** The same where each query is for one merchant, and most go to different servers. */
const maxUnderWayByMerchant = 16;

export interface LookUp<R> {
  /** For the name of the prepared statement. */
  readonly meaning: string;
  /** The parts of the key, by the names that `from` knows them by in `wanted`, with their SQL types. */
  readonly key: Readonly<Record<string, 'text' | 'boolean'>>;
  readonly columns: string;
  /** A query is for one merchant, which is the first part of the key and known to `from` as `$1`. */
  readonly byMerchant: boolean;
  /** Joins the tables to the `wanted` keys. */
  readonly from: string;
  /** Gets the values of `columns` from place 1 on: before them stands the place of the key. */
  readonly decode: RowDecoder<R>;
}

/** The place of the first of `columns` in a row. */
export const firstColumn = 1;

interface Waiting<Key, R> {
  readonly key: Key;
  readonly resolve: (record: R | null) => void;
  readonly reject: (error: unknown) => void;
}

export function lookUpsTogether<Key extends readonly (string | boolean)[], R>(
  rowsOf: RowsOf,
  { meaning, key, columns, byMerchant, from, decode }: LookUp<R>,
): (...key: Key) => Promise<R | null> {
  const types = Object.values(key);
  const listed = byMerchant ? 1 : 0;
  const lists = types.map((type, at) => `$${at + 1}::${type}[]`).slice(listed);
  const names = Object.keys(key).slice(listed);
  const most = byMerchant ? maxUnderWayByMerchant : maxUnderWay;
  const text = `
    SELECT wanted.place, ${columns}
    FROM unnest(${lists.join(', ')}) WITH ORDINALITY AS wanted (${names.join(', ')}, place) ${from}`;
  const name = statementName(meaning, text);
  let waiting: Waiting<Key, R>[] = [];
  let underWay = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0 || underWay >= most) return;
    scheduled = true;
    setImmediate(run);
  }

  function nextGroup(): Waiting<Key, R>[] {
    const merchant = waiting[0]?.key[0];
    const joining = byMerchant ? waiting.filter((one) => one.key[0] === merchant) : waiting;
    const group = joining.slice(0, maxTogether);
    if (group.length === waiting.length) waiting = [];
    else if (!byMerchant) waiting = waiting.slice(maxTogether);
    else {
      const taken = new Set(group);
      waiting = waiting.filter((one) => !taken.has(one));
    }
    return group;
  }

  async function run(): Promise<void> {
    scheduled = false;
    const group = nextGroup();
    underWay += 1;
    schedule();
    try {
      const values = types.map((_, at) => (at < listed ? group[0]?.key[at] : group.map((one) => one.key[at])));
      const rows = await rowsOf({ name, text, values });
      const found: R[] = [];
      for (const row of rows) found[Number(row[0]) - 1] = decode(row);
      for (const [at, { resolve }] of group.entries()) resolve(found[at] ?? null);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      underWay -= 1;
      schedule();
    }
  }

  return (...key) => {
    const { promise, resolve, reject } = Promise.withResolvers<R | null>();
    waiting.push({ key, resolve, reject });
    schedule();
    return promise;
  };
}
