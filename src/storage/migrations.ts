// Migrations: numbered SQL files, applied in order, forward only.

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
      `the database is at migration ${applied}, but this version of Paydesk knows only ${all.length}: run a newer version`,
    );
  }
  return all.slice(applied);
}
