// PgBouncer, as operators install it, in front of a database of the test run.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CleansUp } from './engines.ts';
import { freePort } from './free-port.ts';
import { withClient } from './postgres-admin.ts';
import { serverUser } from './postgres-server.ts';
import { findBinary } from './system-packages.ts';
import { until } from './until.ts';

export interface PgBouncer {
  /** The same database, through the pooler. */
  readonly url: string;
  /** Has it close its server connections as soon as they are free. */
  reconnect(): Promise<void>;
}

export interface PgBouncerOptions {
  readonly mode: 'session' | 'transaction';
  /** Server connections. */
  readonly poolSize: number;
}

export async function startPgBouncer(
  test: CleansUp,
  databaseUrl: string,
  { mode, poolSize }: PgBouncerOptions,
): Promise<PgBouncer> {
  const binary = findBinary(['pgbouncer']);
  if (binary === null) throw new Error('there is no pgbouncer: run `node test/support/system-packages.ts`');
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-pgbouncer-'));
  const user = await serverUser();
  const port = await freePort();
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const settings = `
[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = admin
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 400
query_wait_timeout = 10
`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, settings);
  if (user !== null) {
    await chown(folder, user.uid, user.gid);
    await chown(file, user.uid, user.gid);
  }
  const child = spawn(binary, [file], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const exited = once(child, 'exit');
  test.after(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  await until('PgBouncer answers', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`);
    return withClient(url, async () => true).catch(() => false);
  });
  return {
    url,
    reconnect: () =>
      withClient(`postgres://admin@127.0.0.1:${port}/pgbouncer`, async (client) => {
        await client.query('RECONNECT');
      }),
  };
}
