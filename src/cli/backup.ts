// paydesk backup, paydesk restore

import { existsSync } from 'node:fs';
import { type Config, readConfig } from '../config.ts';
import { pooledRandom } from '../entropy.ts';
import { findSecretKey, keyFileOf, keyMismatch, keyMissing, shortKeyId } from '../secret-key.ts';
import {
  backUpDatabase,
  type DatabaseSummary,
  type OnBackupProgress,
  type RevivedAccess,
  restoreDatabase,
} from '../storage/backups.ts';
import { type Command, type CommandArguments, CommandProblem, Interrupted } from './command.ts';
import { systemClock } from './open.ts';
import { progressOn } from './progress.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'back up a SQLite database, also while the service is running',
  usage: 'FILE [--force] [--json]',
  argument: 'FILE',
  help: `
Copies the SQLite database to FILE while the service keeps running, and checks the copy: SQLite's integrity check, and
the number of rows in each table. FILE appears only when the copy is complete, and only its owner can read it.

The secret key is not part of the backup. Keep a copy of it in a different place: without it, webhook secrets cannot be
decrypted. On PostgreSQL, use pg_dump.

  --force              replace FILE if it exists

  paydesk backup /mnt/backup/paydesk-$(date +%F).db`,
  options: { force: { type: 'boolean' } },
  async run(args, output) {
    const target = fileIn(args, 'backup');
    const config = readConfig(process.env);
    const summary = await interruptibly('no backup was made', (control) =>
      backUpDatabase(config.database, {
        ...{ ...control, target, force: args.values.force === true },
        protectedFiles: [keyFileOf(config)],
        suffix: String(process.pid),
      }),
    );
    const keyFile = config.secretKey === null && existsSync(keyFileOf(config)) ? keyFileOf(config) : null;
    output.result(
      { file: target, ...fieldsOf(summary), secret_key_file: keyFile },
      [`Backed up to ${target}: ${textOf(summary)}.`, ...keyHint(summary, keyFile)].join('\n'),
    );
    return 0;
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'replace a SQLite database with a backup',
  usage: 'FILE [--json]',
  argument: 'FILE',
  help: `
Replaces the SQLite database with FILE, a file made by paydesk backup. Stop the service first. FILE is copied and checked
before anything is replaced, and the replaced database is kept beside the new one, with the time in its name.

Keys that were revoked and users who were disabled since the backup are valid again: the result lists them.

A backup of an earlier version is migrated by the next start; one of a later version is refused unless this version can
use its tables. The secret key must be the one that the backup belongs to. On PostgreSQL, use pg_restore.

  paydesk restore /mnt/backup/paydesk-2026-01-15.db`,
  options: {},
  async run(args, output) {
    const backup = fileIn(args, 'restore');
    const config = readConfig(process.env);
    const restored = await interruptibly('nothing was replaced', (control) =>
      restoreDatabase(config.database, { ...control, backup, now: systemClock.now(), suffix: String(process.pid) }),
    );
    const { file, replaced, pendingMigrations, revived, ...summary } = restored;
    const problem = keyProblem(config, summary.secretKeyId);
    output.result(
      {
        ...{ file, ...fieldsOf(summary), replaced, pending_migrations: pendingMigrations },
        secret_key_problem: problem,
        ...{ revived_keys: revived.apiKeys, revived_users: revived.users },
      },
      [
        `Restored ${file} from ${backup}: ${textOf(summary)}.`,
        ...(replaced === null
          ? []
          : [`The previous database is in ${replaced}. Delete it when you no longer need it.`]),
        ...(pendingMigrations === 0 ? [] : [`The next start applies ${pendingMigrations} migrations.`]),
        ...(problem === null ? [] : [`Before you start: ${problem}`]),
        ...revivedHints(revived),
        'What was revoked, disabled or changed since the backup is as it was then: see "After a restore" in docs/operating.md.',
        'Only the acquirer knows about payments made since the backup: compare your data with its statements.',
      ].join('\n'),
    );
    return 0;
  },
};

function fileIn(args: CommandArguments, command: string): string {
  const [file] = args.positionals;
  if (file === undefined) throw new CommandProblem(`specify a file: paydesk ${command} FILE`);
  return file;
}

/** Shows the progress. If the work is interrupted, it removes its incomplete files and throws that `outcome`. */
async function interruptibly<T>(
  outcome: string,
  work: (control: { onProgress: OnBackupProgress; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const progress = progressOn(process.stderr, () => performance.now());
  const interruption = new AbortController();
  const stop = (): void => interruption.abort(new Interrupted(`interrupted; ${outcome}`));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  try {
    return await work({
      onProgress: (step, done) =>
        progress.show(step === 'checking' ? 'checking the copy …' : `copying: ${Math.floor(done * 100)} %`, step),
      signal: interruption.signal,
    });
  } finally {
    progress.end();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  }
}

function revivedHints({ apiKeys, users }: RevivedAccess): string[] {
  return [
    ...(apiKeys.length === 0
      ? []
      : [`Keys that were revoked or rolled work again; revoke them with paydesk key revoke: ${apiKeys.join(', ')}`]),
    ...(users.length === 0
      ? []
      : [`Users who were disabled can sign in again; disable them with paydesk user disable: ${users.join(', ')}`]),
  ];
}

function fieldsOf({ bytes, migration, rows, secretKeyId }: DatabaseSummary): Record<string, unknown> {
  return { bytes, migration, rows, secret_key: secretKeyId };
}

function textOf({ bytes, rows }: DatabaseSummary): string {
  const counts = { merchants: rows.merchants, payments: rows.payment_intents, events: rows.events };
  const counted = Object.entries(counts).map(([what, count = 0]) => `${what}: ${count}`);
  return `${(bytes / 1_000_000).toFixed(1)} MB (${counted.join(', ')}), checked without errors`;
}

function keyHint({ secretKeyId }: DatabaseSummary, keyFile: string | null): string[] {
  if (secretKeyId === null) return [];
  const key = keyFile ?? 'PAYDESK_SECRET_KEY';
  return [
    `The secret key is not part of it. Keep a copy of ${key} (key ${shortKeyId(secretKeyId)}) in a different place: without it, webhook secrets cannot be decrypted.`,
  ];
}

/** Null if the service can start with the key that it would find. */
function keyProblem(config: Config, bound: string | null): string | null {
  if (bound === null) return null;
  const found = findSecretKey(config, pooledRandom());
  return found === null ? keyMissing(bound, keyFileOf(config)) : keyMismatch(bound, found.box);
}
