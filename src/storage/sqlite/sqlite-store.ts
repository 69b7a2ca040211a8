// The store in one SQLite file: the embedded default.

import type { DatabaseSync } from 'node:sqlite';
import { accountErrorSql } from '../account-errors.ts';
import { cursorIn, eventCursorSql } from '../event-cursor.ts';
import { migrationsFor, refusePending } from '../migrations.ts';
import type { SchemaUse, Store } from '../store.ts';
import { sources, tables } from '../tables.ts';
import { overdueSql, unfinishedIn, unknownSql } from '../unfinished.ts';
import { writesInto } from '../writes.ts';
import { sqliteAttempts } from './attempt-counts.ts';
import { existingDatabaseFile, makeDatabaseFile, refuseOtherFile } from './database-file.ts';
import { sqliteDeliveryQueue } from './delivery-queue.ts';
import { emptyWriteAheadLog } from './empty-log.ts';
import { sqliteFacts } from './facts.ts';
import { groupCommit } from './group-commit.ts';
import { sqliteImpossibleWaits } from './impossible-waits.ts';
import { appliedMigrations } from './migrate.ts';
import { openDatabaseToRead, openExistingDatabase, openMigratedDatabase, takeServingLock } from './open-database.ts';
import { sqlitePaymentLists } from './payment-list.ts';
import { sqlitePaymentPruning } from './payment-pruning.ts';
import { reader } from './reader.ts';
import { sqliteRecords } from './records.ts';
import { orUnavailable } from './result-codes.ts';
import { sqliteRewrittenEvents } from './rewritten-events.ts';
import { numbered } from './rows.ts';
import { shortSteps } from './short-steps.ts';
import { type LogLimits, writeAheadLog } from './write-ahead-log.ts';

export interface SqliteOptions {
  readonly path: string;
  /** Only one process can serve the file; short commands run alongside it. */
  readonly serving: boolean;
  readonly schema?: SchemaUse;
  readonly onNotice?: (message: string) => void;
  readonly onMigrated?: (applied: number) => void;
  /** How long a write waits for another process to unlock the file. */
  readonly maxLockedMs?: number;
  /** When the write-ahead log of a serving process is copied; tests shorten it. */
  readonly logLimits?: LogLimits;
  /** Measures how long deletions and lists block the process, so that they can be kept short. */
  readonly monotonicMs?: () => number;
}

export function openSqliteStore(options: SqliteOptions): Store {
  const { path, serving, schema = 'migrate', maxLockedMs, onNotice = () => {}, logLimits, monotonicMs } = options;
  const file = schema === 'migrate' ? makeDatabaseFile(path) : existingDatabaseFile(path);
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
  const group = groupCommit(database, { endReading: read.end, onCommitted: () => log?.grew(), maxLockedMs });
  // A short command leaves the log to the serving process.
  const log = serving
    ? writeAheadLog({
        ...{ database, path: file, endReading: read.end, holdWrites: group.hold },
        ...{ onNotice, limits: logLimits },
      })
    : null;
  const migrations = migrationsFor('sqlite');
  const newStep = shortSteps({ alone: group.alone, monotonicMs });
  const { of: recordsOf } = sqliteRecords({ database, read, group, newStep });
  const eventCursor = database.prepare(numbered(eventCursorSql('$1', '$2', '$3')));
  const unknown = database.prepare(unknownSql);
  const overdue = database.prepare(numbered(overdueSql('$1')));
  const markUsed = database.prepare(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );

  const markOpened = database.prepare(
    'UPDATE checkout_sessions SET opened_at = ? WHERE merchant_id = ? AND livemode = ? AND id = ? AND opened_at IS NULL',
  );

  const recordError = database.prepare(numbered(accountErrorSql));

  const records = recordsOf(sources);
  const writesOf = writesInto(tables);
  const payments = sqlitePaymentLists({ database, group, monotonicMs });
  return {
    ...records,
    replica: { ...records, payments },
    commit: (changes) => group.commit(writesOf(changes), changes.attemptCounts),
    recordsOf,
    deliveryQueue: sqliteDeliveryQueue({ database, read, group, newStep }),
    payments,
    async eventCursor({ merchantId, livemode }, afterId) {
      return cursorIn(orUnavailable(() => eventCursor.get(merchantId, livemode ? 1 : 0, afterId)));
    },
    ...sqliteAttempts({ database, read, newStep, emptyLog: log?.empty ?? (async () => emptyWriteAheadLog(database)) }),
    ...sqlitePaymentPruning(database, newStep()),
    ...sqliteFacts(database, group),
    ...sqliteRewrittenEvents(database, group),
    ...sqliteImpossibleWaits(database, newStep),
    async markKeysUsed(uses) {
      if (uses.length === 0) return;
      await group.join(() => {
        for (const { id, usedAt } of uses) markUsed.run(usedAt, id);
      });
    },

    async markSessionsOpened(openings) {
      if (openings.length === 0) return;
      await group.join(() => {
        for (const { merchantId, livemode, id, openedAt } of openings)
          markOpened.run(openedAt, merchantId, livemode ? 1 : 0, id);
      });
    },

    async recordAccountErrors(errors) {
      if (errors.length === 0) return;
      await group.join(() => {
        for (const { at, message, merchantId, livemode, id } of errors)
          recordError.run(at, message, merchantId, livemode ? 1 : 0, id);
      });
    },

    unfinished: async (now) => orUnavailable(() => unfinishedIn(unknown.all(), overdue.get(now))),

    // No other process serves the file; commands commit no events.
    onCommittedElsewhere() {},
    time: async () => null,
    async check() {
      refusePending(migrations, appliedMigrations(database));
    },
    async close() {
      await group.drain();
      read.end();
      await log?.end();
      database.close();
      log?.closeFile();
      lock?.release();
    },
  };
}

function openFor(schema: SchemaUse, options: SqliteOptions): DatabaseSync {
  if (schema === 'read-only') return openDatabaseToRead(options.path);
  return schema === 'existing' ? openExistingDatabase(options.path) : openMigratedDatabase(options.path, options);
}
