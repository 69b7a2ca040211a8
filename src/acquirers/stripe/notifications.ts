// Stripe's notifications. The signature covers the raw bytes and the time of sending; only then are they parsed. A
// notification is only a reason to ask: nothing of it but ids is used.
// Source: https://docs.stripe.com/webhooks/signature

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notice, NotificationReading, NotificationRequest } from '../provider.ts';
import { idIn, isObject, type Json, objectIn, textIn } from './json.ts';

const toleranceSeconds = 300;
/** Stripe sends one signature per secret, and two while a secret is being replaced. */
const maxSignatures = 10;
const concerned = /^(?:payment_intent\.|refund\.|charge\.refund|charge\.dispute\.)/;

export function readNotification({ headers, body, now }: NotificationRequest, secret: string): NotificationReading {
  const header = headers['stripe-signature'];
  if (typeof header !== 'string') return { refused: 'The header `Stripe-Signature` is missing.' };
  const { timestamp, signatures } = readHeader(header);
  if (timestamp === null) return { refused: 'The header `Stripe-Signature` has no valid time.' };
  if (!isSigned(signatures, expectedSignature(secret, timestamp, body)))
    return { refused: 'The signature is not valid for this body and the webhook secret of the account.' };
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    return { refused: `The notification was not signed within the last ${toleranceSeconds} seconds.` };
  return readEvent(body);
}

function readHeader(header: string): { timestamp: string | null; signatures: string[] } {
  let timestamp: string | null = null;
  const signatures: string[] = [];
  for (const part of header.split(',')) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === 't') timestamp = /^\d{1,12}$/.test(value) ? value : null;
    if (name === 'v1' && signatures.length < maxSignatures) signatures.push(value);
  }
  return { timestamp, signatures };
}

function expectedSignature(secret: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** All are compared, in constant time. */
function isSigned(signatures: readonly string[], expected: Buffer): boolean {
  let found = false;
  for (const signature of signatures) {
    const given = Buffer.from(/^[0-9a-f]{64}$/.test(signature) ? signature : '', 'hex');
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = true;
  }
  return found;
}

function readEvent(body: Buffer): NotificationReading {
  const event = parse(body);
  const id = event === null ? null : textIn(event, 'id');
  const type = event === null ? null : textIn(event, 'type');
  const data = event === null ? null : objectIn(event, 'data');
  const about = data === null ? null : objectIn(data, 'object');
  if (id === null || type === null || about === null) return { refused: 'The body is not an event of Stripe.' };
  if (!concerned.test(type)) return { notices: [] };
  const subject = subjectOf(about);
  const notice: Notice | null = subject === null ? null : { id, type, subject };
  return { notices: notice === null ? [] : [notice] };
}

/** The payment, if the object names it; otherwise the object itself. */
function subjectOf(about: Json): string | null {
  if (about.object === 'payment_intent') return textIn(about, 'id');
  return idIn(about, 'payment_intent') ?? idIn(about, 'charge') ?? textIn(about, 'id');
}

function parse(body: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
