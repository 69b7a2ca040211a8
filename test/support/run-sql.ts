// Changes a database past the store: as an earlier version left it, or by hand, as nobody should.

import { DatabaseSync } from 'node:sqlite';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { withClient } from './postgres-admin.ts';

export async function runSql(address: DatabaseAddress, sql: string): Promise<void> {
  if (address.engine === 'postgres') await withClient(address.url, (client) => client.query(sql));
  else {
    const database = new DatabaseSync(address.path, { timeout: 5_000 });
    database.exec(sql);
    database.close();
  }
}
