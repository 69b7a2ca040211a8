// Reads a whole database, to search it for data that must not be stored.

import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { withClient } from './postgres-admin.ts';

export async function storedBytes(address: DatabaseAddress): Promise<Buffer> {
  if (address.engine === 'sqlite') {
    const folder = dirname(address.path);
    const files = (await readdir(folder)).filter((file) => file.startsWith('paydesk.db'));
    return Buffer.concat(await Promise.all(files.map((file) => readFile(`${folder}/${file}`))));
  }
  const rows = await withClient(address.url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const all: string[] = [];
    for (const { name } of tables) {
      const sql = `SELECT row_to_json(t)::text AS json FROM ${pg.escapeIdentifier(name)} t`;
      all.push(...(await client.query<{ json: string }>(sql)).rows.map(({ json }) => json));
    }
    return all;
  });
  return Buffer.from(rows.join('\n'));
}
