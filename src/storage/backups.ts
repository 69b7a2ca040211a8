// Backup and restore of a database that is a file. On PostgreSQL, the server's own programs do that.

import type { DatabaseAddress } from './open-store.ts';
import { StorageUnavailable } from './store.ts';

export interface DatabaseSummary {
  readonly bytes: number;
  /** The last migration that was applied. */
  readonly migration: number;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The id of the key that the secrets in it are encrypted with; null if there are none yet. */
  readonly secretKeyId: string | null;
}

export type BackupStep = 'copying' | 'checking';
/** From 0 to 1. */
export type OnBackupProgress = (step: BackupStep, done: number) => void;

export interface BackupOptions {
  readonly target: string;
  /** Replaces an existing file. */
  readonly force: boolean;
  /** Files that must not be replaced in any case. */
  readonly protectedFiles: readonly string[];
  /** Distinguishes the temporary files of concurrent backups. */
  readonly suffix: string;
  readonly onProgress: OnBackupProgress;
  /** Ends the work, which then throws its reason, as long as the target has not been written. */
  readonly signal: AbortSignal;
}

export interface RestoreOptions {
  readonly backup: string;
  /** The replaced database is kept under a name with this time. */
  readonly now: number;
  readonly suffix: string;
  readonly onProgress: OnBackupProgress;
  /** Ends the work, which then throws its reason, as long as nothing has been replaced. */
  readonly signal: AbortSignal;
}

export interface RestoreSummary extends DatabaseSummary {
  readonly file: string;
  /** Where the replaced database is; null if there was none. */
  readonly replaced: string | null;
  /** Migrations that the next start applies. */
  readonly pendingMigrations: number;
  readonly revived: RevivedAccess;
}

/** What was withdrawn since the backup and is valid again, as far as the replaced database can be read. */
export interface RevivedAccess {
  /** The ids of keys that had been revoked or rolled. */
  readonly apiKeys: readonly string[];
  /** The e-mail addresses of users who had been disabled. */
  readonly users: readonly string[];
}

/** Works while a service runs on the database. */
export async function backUpDatabase(address: DatabaseAddress, options: BackupOptions): Promise<DatabaseSummary> {
  if (address.engine === 'postgres')
    throw new StorageUnavailable(
      'paydesk backup is for SQLite. Use the programs of PostgreSQL: ' +
        '(umask 077; pg_dump --format=custom --file=paydesk.dump "$DATABASE_URL"). See docs/operating.md, "Backups"',
    );
  const { backUpSqlite } = await import('./sqlite/back-up.ts');
  return backUpSqlite(address.path, options);
}

/** Refuses while a service runs on the database. */
export async function restoreDatabase(address: DatabaseAddress, options: RestoreOptions): Promise<RestoreSummary> {
  if (address.engine === 'postgres')
    throw new StorageUnavailable(
      'paydesk restore is for SQLite. Use the programs of PostgreSQL, with an empty database: ' +
        'pg_restore --no-owner --single-transaction --dbname="$DATABASE_URL" paydesk.dump (made by pg_dump). ' +
        'See docs/operating.md, "Backups"',
    );
  const { restoreSqlite } = await import('./sqlite/restore.ts');
  return restoreSqlite(address.path, options);
}
