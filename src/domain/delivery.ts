// A delivery: one event on its way to one endpoint, with all its attempts until one succeeds or none are left.

import { hash } from 'node:crypto';
import type { Event } from './event.ts';
import { base32Digits } from './ids.ts';
import type { Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import { type RetrySchedule, retryAt } from './retry-schedule.ts';
import type { Subscription } from './webhook-endpoint.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** How many deliveries one call may claim. */
export const maxClaimedAtOnce = 100;

export interface Delivery extends Scope {
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly status: (typeof deliveryStatuses)[number];
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /**
   * When the next attempt is due; null once finished. Claiming a delivery moves this to the end of the lease, so an
   * unchanged value proves that nobody else has claimed it since.
   */
  readonly dueAt: number | null;
  readonly createdAt: number;
}

export interface Attempt {
  readonly at: number;
  /** Null: there was no response, and `error` says why. */
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The beginning of the response body. */
  readonly responseExcerpt: string | null;
}

/** What became of a delivery so far. */
export interface DeliveryResult extends Pick<Delivery, 'endpointId' | 'status'> {
  /** Of the last attempt; null before the first. */
  readonly durationMs: number | null;
}

/**
 * One delivery for each endpoint that subscribes to the event. Its id is derived from both, so an event is never fanned
 * out twice, and the id cannot be guessed without knowing the event's id.
 */
export function deliveriesFor(events: readonly Event[], subscriptions: readonly Subscription[]): Delivery[] {
  return events.flatMap((event) =>
    subscriptions
      .filter(({ enabledEvents }) => enabledEvents.some((type) => type === event.type))
      .map(({ id }) => newDelivery(event, id, fannedOutId(event.id, id), event.createdAt)),
  );
}

/** Sends an event again, as a separate delivery with its own retries. */
export function resend(event: Pick<Event, 'id' | keyof Scope>, endpointId: string, moment: Moment): Delivery {
  return newDelivery(event, endpointId, moment.newId('del'), moment.now);
}

function newDelivery(
  { id: eventId, merchantId, livemode }: Pick<Event, 'id' | keyof Scope>,
  endpointId: string,
  id: string,
  now: number,
): Delivery {
  return { merchantId, livemode, id, eventId, endpointId, status: 'pending', attempts: [], dueAt: now, createdAt: now };
}

/** The event's time, then 100 bits derived from event and endpoint. */
function fannedOutId(eventId: string, endpointId: string): string {
  const [timeStart, timeEnd] = [4, 14];
  const digits = base32Digits(hash('sha256', `${eventId} ${endpointId}`, 'buffer').subarray(0, 20));
  return `del_${eventId.slice(timeStart, timeEnd)}${digits}`;
}

/** The result of an attempt: delivered, worth retrying, or hopeless. */
export type Verdict = 'delivered' | 'retry' | 'give_up';

export interface Attempted extends Attempt {
  readonly verdict: Verdict;
  /** How long the endpoint asked us to wait. */
  readonly retryAfterMs: number | null;
}

/** `chance`, from 0 to 1, is the jitter of the retry. */
export function afterAttempt(
  delivery: Delivery,
  { verdict, retryAfterMs, ...attempt }: Attempted,
  schedule: RetrySchedule,
  chance: number,
): Delivery {
  const attempts = [...delivery.attempts, attempt];
  if (verdict === 'delivered') return { ...delivery, status: 'delivered', attempts, dueAt: null };
  const endedAt = attempt.at + attempt.durationMs;
  const dueAt = verdict === 'retry' ? retryAt(schedule, attempts.length, { endedAt, retryAfterMs, chance }) : null;
  return { ...delivery, status: dueAt === null ? 'failed' : 'pending', attempts, dueAt };
}
