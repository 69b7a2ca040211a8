// The installation's secret key: from the settings, else kept in a file beside the data that only its owner can read.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import type { AuditEntry } from './domain/audit-entry.ts';
import type { Random } from './domain/ids.ts';
import { type SecretBox, secretBox, secretKeyBytes } from './domain/secret-box.ts';
import type { Store } from './storage/store.ts';

export interface SecretKey {
  readonly box: SecretBox;
  /** Set when the key was not given: where it is kept. */
  readonly file: string | null;
}

export function loadSecretKey(config: Config, random: Random): SecretKey {
  if (config.secretKey !== null) return { box: secretBox(config.secretKey, random), file: null };
  const file = keyFileOf(config);
  return { box: secretBox(readOrMakeKey(file, random), random), file };
}

/** Where a key that was not given is kept. */
export function keyFileOf({ database }: Config): string {
  return join(database.engine === 'sqlite' ? dirname(database.path) : 'data', 'paydesk.key');
}

/** Safe beside other processes that start at the same time: one makes the file, the others read it. */
function readOrMakeKey(file: string, random: Random): Uint8Array {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${Buffer.from(random(secretKeyBytes)).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readKeyFile(file);
}

export function readKeyFile(file: string): Uint8Array {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== secretKeyBytes) {
    throw new Error(`${file} does not hold ${secretKeyBytes} bytes in base64. Restore it, or set PAYDESK_SECRET_KEY.`);
  }
  return key;
}

/** What one key sealed, another cannot open: a database stays with its key until `paydesk secret-key rotate` changes it. */
export async function bindSecretKey(store: Store, box: SecretBox): Promise<void> {
  const bound = (await store.fact('secret_key_id')) ?? (await bindFirst(store, box));
  if (bound === box.keyId) return;
  if (bound !== null && isChanging(bound)) {
    throw new Error(
      'the secret key of this database is being changed, or the change was interrupted: ' +
        'run paydesk secret-key rotate again with the same keys, and start when it is done.',
    );
  }
  throw new Error(
    `this database belongs to the secret key ${bound}, but the one in use is ${box.keyId}. ` +
      'Set PAYDESK_SECRET_KEY to the key that the other processes use.',
  );
}

async function bindFirst(store: Store, box: SecretBox): Promise<string | null> {
  const outcome = await store.commit({ facts: [{ name: 'secret_key_id', value: box.keyId }] });
  return outcome.committed ? box.keyId : store.fact('secret_key_id');
}

/** Stands in place of the key's id from the first row that is sealed anew to the last: nobody can serve meanwhile. */
const changing = (from: SecretBox, to: SecretBox): string => `${from.keyId} to ${to.keyId}`;
const isChanging = (bound: string): boolean => bound.includes(' to ');

export type KeyChange = 'begun' | 'begun before' | 'done before';

/** Marks the database, so that only a run with these two keys can go on. */
export async function beginKeyChange(
  store: Store,
  from: SecretBox,
  to: SecretBox,
): Promise<KeyChange | { no: string }> {
  if (from.keyId === to.keyId)
    return { no: 'the old and the new secret key are the same. Make a new one: openssl rand -base64 32' };
  if (await store.moveFact('secret_key_id', from.keyId, changing(from, to))) return 'begun';
  const bound = await store.fact('secret_key_id');
  if (bound === changing(from, to)) return 'begun before';
  if (bound === to.keyId) return 'done before';
  if (bound === null) return { no: 'nothing is sealed in this database yet: set PAYDESK_SECRET_KEY and start.' };
  if (isChanging(bound))
    return { no: `a change from the key ${bound} was interrupted: run it again with those two keys first.` };
  return {
    no: `this database belongs to the secret key ${bound}, but the old key that was given is ${from.keyId}. Give that one.`,
  };
}

/** `audit` is recorded with the change. */
export async function endKeyChange(store: Store, from: SecretBox, to: SecretBox, audit: AuditEntry): Promise<void> {
  const moved = await store.moveFact('secret_key_id', changing(from, to), to.keyId, audit);
  if (!moved && (await store.fact('secret_key_id')) !== to.keyId)
    throw new Error('the secret key was changed by another process meanwhile: run the command again');
}
