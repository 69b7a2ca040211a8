// The installation's secret key: from the settings, or from a file next to the data that only its owner can read.

import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import type { AuditEntry } from './domain/audit-entry.ts';
import type { Random } from './domain/ids.ts';
import { type SecretBox, secretBox, secretKeyBytes } from './domain/secret-box.ts';
import { makePrivate, makePrivateFolder } from './storage/private-files.ts';
import type { Store } from './storage/store.ts';

export interface SecretKey {
  readonly box: SecretBox;
  /** The file that contains the key, unless it is in the settings. */
  readonly file: string | null;
}

/** An expected problem; the message says what to do. */
export class SecretKeyProblem extends Error {
  override readonly name = 'SecretKeyProblem';
}

/**
 * The key that the database is bound to; a new database is bound to the current key. A new key is generated only for a
 * new database, because it could not decrypt existing secrets.
 */
export async function openSecretKey(
  config: Config,
  store: Store,
  random: Random,
  onNotice: (message: string) => void,
): Promise<SecretKey> {
  const found = findSecretKey(config, random);
  if (found !== null) {
    if (found.file !== null) makePrivate([found.file], onNotice);
    await bindSecretKey(store, found.box);
    return found;
  }
  const file = keyFileOf(config);
  const bound = await boundKeyOf(store);
  if (bound !== null) throw new SecretKeyProblem(keyMissing(bound, file));
  const made = createKeyFile(file, random);
  const box = secretBox(readKeyFile(file), random);
  try {
    await bindSecretKey(store, box);
  } catch (error) {
    // Another process, on another machine, was first with its own key.
    if (made) unlinkSync(file);
    throw error;
  }
  return { box, file };
}

/** The key in the settings, or the one in the file; null if there is neither. */
export function findSecretKey(config: Config, random: Random): SecretKey | null {
  if (config.secretKey !== null) return { box: secretBox(config.secretKey, random), file: null };
  const file = keyFileOf(config);
  return existsSync(file) ? { box: secretBox(readKeyFile(file), random), file } : null;
}

/** The file for a key that is not in the settings. */
export function keyFileOf({ database }: Config): string {
  return join(database.engine === 'sqlite' ? dirname(database.path) : 'data', 'paydesk.key');
}

/** Safe if several processes start at the same time: one creates the file, the others read it. */
function createKeyFile(file: string, random: Random): boolean {
  makePrivateFolder(dirname(file));
  try {
    writeFileSync(file, `${Buffer.from(random(secretKeyBytes)).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

export function readKeyFile(file: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SecretKeyProblem(
      `${file} cannot be read (${code}). Let this user read it, or set PAYDESK_SECRET_KEY to the key.`,
    );
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== secretKeyBytes) {
    throw new SecretKeyProblem(
      `${file} does not contain ${secretKeyBytes} bytes in base64. Restore it, or set PAYDESK_SECRET_KEY.`,
    );
  }
  return key;
}

/** For messages: enough to tell keys apart, and too short to be masked as a possible card number. */
export function shortKeyId(bound: string | null): string {
  return String(bound).replaceAll(/[\da-f]{16}/g, (id) => id.slice(0, 8));
}

/** The id of the key that the database belongs to, or the rotation that is in progress. */
export async function boundKeyOf(store: Pick<Store, 'findBy'>): Promise<string | null> {
  return (await store.findBy('facts', 'name', 'secret_key_id'))?.value ?? null;
}

/** A key cannot open what another has sealed: a database keeps its key until `paydesk secret-key rotate` changes it. */
export async function bindSecretKey(store: Store, box: SecretBox): Promise<void> {
  const bound = (await boundKeyOf(store)) ?? (await bindFirst(store, box));
  const problem = keyMismatch(bound, box);
  if (problem !== null) throw new SecretKeyProblem(problem);
}

/** Why a database with this binding cannot be served with this key; null if it can. */
export function keyMismatch(bound: string | null, box: SecretBox): string | null {
  if (bound === box.keyId) return null;
  if (bound !== null && isRotationMark(bound)) return rotationInProgress;
  return (
    `this database belongs to the secret key ${shortKeyId(bound)}, but the one in use is ${shortKeyId(box.keyId)}. ` +
    'Set PAYDESK_SECRET_KEY to the key that the other processes use.'
  );
}

export function keyMissing(bound: string, file: string): string {
  if (isRotationMark(bound)) return rotationInProgress;
  return (
    `this database belongs to the secret key ${shortKeyId(bound)}, but there is no ${file}: ` +
    'restore that file from a backup, or set PAYDESK_SECRET_KEY to the key. A new one cannot decrypt the stored secrets.'
  );
}

const rotationInProgress =
  'the secret key of this database is being rotated, or the rotation was interrupted: ' +
  'run paydesk secret-key rotate again with the same keys, and start when it is done.';

async function bindFirst(store: Store, box: SecretBox): Promise<string | null> {
  const outcome = await store.commit({ facts: [{ name: 'secret_key_id', value: box.keyId }] });
  return outcome.committed ? box.keyId : boundKeyOf(store);
}

/** Replaces the key's id from the first re-encrypted row to the last, so that no process can serve in the meantime. */
const rotationMark = (from: SecretBox, to: SecretBox): string => `${from.keyId} to ${to.keyId}`;
const isRotationMark = (bound: string): boolean => bound.includes(' to ');

export type RotationStart = 'started' | 'resumed' | 'already done';

/** Marks the database so that only a run with these two keys can continue. */
export async function beginKeyRotation(
  store: Store,
  from: SecretBox,
  to: SecretBox,
): Promise<RotationStart | { problem: string }> {
  if (from.keyId === to.keyId)
    return { problem: 'the old and the new secret key are the same. Create a new one: openssl rand -base64 32' };
  if (await store.moveFact('secret_key_id', from.keyId, rotationMark(from, to))) return 'started';
  const bound = await boundKeyOf(store);
  if (bound === rotationMark(from, to)) return 'resumed';
  if (bound === to.keyId) return 'already done';
  if (bound === null)
    return { problem: 'this database has no encrypted secrets yet: set PAYDESK_SECRET_KEY and start.' };
  if (isRotationMark(bound))
    return {
      problem: `a rotation from the key ${shortKeyId(bound)} was interrupted: run it again with those two keys first.`,
    };
  return {
    problem: `this database belongs to the secret key ${shortKeyId(bound)}, but the specified old key is ${shortKeyId(from.keyId)}. Specify the key of the database.`,
  };
}

/** `audit` is recorded with the change. */
export async function endKeyRotation(store: Store, from: SecretBox, to: SecretBox, audit: AuditEntry): Promise<void> {
  const moved = await store.moveFact('secret_key_id', rotationMark(from, to), to.keyId, audit);
  if (!moved && (await boundKeyOf(store)) !== to.keyId)
    throw new SecretKeyProblem('another process rotated the secret key in the meantime: run the command again');
}
