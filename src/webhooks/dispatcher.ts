// Sends what is due: takes deliveries on, lane by lane, sends each, records what became of it. The database is the
// queue: only what is in flight is in memory, and what a crash interrupts is due again.

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
  /** The endpoint answered that nobody listens there any more. */
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
  /** Finds retries, and what other processes left: to be called again and again. */
  look(): Promise<void>;
  inFlight(): number;
  /** Takes nothing more on, and waits for what is in flight, which is at most as long as one attempt may take. */
  stop(): Promise<void>;
}

/** New deliveries wake the dispatcher; the others are looked for this often. */
export const lookEveryMs = 500;
/** Endpoints that one look goes through. */
const lookLimit = 1_000;
/** Longer than an attempt and its recording take; after this, another process takes a dead one's work over. */
export const leaseMs = 20_000;
const watchEveryMs = 100;

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, clock, onError } = deps;
  const lane = lanes();
  const records = recorder({ store, onError: (error) => onError(error, 'attempts could not be recorded') });
  const attempts = new Set<Promise<void>>();
  /** Those that the endpoint has not answered yet, with when they began. */
  const unanswered = new Map<Slot, number>();
  /** As they were taken on last: one whose lease ends while it is being sent, as when the clock jumps, is not sent twice. */
  const underWay = new Map<string, Delivery>();
  let stopped = false;
  let taking: Promise<void> | null = null;
  let lookAfter = '';

  /** Takes on what the lanes have room for, until nothing is left or no room. */
  function takeOn(): void {
    if (stopped || taking !== null) return;
    const wanted = lane.take();
    if (wanted.length === 0) return;
    taking = store.deliveryQueue
      .claim({ now: clock.now(), leaseMs, wanted })
      .catch((error: unknown): ClaimedDeliveries[] => {
        onError(error, 'deliveries could not be claimed');
        return [];
      })
      .then((found) => {
        const byEndpoint = new Map(found.map((claim) => [claim.endpointId, claim]));
        for (const turn of wanted) {
          const { claimed = [], endpoint = null } = byEndpoint.get(turn.endpointId) ?? {};
          const fresh = claimed.filter(({ delivery }) => !underWay.has(delivery.id));
          for (const { delivery } of claimed) underWay.set(delivery.id, delivery);
          for (const [at, slot] of lane.claimed(turn, fresh.length).entries()) {
            const one = fresh[at];
            if (one !== undefined) begin(slot, endpoint, one);
          }
        }
        taking = null;
        takeOn();
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
        underWay.delete(claimed.delivery.id);
        lane.ended(slot, result);
        takeOn();
      });
    attempts.add(attempt);
  }

  /** Answers how the endpoint did. The slot is held until that is recorded. */
  async function attemptOne(
    slot: Slot,
    endpoint: WebhookEndpoint | null,
    { delivery: claimed, event }: Claimed,
  ): Promise<AttemptResult> {
    const attempted = await sendOne(endpoint, event);
    unanswered.delete(slot);
    const delivery = afterAttempt(claimed, attempted, deps.schedule, deps.chance());
    const sinceCommitMs = Math.max(0, clock.now() - claimed.createdAt);
    await records.record({ claimed: underWay.get(claimed.id) ?? claimed, delivery });
    deps.onAttempt({ delivery, attempted, sinceCommitMs });
    if (endpoint !== null && attempted.statusCode === 410) await deps.onGone(endpoint);
    // What is closed takes no request, so nothing speaks against going through all that waits for it.
    const ok = attempted.verdict === 'delivered' || closedFor(endpoint) !== null;
    return { ok, durationMs: attempted.durationMs };
  }

  /** What goes wrong before anything is sent is an attempt, too: it is seen, counted and retried like any other. */
  async function sendOne(endpoint: WebhookEndpoint | null, event: Event): Promise<Attempted> {
    const closed = closedFor(endpoint);
    const at = clock.now();
    if (endpoint === null || closed !== null) return notSent(at, closed, 'give_up');
    try {
      return await deps.send(endpoint, event);
    } catch (error) {
      onError(error, 'a webhook could not be created');
      return notSent(at, 'internal_error: The webhook could not be created. See the log of the service.', 'retry');
    }
  }

  async function look(): Promise<void> {
    const { due, next } = await store.deliveryQueue.endpointsWithDue(clock.now(), lookAfter, lookLimit);
    lookAfter = next;
    for (const id of due) lane.ready(id);
    takeOn();
  }
  function watch(): void {
    const now = performance.now();
    for (const [slot, startedAt] of unanswered) {
      // Those that began later come after it.
      if (now - startedAt < slowMs) break;
      lane.waited(slot, now - startedAt);
    }
    takeOn();
  }
  // After the answers that have come meanwhile: where this process was held up, the endpoints were not.
  const watching = setInterval(() => setImmediate(watch), watchEveryMs);

  return {
    wake(endpointIds) {
      if (stopped) return;
      for (const id of endpointIds) lane.ready(id);
      takeOn();
    },
    look,
    inFlight: lane.inFlight,
    async stop() {
      stopped = true;
      clearInterval(watching);
      records.giveUp();
      await taking;
      await Promise.all(attempts);
    },
  };
}

function closedFor(endpoint: WebhookEndpoint | null): string | null {
  if (endpoint === null) return 'endpoint_deleted: The endpoint was deleted before this could be sent.';
  if (endpoint.disabledReason === null) return null;
  return 'endpoint_disabled: The endpoint was disabled before this could be sent. Enable it, then resend.';
}

function notSent(at: number, error: string | null, verdict: Verdict): Attempted {
  const nothing = { statusCode: null, durationMs: 0, responseExcerpt: null, retryAfterMs: null };
  return { at, error, verdict, ...nothing };
}
