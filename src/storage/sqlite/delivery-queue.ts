// The queue of deliveries. Deliveries in progress are tracked in memory, because one process serves a file: the row stays
// due until its result is committed, so a crash repeats an attempt and never loses one.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Delivery, maxClaimedAtOnce } from '../../domain/delivery.ts';
import { idBefore } from '../../domain/ids.ts';
import type { Scope } from '../../domain/merchant.ts';
import { resultIn } from '../delivery-result.ts';
import { deliveryCounts, deliveryCountsIn, failedDeliveries } from '../sql.ts';
import type { DeliveryClaim, DeliveryQueue } from '../store.ts';
import { deliveries } from '../tables/deliveries.ts';
import { events } from '../tables/events.ts';
import { webhookEndpoints } from '../tables/webhook-endpoints.ts';
import type { GroupCommit } from './group-commit.ts';
import { inSteps } from './pruning.ts';
import type { Reader } from './reader.ts';
import { orUnavailable } from './result-codes.ts';
import { numbered } from './rows.ts';
import type { ShortStep } from './short-steps.ts';

const notDeleted = 'deleted_at IS NULL';
/** As in the index. */
const endedAt = `coalesce(attempts ->> '$[#-1].at', created_at)`;

export interface DeliveryQueueDeps {
  readonly database: DatabaseSync;
  readonly read: Reader;
  readonly group: GroupCommit;
  readonly newStep: () => ShortStep;
}

export function sqliteDeliveryQueue({ database, read, group, newStep }: DeliveryQueueDeps): DeliveryQueue {
  const scoped = ({ merchantId, livemode }: Scope): SQLInputValue[] => [merchantId, livemode ? 1 : 0];
  const byScopedId = 'WHERE merchant_id = ? AND livemode = ? AND id = ?';
  const endpointByIdAlone = read.one(webhookEndpoints, `WHERE id = ? AND ${notDeleted}`);
  const eventById = read.one(events, byScopedId);
  const due = read.many(deliveries, 'WHERE endpoint_id = ? AND due_at <= ? ORDER BY due_at LIMIT 0 + ?');
  const failed = read.many(deliveries, numbered(failedDeliveries));
  // Skips from endpoint to endpoint in the index, so the length of their queues does not matter.
  const withDue = database.prepare(`
    WITH RECURSIVE waiting (id, place) AS (
      SELECT min(endpoint_id), 1 FROM deliveries WHERE due_at IS NOT NULL AND endpoint_id > :after
      UNION ALL
      SELECT (SELECT min(endpoint_id) FROM deliveries WHERE due_at IS NOT NULL AND endpoint_id > waiting.id), place + 1
      FROM waiting WHERE waiting.id IS NOT NULL AND place < :limit)
    SELECT id, EXISTS (SELECT 1 FROM deliveries WHERE endpoint_id = waiting.id AND due_at <= :now) AS is_due
    FROM waiting WHERE id IS NOT NULL ORDER BY place`);
  const recordResult = database.prepare(`
    UPDATE deliveries SET status = ?, attempts = ?, due_at = ?
    WHERE merchant_id = ? AND livemode = ? AND event_id = ? AND id = ? AND due_at = ?`);
  const recent = database.prepare(`
    SELECT endpoint_id, status, attempts ->> '$[#-1].durationMs' AS duration_ms FROM deliveries
    WHERE merchant_id = ? AND livemode = ? AND event_id >= ? ORDER BY event_id DESC LIMIT 0 + ?`);
  const countDue = database.prepare('SELECT count(*) AS due FROM deliveries WHERE due_at IS NOT NULL AND due_at <= ?');
  // By endpoint, in the index of due deliveries: an index by merchant would be one more to update for every delivery.
  const countWaiting = database.prepare(`
    SELECT count(*) AS waiting FROM (
      SELECT 1 FROM webhook_endpoints e CROSS JOIN deliveries d
      WHERE e.merchant_id = ? AND e.livemode = ? AND e.${notDeleted} AND d.endpoint_id = e.id AND d.due_at IS NOT NULL
      LIMIT 0 + ?)`);
  const pruneEnded = database.prepare(`
    DELETE FROM deliveries WHERE rowid IN (
      SELECT rowid FROM deliveries WHERE due_at IS NULL AND ${endedAt} < ? ORDER BY ${endedAt} LIMIT 0 + ?)`);
  const countByStatus = database.prepare(numbered(deliveryCounts));
  const underWay = leases();

  function claimOne(endpointId: string, limit: number, { now, leaseMs }: DeliveryClaim) {
    const held = underWay.of(endpointId, now);
    const claimed = due(endpointId, now, limit + held.size)
      .filter(({ id }) => !held.has(id))
      .slice(0, limit)
      .map((delivery) => ({ delivery, event: eventById(...scoped(delivery), delivery.eventId) }));
    underWay.begin(
      endpointId,
      claimed.map(({ delivery }) => delivery.id),
      now + leaseMs,
    );
    return { endpointId, endpoint: endpointByIdAlone(endpointId), claimed };
  }

  return {
    failed: async (scope, endpointId, since, limit) => failed(...scoped(scope), endpointId, since, limit),

    async endpointsWithDue(now, after, limit) {
      const seen = orUnavailable(() => withDue.all({ now, after, limit }));
      return {
        due: seen.flatMap(({ id, is_due: isDue }) => (isDue === 1 ? [String(id)] : [])),
        next: seen.length === limit ? String(seen.at(-1)?.id) : '',
      };
    },
    async claim(claim) {
      let left = maxClaimedAtOnce;
      return claim.wanted.map(({ endpointId, limit }) => {
        const one = claimOne(endpointId, Math.min(limit, left), claim);
        left -= one.claimed.length;
        return one;
      });
    },
    async record(records) {
      const stored = await group.join(() => {
        const changed = records.filter(({ claimed, delivery }) => {
          const { changes } = recordResult.run(
            ...[delivery.status, JSON.stringify(delivery.attempts), delivery.dueAt],
            ...[...scoped(delivery), delivery.eventId, delivery.id, claimed.dueAt],
          );
          return Number(changes) > 0;
        });
        return new Set(changed.map(({ delivery }) => delivery.id));
      });
      for (const { claimed } of records) underWay.end(claimed);
      return stored;
    },
    recent: async (scope, since, limit) =>
      orUnavailable(() => recent.all(...scoped(scope), idBefore('evt', since), limit)).map(resultIn),
    async countDue(now) {
      const due = Number(orUnavailable(() => countDue.get(now))?.due ?? 0);
      return Math.max(0, due - underWay.count());
    },
    async countWaiting(scope, atMost) {
      return Number(orUnavailable(() => countWaiting.get(...scoped(scope), atMost))?.waiting ?? 0);
    },
    async countByStatus(scope, since, atMost) {
      const rows = orUnavailable(() => countByStatus.all(...scoped(scope), idBefore('evt', since), atMost));
      return deliveryCountsIn(rows.map(({ status, found }) => [status, found]));
    },
    prune: inSteps(newStep(), (before, limit) => Number(pruneEnded.run(before, limit).changes)),
  };
}

/** The deliveries of an endpoint that are in progress, and until when they cannot be claimed again. */
function leases() {
  const byEndpoint = new Map<string, Map<string, number>>();
  return {
    count: (): number => byEndpoint.values().reduce((sum, held) => sum + held.size, 0),
    of(endpointId: string, now: number): ReadonlyMap<string, number> {
      const held = byEndpoint.get(endpointId) ?? new Map<string, number>();
      for (const [id, until] of held) if (until <= now) held.delete(id);
      return held;
    },
    begin(endpointId: string, ids: readonly string[], until: number): void {
      if (ids.length === 0) return;
      const held = byEndpoint.get(endpointId) ?? new Map<string, number>();
      byEndpoint.set(endpointId, held);
      for (const id of ids) held.set(id, until);
    },
    end({ endpointId, id }: Delivery): void {
      const held = byEndpoint.get(endpointId);
      held?.delete(id);
      if (held?.size === 0) byEndpoint.delete(endpointId);
    },
  };
}
