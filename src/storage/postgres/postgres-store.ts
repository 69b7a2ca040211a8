// The store on a PostgreSQL server: for more than one process or machine.

import { accountErrorSql } from '../account-errors.ts';
import { cursorIn, eventCursorSql } from '../event-cursor.ts';
import { migrationsFor, refusePending } from '../migrations.ts';
import type { Store } from '../store.ts';
import { sources, tables } from '../tables.ts';
import { overdueSql, unfinishedIn, unknownSql } from '../unfinished.ts';
import { writesInto } from '../writes.ts';
import { openAnnouncements } from './announcements.ts';
import { postgresAttempts } from './attempt-counts.ts';
import { postgresDeliveryQueue } from './delivery-queue.ts';
import { distributedCommit } from './distributed-commit.ts';
import { adviceOnMissing, notDistributed, placements } from './distribution.ts';
import { postgresFacts } from './facts.ts';
import { reporting } from './failures.ts';
import { groupCommit } from './group-commit.ts';
import { postgresImpossibleWaits } from './impossible-waits.ts';
import { postgresKeyUses } from './key-uses.ts';
import { appliedMigrations } from './migrate.ts';
import { postgresPaymentLists } from './payment-list.ts';
import { postgresPaymentPruning } from './payment-pruning.ts';
import { openPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts';
import { planRenewal } from './plan-renewal.ts';
import { openPool } from './pool.ts';
import { type PrepareOptions, prepareDatabase } from './prepare-database.ts';
import { findPrimary } from './primary.ts';
import { postgresRecords } from './records.ts';
import { openReplica } from './replica.ts';
import { postgresRewrittenEvents } from './rewritten-events.ts';
import type { Query, Reading, Row, RowsOf } from './rows.ts';
import { postgresSessionOpenings } from './session-openings.ts';

export interface PostgresOptions extends PrepareOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** The URL of a replica that lists are read from while it is current; null or absent: none. */
  readonly replicaUrl?: string | null;
  readonly onNotice?: (message: string) => void;
  /** How long a query may take: a connection can be dead without an error, and is then replaced. */
  readonly queryTimeoutMs?: number;
  /** A clock that never jumps. It shows which queries are slow and when to renew plans: other processes fill tables too. */
  readonly monotonicMs?: () => number;
  /** Every statement names one merchant, also where the database does not need it. */
  readonly oneMerchantAtATime?: boolean;
}

const statementTimeoutMs = 10_000;
/** A read waits only while a whole table is locked. All reads share a few connections, so none may hold one for long. */
const readLockTimeoutMs = 1_000;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, maxConnections, queryTimeoutMs = 12_000, onConnectionLost, schema: use = 'migrate' } = options;
  const { replicaUrl = null, onNotice = () => {} } = options;
  const primary = findPrimary(url);
  const { schema, pooled, lock, distribution } = await reporting(() => prepareDatabase(primary, options));
  const isDistributed = (table: string): boolean =>
    placements.get(table) === 'by_merchant' &&
    (options.oneMerchantAtATime === true || distribution?.columns.has(table) === true);
  const byMerchant = options.oneMerchantAtATime === true || (distribution?.columns.size ?? 0) > 0;
  const missing = distribution === null ? [] : notDistributed(distribution);
  if (missing.length > 0) onNotice(adviceOnMissing(missing));
  const readOnly = use === 'read-only';
  const ownSession = { schema, statementTimeoutMs, lockTimeoutMs: 0, readOnly, planOnce: !byMerchant };
  const session = pooled ? null : ownSession;
  const monotonicMs = options.monotonicMs ?? (() => 0);
  const plans = planRenewal(monotonicMs);
  const pool = openPool({
    ...{ primary, maxConnections, queryTimeoutMs, onConnectionLost, session },
    plans: session?.planOnce === true ? plans : null,
  });
  // A pooler that shares server connections takes one query of a connection at a time, and on a distributed database
  // most of the time of a query is that of another server.
  const pipelines =
    pooled || byMerchant
      ? null
      : openPipelines({
          ...{ primary, queryTimeoutMs, onConnectionLost, plans, monotonicMs },
          session: { ...ownSession, lockTimeoutMs: readLockTimeoutMs },
        });
  const query: Query = (config) => reporting(() => pool.query<Row>(config));
  const rowsOf: RowsOf = async (config) => {
    const { rows } = await reporting(() => pool.query<unknown[]>({ ...config, rowMode: 'array' }));
    return rows;
  };
  const readRows: RowsOf =
    pipelines === null
      ? rowsOf
      : async (config, reading = 'list') => {
          const { rows } = await reporting(() => pipelines[reading].query({ ...config, rowMode: 'array' }));
          return rows;
        };
  const held = () => lock?.held() ?? null;
  // A pooler that shares server connections does not pass notifications on.
  const announcements =
    options.lock === 'shared' && !pooled ? openAnnouncements({ primary, schema, onLost: onConnectionLost }) : null;
  const migrations = migrationsFor('postgres');
  const maxLanes = Math.max(1, maxConnections - 1);
  const onOneServer = groupCommit({
    query: (config) => reporting(() => pool.query<Row>(config), { conflicts: true }),
    maxLanes,
    held,
    onCommitted: plans.committed,
  });
  const group = byMerchant
    ? distributedCommit({
        transaction: (work) => reporting(() => pool.transaction(work), { conflicts: true }),
        onCoordinator: onOneServer,
        maxTransactions: maxLanes,
        held,
      })
    : onOneServer;
  const deps = { query, readRows, isDistributed };
  const recordsOf = postgresRecords({ ...deps, group });

  const records = recordsOf(sources);
  const writesOf = writesInto(tables);
  // How far a replica of the coordinator has come says nothing about the servers that have the rows.
  if (replicaUrl !== null && byMerchant)
    onNotice('PAYDESK_REPLICA_URL is not used, because the database is distributed');
  const replica =
    replicaUrl === null || byMerchant
      ? null
      : openReplica({
          ...{ url: replicaUrl, maxConnections, queryPrimary: query, onNotice },
          session: { ...ownSession, readOnly: true },
          plans: planRenewal(monotonicMs),
        });
  const payments = postgresPaymentLists(deps);
  function replicaReads(): Store['replica'] {
    if (replica === null) return { ...records, payments };
    const { prefer } = replica;
    const replicaDeps = { query: replica.query, readRows: replica.rowsOf };
    const found = postgresRecords({ ...replicaDeps, isDistributed, group })(sources);
    const lists = postgresPaymentLists(replicaDeps);
    return {
      find: (...wanted) =>
        prefer(
          () => found.find(...wanted),
          () => records.find(...wanted),
        ),
      list: (...wanted) =>
        prefer(
          () => found.list(...wanted),
          () => records.list(...wanted),
        ),
      count: (...wanted) =>
        prefer(
          () => found.count(...wanted),
          () => records.count(...wanted),
        ),
      payments: {
        ids: (...wanted) =>
          prefer(
            () => lists.ids(...wanted),
            () => payments.ids(...wanted),
          ),
      },
    };
  }

  return {
    ...records,
    replica: replicaReads(),
    async commit(changes) {
      const outcome = await group.commit(writesOf(changes), changes.attemptCounts);
      if (outcome.committed) announcements?.committed(changes);
      return outcome;
    },
    onCommittedElsewhere: (listener) => announcements?.onElsewhere(listener),
    recordsOf,
    deliveryQueue: postgresDeliveryQueue({ ...deps, rowsOf }),
    payments,
    async eventCursor({ merchantId, livemode }, afterId) {
      const { rows } = await query({ name: 'event cursor', text: cursorSql, values: [merchantId, livemode, afterId] });
      return cursorIn(rows[0]);
    },
    ...postgresAttempts(deps),
    ...postgresPaymentPruning({ query, readRows }),
    ...postgresFacts(query),
    ...postgresRewrittenEvents(query),
    ...postgresImpossibleWaits(deps),
    ...postgresSessionOpenings(deps),
    ...postgresKeyUses({ query, byMerchant }),
    // One by one: a statement that holds a single lock cannot be part of a deadlock.
    async recordAccountErrors(errors) {
      for (const { at, message, merchantId, livemode, id } of errors) {
        const values = [at, message, merchantId, livemode, id];
        await query({ name: 'record account error', text: accountErrorSql, values });
      }
    },
    async unfinished(now) {
      const [unknown, overdue] = await Promise.all([
        query({ name: 'unknown outcomes', text: unknownSql }),
        query({ name: 'overdue sessions', text: overdueSql('$1'), values: [now] }),
      ]);
      return unfinishedIn(unknown.rows, overdue.rows[0]);
    },
    async time() {
      const text = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';
      const { rows } = await query({ name: 'time', text });
      return Number(rows[0]?.ms);
    },
    async check() {
      refusePending(migrations, await appliedMigrations((text) => query({ text })));
      await held();
    },
    async close() {
      await replica?.close();
      await Promise.all([
        pool.end(),
        pipelines?.['look-up'].end(),
        pipelines?.list.end(),
        lock?.close(),
        announcements?.close(),
      ]);
    },
  };
}

/**
 * Look-ups share one connection, so that no list delays them. While the server process is busy with one, it takes the next
 * without being woken. Waking it puts it on the core of this thread, which then has to wait: on two cores, look-ups
 * were 12 % slower with two connections than with one. Spare ones take over while it is silent, because it waits for a locked
 * table or is dead: look-ups of one kind can hold up two connections. Lists have two, so that a long one does not delay the
 * others, and a spare one for when both are silent.
 */
function openPipelines(
  options: Omit<PipelineOptions, 'maxConnections' | 'maxSpares'>,
): Readonly<Record<Reading, Pipeline>> {
  return {
    'look-up': openPipeline({ ...options, maxConnections: 1, maxSpares: 2 }),
    list: openPipeline({ ...options, maxConnections: 2, maxSpares: 1 }),
  };
}

const cursorSql = eventCursorSql('$1', '$2', '$3::text');
