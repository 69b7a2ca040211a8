// A merchant whose endpoint was down asks for what it missed: every event whose last delivery to it failed is sent again.

import { resend } from '../domain/delivery.ts';
import { isRefusal, type Refusal } from '../domain/errors.ts';
import { type IdempotencyRecord, isAnswered } from '../domain/idempotency.ts';
import type { Scope } from '../domain/merchant.ts';
import { type Decision, decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointDisabled, webhookEndpointNotFound } from './refusals.ts';
import { type ResendDeps, roomForResends } from './room-for-resends.ts';

/** A thousand at once would hold up everybody else on SQLite. */
const batch = 100;
const maxBatches = 10;

export interface Resent {
  readonly count: number;
  /** Whether some are left for another call. */
  readonly hasMore: boolean;
}

/** How far a call has come. */
interface Progress extends Resent {
  readonly batches: number;
  /** When the last of them was made: the next batch begins there. */
  readonly upTo: number;
}

/** What a call with an Idempotency-Key keeps between its batches, so that a retry goes on where it ended. */
export interface ResendKeeping {
  readonly key: string;
  readonly fingerprint: string;
  readonly reserve: (progress: string) => IdempotencyRecord;
  readonly progressIn: (record: IdempotencyRecord) => string;
  readonly receipt: (resent: Resent) => IdempotencyRecord;
}

type Asked = { readonly endpointId: string; readonly since: number };

export async function resendFailedDeliveries(
  deps: ResendDeps,
  scope: Scope,
  asked: Asked,
  keeping?: ResendKeeping,
): Promise<Outcome<Resent>> {
  let progress: Progress = { batches: 0, count: 0, hasMore: true, upTo: asked.since };
  for (;;) {
    const outcome =
      keeping === undefined
        ? await decideAndCommit(deps.store, () => resendSome(deps, scope, asked, progress))
        : await resendOnce(deps, scope, asked, progress, keeping);
    if (!('done' in outcome)) return outcome;
    progress = outcome.done;
    if (isOver(progress)) return { done: { count: progress.count, hasMore: progress.hasMore } };
  }
}

function isOver({ batches, hasMore }: Progress): boolean {
  return !hasMore || batches === maxBatches;
}

/** Each batch is committed with how far it brings the call, the last one with the answer. */
async function resendOnce(
  deps: ResendDeps,
  scope: Scope,
  asked: Asked,
  beginning: Progress,
  { key, fingerprint, reserve, progressIn, receipt }: ResendKeeping,
): Promise<Outcome<Progress>> {
  let answeredBefore = false;
  const outcome = await decideAndCommit<Progress>(deps.store, async () => {
    const record = await deps.store.find('idempotencyRecords', scope, key);
    answeredBefore = record !== null && (isAnswered(record) || record.fingerprint !== fingerprint);
    if (answeredBefore) return { changes: {}, result: beginning };
    const before = record === null ? beginning : (JSON.parse(progressIn(record)) as Progress);
    const decision = await resendSome(deps, scope, asked, before);
    if ('refused' in decision) return decision;
    const { changes, result } = decision;
    const next = isOver(result) ? receipt(result) : reserve(JSON.stringify(result));
    return { changes: { ...changes, idempotencyRecords: [{ ...next, version: record?.version ?? 0 }] }, result };
  });
  if (answeredBefore) return { answeredBefore: true };
  if (!('answeredBefore' in outcome)) return outcome;
  // The same request at the same time has begun: from here on they go on together.
  const begun = await deps.store.find('idempotencyRecords', scope, key);
  return begun !== null && begun.fingerprint === fingerprint && !isAnswered(begun) ? { done: beginning } : outcome;
}

/**
 * The endpoint is read first and written with what is sent: of two calls at once, one finds that it has changed and
 * reads again what is left.
 */
async function resendSome(
  deps: ResendDeps,
  scope: Scope,
  { endpointId }: Asked,
  before: Progress,
): Promise<Decision<Progress> | Refusal> {
  const { store, moment } = deps;
  const endpoint = await store.find('webhookEndpoints', scope, endpointId);
  if (endpoint === null) return webhookEndpointNotFound(endpointId);
  if (endpoint.disabledReason !== null) return webhookEndpointDisabled(endpoint);
  const found = await store.deliveryQueue.failed(scope, endpointId, before.upTo, batch + 1);
  const batches = before.batches + 1;
  if (found.length === 0) return { changes: {}, result: { ...before, batches, hasMore: false } };
  const room = await roomForResends(deps, scope, 1);
  // Events already resent are reported; the next call gets the refusal.
  if (isRefusal(room)) return before.count === 0 ? room : { changes: {}, result: { ...before, batches: maxBatches } };
  const failed = found.slice(0, Math.min(batch, room.deliveries));
  const now = moment();
  const deliveries = failed.map((delivery) => resend({ ...delivery, id: delivery.eventId }, endpointId, now));
  return {
    changes: { merchants: [room.merchant], webhookEndpoints: [endpoint], deliveries },
    result: {
      batches,
      count: before.count + failed.length,
      hasMore: found.length > failed.length,
      upTo: failed.at(-1)?.createdAt ?? before.upTo,
    },
  };
}
