// The lock that processes share while they serve a database. Migrations and rotation of the secret key take it
// exclusively. It is held on a dedicated connection, which is monitored: if that breaks, nothing is committed until
// another connection holds the lock.

import type pg from 'pg';
import { StorageUnavailable } from '../store.ts';
import type { Primary } from './primary.ts';

/** An arbitrary constant; the second half of the lock's key is the schema. */
const servingLock = 1_885_434_724;

const retryMs = 250;
/** Short, because nothing is committed after a failover until the lock is held again. */
const takeAgainMs = 100;
/** Together shorter than the lease of a failover manager: a dead primary is detected before it is replaced. */
const heartbeatMs = 2_000;
const heartbeatLimitMs = 3_000;
const maxWaitMs = 5_000;

/** Gives short commands, and connections that are being closed, two seconds to end. */
const maxTries = 8;

export type LockUse = 'shared' | 'alone';

/** A connection for the lock and for migrations. */
export function connectForLock(primary: Primary): Promise<pg.Client> {
  return primary.connect({ application_name: 'paydesk serving lock' });
}

/** For the session, or until the end of the transaction. Returns whether the lock was acquired. */
export async function tryLock(
  client: pg.Client,
  schema: string,
  use: LockUse,
  until: 'session' | 'transaction' = 'session',
): Promise<boolean> {
  const scope = until === 'transaction' ? 'xact_' : '';
  const text = `SELECT pg_try_advisory_${scope}lock${use === 'shared' ? '_shared' : ''}($1::int, hashtext($2)) AS held`;
  const { rows } = await client.query<{ held: boolean }>(text, [servingLock, schema]);
  return rows[0]?.held === true;
}

/** Takes the lock together with other processes, unless somebody holds it exclusively. Returns whether it was acquired. */
export async function lockShared(
  client: pg.Client,
  schema: string,
  until: 'session' | 'transaction',
): Promise<boolean> {
  for (let tries = 1; !(await tryLock(client, schema, 'shared', until)); tries++) {
    if (tries === maxTries) return false;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  return true;
}

/**
 * Takes the lock exclusively, or returns who prevents it. Earlier versions do not hold the lock: they are recognised by
 * the name of their connections, which short commands use too.
 */
export async function lockAlone(
  client: pg.Client,
  schema: string,
  until: 'session' | 'transaction',
): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const held = await tryLock(client, schema, 'alone', until);
    // Otherwise pg_stat_activity would not change within a transaction.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ serving: number; connected: number }>(othersSql, [servingLock, schema]);
    const { serving = 0, connected = 0 } = rows[0] ?? {};
    if (held && connected === 0) return null;
    if (tries === maxTries) {
      if (serving > 0)
        return `${serving} other Paydesk ${serving === 1 ? 'process serves' : 'processes serve'} this database`;
      return `other Paydesk processes have ${connected} connections to this database`;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** How many processes hold the lock, not counting this connection. */
export async function countServing(client: pg.Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ serving: number }>(`SELECT ${servingSql} AS serving`, [servingLock, schema]);
  return rows[0]?.serving ?? 0;
}

/** Counts connections other than this one. */
const servingSql = `
  (SELECT count(DISTINCT pid) FROM pg_locks
   WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND classid = $1::int::oid AND objid = hashtext($2)::oid AND objsubid = 2)::int`;

const othersSql = `
  SELECT ${servingSql} AS serving,
         (SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'paydesk')::int AS connected`;

export interface ServingLock {
  /** Null while the lock is held. If it was lost, waits for it, and rejects after `maxWaitMs` with the reason. */
  held(): Promise<void> | null;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Already holds the lock. */
  readonly client: pg.Client;
  /** Takes the lock on a new connection, or throws. */
  readonly takeAgain: () => Promise<pg.Client>;
  /** Queries the connection at every heartbeat, to check that it responds. */
  readonly ask: (client: pg.Client) => Promise<unknown>;
  readonly onLost: (error: Error) => void;
}

export function watchServingLock({ client: first, takeAgain, ask, onLost }: WatchOptions): ServingLock {
  let client: pg.Client | null = null;
  let closed = false;
  let reason = 'the connection that holds the lock of serving processes was lost';
  let returned = Promise.withResolvers<void>();
  let retry: NodeJS.Timeout | undefined;
  let isAsking = false;
  const heartbeat = setInterval(beat, heartbeatMs);
  heartbeat.unref();

  function use(next: pg.Client): void {
    client = next;
    returned.resolve();
    const lost = (error?: Error): void => {
      if (client !== next) return;
      client = null;
      returned = Promise.withResolvers<void>();
      // Prevents an unhandled rejection if nobody is waiting.
      returned.promise.catch(() => {});
      next.end().catch(() => {});
      if (closed) return;
      onLost(error ?? new Error('the connection ended'));
      void retake();
    };
    next.on('error', lost);
    next.on('end', () => lost());
  }

  async function retake(): Promise<void> {
    if (closed) return;
    try {
      const next = await takeAgain();
      if (closed) await next.end();
      else use(next);
    } catch (error) {
      reason = (error as Error).message;
      retry = setTimeout(retake, takeAgainMs);
      retry.unref();
    }
  }

  /** Detects connections that died silently. */
  function beat(): void {
    const asked = client;
    if (asked === null || isAsking) return;
    isAsking = true;
    const silent = (): void => void asked.emit('error', new Error('the connection is silent'));
    // A response that arrived while this process was busy counts.
    let check: NodeJS.Immediate | undefined;
    const limit = setTimeout(() => {
      check = setImmediate(silent);
    }, heartbeatLimitMs);
    limit.unref();
    const answered = (): void => {
      isAsking = false;
      clearTimeout(limit);
      clearImmediate(check);
    };
    ask(asked).then(answered, (error: Error) => {
      answered();
      // A failed transaction may no longer hold the lock.
      if (client === asked) asked.emit('error', error);
    });
  }

  async function whenHeld(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<'late'>();
    const limit = setTimeout(resolve, maxWaitMs, 'late');
    const outcome = await Promise.race([returned.promise, promise]);
    clearTimeout(limit);
    if (outcome === 'late') throw new StorageUnavailable(`nothing can be committed: ${reason}`);
  }

  use(first);
  return {
    held: () => (client === null && !closed ? whenHeld() : null),
    async close() {
      closed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      await client?.end();
    },
  };
}
