// Two servers of the system's PostgreSQL, a primary and its streaming replica, which a test can kill and promote.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { CleansUp } from './engines.ts';
import { freePort } from './free-port.ts';
import { withClient } from './postgres-admin.ts';
import { serverUser } from './postgres-server.ts';
import { findBinary } from './system-packages.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export interface ReplicatedServer {
  readonly port: number;
  /** Of an empty database, as its owner. */
  readonly url: string;
  /** As a crash of the machine would, but the operating system closes the connections. */
  kill(): Promise<void>;
  /** Every process stops where it is: the server accepts connections and answers nothing. */
  freeze(): Promise<void>;
  /** The replica becomes the primary; returns when it accepts writes. */
  promote(): Promise<void>;
}

export interface ReplicatedPostgres {
  readonly primary: ReplicatedServer;
  readonly replica: ReplicatedServer;
  /** An address with both, the replica first. */
  readonly url: string;
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  fsync: 'off',
  hot_standby: 'on',
};

export async function startReplicatedPostgres(test: CleansUp): Promise<ReplicatedPostgres> {
  const initdb = findBinary(['initdb']);
  if (initdb === null) throw new Error('there is no PostgreSQL: run `node test/support/system-packages.ts`');
  const programs = dirname(realpathSync(initdb));
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-replicated-'));
  const kills: (() => Promise<void>)[] = [];
  test.after(async () => {
    for (const kill of kills) await kill();
    await rm(folder, { recursive: true, force: true });
  });
  const user = await serverUser();
  if (user !== null) await chown(folder, user.uid, user.gid);
  const as = { cwd: folder, ...user };

  async function start(data: string, port: number): Promise<ReplicatedServer> {
    const args = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...as, stdio: 'ignore' });
    const exited = once(server, 'exit');
    const kill = async (): Promise<void> => {
      for (const pid of [...(await childrenOf(server)), server.pid ?? 0]) signal(pid, 'SIGKILL');
      await exited;
    };
    kills.push(kill);
    const admin = `postgres://postgres@127.0.0.1:${port}/postgres`;
    await until('the server answers', () => {
      if (server.exitCode !== null) throw new Error('PostgreSQL ended');
      return withClient(admin, async () => true).catch(() => false);
    });
    return {
      port,
      url: `postgres://paydesk@127.0.0.1:${port}/paydesk`,
      kill,
      async freeze() {
        for (const pid of [server.pid ?? 0, ...(await childrenOf(server))]) signal(pid, 'SIGSTOP');
      },
      async promote() {
        await withClient(admin, (client) => client.query('SELECT pg_promote()'));
      },
    };
  }

  const [primaryData, replicaData] = [join(folder, 'primary'), join(folder, 'replica')];
  const [primaryPort, replicaPort] = [await freePort(), await freePort()];
  await run(initdb, [`--pgdata=${primaryData}`, '--encoding=UTF8', '--locale=C', '--no-sync', '-U', 'postgres'], as);
  const primary = await start(primaryData, primaryPort);
  const source = `postgres://postgres@127.0.0.1:${primaryPort}/postgres`;
  await run(join(programs, 'pg_basebackup'), ['-D', replicaData, '-R', '--no-sync', '-c', 'fast', '-d', source], as);
  const replica = await start(replicaData, replicaPort);
  await withClient(source, async (client) => {
    await client.query('CREATE ROLE paydesk LOGIN');
    await client.query('CREATE DATABASE paydesk OWNER paydesk');
    // A killed primary must not have acknowledged what its replica lacks.
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await client.query('SELECT pg_reload_conf()');
  });
  const url = `postgres://paydesk@127.0.0.1:${replicaPort},127.0.0.1:${primaryPort}/paydesk`;
  return { primary, replica, url: `${url}?target_session_attrs=read-write` };
}

async function childrenOf({ pid }: ChildProcess): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

/** It may have ended by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
