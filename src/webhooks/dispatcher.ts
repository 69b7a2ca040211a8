// Sends due deliveries: claims them lane by lane, sends each, and records the result. The database is the queue: only
// deliveries in flight are in memory, and those interrupted by a crash become due again.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Attempted, afterAttempt, type Delivery, type Verdict } from '../domain/delivery.ts';
import type { Event } from '../domain/event.ts';
import type { Clock } from '../domain/moment.ts';
import type { RetrySchedule } from '../domain/retry-schedule.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { ClaimedDeliveries, Store } from '../storage/store.ts';
import { type AttemptResult, slowMs } from './congestion.ts';
import { lanes, type Slot } from './lanes.ts';
import { recorder } from './recorder.ts';
import type { Send } from './send.ts';

export interface DispatcherDeps {
  readonly store: Pick<Store, 'deliveryQueue'>;
  readonly clock: Clock;
  readonly send: Send;
  readonly schedule: RetrySchedule;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** The endpoint responded that it no longer exists. */
  readonly onGone: (endpoint: WebhookEndpoint) => Promise<unknown>;
  readonly onAttempt: (report: AttemptReport) => void;
  readonly onError: (error: unknown, what: string) => void;
}

export interface AttemptReport {
  readonly delivery: Delivery;
  readonly attempted: Attempted;
  /** From the commit of the delivery to the end of this attempt. */
  readonly sinceCommitMs: number;
}

type Claimed = ClaimedDeliveries['claimed'][number];

export interface Dispatcher {
  /** These endpoints have new deliveries. */
  wake(endpointIds: Iterable<string>): void;
  /** Finds retries and deliveries that other processes abandoned; to be called periodically. */
  poll(): Promise<void>;
  inFlight(): number;
  /** Claims no more deliveries and waits for those in flight, which takes at most one attempt timeout. */
  stop(): Promise<void>;
}

/** New deliveries wake the dispatcher; others are found by polling this often. */
export const pollEveryMs = 500;
/** Endpoints examined by one poll. */
const pollLimit = 1_000;
/** Longer than an attempt and its recording take; after this, another process takes over a dead process's work. */
export const leaseMs = 20_000;
const watchEveryMs = 100;
/** Attempts that begin before others get their turn of the event loop: one event may go to thousands of endpoints. */
const begunPerTurn = 20;

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, clock, onError } = deps;
  const lane = lanes();
  const records = recorder({ store, onError: (error) => onError(error, 'attempts could not be recorded') });
  const attempts = new Set<Promise<void>>();
  /** Attempts that the endpoint has not answered yet, with their start times. */
  const unanswered = new Map<Slot, number>();
  /**
   * Deliveries as last claimed. If a lease ends during an attempt, for example because the clock jumps, it is not sent
   * twice.
   */
  const inProgress = new Map<string, Delivery>();
  let stopped = false;
  let claiming: Promise<void> | null = null;
  let pollAfter = '';

  /** Claims as much as the lanes have capacity for, until nothing is due or no capacity is left. */
  function claimMore(): void {
    if (stopped || claiming !== null) return;
    const wanted = lane.take();
    if (wanted.length === 0) return;
    claiming = store.deliveryQueue
      .claim({ now: clock.now(), leaseMs, wanted })
      .catch((error: unknown): ClaimedDeliveries[] => {
        onError(error, 'deliveries could not be claimed');
        return [];
      })
      .then(async (found) => {
        const byEndpoint = new Map(found.map((claim) => [claim.endpointId, claim]));
        let begun = 0;
        for (const turn of wanted) {
          const { claimed = [], endpoint = null } = byEndpoint.get(turn.endpointId) ?? {};
          const fresh = claimed.filter(({ delivery }) => !inProgress.has(delivery.id));
          for (const { delivery } of claimed) inProgress.set(delivery.id, delivery);
          for (const [at, slot] of lane.claimed(turn, fresh.length).entries()) {
            const one = fresh[at];
            if (one === undefined) continue;
            begin(slot, endpoint, one);
            if (++begun % begunPerTurn === 0) await nextTurn();
          }
        }
        // A store may respond within the same turn of the event loop.
        await nextTurn();
        claiming = null;
        claimMore();
      });
  }

  function begin(slot: Slot, endpoint: WebhookEndpoint | null, claimed: Claimed): void {
    unanswered.set(slot, performance.now());
    const attempt = attemptOne(slot, endpoint, claimed)
      .catch((error: unknown) => {
        onError(error, 'a delivery was postponed');
        return null;
      })
      .then((result) => {
        attempts.delete(attempt);
        unanswered.delete(slot);
        inProgress.delete(claimed.delivery.id);
        lane.ended(slot, result);
        claimMore();
      });
    attempts.add(attempt);
  }

  /** Returns how the endpoint performed. The slot stays occupied until the attempt is recorded. */
  async function attemptOne(
    slot: Slot,
    endpoint: WebhookEndpoint | null,
    { delivery: claimed, event }: Claimed,
  ): Promise<AttemptResult> {
    const attempted = await sendOne(endpoint, event);
    unanswered.delete(slot);
    const sinceCommitMs = Math.max(0, clock.now() - claimed.createdAt);
    const chance = deps.chance();
    const recorded = await records.record(() => {
      const latest = inProgress.get(claimed.id) ?? claimed;
      return { claimed: latest, delivery: afterAttempt(latest, attempted, deps.schedule, chance) };
    });
    if (recorded !== null) deps.onAttempt({ delivery: recorded.delivery, attempted, sinceCommitMs });
    if (endpoint !== null && attempted.statusCode === 410) await deps.onGone(endpoint);
    // Nothing was sent, so there is no reason to slow down the deliveries waiting for the endpoint.
    const ok = attempted.verdict === 'delivered' || reasonNotToSend(endpoint, event) !== null;
    return { ok, durationMs: attempted.durationMs };
  }

  /** A failure before anything is sent is an attempt too: it is visible, counted and retried like any other. */
  async function sendOne(endpoint: WebhookEndpoint | null, event: Event | null): Promise<Attempted> {
    const reason = reasonNotToSend(endpoint, event);
    const at = clock.now();
    if (endpoint === null || event === null || reason !== null) return notSent(at, reason, 'give_up');
    try {
      return await deps.send(endpoint, event);
    } catch (error) {
      onError(error, 'a webhook could not be created');
      return notSent(at, 'internal_error: The webhook could not be created. See the log of the service.', 'retry');
    }
  }

  async function poll(): Promise<void> {
    const { due, next } = await store.deliveryQueue.endpointsWithDue(clock.now(), pollAfter, pollLimit);
    pollAfter = next;
    for (const id of due) lane.ready(id);
    claimMore();
  }
  function watch(): void {
    const now = performance.now();
    for (const [slot, startedAt] of unanswered) {
      // The rest started later.
      if (now - startedAt < slowMs) break;
      lane.waited(slot, now - startedAt);
    }
    claimMore();
  }
  // After handling the responses that have arrived: if this process was blocked, the endpoints are not to blame.
  const watching = setInterval(() => setImmediate(watch), watchEveryMs);

  return {
    wake(endpointIds) {
      if (stopped) return;
      for (const id of endpointIds) lane.ready(id);
      claimMore();
    },
    poll,
    inFlight: lane.inFlight,
    async stop() {
      stopped = true;
      clearInterval(watching);
      records.giveUp();
      await claiming;
      await Promise.all(attempts);
    },
  };
}

function reasonNotToSend(endpoint: WebhookEndpoint | null, event: Event | null): string | null {
  if (endpoint === null) return 'endpoint_deleted: The endpoint was deleted before this could be sent.';
  if (event === null) return 'event_deleted: The event was deleted before this could be sent.';
  if (endpoint.disabledReason === null) return null;
  return 'endpoint_disabled: The endpoint was disabled before this could be sent. Enable it, then resend.';
}

function notSent(at: number, error: string | null, verdict: Verdict): Attempted {
  const nothing = { statusCode: null, durationMs: 0, responseExcerpt: null, retryAfterMs: null };
  return { at, error, verdict, ...nothing };
}
