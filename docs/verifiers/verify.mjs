// Verifies Paydesk webhooks in plain Node (20 or newer), without dependencies.
// To test it: node verify.mjs webhook-signatures.json

import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const toleranceSeconds = 300;
const maxHeaderLength = 1024;

/**
 * @typedef {{ id: string, type: string, created_at: string, livemode: boolean, data: Record<string, unknown> }} WebhookEvent
 */

/**
 * The body must be the bytes as received, before any parsing.
 * @param {Uint8Array} rawBody
 * @param {string | null | undefined} header the value of Service-Signature
 * @param {string[]} secrets the endpoint's secret, and the next one during a rotation
 * @param {number} nowSeconds
 * @returns {{ verdict: string, event?: WebhookEvent }} `ok` with the event, or the reason for refusal
 */
export function verify(rawBody, header, secrets, nowSeconds = Date.now() / 1000) {
  if (secrets.length === 0 || secrets.some((secret) => !secret)) return { verdict: 'secret_missing' };
  const text = header ?? '';
  if (text.length > maxHeaderLength) return { verdict: 'header_malformed' };
  if (text.trim() === '') return { verdict: 'header_missing' };
  const parts = text.split(',').map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
  const signatures = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  const [time] = times;
  const [signature] = signatures;

  if (time === undefined) return { verdict: signature === undefined ? 'header_malformed' : 'timestamp_missing' };
  if (times.length > 1) return { verdict: 'timestamp_repeated' };
  if (!/^[0-9]+$/.test(time) || !Number.isSafeInteger(Number(time))) return { verdict: 'timestamp_malformed' };
  if (signature === undefined) return { verdict: 'signature_missing' };
  if (signatures.length > 1) return { verdict: 'signature_repeated' };
  if (!/^[0-9a-fA-F]{64}$/.test(signature)) return { verdict: 'signature_malformed' };

  const age = nowSeconds - Number(time);
  if (age > toleranceSeconds) return { verdict: 'timestamp_too_old' };
  if (age < -toleranceSeconds) return { verdict: 'timestamp_in_future' };

  let matched = false;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
    matched = timingSafeEqual(expected, Buffer.from(signature, 'hex')) || matched;
  }
  if (!matched) return { verdict: 'signature_mismatch' };

  /** @type {unknown} */
  let event;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody));
  } catch {
    return { verdict: 'body_not_json' };
  }
  return isEvent(event) ? { verdict: 'ok', event } : { verdict: 'body_not_event' };
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {value is WebhookEvent}
 */
function isEvent(value) {
  if (!isObject(value) || typeof value.livemode !== 'boolean' || !isObject(value.data)) return false;
  return [value.id, value.type, value.created_at].every((field) => typeof field === 'string');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const vector of JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')).vectors) {
    const body = Buffer.from(vector.body_base64, 'base64');
    console.log(verify(body, vector.header, vector.secrets, vector.now).verdict);
  }
}
