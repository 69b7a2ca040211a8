// paydesk doctor

import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { pooledRandom } from '../entropy.ts';
import { scrub } from '../log.ts';
import { loadSecretKey } from '../secret-key.ts';
import { openStore } from '../storage/open-store.ts';
import { StorageUnavailable } from '../storage/store.ts';
import type { Command } from './command.ts';
import { examineProxies } from './doctor-proxies.ts';
import { systemClock } from './open.ts';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

const maxClockDifferenceMs = 2_000;

export const doctor: Command = {
  name: 'doctor',
  summary: 'check settings, storage and clock, and say what to do',
  usage: '[--json]',
  help: `
Looks at everything that the service needs, without changing payments. Exits with 1 if anything is wrong.`,
  options: {},
  async run(_words, output) {
    const findings = await examine();
    const text = findings.map(({ check, ok, found, advice }) =>
      [
        `${ok ? 'ok   ' : 'WRONG'}  ${check.padEnd(10)} ${found}`,
        ...(advice ? [`       ${' '.repeat(10)} → ${advice}`] : []),
      ].join('\n'),
    );
    output.result(findings, text.join('\n'));
    return findings.every(({ ok }) => ok) ? 0 : 1;
  },
};

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => ({
      check: 'settings',
      ok: false,
      found: problem,
      advice: 'correct this setting',
    }));
  }
  return [
    { check: 'settings', ok: true, found: `${config.database.engine}, ${config.publicUrl}` },
    publicUrl(config),
    ...(await examineProxies(config)),
    await storage(config),
    secretKey(config),
    await clock(config),
    ...(config.redisUrl === null ? [] : [await redis(config.redisUrl)]),
  ];
}

function publicUrl({ publicUrl }: Config): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' || local) {
    return { check: 'public URL', ok: true, found: local ? `${publicUrl} (this machine only)` : publicUrl };
  }
  return {
    check: 'public URL',
    ok: false,
    found: `${publicUrl} is not encrypted`,
    advice: 'put a TLS proxy in front, and set PAYDESK_PUBLIC_URL to its https address; start refuses this one',
  };
}

async function storage(config: Config): Promise<Finding> {
  const { database } = config;
  try {
    if (database.engine === 'sqlite') accessSync(dirname(database.path), constants.R_OK | constants.W_OK);
    const store = await openStore(database, { serving: false, onConnectionLost: () => {} });
    try {
      await store.check();
      const merchants = await store.merchants({ limit: 1 });
      const found = `${database.engine} answers, migrations are applied`;
      if (merchants.length > 0) return { check: 'storage', ok: true, found };
      return {
        check: 'storage',
        ok: true,
        found,
        advice: 'no merchant yet: paydesk merchant create --name "Acme Coffee"',
      };
    } finally {
      await store.close();
    }
  } catch (error) {
    const found = scrub((error as Error).message);
    return { check: 'storage', ok: false, found, ...(saysWhatToDo(error) ? {} : { advice: storageAdvice(database) }) };
  }
}

/** Such as: another process serves the file, or a newer version has migrated it. */
function saysWhatToDo(error: unknown): boolean {
  return error instanceof StorageUnavailable && error.cause === undefined;
}

function storageAdvice(database: Config['database']): string {
  return database.engine === 'sqlite'
    ? `make the folder ${dirname(database.path)} writable for this user, or set DATABASE_URL to a file elsewhere`
    : 'check that PostgreSQL runs, and the host, user, password and database in DATABASE_URL';
}

function secretKey(config: Config): Finding {
  try {
    const { file } = loadSecretKey(config, pooledRandom());
    if (file === null) return { check: 'secret key', ok: true, found: 'from PAYDESK_SECRET_KEY' };
    if ((statSync(file).mode & 0o077) !== 0) {
      return { check: 'secret key', ok: false, found: `${file} can be read by others`, advice: `chmod 600 ${file}` };
    }
    const advice = 'back it up with the data: webhook secrets cannot be read without it';
    return { check: 'secret key', ok: true, found: `in ${file}`, advice };
  } catch (error) {
    return {
      check: 'secret key',
      ok: false,
      found: (error as Error).message,
      advice: 'restore the file from a backup',
    };
  }
}

/** Signatures carry the time and receivers refuse what is 5 minutes off; leases compare the clocks of several hosts. */
async function clock({ database }: Config): Promise<Finding> {
  const now = systemClock.now();
  const sane = now > Date.UTC(2025, 0, 1);
  if (database.engine === 'sqlite' || !sane) {
    const found = new Date(now).toISOString();
    return sane
      ? { check: 'clock', ok: true, found }
      : { check: 'clock', ok: false, found: `${found} is in the past`, advice: 'set the clock, and run an NTP client' };
  }
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const before = systemClock.now();
    const { rows } = await client.query<{ ms: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
    );
    const difference = Math.round(Number(rows[0]?.ms) - (before + systemClock.now()) / 2);
    const found = `${Math.abs(difference)} ms ${difference < 0 ? 'ahead of' : 'behind'} the database server's`;
    if (Math.abs(difference) <= maxClockDifferenceMs) return { check: 'clock', ok: true, found };
    return { check: 'clock', ok: false, found, advice: 'run an NTP client on both machines' };
  } catch (error) {
    return { check: 'clock', ok: false, found: `could not be compared: ${scrub((error as Error).message)}` };
  } finally {
    await client.end().catch(() => {});
  }
}

async function redis(url: string): Promise<Finding> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return { check: 'Redis', ok: true, found: 'answers' };
  } catch (error) {
    const found = scrub((error as Error).message);
    return {
      check: 'Redis',
      ok: false,
      found,
      advice: 'check that Redis runs and REDIS_URL is right, or unset REDIS_URL',
    };
  } finally {
    client.disconnect();
  }
}
