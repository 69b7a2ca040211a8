// Starts and stops the measured processes, and reads their memory use.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../test/support/free-port.ts';

const root = new URL('..', import.meta.url).pathname;
const started: ChildProcess[] = [];
export const secretKey: Uint8Array = Buffer.alloc(32, 7);

export interface Serving {
  readonly port: number;
  readonly pid: number;
}

/** The real service with authentication, rate limiting and logging; the limit is too high for any load to reach. */
export async function startPaydesk(
  databaseUrl: string,
  folder: string,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const port = await freePort();
  const log = openSync(join(folder, `paydesk-${port}.log`), 'w');
  const child = spawn(join(root, 'bin/paydesk'), ['start', ...args], {
    cwd: folder,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      PAYDESK_METRICS_ADDRESS: '127.0.0.1:0',
      PAYDESK_RATE_LIMIT: '1000000',
      PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
      LOG_LEVEL: 'info',
      ...settings,
    },
  });
  started.push(child);
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (response?.ok) return { port, pid: child.pid ?? 0 };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`paydesk did not start: ${readFileSync(join(folder, `paydesk-${port}.log`), 'utf8')}`);
}

/** A server that only sends the bytes of this response, without the headers that Node adds itself. */
export async function startBare(response: Response): Promise<Serving> {
  const added = ['date', 'connection', 'keep-alive'];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !added.includes(name)));
  const bytes = JSON.stringify({ headers, body: await response.text() });
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'bench/bare-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: String(port), BARE_RESPONSE: bytes },
  });
  started.push(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return { port, pid: child.pid ?? 0 };
}

export async function runDirectWrites(path: string, seconds: number): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'bench/direct-writes.ts'), path, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once('exit', resolve));
  return Number(text);
}

/** The peak memory use of the process since its start. */
export function peakMemoryMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

export interface PostgresServer {
  /** Creates a database. */
  urlOf(database: string): Promise<string>;
  version(): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const child = spawn(process.execPath, [join(root, 'bench/postgres-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [''])]);
  const address = String(line).trim();
  if (address === '') throw new Error('PostgreSQL did not start');
  const asAdministrator = async (sql: string): Promise<string> => {
    const client = new pg.Client({ connectionString: `${address}/postgres` });
    await client.connect();
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    await client.end();
    return String(rows[0]?.[0]);
  };
  return {
    async urlOf(database) {
      await asAdministrator(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
      return `${address}/${database}`;
    },
    version: () => asAdministrator('SHOW server_version'),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

export async function stopAll(): Promise<void> {
  const running = started.splice(0).filter(({ exitCode }) => exitCode === null);
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
}
