// One attempt: signs the event, posts it, and evaluates the response.

import type { Attempted, Verdict } from '../domain/delivery.ts';
import { type Event, eventBody } from '../domain/event.ts';
import type { Clock } from '../domain/moment.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { signingSecret, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { signWebhook } from '../domain/webhook-signature.ts';
import type { Outbound, OutboundResult } from './outbound.ts';

export type Send = (endpoint: WebhookEndpoint, event: Event) => Promise<Attempted>;

export interface SendDeps {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /**
   * The time that receivers compare with their own clocks: they refuse signatures older than 5 minutes or in the
   * future.
   */
  readonly wallClock: Clock;
}

export function sender({ outbound, secretBox, clock, wallClock }: SendDeps): Send {
  return async (endpoint, event) => {
    const at = clock.now();
    const body = Buffer.from(JSON.stringify(eventBody(event)));
    const secret = signingSecret(secretBox, endpoint, at);
    const result = await outbound.post({
      url: endpoint.url,
      livemode: endpoint.livemode,
      headers: {
        'Content-Type': 'application/json',
        'Service-Signature': signWebhook(secret, Math.floor(wallClock.now() / 1000), body),
      },
      body,
    });
    return evaluate(at, result, wallClock.now());
  };
}

const gone = 410;

function evaluate(at: number, result: OutboundResult, wallTime: number): Attempted {
  const { durationMs } = result;
  if ('error' in result) {
    return {
      at,
      durationMs,
      statusCode: null,
      error: `${result.error}: ${result.message}`,
      responseExcerpt: null,
      verdict: 'retry',
      retryAfterMs: null,
    };
  }
  const { statusCode, bodyExcerpt, retryAfter } = result;
  return {
    at,
    durationMs,
    statusCode,
    error: null,
    responseExcerpt: storable(bodyExcerpt),
    verdict: verdictOf(statusCode),
    retryAfterMs: retryAfter === null ? null : retryAfterMs(retryAfter, wallTime),
  };
}

function verdictOf(statusCode: number): Verdict {
  if (statusCode >= 200 && statusCode < 300) return 'delivered';
  return statusCode === gone ? 'give_up' : 'retry';
}

/** Seconds, or a date. */
function retryAfterMs(text: string, now: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** PostgreSQL accepts neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
