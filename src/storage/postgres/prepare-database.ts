// What is done before a database is used: its tables are brought up to date or looked at, and those that serve take their
// lock, without a gap between the two.

import type pg from 'pg';
import { type SchemaUse, StorageUnavailable } from '../store.ts';
import { migrateOn, prepareSession, refuseOtherSchema } from './migrate.ts';
import type { Primary } from './primary.ts';
import {
  connectForLock,
  type LockUse,
  lockAlone,
  type ServingLock,
  tryLock,
  watchServingLock,
} from './serving-lock.ts';

export interface PrepareOptions {
  readonly schema?: SchemaUse;
  /** Migrates also while others serve. */
  readonly force?: boolean;
  /** As one of those that serve, or while none does. */
  readonly lock?: LockUse | null;
  readonly onConnectionLost: (error: Error) => void;
}

export async function prepareDatabase(
  primary: Primary,
  options: PrepareOptions,
): Promise<{ readonly schema: string; readonly lock: ServingLock | null }> {
  const { lock = null, onConnectionLost } = options;
  const client = await connectForLock(primary);
  try {
    const schema = await prepareSession(client);
    const takeLock = async (): Promise<void> => {
      if (lock !== null) await take(client, schema, lock);
    };
    if ((options.schema ?? 'migrate') === 'migrate') {
      await migrateOn(client, schema, { force: options.force ?? false, andThen: takeLock });
    } else {
      await refuseOtherSchema(client);
      await takeLock();
    }
    if (lock === null) {
      await client.end();
      return { schema, lock };
    }
    // Nobody changes it while this process holds the lock, but for the first that sets it.
    let keyId = await secretKeyIdIn(client);
    const ask = async (held: pg.Client): Promise<void> => {
      keyId = await secretKeyIdIn(held);
    };
    const takeAgain = () => takeOnNewConnection(primary, lock, keyId);
    return { schema, lock: watchServingLock({ client, takeAgain, ask, onLost: onConnectionLost }) };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function take(client: pg.Client, schema: string, use: LockUse): Promise<void> {
  if (use === 'alone') {
    const others = await lockAlone(client, schema, 'session');
    if (others !== null) throw new StorageUnavailable(`${others}. Stop all of them, then try again.`);
  } else if (!(await tryLock(client, schema, 'shared'))) {
    throw new StorageUnavailable(
      'the database is being migrated, or its secret key is being rotated: try again when that is done',
    );
  }
}

/** What others may have done while the lock was not held must not have changed what this process goes by. */
async function takeOnNewConnection(primary: Primary, lock: LockUse, keyId: string | null): Promise<pg.Client> {
  const client = await connectForLock(primary);
  try {
    const schema = await prepareSession(client);
    await take(client, schema, lock);
    await refuseOtherSchema(client);
    if (keyId !== null && (await secretKeyIdIn(client)) !== keyId)
      throw new StorageUnavailable('the secret key of the database was rotated: start this process with the new one');
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function secretKeyIdIn(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>("SELECT value FROM facts WHERE name = 'secret_key_id'");
  return rows[0]?.value ?? null;
}
