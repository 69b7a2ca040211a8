// paydesk doctor

import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { maxClockDifferenceMs } from '../clock.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { pooledRandom } from '../entropy.ts';
import { scrub } from '../log.ts';
import { boundKeyOf, findSecretKey, keyFileOf, keyMismatch, keyMissing, SecretKeyProblem } from '../secret-key.ts';
import { clockDifference, filesOfDatabase, openStore } from '../storage/open-store.ts';
import { tooOpen } from '../storage/private-files.ts';
import { StorageUnavailable, type Store } from '../storage/store.ts';
import type { Command } from './command.ts';
import { examineAccounts } from './doctor-accounts.ts';
import { examineMail, examineMessages } from './doctor-mail.ts';
import { examineProxies } from './doctor-proxies.ts';
import { examineServers } from './doctor-servers.ts';
import { examineSettings } from './doctor-settings.ts';
import type { EnvFile } from './env-file.ts';
import { systemClock } from './open.ts';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** Worth checking, but not a failure. */
  readonly warning?: true;
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'check settings, storage and clock, and say what to do',
  usage: '[--json]',
  help: `
Checks everything that the service needs, and changes nothing. Exits with 1 if anything is wrong.`,
  options: {},
  reportsBrokenEnvFile: true,
  async run(_args, output, envFile) {
    const findings = await examine(envFile);
    const text = findings.map(({ check, ok, warning, found, advice }) =>
      [
        `${ok ? (warning ? 'WARN ' : 'ok   ') : 'WRONG'}  ${check.padEnd(10)} ${found}`,
        ...(advice ? [`       ${' '.repeat(10)} → ${advice}`] : []),
      ].join('\n'),
    );
    output.result(findings, text.join('\n'));
    return findings.every(({ ok }) => ok) ? 0 : 1;
  },
};

async function examine(envFile: EnvFile | null): Promise<Finding[]> {
  let config: Config;
  try {
    if (envFile !== null && envFile.problems.length > 0) throw new ConfigError(envFile.problems);
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
  const stored = await storage(config);
  return [
    { check: 'settings', ok: true, found: `${config.database.engine}, ${config.publicUrl}` },
    ...examineSettings(envFile),
    publicUrl(config),
    ...(await examineProxies(config)),
    stored.finding,
    ...stored.notices.map((found): Finding => ({ check: 'storage', ok: true, warning: true, found })),
    ...(await examineServers(config)),
    ...files(config),
    secretKey(config, stored.boundKey),
    ...stored.accounts,
    ...(await examineMail(config)),
    ...stored.messages,
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
    advice: 'put a TLS proxy in front, and set PAYDESK_PUBLIC_URL to its https address; paydesk start rejects this one',
  };
}

interface Stored {
  readonly finding: Finding;
  /** What the store reports when it opens. */
  readonly notices: readonly string[];
  /** The id of the key that the database belongs to; null: none; undefined: unknown. */
  readonly boundKey: string | null | undefined;
  readonly accounts: readonly Finding[];
  readonly messages: readonly Finding[];
}

async function storage(config: Config): Promise<Stored> {
  const { database } = config;
  let boundKey: Stored['boundKey'];
  const notices: string[] = [];
  const onNotice = (notice: string): void => {
    notices.push(notice);
  };
  try {
    const options = { serving: false, schema: 'read-only', onConnectionLost: () => {}, onNotice } as const;
    const store = await openStore(database, options);
    try {
      await store.check();
      boundKey = await boundKeyOf(store);
      if (database.engine === 'sqlite') accessSync(dirname(database.path), constants.R_OK | constants.W_OK);
      const merchants = await store.list('merchants', { limit: 1 });
      const found = `${database.engine} is reachable, migrations are applied`;
      const advice = 'no merchant yet: paydesk merchant create --name "Acme Coffee"';
      const finding = { check: 'storage', ok: true, found, ...(merchants.length > 0 ? {} : { advice }) };
      return { finding, boundKey, notices, ...(await examineSealed(config, store)) };
    } finally {
      await store.close();
    }
  } catch (error) {
    const found = scrub((error as Error).message);
    const advice = isSelfExplanatory(error) ? {} : { advice: storageAdvice(database) };
    return {
      finding: { check: 'storage', ok: false, found, ...advice },
      boundKey,
      notices,
      accounts: [],
      messages: [],
    };
  }
}

/** What needs the secret key. A problem with the key is a finding of its own. */
async function examineSealed(config: Config, store: Store): Promise<Pick<Stored, 'accounts' | 'messages'>> {
  try {
    const accounts = await examineAccounts(config, store);
    return { accounts, messages: await examineMessages(config, store) };
  } catch (error) {
    if (error instanceof SecretKeyProblem) return { accounts: [], messages: [] };
    throw error;
  }
}

/** Files that only their owner may read. Missing files are not reported. */
function files({ database }: Config): Finding[] {
  const location = filesOfDatabase(database);
  if (location === null) return [];
  const open = tooOpen(location.files, [location.folder]);
  if (open.length === 0)
    return [{ check: 'files', ok: true, found: `in ${location.folder}, accessible only to their owner` }];
  return open.map(({ path, remedy }) => ({
    check: 'files',
    ok: false,
    found: `${path} is accessible to other users`,
    advice: path === location.folder ? `${remedy}, or put the data in its own folder` : remedy,
  }));
}

/** For example, that another process serves the file, or that a newer version has migrated it. */
function isSelfExplanatory(error: unknown): boolean {
  return error instanceof StorageUnavailable && error.cause === undefined;
}

function storageAdvice(database: Config['database']): string {
  return database.engine === 'sqlite'
    ? `make the folder ${dirname(database.path)} writable for this user, or set DATABASE_URL to a file elsewhere`
    : 'check that PostgreSQL is running, and the host, user, password and database in DATABASE_URL';
}

function secretKey(config: Config, boundKey: Stored['boundKey']): Finding {
  const check = 'secret key';
  try {
    const key = findSecretKey(config, pooledRandom());
    if (key === null) return missingKey(keyFileOf(config), boundKey);
    const { box, file } = key;
    const problem = typeof boundKey === 'string' ? keyMismatch(boundKey, box) : null;
    if (problem !== null) return { check, ok: false, found: problem };
    if (file === null) return { check, ok: true, found: 'from PAYDESK_SECRET_KEY' };
    const [open] = tooOpen([file]);
    if (open !== undefined) return { check, ok: false, found: `${file} can be read by others`, advice: open.remedy };
    const advice = `keep a copy of ${file} elsewhere, never with copies of the data: anyone who has both can decrypt the secrets`;
    return { check, ok: true, found: `in ${file}`, advice };
  } catch (error) {
    const advice = error instanceof SecretKeyProblem ? {} : { advice: 'restore the file from a backup' };
    return { check, ok: false, found: (error as Error).message, ...advice };
  }
}

function missingKey(file: string, boundKey: Stored['boundKey']): Finding {
  if (typeof boundKey === 'string') return { check: 'secret key', ok: false, found: keyMissing(boundKey, file) };
  return { check: 'secret key', ok: true, found: `none yet: the first start creates one in ${file}` };
}

/**
 * Signatures contain the time, and receivers reject them if it is 5 minutes off. With PostgreSQL, the server's clock is
 * used.
 */
async function clock({ database }: Config): Promise<Finding> {
  const now = systemClock.now();
  const sane = now > Date.UTC(2025, 0, 1);
  if (database.engine === 'sqlite' || !sane) {
    const found = new Date(now).toISOString();
    return sane
      ? { check: 'clock', ok: true, found }
      : { check: 'clock', ok: false, found: `${found} is in the past`, advice: 'set the clock, and run an NTP client' };
  }
  try {
    const difference = await clockDifference(database.url, systemClock.now);
    const found = `${Math.abs(difference)} ms ${difference < 0 ? 'ahead of' : 'behind'} the database server's`;
    if (Math.abs(difference) <= maxClockDifferenceMs) return { check: 'clock', ok: true, found };
    return { check: 'clock', ok: false, found, advice: 'run an NTP client on both machines' };
  } catch (error) {
    return { check: 'clock', ok: false, found: `could not be compared: ${scrub((error as Error).message)}` };
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
    return { check: 'Redis', ok: true, found: 'reachable' };
  } catch (error) {
    const found = scrub((error as Error).message);
    return {
      check: 'Redis',
      ok: false,
      found,
      advice: 'check that Redis is running and REDIS_URL is correct, or unset REDIS_URL',
    };
  } finally {
    client.disconnect();
  }
}
