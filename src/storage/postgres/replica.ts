// Reads lists from a replica, which may be up to a second behind. Four times a second, its lag is measured from the
// primary's log position and clock, and from how far the replica has replayed the log. If it is further behind or does
// not respond, lists are read from the primary.

import { StorageUnavailable } from '../store.ts';
import { reporting } from './failures.ts';
import type { PlanRenewal } from './plan-renewal.ts';
import { openPool } from './pool.ts';
import { findPrimary } from './primary.ts';
import type { Query, Row, RowsOf } from './rows.ts';
import type { SessionSettings } from './session.ts';

export interface ReplicaOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly session: SessionSettings;
  readonly plans: PlanRenewal;
  readonly queryPrimary: Query;
  /** Called when lists switch between the replica and the primary. */
  readonly onNotice: (message: string) => void;
}

export interface Replica {
  readonly query: Query;
  readonly rowsOf: RowsOf;
  /** Reads from the replica if it is current, and otherwise from the primary. */
  prefer<T>(fromReplica: () => Promise<T>, fromPrimary: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Written {
  /** In bytes of the log. */
  readonly position: number;
  /** In ms, by the primary's clock. */
  readonly at: number;
}

const maxAgeMs = 1_000;
const measureEveryMs = 250;
/** How long a measurement is valid. The measured lag plus this stays within the limit. */
const validMs = 500;
const queryTimeoutMs = 2_000;

export function openReplica({ url, maxConnections, session, plans, queryPrimary, onNotice }: ReplicaOptions): Replica {
  const pool = openPool({
    ...{ maxConnections, queryTimeoutMs, session, plans },
    primary: findPrimary(url),
    // The next measurement notices it.
    onConnectionLost: () => {},
  });
  const query: Query = (config) => reporting(() => pool.query<Row>(config));
  let written: Written[] = [];
  let isCurrent = false;
  let isKnown = false;
  let expiry: NodeJS.Timeout | undefined;
  let isClosed = false;

  function setCurrent(current: boolean, why: string): void {
    clearTimeout(expiry);
    if (current) expiry = setTimeout(() => setCurrent(false, 'its age could not be measured in time'), validMs).unref();
    if (isClosed || (isKnown && current === isCurrent)) return;
    isCurrent = current;
    isKnown = true;
    onNotice(
      current
        ? 'lists are read from the replica of PAYDESK_REPLICA_URL'
        : `lists are read from the primary, because the replica of PAYDESK_REPLICA_URL cannot be used: ${why}`,
    );
  }

  async function measure(): Promise<void> {
    const { rows: replayed } = await query({ text: replayedSql });
    const { rows: current } = await queryPrimary({ text: writtenSql });
    const [{ position: replayedTo = null } = {}, now] = [replayed[0], current[0]];
    if (replayedTo === null) return setCurrent(false, 'it is not a replica');
    const newest: Written = { position: Number(now?.position), at: Number(now?.at) };
    if (Number(replayedTo) > newest.position) return setCurrent(false, 'it follows another primary');
    const known = written.findLast(({ position }) => position <= Number(replayedTo));
    written = [...written.filter(({ at }) => at > newest.at - maxAgeMs && at <= newest.at), newest];
    // Replayed to the end: nothing is missing.
    const asOf = Number(replayedTo) === newest.position ? newest.at : (known?.at ?? 0);
    setCurrent(newest.at - asOf <= maxAgeMs - validMs, `it is more than ${maxAgeMs - validMs} ms behind`);
  }

  let measuring: Promise<void> | null = null;
  const timer = setInterval(() => {
    measuring ??= measure()
      .catch((error: Error) => setCurrent(false, error.message))
      .finally(() => {
        measuring = null;
      });
  }, measureEveryMs);
  timer.unref();

  return {
    query,
    async rowsOf(config) {
      const { rows } = await reporting(() => pool.query<unknown[]>({ ...config, rowMode: 'array' }));
      return rows;
    },
    async prefer(fromReplica, fromPrimary) {
      if (!isCurrent) return fromPrimary();
      try {
        return await fromReplica();
      } catch (error) {
        // The replica is gone, or had to cancel the query in order to replay.
        if (!(error instanceof StorageUnavailable)) throw error;
        setCurrent(false, error.message);
        return fromPrimary();
      }
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(expiry);
      await measuring;
      await pool.end();
    },
  };
}

/** Null on a server that is not a replica. */
const replayedSql = `
  SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 END AS position`;
/** Acknowledged commits have been flushed. */
const writtenSql = `
  SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS position,
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS at`;
