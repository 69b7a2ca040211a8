// PostgreSQL as operators run it: a fresh cluster of the system's own server, with its client programs. It is separate
// from any cluster that the system package has started, and from the PostgreSQL that the other tests share.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Certificate } from './certificates.ts';
import type { CleansUp } from './engines.ts';
import { findBinary } from './system-packages.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export interface PostgresServer {
  /** The folder of the client programs, in the same version as the server. */
  readonly programs: string;
  /** Environment variables that connect a client program as administrator. */
  readonly administrator: { readonly PGHOST: string; readonly PGPORT: string; readonly PGUSER: string };
  /** Shuts the server down, which closes all connections. */
  stop(): Promise<void>;
  /** Starts it again, with the same data. */
  start(): Promise<void>;
}

/**
 * The administrator connects over a socket in the server's folder; everyone else over 127.0.0.1 with a password and, if
 * there is a certificate, encrypted.
 */
export async function startPostgresServer(
  test: CleansUp,
  port: string,
  certificate: Certificate | null = null,
): Promise<PostgresServer> {
  const initdb = findBinary(['initdb']);
  if (initdb === null) throw new Error('there is no PostgreSQL: run `node test/support/system-packages.ts`');
  const programs = dirname(realpathSync(initdb));
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-server-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  const user = await serverUser();
  if (user !== null) await chown(folder, user.uid, user.gid);
  // The server must have access to its working directory.
  const as = { cwd: folder, ...user };

  const data = join(folder, 'data');
  const access = ['--username=postgres', '--auth-local=trust', '--auth-host=scram-sha-256'];
  await run(initdb, [`--pgdata=${data}`, '--encoding=UTF8', '--locale=C', '--no-sync', ...access], as);
  // fsync only matters if the machine crashes.
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, 'fsync=off'];
  if (certificate !== null) {
    for (const [file, content] of Object.entries({ 'server.crt': certificate.cert, 'server.key': certificate.key })) {
      await writeFile(join(data, file), content, { mode: 0o600 });
      if (user !== null) await chown(join(data, file), user.uid, user.gid);
    }
    settings.push('ssl=on');
  }
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const administrator = { PGHOST: folder, PGPORT: port, PGUSER: 'postgres' };
  let stop = async (): Promise<void> => {};

  async function start(): Promise<void> {
    const server = spawn(join(programs, 'postgres'), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    server.stderr.on('data', (chunk) => {
      log += String(chunk);
    });
    const exited = once(server, 'exit');
    stop = async () => {
      // SIGINT closes remaining connections, so that a test that failed midway cannot block it.
      server.kill('SIGINT');
      await exited;
    };
    await until('PostgreSQL is ready', () => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended: ${log}`);
      return run(join(programs, 'pg_isready'), { env: administrator }).then(
        () => true,
        () => false,
      );
    });
  }

  test.after(() => stop());
  await start();
  return { programs, administrator, start, stop: () => stop() };
}

/** PostgreSQL refuses to run as root. For root, it runs as the user that the system package created. */
export async function serverUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const users = await readFile('/etc/passwd', 'utf8');
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  if (uid === undefined) throw new Error('there is no user postgres, which the package postgresql creates');
  return { uid: Number(uid), gid: Number(gid) };
}
