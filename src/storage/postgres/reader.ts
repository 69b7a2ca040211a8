// Reads of whole records, each by a prepared statement of its own.

import type pg from 'pg';
import type { Scope } from '../../domain/merchant.ts';
import type { Page } from '../store.ts';
import { columnNames, type Table } from '../tables.ts';
import { decode, type Row } from './rows.ts';
import { statementName } from './statement-name.ts';

export type Query = (config: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;

export interface Reader {
  /** `name` tells the statement from others on the same table. */
  one<R>(table: Table<R>, name: string, condition: string, values: unknown[]): Promise<R | null>;
  many<R>(table: Table<R>, name: string, condition: string, values: unknown[]): Promise<R[]>;
  /** Newest first, by id; only those that meet the condition. */
  page<R>(table: Table<R>, scope: Scope | null, page: Page<string>, condition?: string): Promise<R[]>;
}

export function reader(query: Query): Reader {
  async function many<R>(table: Table<R>, name: string, condition: string, values: unknown[]): Promise<R[]> {
    const text = `SELECT ${columnNames(table)} FROM ${table.name} ${condition}`;
    const { rows } = await query({ name: statementName(`${table.name} ${name}`), text, values });
    return rows.map((row) => decode(table, row));
  }
  return {
    many,
    one: async (table, name, condition, values) => (await many(table, name, condition, values))[0] ?? null,
    page(table, scope, { limit, before, status, paymentIntentId, type }, only) {
      const values: unknown[] = [];
      const conditions: string[] = only === undefined ? [] : [only];
      const also = (column: string, value: unknown): void => {
        conditions.push(`${column} $${values.push(value)}`);
      };
      if (scope !== null) also('merchant_id =', scope.merchantId);
      if (scope !== null) also('livemode =', scope.livemode);
      if (status !== undefined) also('status =', status);
      if (paymentIntentId !== undefined) also('payment_intent_id =', paymentIntentId);
      if (type !== undefined) also('type =', type);
      if (before !== undefined) also('id <', before);
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const condition = `${where} ORDER BY id DESC LIMIT $${values.push(limit)}`;
      return many(table, condition, condition, values);
    },
  };
}
