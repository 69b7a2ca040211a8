// A commit on PostgreSQL finds its rows by their keys, also if the connection was opened when the tables were empty.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Payment } from '../../src/domain/life-cycle.ts';
import { newOperation } from '../../src/domain/operation.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { tablesWithIdIndex } from '../../src/storage/postgres/key-conditions.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { freshDatabase, postgres } from '../support/engines.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aMoment, anEvent, anIdempotencyRecord, aPayment, aScope } from '../support/records.ts';

const count = 1_500;
/** A few for each row. If a plan reads all rows of the merchant, it is hundreds. */
const maxReads = 50;

function opened({ intent, session }: Payment) {
  const about = { kind: 'payment', paymentIntentId: intent.id, checkoutSessionId: session.id, amount: 1250 } as const;
  return newOperation(aMoment().newId('op'), intent, about, aMoment());
}

const byTwenty = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  for (let at = 0; at < items.length; at += 20) await Promise.all(items.slice(at, at + 20).map(work));
};

function urlOf(address: DatabaseAddress): string {
  assert.equal(address.engine, 'postgres');
  return address.url;
}

async function indexEntriesRead(address: DatabaseAddress): Promise<number> {
  return withClient(urlOf(address), async (client) => {
    const { rows } = await client.query('SELECT sum(idx_tup_read) AS reads FROM pg_stat_user_indexes');
    return Number(rows[0]?.reads);
  });
}

async function pay(store: Store, payment: Payment): Promise<void> {
  const operation = opened(payment);
  const record = anIdempotencyRecord({
    merchantId: operation.merchantId,
    livemode: operation.livemode,
    key: operation.id,
  });
  await mustCommit(store, { ...changesOf(payment), operations: [operation], idempotencyRecords: [record] });
  const [intent, session] = [payment.intent, payment.session].map((row) => ({ ...row, version: 1 }));
  await mustCommit(store, {
    paymentIntents: [intent as Payment['intent']],
    checkoutSessions: [session as Payment['session']],
    operations: [{ ...operation, version: 1, dueAt: null }],
    events: [anEvent(payment.intent)],
  });
}

describe('The tables that are searched by id alone on PostgreSQL', () => {
  it('have an index on it', async (t) => {
    const address = await freshDatabase(t, postgres);
    await (await openStore(address, { serving: false, onConnectionLost: () => {} })).close();
    const { rows } = await withClient(urlOf(address), (client) =>
      client.query("SELECT tablename FROM pg_indexes WHERE indexdef LIKE '% (id)'"),
    );
    const indexed = new Set(rows.map(({ tablename }) => tablename));
    assert.deepEqual(new Set([...tablesWithIdIndex].filter((name) => !indexed.has(name))), new Set());
  });
});

describe('A commit on PostgreSQL', () => {
  it('reads about as many index entries as it writes rows, however many a merchant has', async (t) => {
    const address = await freshDatabase(t, postgres);
    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    const scope = aScope();
    await byTwenty(
      Array.from({ length: count }, () => aPayment({ scope })),
      (payment) => pay(store, payment),
    );
    // The server counts what a connection has read when that ends.
    await store.close();
    const reads = (await indexEntriesRead(address)) / count;
    assert.ok(reads > 1 && reads < maxReads, `${reads} index entries were read for each payment`);
  });
});
