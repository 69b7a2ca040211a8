// Writes the payments of a month in bulk, with the index and the totals that the service would have made of them: customers,
// cards, currencies, and the outcomes of an ordinary shop.

import { createHash } from 'node:crypto';
import pg from 'pg';
import { newPayment } from '../src/domain/checkout-session.ts';
import type { Dispute } from '../src/domain/dispute.ts';
import type { Payment } from '../src/domain/life-cycle.ts';
import { momentAt } from '../src/domain/moment.ts';
import type { PaymentIntent } from '../src/domain/payment-intent.ts';
import { halfHourOf, noTotals, type PaymentTotals, withDelta } from '../src/domain/payment-totals.ts';
import { indexedWords } from '../src/domain/payment-word.ts';
import { newRollUp } from '../src/domain/roll-up.ts';
import { pooledRandom } from '../src/entropy.ts';
import type { DatabaseAddress } from '../src/storage/open-store.ts';
import { inserter } from '../src/storage/sqlite/group-commit.ts';
import { openDatabase } from '../src/storage/sqlite/open-database.ts';
import { columnNames, type Table } from '../src/storage/table.ts';
import { tables } from '../src/storage/tables.ts';
import { type Write, writesInto } from '../src/storage/writes.ts';
import { forJson } from './stored-payments.ts';

const random = pooledRandom();
const writesOf = writesInto(tables);
const monthMs = 30 * 86_400_000;
/** Payments written with one statement or transaction. Their words are sorted, as the service does. */
const batch = 1_000;

export interface Sample {
  readonly ids: readonly string[];
  readonly emails: readonly string[];
}

export const emailOf = (customer: number): string => `customer${customer}@mail.example`;

/** The same number every time, evenly distributed. */
function chance(at: number, what: string): number {
  return createHash('md5').update(`${at} ${what}`).digest().readUInt32BE() / 2 ** 32;
}

function paymentOf(merchantId: string, at: number, createdAt: number, count: number): Payment {
  const currency = chance(at, 'currency') < 0.8 ? 'EUR' : 'USD';
  const { session, intent } = newPayment(
    { merchantId, livemode: false },
    {
      ...{
        amount: 100 + Math.floor(chance(at, 'amount') * 20_000),
        currency,
        metadata: { order: String(10_000 + at) },
      },
      ...{ returnUrl: 'https://shop.example/thanks', cancelUrl: null, captureMethod: 'automatic' },
      ...{ paymentMethodTypes: ['card'], description: 'Two bags of coffee', locale: 'auto', lineItems: null },
      collect: [],
      uiMode: 'hosted',
      customerEmail: emailOf(Math.floor(chance(at, 'customer') * count * 0.3)),
    },
    86_400,
    momentAt(createdAt, random),
  );
  const outcome = chance(at, 'outcome');
  const last4 = String(Math.floor(chance(at, 'card') * 10_000)).padStart(4, '0');
  const card = { type: 'card', card: { brand: 'visa', last4, exp_month: 12, exp_year: 2034 } } as const;
  const attempted = { paymentMethod: card, acquirer: { provider: 'sandbox', reference: `op_${at}` } } as const;
  // Their sessions have ended, so that no job has to end them during the measurement.
  const change = (fields: Partial<PaymentIntent>): Payment => ({
    intent: { ...intent, ...fields },
    session: { ...session, status: fields.status === 'succeeded' ? 'completed' : 'expired' },
  });
  if (outcome < 0.7) return change({ ...attempted, status: 'succeeded', amountCaptured: intent.amount });
  if (outcome < 0.73)
    return change({ ...attempted, status: 'succeeded', amountCaptured: intent.amount, amountRefunded: intent.amount });
  return outcome < 0.9
    ? change({ status: 'expired' })
    : change({ ...(outcome < 0.95 ? attempted : {}), status: 'canceled' });
}

/** Of one in two hundred. */
function disputesOf({ id, merchantId, livemode, amount, currency, status, createdAt }: PaymentIntent): Dispute[] {
  if (status !== 'succeeded' || chance(createdAt, 'dispute') >= 0.005) return [];
  return [
    {
      ...{ id: id.replace('pi_', 'dp_'), merchantId, livemode, version: 0, paymentIntentId: id, amount, currency },
      ...{ reason: 'fraudulent', status: 'lost', evidenceDueBy: null, isClosed: true, createdAt },
      acquirer: { provider: 'sandbox', reference: id },
    },
  ];
}

/** `write` gets rows in batches. Returns what searches can look for. */
async function writeMonth(
  merchantId: string,
  count: number,
  write: (writes: readonly Write[]) => Promise<void> | void,
): Promise<Sample> {
  // Everything is older than the time for which payments are examined one by one.
  const end = Date.now() - 60_000;
  const totals = new Map<string, PaymentTotals>();
  const scope = { merchantId, livemode: false };
  const ids: string[] = [];
  let lastId = '';
  for (let from = 0; from < count; from += batch) {
    const payments = Array.from({ length: Math.min(batch, count - from) }, (_, offset) => {
      const at = from + offset;
      return paymentOf(merchantId, at, Math.floor(end - monthMs + (at / count) * monthMs), count);
    });
    for (const { intent } of payments) addTo(totals, intent);
    const words = payments.flatMap((payment) => indexedWords(payment));
    await write(
      writesOf({
        paymentIntents: payments.map(({ intent }) => intent),
        checkoutSessions: payments.map(({ session }) => session),
        disputes: payments.flatMap(({ intent }) => disputesOf(intent)),
        paymentWords: words.toSorted((a, b) => a.period - b.period || a.word - b.word),
      }),
    );
    ids.push(...payments.filter((_, offset) => offset % 100 === 0).map(({ intent }) => intent.id));
    lastId = payments.reduce((last, { intent }) => (intent.id > last ? intent.id : last), lastId);
  }
  const rollUps = [newRollUp(scope, 'totals'), { ...newRollUp(scope, 'search'), paymentIntentId: lastId }];
  await write(writesOf({ paymentTotals: [...totals.values()], rollUps }));
  const emails = Array.from({ length: 100 }, (_, at) => emailOf(Math.floor(chance(at * 7, 'customer') * count * 0.3)));
  return { ids, emails };
}

function addTo(
  totals: Map<string, PaymentTotals>,
  { status, amountCaptured, currency, merchantId, createdAt }: PaymentIntent,
) {
  const id = halfHourOf(createdAt);
  const before = totals.get(id) ?? noTotals({ merchantId, livemode: false }, id);
  const counted = { gross: amountCaptured, succeeded: 1, refunded: 0, refunds: 0 };
  const delta = status === 'succeeded' ? { currency, totals: counted } : { decline: 'insufficient_funds' };
  totals.set(id, withDelta(before, delta));
}

export function fillMonth(address: DatabaseAddress, merchantId: string, count: number): Promise<Sample> {
  return address.engine === 'sqlite'
    ? fillSqlite(address.path, merchantId, count)
    : fillPostgres(address.url, merchantId, count);
}

async function fillSqlite(path: string, merchantId: string, count: number): Promise<Sample> {
  const database = openDatabase(path);
  database.exec('PRAGMA synchronous = OFF');
  const inserters = new Map<Table<unknown>, (record: Write['record']) => number>();
  const sample = await writeMonth(merchantId, count, (writes) => {
    database.exec('BEGIN');
    for (const { table, record } of writes) {
      const insert = inserters.get(table) ?? inserter(database, table);
      inserters.set(table, insert);
      insert(record);
    }
    database.exec('COMMIT');
  });
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return sample;
}

async function fillPostgres(url: string, merchantId: string, count: number): Promise<Sample> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  const sample = await writeMonth(merchantId, count, async (writes) => {
    for (const [table, ofTable] of Map.groupBy(writes, (write) => write.table)) {
      const columns = columnNames(table);
      const rows = ofTable.map(({ record }) =>
        Object.fromEntries(table.columns.map((column) => [column.name, forJson(column, record[column.field])])),
      );
      await client.query(
        `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table.name}, $1)`,
        [JSON.stringify(rows)],
      );
    }
  });
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
  return sample;
}
