// Prepares a database for use: migrates or checks its tables, and takes the serving lock without a gap in between.

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
  lockShared,
  type ServingLock,
  tryLock,
  watchServingLock,
} from './serving-lock.ts';

export interface PrepareOptions {
  readonly schema?: SchemaUse;
  /** Migrate even while other processes serve. */
  readonly force?: boolean;
  /** Shared with other serving processes, or exclusive; null takes no lock. */
  readonly lock?: LockUse | null;
  readonly onConnectionLost: (error: Error) => void;
  readonly onMigrated?: (applied: number) => void;
}

export interface PreparedDatabase extends Prepared {
  readonly lock: ServingLock | null;
  /** Null if the Citus extension is not installed. */
  readonly distribution: Distribution | null;
}

export async function prepareDatabase(primary: Primary, options: PrepareOptions): Promise<PreparedDatabase> {
  const { lock: use = null, onConnectionLost } = options;
  const client = await connectForLock(primary);
  try {
    const pooled = await isTransactionPooled(client, () => connectForLock(primary));
    const prepared = await prepareSession(client, pooled);
    const takeLock = async (): Promise<void> => {
      if (use !== null) await take(client, prepared, { use, waits: true });
    };
    if ((options.schema ?? 'migrate') === 'migrate') {
      const force = options.force ?? false;
      // Behind a pooler, the lock ends with its transaction: it is taken after the migration, and the tables are checked again.
      const applied = await migrateOn(client, prepared, pooled ? { force } : { force, andThen: takeLock });
      options.onMigrated?.(applied);
      if (pooled) await takeLock();
    } else {
      await refuseOtherSchema(client);
      await takeLock();
    }
    if (use === null) {
      const distribution = await findDistribution(client);
      await client.end();
      return { ...prepared, lock: null, distribution };
    }
    const distribution = await readUnlocked(client, prepared, () => findDistribution(client));
    // While this process holds the lock, the key cannot change, but it can be set for the first time.
    let keyId = await readUnlocked(client, prepared, () => secretKeyIdIn(client));
    const ask = async (held: pg.Client): Promise<void> => {
      keyId = await readUnlocked(held, prepared, () => secretKeyIdIn(held));
    };
    const takeAgain = () => takeOnNewConnection(primary, prepared, use, keyId);
    return { ...prepared, distribution, lock: watchServingLock({ client, takeAgain, ask, onLost: onConnectionLost }) };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Takes the lock for the session or, behind a pooler, in a transaction that stays open. */
async function take(
  client: pg.Client,
  prepared: Prepared,
  { use, waits }: { readonly use: LockUse; readonly waits: boolean },
): Promise<void> {
  const { schema, pooled } = prepared;
  const until = pooled ? 'transaction' : 'session';
  if (pooled) await begin(client, prepared);
  if (use === 'alone') {
    const others = await lockAlone(client, schema, until);
    if (others !== null) throw new StorageUnavailable(`${others}. Stop all of them, then try again.`);
  } else if (!(await (waits ? lockShared(client, schema, until) : tryLock(client, schema, 'shared', until)))) {
    throw new StorageUnavailable(
      'the database is being migrated, or its secret key is being rotated: try again when that is done',
    );
  }
  if (pooled) await readUnlocked(client, prepared, () => refuseOtherSchema(client));
}

/**
 * With the lock held. Behind a pooler, rolls back to a savepoint after the read: otherwise the transaction that stays open
 * would keep its lock on the table, and block migrations of it.
 */
async function readUnlocked<T>(client: pg.Client, { pooled }: Prepared, read: () => Promise<T>): Promise<T> {
  if (!pooled) return read();
  await client.query('SAVEPOINT reading');
  try {
    return await read();
  } finally {
    await client.query('ROLLBACK TO reading; RELEASE reading');
  }
}

/** Nothing is committed meanwhile, and a server that has gone silent would be waited for until TCP gives up. */
const takeAgainLimitMs = 3_000;

/** Fails if the schema or the secret key changed while the lock was not held. */
async function takeOnNewConnection(
  primary: Primary,
  { pooled }: Prepared,
  use: LockUse,
  keyId: string | null,
): Promise<pg.Client> {
  const client = await connectForLock(primary);
  const limit = setTimeout(() => client.connection.stream.destroy(), takeAgainLimitMs);
  try {
    const prepared = await prepareSession(client, pooled);
    // It is tried again soon, and a reason to wait should be known soon.
    await take(client, prepared, { use, waits: false });
    const found = await readUnlocked(client, prepared, async () => {
      await refuseOtherSchema(client);
      return secretKeyIdIn(client);
    });
    if (keyId !== null && found !== keyId)
      throw new StorageUnavailable('the secret key of the database was rotated: start this process with the new one');
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

async function secretKeyIdIn(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>("SELECT value FROM facts WHERE name = 'secret_key_id'");
  return rows[0]?.value ?? null;
}
