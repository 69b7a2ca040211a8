// What is done before a database is used: its tables are brought up to date or looked at, and those that serve take their
// lock, without a gap between the two.

import type pg from 'pg';
import { type SchemaUse, StorageUnavailable } from '../store.ts';
import { type Distribution, findDistribution } from './distribution.ts';
import { begin, migrateOn, type Prepared, prepareSession, refuseOtherSchema } from './migrate.ts';
import { isTransactionPooled } from './pooler.ts';
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

export interface PreparedDatabase extends Prepared {
  readonly lock: ServingLock | null;
  /** Null: all rows are on this server. */
  readonly distribution: Distribution | null;
}

export async function prepareDatabase(primary: Primary, options: PrepareOptions): Promise<PreparedDatabase> {
  const { lock: use = null, onConnectionLost } = options;
  const client = await connectForLock(primary);
  try {
    const pooled = await isTransactionPooled(client, () => connectForLock(primary));
    const prepared = await prepareSession(client, pooled);
    const takeLock = async (): Promise<void> => {
      if (use !== null) await take(client, prepared, use);
    };
    if ((options.schema ?? 'migrate') === 'migrate') {
      const force = options.force ?? false;
      // A lock that ends with its transaction is taken after the migration; then the tables are looked at again.
      await migrateOn(client, prepared, pooled ? { force } : { force, andThen: takeLock });
      if (pooled) await takeLock();
    } else {
      await refuseOtherSchema(client);
      await takeLock();
    }
    const distribution = await looking(client, prepared, () => findDistribution(client));
    if (use === null) {
      await client.end();
      return { ...prepared, lock: null, distribution };
    }
    // Nobody changes it while this process holds the lock, but for the first that sets it.
    let keyId = await looking(client, prepared, () => secretKeyIdIn(client));
    const ask = async (held: pg.Client): Promise<void> => {
      keyId = await looking(held, prepared, () => secretKeyIdIn(held));
    };
    const takeAgain = () => takeOnNewConnection(primary, prepared, use, keyId);
    return { ...prepared, distribution, lock: watchServingLock({ client, takeAgain, ask, onLost: onConnectionLost }) };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** For the session or, where that is not ours, in a transaction that stays open. */
async function take(client: pg.Client, prepared: Prepared, use: LockUse): Promise<void> {
  const { schema, pooled } = prepared;
  const until = pooled ? 'transaction' : 'session';
  if (pooled) await begin(client, prepared);
  if (use === 'alone') {
    const others = await lockAlone(client, schema, until);
    if (others !== null) throw new StorageUnavailable(`${others}. Stop all of them, then try again.`);
  } else if (!(await tryLock(client, schema, 'shared', until))) {
    throw new StorageUnavailable(
      'the database is being migrated, or its secret key is being rotated: try again when that is done',
    );
  }
  if (pooled) await looking(client, prepared, () => refuseOtherSchema(client));
}

/**
 * Reads without leaving a trace in a transaction that stays open: the lock on a table that was read would otherwise be
 * held until its end, and keep out whoever changes that table.
 */
async function looking<T>(client: pg.Client, { pooled }: Prepared, look: () => Promise<T>): Promise<T> {
  if (!pooled) return look();
  await client.query('SAVEPOINT looking');
  try {
    return await look();
  } finally {
    await client.query('ROLLBACK TO looking; RELEASE looking');
  }
}

/** What others may have done while the lock was not held must not have changed what this process goes by. */
async function takeOnNewConnection(
  primary: Primary,
  { pooled }: Prepared,
  use: LockUse,
  keyId: string | null,
): Promise<pg.Client> {
  const client = await connectForLock(primary);
  try {
    const prepared = await prepareSession(client, pooled);
    await take(client, prepared, use);
    const found = await looking(client, prepared, async () => {
      await refuseOtherSchema(client);
      return secretKeyIdIn(client);
    });
    if (keyId !== null && found !== keyId)
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
