// Verifies a webhook on a merchant's server: takes the raw bytes, and returns the event or the reason for rejecting it.
// It never throws, so that no request can crash a receiver. For Node 20 or later.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';

export interface WebhookToVerify {
  /** The body of the request as received, before any parsing. */
  readonly rawBody: string | Uint8Array;
  /** The value of the header `Service-Signature`, as provided by the framework. */
  readonly header: string | readonly string[] | null | undefined;
  /** The secret of the endpoint; during a rotation, the old one and the new one. */
  readonly secrets: readonly string[];
  /** The current time: `Date.now() / 1000`. */
  readonly nowSeconds: number;
  /** The maximum difference between `t` and now, in either direction. 300 by default. */
  readonly toleranceSeconds?: number | undefined;
}

export interface WebhookEvent {
  /** The same event may be delivered more than once, under the same id. */
  readonly id: string;
  /** For example `payment_intent.succeeded`. It may be a type that this version does not know. */
  readonly type: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly created_at: string;
  readonly livemode: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

export type WebhookVerdict =
  | { readonly ok: true; readonly event: WebhookEvent }
  | { readonly ok: false; readonly reason: WebhookRefusal; readonly message: string };

export type WebhookRefusal = keyof typeof messages;

/** In the order of the checks: the first that fails determines the reason. */
const messages = {
  options_invalid:
    'Pass { rawBody, header, secrets, nowSeconds }, where nowSeconds is the current time in seconds (Date.now() / 1000) and toleranceSeconds, if set, is a number of seconds of at least 0.',
  body_not_raw:
    "The signature covers the bytes that were sent, so pass the raw body, not a parsed one. In Express, use express.raw({ type: 'application/json' }) for this route, before any express.json(), and pass req.body. With the Fetch API, pass new Uint8Array(await request.arrayBuffer()). Elsewhere, read the request into a Buffer and pass that.",
  secret_missing:
    'Pass the secrets of the webhook endpoint (whsec_…) as an array without undefined or empty entries. An undefined or empty secret is usually a missing environment variable.',
  header_missing:
    "The request has no Service-Signature header. Pass its value, in Node request.headers['service-signature']. If the request has none, it is not from Paydesk, or a proxy removed the header: respond with 400.",
  header_malformed:
    'This is not a Service-Signature header, which has the form t=<unix seconds>,v1=<64 hex characters>. Check that you pass the value of this header and not of another one.',
  timestamp_missing:
    'The Service-Signature header has no t=<unix seconds>. Do not trust the request: respond with 400.',
  timestamp_repeated:
    'The Service-Signature header has more than one t. Do not trust the request: respond with 400. If this happens with every webhook, look for a proxy that sends the header twice.',
  timestamp_malformed:
    'The t of the Service-Signature header is not an integer number of seconds. Do not trust the request: respond with 400.',
  signature_missing:
    'The Service-Signature header has no v1=<64 hex characters>. Do not trust the request: respond with 400.',
  signature_repeated: 'The Service-Signature header has more than one v1. Do not trust the request: respond with 400.',
  signature_malformed:
    'The v1 of the Service-Signature header is not 64 hex characters. Do not trust the request: respond with 400.',
  timestamp_too_old:
    'The webhook was signed too long ago, and may be a replay: respond with 400. If this happens with every webhook, set the clock of this server, verify webhooks when they arrive and not later in a queue, and pass nowSeconds in seconds.',
  timestamp_in_future:
    'The webhook was signed in the future: respond with 400. If this happens with every webhook, set the clock of this server.',
  signature_mismatch:
    'The signature does not match this body with any of the secrets: respond with 400. If this happens with every webhook, check that the secret belongs to this endpoint and mode (test or live), that it is complete and has no space or line break around it, and that nothing parses, decodes or reformats the body before verification.',
  body_not_json:
    'The signature is valid, but the body is not JSON in UTF-8. Paydesk does not send such webhooks: check who else has the secret.',
  body_not_event:
    'The signature is valid, but the body is not an event with id, type, created_at, livemode and data. Paydesk does not send such webhooks: check who else has the secret.',
} as const;

const defaultToleranceSeconds = 300;
/** A genuine header has about 80 characters. The limit bounds the work that an attacker can cause. */
const maxHeaderLength = 1024;
/** Webhooks are much shorter, and HMAC throws from 2 GiB on. */
const maxBodyLength = 2 ** 30;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function verifyWebhook(webhook: WebhookToVerify): WebhookVerdict {
  if (!isObject(webhook)) return refused('options_invalid');
  const { rawBody, header, secrets, nowSeconds, toleranceSeconds = defaultToleranceSeconds } = webhook;
  if (!Number.isFinite(nowSeconds) || !isTolerance(toleranceSeconds)) return refused('options_invalid');
  if (typeof rawBody !== 'string' && !types.isUint8Array(rawBody)) return refused('body_not_raw');
  if (!areSecrets(secrets)) return refused('secret_missing');
  const signed = parseHeader(header);
  if (typeof signed === 'string') return refused(signed);
  const ageSeconds = nowSeconds - Number(signed.timestamp);
  if (ageSeconds > toleranceSeconds) return refused('timestamp_too_old');
  if (ageSeconds < -toleranceSeconds) return refused('timestamp_in_future');
  if (!isSignedByAny(secrets, signed, rawBody)) return refused('signature_mismatch');
  return parseEvent(rawBody);
}

function refused(reason: WebhookRefusal): WebhookVerdict {
  return { ok: false, reason, message: messages[reason] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Not infinity: without a limit, an intercepted webhook could be replayed for ever. */
function isTolerance(seconds: number): boolean {
  return Number.isFinite(seconds) && seconds >= 0;
}

/** Anyone could sign with an empty secret. A plain string would be treated as a list of its characters. */
function areSecrets(secrets: unknown): boolean {
  if (!Array.isArray(secrets) || secrets.length === 0) return false;
  return Array.from<unknown>(secrets).every((secret) => typeof secret === 'string' && secret !== '');
}

interface Signed {
  /** The digits as sent, because these were signed. */
  readonly timestamp: string;
  readonly signature: Uint8Array;
}

/**
 * Parts other than `t` and `v1` are ignored: a later scheme may add its own. More than one `t` or `v1` is rejected, even
 * if they are equal: the service sends exactly one of each, and ambiguous headers are not interpreted.
 */
function parseHeader(header: unknown): Signed | WebhookRefusal {
  const text = headerText(header);
  if (text === undefined || text.length > maxHeaderLength) return 'header_malformed';
  if (text.trim() === '') return 'header_missing';
  const parts = text.split(',').map((part) => part.trim());
  const timestamps = valuesOf('t=', parts);
  const signatures = valuesOf('v1=', parts);
  const [timestamp] = timestamps;
  const [signature] = signatures;
  if (timestamp === undefined) return signature === undefined ? 'header_malformed' : 'timestamp_missing';
  if (timestamps.length > 1) return 'timestamp_repeated';
  if (!/^[0-9]+$/.test(timestamp) || !Number.isSafeInteger(Number(timestamp))) return 'timestamp_malformed';
  if (signature === undefined) return 'signature_missing';
  if (signatures.length > 1) return 'signature_repeated';
  if (!/^[0-9a-fA-F]{64}$/.test(signature)) return 'signature_malformed';
  return { timestamp, signature: Buffer.from(signature, 'hex') };
}

/** A header that arrives as a list means its values joined by commas (RFC 9110, section 5.3). */
function headerText(header: unknown): string | undefined {
  if (header === undefined || header === null) return '';
  if (typeof header === 'string') return header;
  if (!Array.isArray(header) || header.length > maxHeaderLength) return undefined;
  const areShort = header.every((value) => typeof value === 'string' && value.length <= maxHeaderLength);
  return areShort ? header.join(',') : undefined;
}

function valuesOf(name: string, parts: readonly string[]): string[] {
  return parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
}

/** Tries all secrets, even after one matched, so that the time taken does not reveal which. */
function isSignedByAny(secrets: readonly string[], signed: Signed, rawBody: string | Uint8Array): boolean {
  if (rawBody.length > maxBodyLength) return false;
  let matched = false;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${signed.timestamp}.`).update(rawBody).digest();
    matched = timingSafeEqual(expected, signed.signature) || matched;
  }
  return matched;
}

function parseEvent(rawBody: string | Uint8Array): WebhookVerdict {
  let event: unknown;
  try {
    event = JSON.parse(typeof rawBody === 'string' ? rawBody : utf8.decode(rawBody));
  } catch {
    return refused('body_not_json');
  }
  return isEvent(event) ? { ok: true, event } : refused('body_not_event');
}

/** Additional fields are allowed: a later version may add some. */
function isEvent(value: unknown): value is WebhookEvent {
  if (!isObject(value)) return false;
  const { id, type, created_at, livemode, data } = value;
  const hasStrings = [id, type, created_at].every((text) => typeof text === 'string');
  return hasStrings && typeof livemode === 'boolean' && isObject(data);
}
