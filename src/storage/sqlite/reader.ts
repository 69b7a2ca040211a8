// Reads. Those of one turn of the event loop share a transaction: taking and releasing SQLite's locks costs as much as
// the look-up itself (measured: 9 µs a look-up alone, 5 µs inside a transaction), and they all see one state.

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Scope } from '../../domain/merchant.ts';
import type { Page } from '../store.ts';
import { columnNames, type Table } from '../tables.ts';
import { orUnavailable, unavailableIfBusy } from './result-codes.ts';
import { decoder } from './rows.ts';

export interface Reader {
  one<R>(table: Table<R>, condition: string): (...values: SQLInputValue[]) => R | null;
  many<R>(table: Table<R>, condition: string): (...values: SQLInputValue[]) => R[];
  /** Newest first, by id; only those that meet the condition. */
  page<R>(table: Table<R>, scope: Scope | null, page: Page<string>, condition?: string): R[];
  /** Ends the shared transaction; to be called before anything is written. */
  end(): void;
}

export function reader(database: DatabaseSync): Reader {
  const pages = new Map<string, StatementSync>();
  const decoders = new Map<Table<unknown>, (values: readonly SQLOutputValue[]) => unknown>();
  const begin = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  let reading = false;

  function end(): void {
    if (!reading) return;
    reading = false;
    commit.run();
  }
  function join(): void {
    if (reading) return;
    begin.run();
    reading = true;
    setImmediate(end);
  }
  function select(table: Table<unknown>, condition: string): StatementSync {
    const statement = database.prepare(`SELECT ${columnNames(table)} FROM ${table.name} ${condition}`);
    statement.setReturnArrays(true);
    return statement;
  }
  function decoderOf<R>(table: Table<R>): (values: readonly SQLOutputValue[]) => R {
    const known = decoders.get(table) ?? decoder(table);
    decoders.set(table, known);
    return known as (values: readonly SQLOutputValue[]) => R;
  }
  function all<R>(table: Table<R>, statement: StatementSync, values: readonly SQLInputValue[]): R[] {
    join();
    const rows = orUnavailable(() => statement.all(...values)) as unknown as SQLOutputValue[][];
    return rows.map(decoderOf(table));
  }

  return {
    one<R>(table: Table<R>, condition: string) {
      const statement = select(table, condition);
      const decode = decoderOf(table);
      return (...values) => {
        join();
        try {
          const row = statement.get(...values) as unknown as SQLOutputValue[] | undefined;
          return row === undefined ? null : decode(row);
        } catch (error) {
          throw unavailableIfBusy(error);
        }
      };
    },
    many<R>(table: Table<R>, condition: string) {
      const statement = select(table, condition);
      return (...values) => all(table, statement, values);
    },
    page(table, scope, { limit, before, status, paymentIntentId, type, merchantId }, only) {
      const conditions: [string, SQLInputValue][] = [];
      if (scope !== null)
        conditions.push(['merchant_id = ?', scope.merchantId], ['livemode = ?', scope.livemode ? 1 : 0]);
      if (merchantId !== undefined) conditions.push(['merchant_id = ?', merchantId]);
      if (status !== undefined) conditions.push(['status = ?', status]);
      if (paymentIntentId !== undefined) conditions.push(['payment_intent_id = ?', paymentIntentId]);
      if (type !== undefined) conditions.push(['type = ?', type]);
      if (before !== undefined) conditions.push(['id < ?', before]);
      const texts = [...(only === undefined ? [] : [only]), ...conditions.map(([sql]) => sql)];
      const where = texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
      const condition = `${where} ORDER BY id DESC LIMIT ?`;
      const name = `${table.name} ${condition}`;
      const statement = pages.get(name) ?? select(table, condition);
      pages.set(name, statement);
      return all(table, statement, [...conditions.map(([, value]) => value), limit]);
    },
    end,
  };
}
