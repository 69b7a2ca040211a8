// The store on a PostgreSQL server: for more than one process or machine.

import pg from 'pg';
import type { ChangeSet, CommitOutcome } from '../../domain/change-set.ts';
import type { Scope } from '../../domain/merchant.ts';
import { migrationsFor } from '../migrations.ts';
import { StorageUnavailable, type Store } from '../store.ts';
import {
  apiKeys,
  auditEntries,
  checkoutSessions,
  events,
  facts,
  merchants,
  operations,
  paymentIntents,
  refunds,
  sandboxFollowUps,
  sandboxPayments,
  tables,
  writesOf,
} from '../tables.ts';
import { postgresClaims } from './claims.ts';
import { commitStatement } from './commit-statement.ts';
import { postgresDeliveries } from './deliveries.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { postgresPaymentLookUps } from './payment-look-ups.ts';
import { reader } from './reader.ts';
import { postgresResealing } from './resealing.ts';
import { type Query, type Row, type RowsOf, types } from './rows.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** How long a query may take: a connection can be dead without saying so, and is then replaced. */
  readonly queryTimeoutMs?: number;
  /** Told of connections that broke while idle; the pool replaces them. */
  readonly onConnectionLost: (error: Error) => void;
}

export async function openPostgresStore({
  url,
  maxConnections,
  queryTimeoutMs = 12_000,
  onConnectionLost,
}: PostgresOptions): Promise<Store> {
  await reporting(() => migrate(url));
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: 'paydesk',
    types,
  });
  pool.on('error', onConnectionLost);
  const query: Query = (config) => reporting(() => pool.query<Row>(config));
  const rowsOf: RowsOf = async (config) => {
    const { rows } = await reporting(() => pool.query<unknown[]>({ ...config, rowMode: 'array' }));
    return rows;
  };
  const latestMigration = migrationsFor('postgres').length;

  const { one, many, page } = reader(rowsOf);

  return {
    commit: (changes) => commit(query, changes),

    ...postgresPaymentLookUps(rowsOf),
    paymentIntents: (scope, asked) => page(paymentIntents, scope, asked),
    checkoutSessions: (scope, asked) => page(checkoutSessions, scope, asked),
    operation: (id) => one(operations, 'by id', 'WHERE id = $1', [id]),
    refund: (scope, id) =>
      one(refunds, 'by id', 'WHERE merchant_id = $1 AND livemode = $2 AND id = $3', [...scoped(scope), id]),
    refunds: (scope, asked) => page(refunds, scope, asked),
    event: (scope, id) =>
      one(events, 'by id', 'WHERE merchant_id = $1 AND livemode = $2 AND id = $3', [...scoped(scope), id]),
    events: (scope, asked) => page(events, scope, asked),
    eventsAfter: (scope, afterId, limit) =>
      many(
        events,
        'after id',
        'WHERE merchant_id = $1 AND livemode = $2 AND id > $3 ORDER BY merchant_id, livemode, id LIMIT $4',
        [...scoped(scope), afterId, limit],
      ),
    async credential(keyHash) {
      const key = await one(apiKeys, 'by hash', 'WHERE hash = $1', [keyHash]);
      const merchant = key && (await one(merchants, 'by id', 'WHERE id = $1', [key.merchantId]));
      return key && merchant && { key, merchant };
    },
    merchant: (id) => one(merchants, 'by id', 'WHERE id = $1', [id]),
    merchants: (asked) => page(merchants, null, asked),
    apiKeys: (merchantId) => many(apiKeys, 'of merchant', 'WHERE merchant_id = $1 ORDER BY id', [merchantId]),
    apiKey: (id) => one(apiKeys, 'by id', 'WHERE id = $1', [id]),
    auditEntries: (asked) => page(auditEntries, null, asked),
    fact: async (name) => (await one(facts, 'by name', 'WHERE name = $1', [name]))?.value ?? null,

    ...postgresClaims(query),
    ...postgresDeliveries(query, rowsOf),
    ...postgresResealing(query, rowsOf),
    async declines({ sessionId, addressHash, cardHash }, since) {
      const { rows } = await query({
        name: 'count declines',
        text: declinesSql,
        values: [sessionId, addressHash, cardHash, since],
      });
      const of = (by: string) => {
        const row = rows.find((candidate) => candidate.by === by);
        return { count: Number(row?.count ?? 0), lastAt: Number(row?.last_at ?? 0) };
      };
      return { session: of('session'), address: of('address'), card: of('card') };
    },
    sandboxPayment: (reference) => one(sandboxPayments, 'by id', 'WHERE id = $1', [reference]),
    sandboxFollowUp: (reference) => one(sandboxFollowUps, 'by id', 'WHERE id = $1', [reference]),
    async markKeysUsed(uses) {
      await query({
        name: 'mark keys used',
        text: `UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
               FROM (SELECT id, max(at) AS at FROM unnest($1::text[], $2::bigint[]) AS use (id, at) GROUP BY id) used
               WHERE api_keys.id = used.id`,
        values: [uses.map(({ id }) => id), uses.map(({ usedAt }) => usedAt)],
      });
    },
    async pruneIdempotencyRecords(before, limit) {
      const { rowCount } = await query({
        name: 'prune idempotency records',
        text: `DELETE FROM idempotency_records WHERE (merchant_id, livemode, key) IN (
                 SELECT merchant_id, livemode, key FROM idempotency_records
                 WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
        values: [before, limit],
      });
      return rowCount ?? 0;
    },

    async check() {
      const applied = await reporting(() => appliedMigrations(pool));
      if (applied < latestMigration) {
        throw new StorageUnavailable(
          `migration ${latestMigration} is not applied (at ${applied}): run paydesk migrate`,
        );
      }
    },
    close: () => pool.end(),
  };
}

function scoped(scope: Scope): unknown[] {
  return [scope.merchantId, scope.livemode];
}

const declinesSql = (
  [
    ['session', 'checkout_session_id = $1'],
    ['address', 'address_hash = $2'],
    ['card', 'card_hash = $3'],
  ] as const
)
  .map(
    ([by, condition]) => `
    SELECT '${by}' AS by, count(*) AS count, coalesce(max(created_at), 0) AS last_at FROM operations
    WHERE ${condition} AND status = 'failed' AND created_at >= $4`,
  )
  .join(' UNION ALL ');

const uniqueViolation = '23505';
/** Two change sets that lock the same rows in another order: one of them is to decide again. */
const deadlock = '40P01';

async function commit(query: Query, changes: ChangeSet): Promise<CommitOutcome> {
  const writes = writesOf(changes);
  if (writes.length === 0) return { committed: true };
  try {
    const { rows } = await query(commitStatement(writes));
    return rows[0]?.open === true ? { committed: true } : { committed: false, conflict: 'version' };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.code === deadlock) return { committed: false, conflict: 'version' };
    if (error.code !== uniqueViolation) throw error;
    const taken = tables.find((table) => table.name === error.table);
    return { committed: false, conflict: taken?.taken ?? 'version' };
  }
}

/** SQLSTATE classes that say the server cannot serve now: connection, resources, operator intervention, system. */
const unavailableClasses = ['08', '53', '57', '58'];

async function reporting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof pg.DatabaseError && !unavailableClasses.includes(error.code?.slice(0, 2) ?? '')) throw error;
    if (error instanceof RangeError || error instanceof TypeError || error instanceof StorageUnavailable) throw error;
    // A name with several addresses, none of which answers, gives an error that has only a code.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StorageUnavailable(`PostgreSQL did not answer: ${message || code}`, { cause: error });
  }
}
