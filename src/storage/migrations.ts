// Migrations: numbered SQL files, applied in order, forward only.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StorageUnavailable } from './store.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** Versions that know at least this many migrations can use the tables after it. */
  readonly usableFrom: number;
}

/** The line with which a migration declares that older versions can use its tables too. */
const usableLine = /^-- Usable by versions that know migration (\d+)\.$/m;

export function migrationsFor(engine: 'sqlite' | 'postgres'): readonly Migration[] {
  const folder = new URL(`./migrations/${engine}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file, index) => {
      const number = Number(file.slice(0, 4));
      if (number !== index + 1) throw new Error(`migration ${file} is out of order: expected number ${index + 1}`);
      const sql = readFileSync(new URL(file, folder), 'utf8');
      return { number, name: file.slice(5, -4), sql, usableFrom: Number(usableLine.exec(sql)?.[1] ?? number) };
    });
}

/**
 * How many of our migrations are applied. A database that a newer version has migrated counts as complete if every newer
 * migration declares that this version can use it, so that an upgrade can be rolled back.
 */
export function appliedOf(known: number, applied: number, usableFrom: number | null): number {
  return applied > known && usableFrom !== null && usableFrom <= known ? known : applied;
}

/** The migrations that are not applied yet. Refuses a database that a newer version has migrated. */
export function pendingMigrations(all: readonly Migration[], applied: number): readonly Migration[] {
  if (applied > all.length) {
    throw new StorageUnavailable(
      `the database is at migration ${applied}, but this version of Paydesk only knows ${all.length}: run a newer version`,
    );
  }
  return all.slice(applied);
}

/** Independent of the line endings of the checkout. */
export function checksumOf({ sql }: Migration): string {
  return hash('sha256', sql.replaceAll('\r\n', '\n'));
}

/** What the database recorded about a migration. Earlier versions recorded no checksum. */
export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string | null;
}

/** Refuses a database that was migrated with different statements than those of this version. */
export function refuseChanged(all: readonly Migration[], applied: readonly AppliedMigration[]): void {
  for (const { number, checksum } of applied) {
    const known = all[number - 1];
    if (checksum === null || known === undefined || checksumOf(known) === checksum) continue;
    throw new StorageUnavailable(
      `migration ${number} (${known.name}) was applied to this database in a different form: ` +
        'run the version that migrated it, or restore the original migration file',
    );
  }
}

/** For callers that must not migrate. */
export function refusePending(all: readonly Migration[], applied: number): void {
  if (pendingMigrations(all, applied).length === 0) return;
  throw new StorageUnavailable(
    `the database is at migration ${applied}, but this version of Paydesk needs ${all.length}: run paydesk migrate`,
  );
}
