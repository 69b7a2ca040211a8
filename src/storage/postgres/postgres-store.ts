// The store on a PostgreSQL server: for more than one process or machine.

import { cursorIn, eventCursorSql } from '../event-cursor.ts';
import { migrationsFor, refusePending } from '../migrations.ts';
import type { Store } from '../store.ts';
import { sources, tables } from '../tables.ts';
import { writesInto } from '../writes.ts';
import { openAnnouncements } from './announcements.ts';
import { postgresAttempts } from './attempt-counts.ts';
import { postgresDeliveryQueue } from './delivery-queue.ts';
import { postgresFacts } from './facts.ts';
import { reporting } from './failures.ts';
import { groupCommit } from './group-commit.ts';
import { postgresImpossibleWaits } from './impossible-waits.ts';
import { appliedMigrations } from './migrate.ts';
import { postgresPaymentPruning } from './payment-pruning.ts';
import { openPipeline } from './pipeline.ts';
import { openPool } from './pool.ts';
import { type PrepareOptions, prepareDatabase } from './prepare-database.ts';
import { findPrimary } from './primary.ts';
import { postgresRecords } from './records.ts';
import { openReplica } from './replica.ts';
import type { Query, Row, RowsOf } from './rows.ts';

export interface PostgresOptions extends PrepareOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** The URL of a replica that lists are read from while it is current; null or absent: none. */
  readonly replicaUrl?: string | null;
  readonly onNotice?: (message: string) => void;
  /** How long a query may take: a connection can be dead without an error, and is then replaced. */
  readonly queryTimeoutMs?: number;
}

const statementTimeoutMs = 10_000;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, maxConnections, queryTimeoutMs = 12_000, onConnectionLost, schema: use = 'migrate' } = options;
  const primary = findPrimary(url);
  const { schema, pooled, lock } = await reporting(() => prepareDatabase(primary, options));
  const ownSession = { schema, statementTimeoutMs, readOnly: use === 'read-only' };
  const session = pooled ? null : ownSession;
  const pool = openPool({ primary, maxConnections, queryTimeoutMs, onConnectionLost, session });
  // A pooler that shares server connections takes one query of a connection at a time.
  const pipeline = pooled ? null : openPipeline({ primary, queryTimeoutMs, onConnectionLost, session: ownSession });
  const query: Query = (config) => reporting(() => pool.query<Row>(config));
  const rowsOf: RowsOf = async (config) => {
    const { rows } = await reporting(() => pool.query<unknown[]>({ ...config, rowMode: 'array' }));
    return rows;
  };
  const readRows: RowsOf =
    pipeline === null
      ? rowsOf
      : async (config) => {
          const { rows } = await reporting(() => pipeline.query({ ...config, rowMode: 'array' }));
          return rows;
        };
  const held = () => lock?.held() ?? null;
  // A pooler that shares server connections does not pass notifications on.
  const announcements =
    options.lock === 'shared' && !pooled ? openAnnouncements({ primary, schema, onLost: onConnectionLost }) : null;
  const migrations = migrationsFor('postgres');
  const group = groupCommit({
    query: (config) => reporting(() => pool.query<Row>(config), { conflicts: true }),
    maxLanes: Math.max(1, maxConnections - 1),
    held,
  });
  const recordsOf = postgresRecords({ query, readRows, group });

  const records = recordsOf(sources);
  const { replicaUrl = null, onNotice = () => {} } = options;
  const replica =
    replicaUrl === null
      ? null
      : openReplica({
          ...{ url: replicaUrl, maxConnections, queryPrimary: query, onNotice },
          session: { ...ownSession, readOnly: true },
        });
  const replicaRecords =
    replica === null ? records : postgresRecords({ query: replica.query, readRows: replica.rowsOf, group })(sources);

  return {
    ...records,
    replica:
      replica === null
        ? records
        : {
            list: (table, page) =>
              replica.prefer(
                () => replicaRecords.list(table, page),
                () => records.list(table, page),
              ),
            count: (table, which, atMost) =>
              replica.prefer(
                () => replicaRecords.count(table, which, atMost),
                () => records.count(table, which, atMost),
              ),
          },
    async commit(changes) {
      const outcome = await group.commit(writesInto(tables, changes), changes.attemptCounts);
      if (outcome.committed) announcements?.committed(changes);
      return outcome;
    },
    onCommittedElsewhere: (listener) => announcements?.onElsewhere(listener),
    recordsOf,
    deliveryQueue: postgresDeliveryQueue({ query, rowsOf, readRows }),
    async eventCursor({ merchantId, livemode }, afterId) {
      const { rows } = await query({ name: 'event cursor', text: cursorSql, values: [merchantId, livemode, afterId] });
      return cursorIn(rows[0]);
    },
    ...postgresAttempts(query, readRows),
    ...postgresPaymentPruning({ query, readRows }),
    ...postgresFacts(query),
    ...postgresImpossibleWaits(query),
    async markKeysUsed(uses) {
      await query({
        name: 'mark keys used',
        text: `UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
               FROM (SELECT id, max(at) AS at FROM unnest($1::text[], $2::bigint[]) AS use (id, at) GROUP BY id) used
               WHERE api_keys.id = used.id`,
        values: [uses.map(({ id }) => id), uses.map(({ usedAt }) => usedAt)],
      });
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
      await Promise.all([pool.end(), pipeline?.end(), lock?.close(), announcements?.close()]);
    },
  };
}

const cursorSql = eventCursorSql('$1', '$2', '$3::text');
