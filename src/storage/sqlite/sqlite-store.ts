// The store in one SQLite file: the embedded default.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Payment } from '../../domain/life-cycle.ts';
import type { Scope } from '../../domain/merchant.ts';
import { migrationsFor } from '../migrations.ts';
import { StorageUnavailable, type Store } from '../store.ts';
import {
  apiKeys,
  auditEntries,
  checkoutSessions,
  events,
  facts,
  idempotencyRecords,
  merchantLooks,
  merchants,
  operations,
  paymentIntents,
  refunds,
  sandboxFollowUps,
  sandboxPayments,
} from '../tables.ts';
import { atTurnsEnd } from './at-turns-end.ts';
import { sqliteClaims } from './claims.ts';
import { sqliteDeliveries } from './deliveries.ts';
import { groupCommit } from './group-commit.ts';
import { appliedMigrations, openMigratedDatabase, orUnavailable, takeServingLock } from './open-database.ts';
import { atPlace, placeOfId, placeOfKey } from './places.ts';
import { reader } from './reader.ts';
import { sqliteResealing } from './resealing.ts';

export interface SqliteOptions {
  readonly path: string;
  /** A serving process has the file to itself; short commands work beside it. */
  readonly serving: boolean;
}

export function openSqliteStore({ path, serving }: SqliteOptions): Store {
  const lock = serving ? takeServingLock(path) : null;
  let database: DatabaseSync;
  try {
    database = openMigratedDatabase(path, serving);
  } catch (error) {
    lock?.release();
    throw error;
  }
  const read = reader(database);
  const group = groupCommit(database, read.end);
  const latestMigration = migrationsFor('sqlite').length;

  const scoped = (scope: Scope, key: string): SQLInputValue[] => [scope.merchantId, scope.livemode ? 1 : 0, key];
  // The plus keeps SQLite from an index that it would prefer to the place.
  const inScope = '+merchant_id = ? AND livemode = ?';
  const intentAt = read.one(paymentIntents, `WHERE ${atPlace} AND ${inScope} AND id = ?`);
  const sessionAt = read.one(checkoutSessions, `WHERE ${atPlace} AND ${inScope} AND id = ?`);
  const anySessionAt = read.one(checkoutSessions, `WHERE ${atPlace} AND id = ?`);
  const recordAt = read.one(idempotencyRecords, `WHERE place = ? AND ${inScope} AND key = ?`);
  const intentById = (scope: Scope, id: string) => intentAt(placeOfId(id), ...scoped(scope, id));
  const sessionById = (scope: Scope, id: string) => sessionAt(placeOfId(id), ...scoped(scope, id));
  const merchantById = read.one(merchants, 'WHERE id = ?');
  const lookOfMerchant = read.one(merchantLooks, 'WHERE id = ?');
  const keyById = read.one(apiKeys, 'WHERE id = ?');
  const keyByHash = read.one(apiKeys, 'WHERE hash = ?');
  const keysOfMerchant = read.many(apiKeys, 'WHERE merchant_id = ? ORDER BY id');
  const factByName = read.one(facts, 'WHERE name = ?');
  const operationById = read.one(operations, 'WHERE id = ?');
  const eventById = read.one(events, 'WHERE merchant_id = ? AND livemode = ? AND id = ?');
  const eventsAfter = read.many(
    events,
    'WHERE merchant_id = ? AND livemode = ? AND id > ? ORDER BY merchant_id, livemode, id LIMIT ?',
  );
  const refundById = read.one(refunds, 'WHERE merchant_id = ? AND livemode = ? AND id = ?');
  const sandboxPaymentById = read.one(sandboxPayments, 'WHERE id = ?');
  const sandboxFollowUpById = read.one(sandboxFollowUps, 'WHERE id = ?');
  const claims = sqliteClaims(database, read.end);
  const markUsed = database.prepare(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const prune = database.prepare(`
    DELETE FROM idempotency_records WHERE rowid IN (
      SELECT rowid FROM idempotency_records WHERE created_at < ? ORDER BY created_at LIMIT ?)`);

  const countDeclines = new Map(
    (['checkout_session_id', 'address_hash', 'card_hash'] as const).map((column) => [
      column,
      database.prepare(`
        SELECT count(*) AS count, coalesce(max(created_at), 0) AS last_at FROM operations
        WHERE ${column} = ? AND status = 'failed' AND created_at >= ?`),
    ]),
  );
  function declinesBy(
    column: 'checkout_session_id' | 'address_hash' | 'card_hash',
    value: string | null,
    since: number,
  ) {
    const row = countDeclines.get(column)?.get(value, since);
    return { count: Number(row?.count ?? 0), lastAt: Number(row?.last_at ?? 0) };
  }
  function pair(intent: Payment['intent'] | null, session: Payment['session'] | null): Payment | null {
    return intent === null || session === null ? null : { intent, session };
  }

  return {
    commit: group.commit,

    paymentIntent: atTurnsEnd(intentById),
    checkoutSession: atTurnsEnd(sessionById),
    // Two reads in one turn of the event loop: nothing is written between them by this process, the only one serving.
    async paymentOfSession(scope, sessionId) {
      const session = sessionById(scope, sessionId);
      return pair(session && intentById(scope, session.paymentIntentId), session);
    },
    async paymentOfIntent(scope, intentId) {
      const intent = intentById(scope, intentId);
      return pair(intent, intent && sessionById(scope, intent.checkoutSessionId));
    },
    paymentIntents: async (scope, page) => read.page(paymentIntents, scope, page),
    checkoutSessions: async (scope, page) => read.page(checkoutSessions, scope, page),
    checkout: atTurnsEnd((sessionId: string) => {
      const session = anySessionAt(placeOfId(sessionId), sessionId);
      const intent = session && intentById(session, session.paymentIntentId);
      const merchant = session && lookOfMerchant(session.merchantId);
      return session && intent && merchant && { session, intent, merchant };
    }),
    operation: async (id) => operationById(id),
    refund: async (scope, id) => refundById(...scoped(scope, id)),
    refunds: async (scope, page) => read.page(refunds, scope, page),
    event: async (scope, id) => eventById(...scoped(scope, id)),
    events: async (scope, page) => read.page(events, scope, page),
    eventsAfter: async (scope, afterId, limit) => eventsAfter(...scoped(scope, afterId), limit),
    idempotencyRecord: atTurnsEnd((scope: Scope, key: string) =>
      recordAt(placeOfKey(scope, key), ...scoped(scope, key)),
    ),

    async credential(keyHash) {
      const key = keyByHash(keyHash);
      const merchant = key && merchantById(key.merchantId);
      return key && merchant && { key, merchant };
    },
    merchant: async (id) => merchantById(id),
    merchants: async (page) => read.page(merchants, null, page),
    apiKeys: async (merchantId) => keysOfMerchant(merchantId),
    apiKey: async (id) => keyById(id),
    auditEntries: async (page) => read.page(auditEntries, null, page),
    fact: async (name) => factByName(name)?.value ?? null,

    ...claims,
    ...sqliteDeliveries(database, read, group),
    ...sqliteResealing(database, read, group),
    async declines({ sessionId, addressHash, cardHash }, since) {
      return {
        session: declinesBy('checkout_session_id', sessionId, since),
        address: declinesBy('address_hash', addressHash, since),
        card: declinesBy('card_hash', cardHash, since),
      };
    },
    sandboxPayment: async (reference) => sandboxPaymentById(reference),
    sandboxFollowUp: async (reference) => sandboxFollowUpById(reference),
    async markKeysUsed(uses) {
      read.end();
      orUnavailable(() => {
        for (const { id, usedAt } of uses) markUsed.run(usedAt, id);
      });
    },
    async pruneIdempotencyRecords(before, limit) {
      read.end();
      return orUnavailable(() => Number(prune.run(before, limit).changes));
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
