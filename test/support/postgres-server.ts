// A PostgreSQL as operators have it: the system's own server, freshly made, with its client programs beside it. It has
// nothing to do with a cluster that the package may have started, nor with the PostgreSQL that the other tests share.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { CleansUp } from './engines.ts';
import { findBinary } from './system-packages.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export interface PostgresServer {
  /** The client programs of the server's own version. */
  readonly programs: string;
  /** With these, the client programs act as its administrator. */
  readonly administrator: { readonly PGHOST: string; readonly PGPORT: string; readonly PGUSER: string };
}

/** Its administrator comes in by a socket in its own folder; everybody else by 127.0.0.1 and a password. */
export async function startPostgresServer(test: CleansUp, port: string): Promise<PostgresServer> {
  const initdb = findBinary(['initdb']);
  if (initdb === null) throw new Error('there is no PostgreSQL: run `node test/support/system-packages.ts`');
  const programs = dirname(realpathSync(initdb));
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-server-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  const owner = await ownerOfServers();
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  // Its working folder must be one that it may enter.
  const as = { cwd: folder, ...owner };

  const data = join(folder, 'data');
  const access = ['--username=postgres', '--auth-local=trust', '--auth-host=scram-sha-256'];
  await run(initdb, [`--pgdata=${data}`, '--encoding=UTF8', '--locale=C', '--no-sync', ...access], as);
  // Only a crash of the machine could tell the difference of fsync.
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, 'fsync=off'];
  const words = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(programs, 'postgres'), words, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const exited = once(server, 'exit');
  test.after(async () => {
    // Ends the connections that are left, and stops: a test that failed half-way must not keep it.
    server.kill('SIGINT');
    await exited;
  });
  const administrator = { PGHOST: folder, PGPORT: port, PGUSER: 'postgres' };
  await until('PostgreSQL is ready', () => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended: ${log}`);
    return run(join(programs, 'pg_isready'), { env: administrator }).then(
      () => true,
      () => false,
    );
  });
  return { programs, administrator };
}

/** PostgreSQL refuses to run as root: then it runs as the user that the package made for it. */
async function ownerOfServers(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const users = await readFile('/etc/passwd', 'utf8');
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  if (uid === undefined) throw new Error('there is no user postgres, which the package postgresql makes');
  return { uid: Number(uid), gid: Number(gid) };
}
