// Tillbank's notifications: the body names a payment, and a header has its HMAC. A notification is only a reason to ask.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  Notice,
  NotificationReading,
  NotificationRequest,
  ProviderFact,
  ProviderRefund,
} from '../../src/acquirers/provider.ts';
import { type Json, objectIn, type TillbankApi } from './api.ts';
import { nonsense, textIn } from './operations.ts';

export function readNotification({ headers, body }: NotificationRequest, secret: string): NotificationReading {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(String(headers['tillbank-signature'] ?? ''), 'hex');
  // Over the raw bytes, in constant time, before anything is parsed.
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { refused: 'The signature is not valid.' };
  const event = objectIn(body.toString('utf8'));
  if (typeof event?.id !== 'string' || typeof event.payment !== 'string') return { refused: 'It names no payment.' };
  return { notices: [{ id: event.id, type: 'payment', subject: event.payment }] };
}

export async function resolveNotice(api: TillbankApi, { subject }: Notice): Promise<ProviderFact | null> {
  const payment = await api.get(`/operations/${encodeURIComponent(subject)}`);
  if (payment === null) return null;
  const { refunds } = payment;
  if (payment.kind !== 'payment' || !Array.isArray(refunds)) throw nonsense();
  return {
    kind: 'payment',
    reference: textIn(payment, 'id'),
    operation: textIn(payment, 'operation'),
    refunds: refunds.map(readRefund),
    disputes: [],
  };
}

/** `operation` is null for a refund that was made in Tillbank's dashboard. */
function readRefund(refund: Json): ProviderRefund {
  const { operation, amount, status } = refund;
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) throw nonsense();
  return {
    reference: textIn(refund, 'id'),
    operation: typeof operation === 'string' ? operation : null,
    amount,
    status: status === 'done' ? 'succeeded' : status === 'failed' ? 'failed' : 'pending',
  };
}
