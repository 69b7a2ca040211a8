// The attempts that were made to deliver webhooks in the demo month, so that none are sent now. They follow the retry
// schedule of the service; what is left to retry after the month is left to the service.

import { type Attempted, afterAttempt, type Delivery } from '../domain/delivery.ts';
import type { RetrySchedule } from '../domain/retry-schedule.ts';
import { failure, type OutboundError } from '../webhooks/outbound-failure.ts';
import type { DemoEndpoints } from './demo-endpoints.ts';
import { type Sampler, sampler } from './sampler.ts';
import { dayMs } from './steps.ts';

export interface PastDeliveriesDeps {
  readonly endpoints: DemoEndpoints;
  readonly schedule: RetrySchedule;
  readonly until: number;
  readonly seed: number;
}

/** For how long the failing endpoint has been failing, and for how long nothing has been listening there. */
const failingForMs = 9 * dayMs;
const downForMs = 2 * dayMs;
/** How often a request to an endpoint that works fails nevertheless. */
const failureRate = 0.015;

/** `number`: of the purchase, which decides what happens. */
export function pastDeliveries({ endpoints, schedule, until, seed }: PastDeliveriesDeps) {
  return (deliveries: readonly Delivery[], number: number): Delivery[] => {
    const random = sampler(seed ^ 0x77656268, number);
    return deliveries.map((delivery) => {
      let current = delivery;
      while (current.dueAt !== null && current.dueAt <= until) {
        // Claiming takes a moment.
        const at = current.dueAt + random.integer(3, 40);
        current = afterAttempt(current, attempt(endpoints, current, at, until, random), schedule, random.number());
      }
      return current;
    });
  };
}

function attempt(
  { failing }: DemoEndpoints,
  { endpointId }: Delivery,
  at: number,
  until: number,
  random: Sampler,
): Attempted {
  const agoMs = until - at;
  if (endpointId === failing.id && agoMs < downForMs) return noResponse(at, 'connection_refused', random.integer(1, 4));
  if (endpointId === failing.id && agoMs < failingForMs)
    return random.happens(0.8) ? serverError(at, random) : noResponse(at, 'timeout', 10_000);
  if (random.happens(failureRate))
    return random.happens(0.5) ? serverError(at, random) : noResponse(at, 'connection_reset', random.integer(20, 900));
  return response(at, 200, Math.round(30 + 500 * random.number() ** 4), '{"received":true}');
}

function serverError(at: number, random: Sampler): Attempted {
  const [status, body] = random.pick([
    [500, '{"error":"Internal Server Error"}'],
    [502, '<html><head><title>502 Bad Gateway</title></head></html>'],
    [503, 'upstream unavailable'],
  ]);
  return response(at, status, random.integer(15, 2_500), body);
}

function response(at: number, statusCode: number, durationMs: number, responseExcerpt: string): Attempted {
  const verdict = statusCode < 300 ? 'delivered' : 'retry';
  return { at, statusCode, error: null, durationMs, responseExcerpt, verdict, retryAfterMs: null };
}

function noResponse(at: number, error: OutboundError, durationMs: number): Attempted {
  const { message } = failure(error);
  const nothing = { statusCode: null, responseExcerpt: null, retryAfterMs: null };
  return { ...nothing, at, error: `${error}: ${message}`, durationMs, verdict: 'retry' };
}
