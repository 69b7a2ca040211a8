// Writes payments in bulk, as the API would store them.

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { type CheckoutSession, newPayment } from '../src/domain/checkout-session.ts';
import type { IdempotencyRecord } from '../src/domain/idempotency.ts';
import { idBefore } from '../src/domain/ids.ts';
import { newMerchant } from '../src/domain/merchant.ts';
import { momentAt } from '../src/domain/moment.ts';
import type { PaymentIntent } from '../src/domain/payment-intent.ts';
import { offeredMethods, paymentMethodTypes } from '../src/domain/payment-methods.ts';
import { newRollUp, type RollUp } from '../src/domain/roll-up.ts';
import { pooledRandom } from '../src/entropy.ts';
import { bytesAsText, encode as encodeForPostgres } from '../src/storage/postgres/rows.ts';
import { inserter } from '../src/storage/sqlite/group-commit.ts';
import { migrate } from '../src/storage/sqlite/migrate.ts';
import { openDatabase } from '../src/storage/sqlite/open-database.ts';
import { columnNames, type Table } from '../src/storage/table.ts';
import { tables } from '../src/storage/tables.ts';
import { type Write, writesInto } from '../src/storage/writes.ts';

export const groupSize = 32;

const random = pooledRandom();
const writesOf = writesInto(tables);
const methods = offeredMethods(undefined, paymentMethodTypes, 'EUR') as readonly (typeof paymentMethodTypes)[number][];

/** The size of the sealed response to a creation. */
const sealedBytes = 750;

interface StoredPayment {
  readonly session: CheckoutSession;
  readonly intent: PaymentIntent;
  readonly record: IdempotencyRecord;
}

export function makePayment(merchantId: string, now: number): StoredPayment {
  const { session, intent } = newPayment(
    { merchantId, livemode: false },
    {
      amount: 1250,
      currency: 'EUR',
      metadata: { order: '6735' },
      returnUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
      captureMethod: 'automatic',
      paymentMethodTypes: methods,
      description: 'Two bags of coffee',
      customerEmail: null,
      collect: [],
      locale: 'auto',
      lineItems: null,
      uiMode: 'hosted',
    },
    86_400,
    momentAt(now, random),
  );
  const record: IdempotencyRecord = {
    merchantId,
    livemode: false,
    key: randomUUID(),
    version: 0,
    fingerprint: randomBytes(32).toString('hex'),
    status: 201,
    sealedBody: randomBytes(sealedBytes),
    createdAt: now,
  };
  return { session, intent, record };
}

function changesOf({ session, intent, record }: StoredPayment) {
  return { checkoutSessions: [session], paymentIntents: [intent], idempotencyRecords: [record] };
}

/** The rows of a created session. */
export function newPaymentWrites(): Write[] {
  const merchantId = newMerchant('bench', momentAt(Date.now(), random)).id;
  return writesOf(changesOf(makePayment(merchantId, Date.now())));
}

/** Created during the last hour, so that nothing expires or is pruned during the measurement. */
function* paymentsOver(merchantId: string, count: number): Generator<StoredPayment> {
  const from = Date.now() - 3_600_000;
  for (let i = 0; i < count; i++) yield makePayment(merchantId, from + Math.floor((i / count) * 3_600_000));
}

export function directWriter(path: string) {
  const database = openDatabase(path);
  migrate(database);
  const inserters = new Map(
    [tables.checkoutSessions, tables.paymentIntents, tables.idempotencyRecords].map((table: Table<unknown>) => [
      table,
      inserter(database, table),
    ]),
  );
  const merchantId = newMerchant('direct', momentAt(Date.now(), random)).id;
  const write = (payment: StoredPayment): void => {
    for (const { table, record } of writesOf(changesOf(payment))) inserters.get(table)?.(record);
  };
  return {
    database,
    write,
    writeGroup() {
      const group = Array.from({ length: groupSize }, () => makePayment(merchantId, Date.now()));
      database.exec('BEGIN IMMEDIATE');
      for (const payment of group) write(payment);
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}

/** As in a database whose payments were indexed when they were made: otherwise, that work would be measured as well. */
function indexedUntilNow(merchantId: string): RollUp {
  return {
    ...newRollUp({ merchantId, livemode: false }, 'search'),
    version: 1,
    paymentIntentId: idBefore('pi', Date.now()),
  };
}

/** Returns the ids of some stored payment intents, for lookups. */
export function fillSqlite(path: string, merchantId: string, count: number): string[] {
  const writer = directWriter(path);
  writer.database.exec('PRAGMA synchronous = OFF; BEGIN');
  const ids: string[] = [];
  for (const payment of paymentsOver(merchantId, count)) {
    writer.write(payment);
    if (Math.random() < 50_000 / count) ids.push(payment.intent.id);
  }
  inserter(writer.database, tables.rollUps)({ ...indexedUntilNow(merchantId) });
  writer.database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  writer.close();
  return ids;
}

export async function fillPostgres(url: string, merchantId: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  const ids: string[] = [];
  let batch = new Map<Table<unknown>, Record<string, unknown>[]>();
  const flush = async (): Promise<void> => {
    for (const [table, rows] of batch) {
      const columns = columnNames(table);
      const sql = `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table.name}, $1)`;
      await client.query(sql, [JSON.stringify(rows)]);
    }
    batch = new Map();
  };
  let waiting = 0;
  for (const payment of paymentsOver(merchantId, count)) {
    for (const { table, record } of writesOf(changesOf(payment))) {
      const row = Object.fromEntries(
        table.columns.map((column) => [column.name, forJson(column, record[column.field])]),
      );
      const rows = batch.get(table);
      if (rows === undefined) batch.set(table, [row]);
      else rows.push(row);
    }
    if (Math.random() < 50_000 / count) ids.push(payment.intent.id);
    if (++waiting % 1_000 === 0) await flush();
  }
  await flush();
  const { id, version, position, paymentIntentId } = indexedUntilNow(merchantId);
  await client.query('INSERT INTO roll_ups VALUES ($1, false, $2, $3, $4, $5)', [
    ...[merchantId, id, version, position, paymentIntentId],
  ]);
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
  return ids;
}

export function forJson(column: Parameters<typeof encodeForPostgres>[0], value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesAsText(value);
  return column.kind === 'json' ? value : encodeForPostgres(column, value);
}
