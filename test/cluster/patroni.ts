// A PostgreSQL cluster that fails over by itself: Patroni with three nodes and etcd, from Debian's packages, on loopback
// ports and as an unprivileged user. Replication is synchronous: every acknowledged commit is on two nodes.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { CleansUp } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { withClient } from '../support/postgres-admin.ts';
import { serverUser } from '../support/postgres-server.ts';
import { findBinary } from '../support/system-packages.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

export interface PatroniCluster {
  /** A connection URL that lists all nodes. */
  readonly url: string;
  /** The node that accepts writes, or null. */
  leader(): Promise<ClusterNode | null>;
  /** Waits until there is a leader, a synchronous replica and another replica. */
  untilComplete(): Promise<void>;
}

export interface ClusterNode {
  readonly name: string;
  readonly port: number;
  /** Of Patroni's own interface. */
  readonly restPort: number;
  start(): Promise<void>;
  /** Kills everything on the node at once, as a power failure would. */
  kill(): Promise<void>;
}

const nodeCount = 3;
/** How the leader's lock is kept, in seconds: as short as Patroni's own rules allow. */
const timing = { ttl: 10, loop_wait: 2, retry_timeout: 3 };
const failoverMs = 60_000;

export async function startPatroniCluster(test: CleansUp): Promise<PatroniCluster> {
  const [patroni, etcd, initdb] = [requireBinary('patroni'), requireBinary('etcd'), requireBinary('initdb')];
  const binDir = dirname(realpathSync(initdb));
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-cluster-'));
  const user = await serverUser();
  const own = async (path: string): Promise<void> => {
    if (user !== null) await chown(path, user.uid, user.gid);
  };
  await own(folder);
  const spawnAs = (binary: string, args: string[]): ChildProcess =>
    spawn(binary, args, { cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: folder }, ...user });
  const kills: (() => Promise<void>)[] = [];
  test.after(async () => {
    for (const kill of kills.reverse()) await kill();
    await rm(folder, { recursive: true, force: true });
  });

  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const etcdArgs = Object.entries({
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': etcdUrl,
    'advertise-client-urls': etcdUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  });
  const store = spawnAs(
    etcd,
    etcdArgs.map(([name, value]) => `--${name}=${value}`),
  );
  kills.push(() => killed(store));
  await until('etcd answers', () =>
    fetch(`${etcdUrl}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

  async function makeNode(name: string): Promise<ClusterNode> {
    const [port, restPort] = [await freePort(), await freePort()];
    const [dataDir, file, sockets] = [join(folder, name), join(folder, `${name}.yml`), join(folder, `${name}-run`)];
    await mkdir(sockets);
    await own(sockets);
    const config = {
      scope: 'paydesk',
      name,
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ...timing,
          maximum_lag_on_failover: 1_048_576,
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 150, wal_log_hints: 'on' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync'],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: dataDir,
        bin_dir: binDir,
        pgpass: join(folder, `${name}.pgpass`),
        authentication: {
          superuser: { username: 'postgres', password: 'postgres' },
          replication: { username: 'replicator', password: 'replicator' },
        },
        parameters: { unix_socket_directories: sockets },
      },
    };
    // JSON is valid YAML.
    await writeFile(file, JSON.stringify(config));
    await own(file);
    let process: ChildProcess | null = null;
    async function kill(): Promise<void> {
      if (process === null) return;
      const server = Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
      const processes = server > 0 ? [server, ...(await childrenOf(server))] : [];
      const ended = killed(process);
      process = null;
      for (const pid of processes) killIfRunning(pid);
      await ended;
    }
    kills.push(kill);
    return {
      name,
      port,
      restPort,
      async start() {
        process = spawnAs(patroni, [file]);
      },
      kill,
    };
  }

  const nodes: ClusterNode[] = [];
  for (let count = 1; count <= nodeCount; count += 1) nodes.push(await makeNode(`node${count}`));
  const query = <T>({ port }: ClusterNode, text: string): Promise<T | null> =>
    withClient(`postgres://postgres@127.0.0.1:${port}/postgres`, async (client) => {
      const { rows } = await client.query(text);
      return (rows[0] as T | undefined) ?? null;
    }).catch(() => null);
  async function leader(): Promise<ClusterNode | null> {
    const text = 'SELECT pg_is_in_recovery() AS replica';
    const states = await Promise.all(nodes.map((node) => query<{ replica: boolean }>(node, text)));
    return nodes.find((_, at) => states[at]?.replica === false) ?? null;
  }
  async function untilComplete(): Promise<void> {
    await until(
      'the cluster is complete',
      async () => {
        const node = await leader();
        const text = `SELECT count(*)::int AS replicas, (count(*) FILTER (WHERE sync_state = 'sync'))::int AS synchronous
                      FROM pg_stat_replication WHERE state = 'streaming'`;
        const found = node === null ? null : await query<{ replicas: number; synchronous: number }>(node, text);
        if (node === null || found?.replicas !== nodeCount - 1 || found.synchronous === 0) return false;
        return knowsSynchronousReplica(node);
      },
      failoverMs,
    );
  }
  /** Patroni knows it somewhat later than PostgreSQL, and before that, no replica becomes the leader. */
  async function knowsSynchronousReplica({ restPort }: ClusterNode): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null);
    const { members = [] } = ((await response?.json()) ?? {}) as { members?: readonly { readonly role: string }[] };
    return members.some(({ role }) => role === 'sync_standby');
  }
  for (const node of nodes) await node.start();
  await untilComplete();
  const first = await leader();
  await withClient(`postgres://postgres@127.0.0.1:${first?.port}/postgres`, async (client) => {
    await client.query('CREATE ROLE paydesk LOGIN');
    await client.query('CREATE DATABASE paydesk OWNER paydesk');
  });
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return { url: `postgres://paydesk@${hosts}/paydesk?target_session_attrs=read-write`, leader, untilComplete };
}

function requireBinary(program: string): string {
  const binary = findBinary([program]);
  if (binary === null)
    throw new Error(`there is no ${program}: run \`apt-get install patroni etcd-server postgresql\``);
  return binary;
}

async function killed(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exited = once(process, 'exit');
  process.kill('SIGKILL');
  await exited;
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

/** Ignores a process that has already ended. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
