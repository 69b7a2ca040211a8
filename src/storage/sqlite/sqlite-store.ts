// The store in one SQLite file: the embedded default.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Payment } from '../../domain/life-cycle.ts';
import type { Scope } from '../../domain/merchant.ts';
import { migrationsFor } from '../migrations.ts';
import { StorageUnavailable, type Store } from '../store.ts';
import { apiKeys, checkoutSessions, events, facts, idempotencyRecords, merchants, paymentIntents } from '../tables.ts';
import { groupCommit } from './group-commit.ts';
import { appliedMigrations, openMigratedDatabase, takeServingLock } from './open-database.ts';
import { reader } from './reader.ts';

export interface SqliteOptions {
  readonly path: string;
  /** A serving process has the file to itself; short commands work beside it. */
  readonly serving: boolean;
}

export function openSqliteStore({ path, serving }: SqliteOptions): Store {
  const lock = serving ? takeServingLock(path) : null;
  let database: DatabaseSync;
  try {
    database = openMigratedDatabase(path);
  } catch (error) {
    lock?.release();
    throw error;
  }
  const read = reader(database);
  const group = groupCommit(database, read.end);
  const latestMigration = migrationsFor('sqlite').length;

  const scoped = (scope: Scope, key: string): SQLInputValue[] => [scope.merchantId, scope.livemode ? 1 : 0, key];
  const intentById = read.one(paymentIntents, 'WHERE merchant_id = ? AND livemode = ? AND id = ?');
  const sessionById = read.one(checkoutSessions, 'WHERE merchant_id = ? AND livemode = ? AND id = ?');
  const recordByKey = read.one(idempotencyRecords, 'WHERE merchant_id = ? AND livemode = ? AND key = ?');
  const merchantById = read.one(merchants, 'WHERE id = ?');
  const keyById = read.one(apiKeys, 'WHERE id = ?');
  const keyByHash = read.one(apiKeys, 'WHERE hash = ?');
  const keysOfMerchant = read.many(apiKeys, 'WHERE merchant_id = ? ORDER BY id');
  const factByName = read.one(facts, 'WHERE name = ?');
  const claimExpired = database.prepare(`
    UPDATE checkout_sessions SET expiry_claimed_until = ? WHERE rowid IN (
      SELECT s.rowid FROM checkout_sessions s
      JOIN payment_intents p ON p.merchant_id = s.merchant_id AND p.livemode = s.livemode AND p.id = s.payment_intent_id
      WHERE s.status = 'open' AND s.expires_at <= ? AND s.expiry_claimed_until <= ? AND p.status <> 'processing'
      ORDER BY s.expires_at LIMIT ?)
    RETURNING merchant_id, livemode, id, expires_at`);
  const markUsed = database.prepare(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const prune = database.prepare(`
    DELETE FROM idempotency_records WHERE rowid IN (
      SELECT rowid FROM idempotency_records WHERE created_at < ? ORDER BY created_at LIMIT ?)`);

  function pair(intent: Payment['intent'] | null, session: Payment['session'] | null): Payment | null {
    return intent === null || session === null ? null : { intent, session };
  }

  return {
    commit: group.commit,

    paymentIntent: async (scope, id) => intentById(...scoped(scope, id)),
    checkoutSession: async (scope, id) => sessionById(...scoped(scope, id)),
    // Two reads in one turn of the event loop: nothing is written between them by this process, the only one serving.
    async paymentOfSession(scope, sessionId) {
      const session = sessionById(...scoped(scope, sessionId));
      return pair(session && intentById(...scoped(scope, session.paymentIntentId)), session);
    },
    async paymentOfIntent(scope, intentId) {
      const intent = intentById(...scoped(scope, intentId));
      return pair(intent, intent && sessionById(...scoped(scope, intent.checkoutSessionId)));
    },
    paymentIntents: async (scope, page) => read.page(paymentIntents, scope, page),
    checkoutSessions: async (scope, page) => read.page(checkoutSessions, scope, page),
    events: async (scope, page) => read.page(events, scope, page),
    idempotencyRecord: async (scope, key) => recordByKey(...scoped(scope, key)),

    async credential(keyHash) {
      const key = keyByHash(keyHash);
      const merchant = key && merchantById(key.merchantId);
      return key && merchant && { key, merchant };
    },
    merchant: async (id) => merchantById(id),
    merchants: async (page) => read.page(merchants, null, page),
    apiKeys: async (merchantId) => keysOfMerchant(merchantId),
    apiKey: async (id) => keyById(id),
    fact: async (name) => factByName(name)?.value ?? null,

    async claimExpiredSessions({ now, leaseMs, limit }) {
      read.end();
      const rows = claimExpired.all(now + leaseMs, now, now, limit);
      // RETURNING has no order of its own.
      rows.sort((a, b) => Number(a.expires_at) - Number(b.expires_at));
      return rows.map((row) => ({
        merchantId: String(row.merchant_id),
        livemode: row.livemode === 1,
        id: String(row.id),
      }));
    },
    async markKeysUsed(uses) {
      read.end();
      for (const { id, usedAt } of uses) markUsed.run(usedAt, id);
    },
    async pruneIdempotencyRecords(before, limit) {
      read.end();
      return Number(prune.run(before, limit).changes);
    },

    async check() {
      const applied = appliedMigrations(database);
      if (applied < latestMigration) {
        throw new StorageUnavailable(
          `migration ${latestMigration} is not applied (at ${applied}): run paydesk migrate`,
        );
      }
    },
    async close() {
      group.drain();
      read.end();
      database.close();
      lock?.release();
    },
  };
}
