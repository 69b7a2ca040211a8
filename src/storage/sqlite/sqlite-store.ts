// The store in one SQLite file: the embedded default.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Payment } from '../../domain/life-cycle.ts';
import type { Scope } from '../../domain/merchant.ts';
import { cursorIn, eventCursorSql } from '../event-cursor.ts';
import { migrationsFor, refusePending } from '../migrations.ts';
import type { SchemaUse, Store } from '../store.ts';
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
  positionedEvents,
  refunds,
  sandboxFollowUps,
  sandboxPayments,
} from '../tables.ts';
import { atEndOfTick } from './at-end-of-tick.ts';
import { sqliteAttempts } from './attempt-counts.ts';
import { sqliteClaims } from './claims.ts';
import { existingDatabaseFile, makeDatabaseFile, refuseOtherFile } from './database-file.ts';
import { sqliteDeliveries } from './deliveries.ts';
import { groupCommit } from './group-commit.ts';
import { appliedMigrations } from './migrate.ts';
import { openDatabaseToRead, openExistingDatabase, openMigratedDatabase, takeServingLock } from './open-database.ts';
import { atPlace, placeOfId, placeOfKey } from './places.ts';
import { reader } from './reader.ts';
import { sqliteResealing } from './resealing.ts';

export interface SqliteOptions {
  readonly path: string;
  /** A serving process has the file to itself; short commands work beside it. */
  readonly serving: boolean;
  readonly schema?: SchemaUse;
  readonly onNotice?: (message: string) => void;
  /** How long a write waits for another process to unlock the file. */
  readonly maxLockedMs?: number;
}

export function openSqliteStore(options: SqliteOptions): Store {
  const { path, serving, schema = 'migrate', maxLockedMs } = options;
  if (schema === 'migrate') makeDatabaseFile(path);
  else existingDatabaseFile(path);
  refuseOtherFile(path);
  const lock = serving ? takeServingLock(path) : null;
  let database: DatabaseSync;
  try {
    database = openFor(schema, options);
  } catch (error) {
    lock?.release();
    throw error;
  }
  const read = reader(database);
  const group = groupCommit(database, read.end, maxLockedMs);
  const migrations = migrationsFor('sqlite');

  const scoped = (scope: Scope, key: SQLInputValue): SQLInputValue[] => [scope.merchantId, scope.livemode ? 1 : 0, key];
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
    positionedEvents,
    'WHERE merchant_id = ? AND livemode = ? AND position > ? ORDER BY merchant_id, livemode, position LIMIT ?',
  );
  const eventCursor = database.prepare(eventCursorSql('?1', '?2', '?3'));
  const refundById = read.one(refunds, 'WHERE merchant_id = ? AND livemode = ? AND id = ?');
  const sandboxPaymentById = read.one(sandboxPayments, 'WHERE id = ?');
  const sandboxFollowUpById = read.one(sandboxFollowUps, 'WHERE id = ?');
  const claims = sqliteClaims(database, group);
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

    paymentIntent: atEndOfTick(intentById),
    checkoutSession: atEndOfTick(sessionById),
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
    checkout: atEndOfTick((sessionId: string) => {
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
    eventsAfter: async (scope, position, limit) => eventsAfter(...scoped(scope, position), limit),
    eventCursor: async (scope, afterId) => cursorIn(eventCursor.get(...scoped(scope, afterId))),
    idempotencyRecord: atEndOfTick((scope: Scope, key: string) =>
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
    ...sqliteAttempts(database, read, group),
    sandboxPayment: async (reference) => sandboxPaymentById(reference),
    sandboxFollowUp: async (reference) => sandboxFollowUpById(reference),
    async markKeysUsed(uses) {
      if (uses.length === 0) return;
      await group.join(() => {
        for (const { id, usedAt } of uses) markUsed.run(usedAt, id);
      });
    },
    pruneIdempotencyRecords: (before, limit) => group.join(() => Number(prune.run(before, limit).changes)),

    time: async () => null,
    async check() {
      refusePending(migrations, appliedMigrations(database));
    },
    async close() {
      await group.drain();
      read.end();
      database.close();
      lock?.release();
    },
  };
}

function openFor(schema: SchemaUse, { path, serving, onNotice }: SqliteOptions): DatabaseSync {
  if (schema === 'read-only') return openDatabaseToRead(path);
  return schema === 'existing' ? openExistingDatabase(path) : openMigratedDatabase(path, serving, onNotice);
}
