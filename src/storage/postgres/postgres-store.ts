// The store on a PostgreSQL server: for more than one process or machine.

import type { ChangeSet, CommitOutcome } from '../../domain/change-set.ts';
import type { Scope } from '../../domain/merchant.ts';
import { cursorIn, eventCursorSql } from '../event-cursor.ts';
import { migrationsFor, refusePending } from '../migrations.ts';
import type { Store } from '../store.ts';
import {
  apiKeys,
  auditEntries,
  checkoutSessions,
  events,
  facts,
  merchants,
  operations,
  paymentIntents,
  positionedEvents,
  refunds,
  sandboxFollowUps,
  sandboxPayments,
  tables,
  writesOf,
} from '../tables.ts';
import { limitConstraint, postgresAttempts } from './attempt-counts.ts';
import { postgresClaims } from './claims.ts';
import { commitStatement } from './commit-statement.ts';
import { postgresDeliveries } from './deliveries.ts';
import { brokenConstraint, isConflict, reporting, takenIn } from './failures.ts';
import { appliedMigrations } from './migrate.ts';
import { postgresPaymentLookUps } from './payment-look-ups.ts';
import { openPool } from './pool.ts';
import { type PrepareOptions, prepareDatabase } from './prepare-database.ts';
import { reader } from './reader.ts';
import { postgresResealing } from './resealing.ts';
import type { Query, Row, RowsOf } from './rows.ts';

export interface PostgresOptions extends PrepareOptions {
  readonly maxConnections: number;
  /** How long a query may take: a connection can be dead without saying so, and is then replaced. */
  readonly queryTimeoutMs?: number;
}

const statementTimeoutMs = 10_000;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, maxConnections, queryTimeoutMs = 12_000, onConnectionLost, schema: use = 'migrate' } = options;
  const { schema, lock } = await reporting(() => prepareDatabase(options));
  const pool = openPool({
    ...{ url, maxConnections, queryTimeoutMs, onConnectionLost },
    session: { schema, statementTimeoutMs, readOnly: use === 'read-only' },
  });
  const query: Query = (config) => reporting(() => pool.query<Row>(config));
  const rowsOf: RowsOf = async (config) => {
    const { rows } = await reporting(() => pool.query<unknown[]>({ ...config, rowMode: 'array' }));
    return rows;
  };
  const held = () => lock?.held() ?? null;
  const migrations = migrationsFor('postgres');

  const { one, many, page } = reader(rowsOf);

  return {
    async commit(changes) {
      const waiting = held();
      if (waiting !== null) await waiting;
      return commit((config) => reporting(() => pool.query<Row>(config), { conflicts: true }), changes);
    },

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
    eventsAfter: (scope, position, limit) =>
      many(
        positionedEvents,
        'after position',
        'WHERE merchant_id = $1 AND livemode = $2 AND position > $3 ORDER BY merchant_id, livemode, position LIMIT $4',
        [...scoped(scope), position, limit],
      ),
    async eventCursor(scope, afterId) {
      const { rows } = await query({ name: 'event cursor', text: cursorSql, values: [...scoped(scope), afterId] });
      return cursorIn(rows[0]);
    },
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
    ...postgresAttempts(query, rowsOf),
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

    async time() {
      const text = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';
      const { rows } = await query({ name: 'time', text });
      return Number(rows[0]?.ms);
    },
    async check() {
      refusePending(migrations, await appliedMigrations((text) => query({ text })));
      await held();
    },
    async close() {
      await Promise.all([pool.end(), lock?.close()]);
    },
  };
}

function scoped(scope: Scope): unknown[] {
  return [scope.merchantId, scope.livemode];
}

const cursorSql = eventCursorSql('$1', '$2', '$3::text');

async function commit(query: Query, changes: ChangeSet): Promise<CommitOutcome> {
  const writes = writesOf(changes);
  const { attemptCounts = [] } = changes;
  if (writes.length === 0 && attemptCounts.length === 0) return { committed: true };
  try {
    const { rows } = await query(commitStatement(writes, attemptCounts));
    if (rows[0]?.open === true) return { committed: true };
    return { committed: false, conflict: rows[0]?.crowded === true ? 'limit' : 'version' };
  } catch (error) {
    if (isConflict(error)) return { committed: false, conflict: 'version' };
    if (brokenConstraint(error) === limitConstraint) return { committed: false, conflict: 'limit' };
    const taken = takenIn(error);
    if (taken === null) throw error;
    return { committed: false, conflict: tables.find(({ name }) => name === taken)?.taken ?? 'version' };
  }
}
