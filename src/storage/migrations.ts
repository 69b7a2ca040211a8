// Migrations: numbered SQL files, applied in order, forward only.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StorageUnavailable } from './store.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

export function migrationsFor(engine: 'sqlite' | 'postgres'): readonly Migration[] {
  const folder = new URL(`./migrations/${engine}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file, index) => {
      const number = Number(file.slice(0, 4));
      if (number !== index + 1) throw new Error(`migration ${file} is out of order: expected number ${index + 1}`);
      return { number, name: file.slice(5, -4), sql: readFileSync(new URL(file, folder), 'utf8') };
    });
}

/** What is still to do. Refuses a database that a newer version of the service has migrated. */
export function pendingMigrations(all: readonly Migration[], applied: number): readonly Migration[] {
  if (applied > all.length) {
    throw new StorageUnavailable(
      `the database is at migration ${applied}, but this version of Paydesk only knows ${all.length}: run a newer version`,
    );
  }
  return all.slice(applied);
}

/** The same for a checkout with other line ends. */
export function checksumOf({ sql }: Migration): string {
  return hash('sha256', sql.replaceAll('\r\n', '\n'));
}

/** What a database remembers of a migration. The version that applied it may have kept no checksum. */
export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string | null;
}

/** Refuses a database whose tables were made by other statements than those that this version knows. */
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

/** For those that may not migrate. */
export function refusePending(all: readonly Migration[], applied: number): void {
  if (pendingMigrations(all, applied).length === 0) return;
  throw new StorageUnavailable(
    `the database is at migration ${applied}, but this version of Paydesk needs ${all.length}: run paydesk migrate`,
  );
}
