// A delivery: one event on its way to one endpoint, through every attempt until one succeeds or none is left.

import { hash } from 'node:crypto';
import type { Event } from './event.ts';
import { base32Digits } from './ids.ts';
import type { Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import { type RetrySchedule, retryAt } from './retry-schedule.ts';
import type { Subscription } from './webhook-endpoint.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** How long a delivery that is over can be looked up; its event can be for good. */
export const deliveryRetentionMs = 30 * 86_400_000;

/** How many may be taken on at once. */
export const maxClaimedAtOnce = 100;

export interface Delivery extends Scope {
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly status: (typeof deliveryStatuses)[number];
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /**
   * When the next attempt is due; null once it is over. Taking it on moves this to the end of the lease, so the time
   * that a taker read here proves that nobody has taken it since.
   */
  readonly dueAt: number | null;
  readonly createdAt: number;
}

export interface Attempt {
  readonly at: number;
  /** Null: no answer came, and `error` says why. */
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The beginning of what the endpoint answered. */
  readonly responseExcerpt: string | null;
}

/**
 * One delivery for each endpoint that subscribes to the event. Its id is made from both, so an event is never fanned
 * out twice, and nobody who does not know the event's id can tell it.
 */
export function deliveriesFor(events: readonly Event[], subscriptions: readonly Subscription[]): Delivery[] {
  return events.flatMap((event) =>
    subscriptions
      .filter(({ enabledEvents }) => enabledEvents.some((type) => type === event.type))
      .map(({ id }) => newDelivery(event, id, fannedOutId(event.id, id), event.createdAt)),
  );
}

/** Sends an event once more: a delivery of its own, with its own retries. */
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

/** The event's time, then 100 bits that depend on event and endpoint. */
function fannedOutId(eventId: string, endpointId: string): string {
  const [timeStart, timeEnd] = [4, 14];
  const digits = base32Digits(hash('sha256', `${eventId} ${endpointId}`, 'buffer').subarray(0, 20));
  return `del_${eventId.slice(timeStart, timeEnd)}${digits}`;
}

/** What an attempt means: it arrived, it is worth another try, or no try can help. */
export type Verdict = 'delivered' | 'retry' | 'give_up';

export interface Attempted extends Attempt {
  readonly verdict: Verdict;
  /** How long the endpoint asked to be left alone. */
  readonly retryAfterMs: number | null;
}

/** `chance`, from 0 to 1, spreads retries. */
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
