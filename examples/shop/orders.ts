// The shop's data, in one SQLite file: orders, processed events, and its webhook endpoint.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

export interface NewOrder {
  readonly id: string;
  readonly product: string;
  readonly amount: number;
  readonly currency: string;
}

export interface Order extends NewOrder {
  readonly status: 'waiting' | 'paid' | 'given up';
  readonly paymentIntent: string | null;
}

export function openOrders(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS orders (
      id TEXT PRIMARY KEY, product TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,
      status TEXT NOT NULL, payment_intent TEXT UNIQUE) STRICT;
    CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY) STRICT;
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`);
  const one = (sql: string, ...values: string[]): Order | undefined => asOrder(database.prepare(sql).get(...values));
  const run = (sql: string, ...values: (string | number)[]): number =>
    Number(database.prepare(sql).run(...values).changes);

  return {
    create(order: NewOrder): Order {
      const { id, product, amount, currency } = order;
      run(`INSERT INTO orders VALUES (?, ?, ?, ?, 'waiting', NULL)`, id, product, amount, currency);
      return { ...order, status: 'waiting', paymentIntent: null };
    },
    setPaymentIntent: (id: string, paymentIntent: string) =>
      run('UPDATE orders SET payment_intent = ? WHERE id = ?', paymentIntent, id),
    setStatus: (id: string, status: Order['status']) => run('UPDATE orders SET status = ? WHERE id = ?', status, id),
    find: (id: string) => one('SELECT * FROM orders WHERE id = ?', id),
    findByPayment: (paymentIntent: string) => one('SELECT * FROM orders WHERE payment_intent = ?', paymentIntent),
    waiting: (): Order[] =>
      database
        .prepare(`SELECT * FROM orders WHERE status = 'waiting'`)
        .all()
        .flatMap((row) => asOrder(row) ?? []),
    /** Does the work unless the event was already processed: both are written, or neither. */
    once(eventId: string, work: () => void): void {
      database.exec('BEGIN IMMEDIATE');
      try {
        if (run('INSERT OR IGNORE INTO events VALUES (?)', eventId) === 1) work();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    setting(name: 'webhook endpoint' | 'webhook secret'): string | undefined {
      const row = database.prepare('SELECT value FROM settings WHERE name = ?').get(name);
      return row === undefined ? undefined : String(row.value);
    },
    storeWebhookEndpoint({ id, secret }: { id: string; secret: string }): void {
      run(`INSERT OR REPLACE INTO settings VALUES ('webhook endpoint', ?), ('webhook secret', ?)`, id, secret);
    },
  };
}

function asOrder(row: Record<string, SQLOutputValue> | undefined): Order | undefined {
  if (row === undefined) return undefined;
  return {
    id: String(row.id),
    product: String(row.product),
    amount: Number(row.amount),
    currency: String(row.currency),
    status: row.status as Order['status'],
    paymentIntent: row.payment_intent === null ? null : String(row.payment_intent),
  };
}
