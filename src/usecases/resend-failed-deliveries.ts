// Resends every event whose last delivery to an endpoint failed, for a merchant whose endpoint was down.

import { resend } from '../domain/delivery.ts';
import { isRefusal, type Refusal } from '../domain/errors.ts';
import { type IdempotencyRecord, isAnswered } from '../domain/idempotency.ts';
import type { Scope } from '../domain/merchant.ts';
import { type Decision, decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';
import { type ResendDeps, resendCapacity } from './resend-capacity.ts';

/** A thousand at once would block all other requests on SQLite. */
const batch = 100;
const maxBatches = 10;

export interface Resent {
  readonly count: number;
  /** Whether another call would resend more. */
  readonly hasMore: boolean;
}

/** How far a call has come. */
interface Progress extends Resent {
  readonly batches: number;
  /** When the last resent delivery was created: the next batch starts there. */
  readonly upTo: number;
}

/**
 * Stores the progress of a call with an Idempotency-Key between batches, so that a retry continues where it stopped.
 */
export interface ResendProgressStore {
  readonly key: string;
  readonly fingerprint: string;
  readonly reserve: (progress: string) => IdempotencyRecord;
  readonly progressIn: (record: IdempotencyRecord) => string;
  readonly receipt: (resent: Resent) => IdempotencyRecord;
}

type FailedDeliveriesQuery = { readonly endpointId: string; readonly since: number };

export async function resendFailedDeliveries(
  deps: ResendDeps,
  scope: Scope,
  query: FailedDeliveriesQuery,
  progressStore?: ResendProgressStore,
): Promise<Outcome<Resent>> {
  let progress: Progress = { batches: 0, count: 0, hasMore: true, upTo: query.since };
  for (;;) {
    const outcome =
      progressStore === undefined
        ? await decideAndCommit(deps.store, () => resendBatch(deps, scope, query, progress))
        : await resendBatchWithKey(deps, scope, query, progress, progressStore);
    if (!('done' in outcome)) return outcome;
    progress = outcome.done;
    if (isOver(progress)) return { done: { count: progress.count, hasMore: progress.hasMore } };
  }
}

function isOver({ batches, hasMore }: Progress): boolean {
  return !hasMore || batches === maxBatches;
}

/** Each batch is committed with the progress of the call, the last one with the response. */
async function resendBatchWithKey(
  deps: ResendDeps,
  scope: Scope,
  query: FailedDeliveriesQuery,
  initial: Progress,
  { key, fingerprint, reserve, progressIn, receipt }: ResendProgressStore,
): Promise<Outcome<Progress>> {
  let answeredBefore = false;
  const outcome = await decideAndCommit<Progress>(deps.store, async () => {
    const record = await deps.store.find('idempotencyRecords', scope, key);
    answeredBefore = record !== null && (isAnswered(record) || record.fingerprint !== fingerprint);
    if (answeredBefore) return { changes: {}, result: initial };
    const before = record === null ? initial : (JSON.parse(progressIn(record)) as Progress);
    const decision = await resendBatch(deps, scope, query, before);
    if ('refused' in decision) return decision;
    const { changes, result } = decision;
    const next = isOver(result) ? receipt(result) : reserve(JSON.stringify(result));
    return { changes: { ...changes, idempotencyRecords: [{ ...next, version: record?.version ?? 0 }] }, result };
  });
  if (answeredBefore) return { answeredBefore: true };
  if (!('answeredBefore' in outcome)) return outcome;
  // The same request is running concurrently: from here on, both continue from the shared progress.
  const concurrent = await deps.store.find('idempotencyRecords', scope, key);
  return concurrent !== null && concurrent.fingerprint === fingerprint && !isAnswered(concurrent)
    ? { done: initial }
    : outcome;
}

/**
 * The endpoint is read first and written together with the deliveries: of two concurrent calls, one gets a version
 * conflict and reads again what is left.
 */
async function resendBatch(
  deps: ResendDeps,
  scope: Scope,
  { endpointId }: FailedDeliveriesQuery,
  before: Progress,
): Promise<Decision<Progress> | Refusal> {
  const { store, moment } = deps;
  const endpoint = await store.find('webhookEndpoints', scope, endpointId);
  if (endpoint === null) return webhookEndpointNotFound(endpointId);
  if (endpoint.disabledReason !== null) return webhookEndpointDisabled(endpoint);
  const found = await store.deliveryQueue.failed(scope, endpointId, before.upTo, batch + 1);
  const batches = before.batches + 1;
  if (found.length === 0) return { changes: {}, result: { ...before, batches, hasMore: false } };
  const capacity = await resendCapacity(deps, scope, 1);
  // Events already resent are reported; the next call gets the refusal.
  if (isRefusal(capacity))
    return before.count === 0 ? capacity : { changes: {}, result: { ...before, batches: maxBatches } };
  const failed = found.slice(0, Math.min(batch, capacity.deliveries));
  const now = moment();
  const deliveries = failed.map((delivery) => resend({ ...delivery, id: delivery.eventId }, endpointId, now));
  return {
    changes: { merchants: [capacity.merchant], webhookEndpoints: [endpoint], deliveries },
    result: {
      batches,
      count: before.count + failed.length,
      hasMore: found.length > failed.length,
      upTo: failed.at(-1)?.createdAt ?? before.upTo,
    },
  };
}
