// A SQLite file with all tables, made once for the test run. Copying it takes a fraction of the time that the migrations
// take, and the migrations have tests of their own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openMigratedDatabase } from '../../src/storage/sqlite/open-database.ts';
import { fromGlobalSetup } from './from-global-setup.ts';

/** Set by the global setup. */
const templateVariable = 'PAYDESK_TEST_SQLITE_TEMPLATE';

export function createSqliteTemplate(): void {
  const path = join(mkdtempSync(join(tmpdir(), 'paydesk-test-template-')), 'paydesk.db');
  // Closing the last connection empties the log into the file.
  openMigratedDatabase(path, { serving: false }).close();
  process.env[templateVariable] = path;
}

export function removeSqliteTemplate(): void {
  const path = process.env[templateVariable];
  if (path !== undefined) rmSync(dirname(path), { recursive: true, force: true });
}

export const migratedFile = (): string => fromGlobalSetup(templateVariable);
