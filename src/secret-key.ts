// The installation's secret key: from the settings, else kept in a file beside the data that only its owner can read.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
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
  const folder = config.database.engine === 'sqlite' ? dirname(config.database.path) : 'data';
  const file = join(folder, 'paydesk.key');
  return { box: secretBox(readOrMakeKey(file, random), random), file };
}

/** Safe beside other processes that start at the same time: one makes the file, the others read it. */
function readOrMakeKey(file: string, random: Random): Uint8Array {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${Buffer.from(random(secretKeyBytes)).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== secretKeyBytes) {
    throw new Error(`${file} does not hold ${secretKeyBytes} bytes in base64. Restore it, or set PAYDESK_SECRET_KEY.`);
  }
  return key;
}

/** What one key sealed, another cannot open: a database stays with the key that it was first used with. */
export async function bindSecretKey(store: Store, box: SecretBox): Promise<void> {
  const bound = (await store.fact('secret_key_id')) ?? (await bindFirst(store, box));
  if (bound === box.keyId) return;
  throw new Error(
    `this database belongs to the secret key ${bound}, but the one in use is ${box.keyId}. ` +
      'Set PAYDESK_SECRET_KEY to the key that the other processes use.',
  );
}

async function bindFirst(store: Store, box: SecretBox): Promise<string | null> {
  const outcome = await store.commit({ facts: [{ name: 'secret_key_id', value: box.keyId }] });
  return outcome.committed ? box.keyId : store.fact('secret_key_id');
}
