// Reads of whole records, each by a prepared statement of its own.

import type { Scope } from '../../domain/merchant.ts';
import { type RowDecoder, rowDecoder } from '../row-decoder.ts';
import type { Page } from '../store.ts';
import { columnNames, type Table, tables } from '../tables.ts';
import type { RowsOf } from './rows.ts';
import { statementName } from './statement-name.ts';

export interface Reader {
  /** `name` tells the statement from others on the same table. */
  one<R>(table: Table<R>, name: string, condition: string, values: unknown[]): Promise<R | null>;
  many<R>(table: Table<R>, name: string, condition: string, values: unknown[]): Promise<R[]>;
  /** Newest first, by id; only those that meet the condition. */
  page<R>(table: Table<R>, scope: Scope | null, page: Page<string>, condition?: string): Promise<R[]>;
}

export function reader(rowsOf: RowsOf): Reader {
  async function many<R>(table: Table<R>, name: string, condition: string, values: unknown[]): Promise<R[]> {
    const text = `SELECT ${columnNames(table)} FROM ${table.name} ${condition}`;
    const rows = await rowsOf({ name: statementName(`${table.name} ${name}`), text, values });
    return rows.map(decoderOf(table));
  }
  return {
    many,
    one: async (table, name, condition, values) => (await many(table, name, condition, values))[0] ?? null,
    page(table, scope, { limit, before, status, paymentIntentId, type, merchantId }, only) {
      const values: unknown[] = [];
      const conditions: string[] = only === undefined ? [] : [only];
      const also = (column: string, value: unknown): void => {
        conditions.push(`${column} $${values.push(value)}`);
      };
      if (scope !== null) also('merchant_id =', scope.merchantId);
      if (scope !== null) also('livemode =', scope.livemode);
      if (merchantId !== undefined) also('merchant_id =', merchantId);
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

const decoders = new Map(tables.map((table) => [table, rowDecoder(table)]));

function decoderOf<R>(table: Table<R>): RowDecoder<R> {
  return (decoders.get(table) ?? rowDecoder(table)) as RowDecoder<R>;
}
