// paydesk migrate --distribute where tables cannot be distributed. On a cluster, it is tested by `npm run test:citus`.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { freshDatabase, postgres } from '../support/engines.ts';
import { callPaydesk, databaseUrl, freshFolder } from '../support/paydesk-process.ts';
import { withClient } from '../support/postgres-admin.ts';

describe('paydesk migrate --distribute', () => {
  it('refuses a SQLite database, and creates none', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: 'sqlite:shop.db' };
    const result = await callPaydesk(['migrate', '--distribute'], { folder, settings });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /SQLite database is one file.*set DATABASE_URL to the coordinator of a Citus cluster/);
    assert.equal(existsSync(join(folder, 'shop.db')), false);
  });

  it('refuses a PostgreSQL without the extension, says what to do, and changes nothing', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, postgres);
    const settings = { DATABASE_URL: databaseUrl(address) };
    const result = await callPaydesk(['migrate', '--distribute'], { folder, settings });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /does not have the Citus extension.*shared_preload_libraries.*CREATE EXTENSION citus;/);
    await withClient(settings.DATABASE_URL, async (client) => {
      const { rowCount } = await client.query("SELECT 1 FROM pg_class WHERE relname = 'migrations'");
      assert.equal(rowCount, 0);
    });
  });

  it('is explained by --help', async (t) => {
    const { stdout } = await callPaydesk(['migrate', '--help'], { folder: await freshFolder(t), settings: {} });
    assert.match(stdout, /--distribute +on PostgreSQL with the Citus extension/);
  });
});
