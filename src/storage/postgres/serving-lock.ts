// The lock of those that serve a database: any number share it, and what must not happen meanwhile (a migration, a change
// of the secret key) takes it alone. It is held by a connection of its own, which is watched: when that breaks, nothing
// is committed until there is another.

import type pg from 'pg';
import { StorageUnavailable } from '../store.ts';
import type { Primary } from './primary.ts';

/** Any constant of our own; the second half of the lock's key is the schema. */
const servingLock = 1_885_434_724;

const retryMs = 250;
/** After a failover, nothing is committed before the lock is taken again. */
const takeAgainMs = 100;
/** Together less than the lease of a failover manager: a machine that died is known before it is replaced. */
const heartbeatMs = 2_000;
const heartbeatLimitMs = 3_000;
const maxWaitMs = 5_000;

/** Short commands are given two seconds to end. */
const triesForAlone = 8;

export type LockUse = 'shared' | 'alone';

/** A connection for the lock and for migrations. */
export function connectForLock(primary: Primary): Promise<pg.Client> {
  return primary.connect({ application_name: 'paydesk serving lock' });
}

/** For the session, or until the end of the transaction. Answers whether it was free. */
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

/**
 * Takes the lock alone, or says who is in the way. Versions before this one do not hold the lock: they are known by the
 * name of their connections, which short commands have too.
 */
export async function lockAlone(
  client: pg.Client,
  schema: string,
  until: 'session' | 'transaction',
): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const held = await tryLock(client, schema, 'alone', until);
    // Within a transaction, who is connected would stay as it was when first asked.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ serving: number; connected: number }>(othersSql, [servingLock, schema]);
    const { serving = 0, connected = 0 } = rows[0] ?? {};
    if (held && connected === 0) return null;
    if (tries === triesForAlone) {
      if (serving > 0)
        return `${serving} other Paydesk ${serving === 1 ? 'process serves' : 'processes serve'} this database`;
      return `other Paydesk processes have ${connected} connections to this database`;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** How many processes hold the lock. */
export async function countServing(client: pg.Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ serving: number }>(`SELECT ${servingSql} AS serving`, [servingLock, schema]);
  return rows[0]?.serving ?? 0;
}

/** Those of other connections than this one. */
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
  /** Null while it is held. One that was lost is waited for a little; then it rejects, and says why. */
  held(): Promise<void> | null;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Holds the lock. */
  readonly client: pg.Client;
  /** Makes another client that holds it, or throws. */
  readonly takeAgain: () => Promise<pg.Client>;
  /** Asked for now and then while it is held: that the connection answers. */
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
      // Nobody may be waiting for it.
      returned.promise.catch(() => {});
      next.end().catch(() => {});
      if (closed) return;
      onLost(error ?? new Error('the connection ended'));
      void again();
    };
    next.on('error', lost);
    next.on('end', () => lost());
  }

  async function again(): Promise<void> {
    if (closed) return;
    try {
      const next = await takeAgain();
      if (closed) await next.end();
      else use(next);
    } catch (error) {
      reason = (error as Error).message;
      retry = setTimeout(again, takeAgainMs);
      retry.unref();
    }
  }

  /** A connection can be dead without saying so. */
  function beat(): void {
    const asked = client;
    if (asked === null || isAsking) return;
    isAsking = true;
    const silent = (): void => void asked.emit('error', new Error('the connection is silent'));
    // An answer that arrived while this process was busy counts.
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
      // A transaction that has failed no longer holds anything for sure.
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
