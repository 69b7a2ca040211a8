// Mollie's notifications name a payment and nothing else. They are not signed, and need not be: a forged one only makes
// us read a payment from Mollie.

import type {
  Notice,
  NotificationReading,
  NotificationRequest,
  ProviderDispute,
  ProviderFact,
  ProviderRefund,
} from '../provider.ts';
import type { MollieApi } from './api.ts';
import { refundStatus } from './captures-and-refunds.ts';
import { partsOf } from './look-up.ts';
import type { MollieContext } from './payments.ts';
import {
  isPaymentId,
  itemsOf,
  type MolliePayment,
  parseChargeback,
  parsePart,
  parsePayment,
  senseless,
} from './resources.ts';

const maxBodyBytes = 1024;
/** A page of Mollie's lists, unless a size is given. */
const maxEmbedded = 50;

export function readMollieNotification({ body }: NotificationRequest): NotificationReading {
  if (body.length > maxBodyBytes) return { refused: 'The notification is too long.' };
  const id = new URLSearchParams(body.toString('utf8')).get('id');
  if (id === null || id === '') return { refused: 'The notification has no `id`.' };
  // Of something that we never create, such as a subscription, or of nothing at all.
  if (!isPaymentId(id)) return { notices: [] };
  // The same body announces the payment, each refund and each chargeback.
  return { notices: [{ id, type: 'payment', subject: id, isRepeatable: true }] };
}

export async function resolveMollieNotice({ api }: MollieContext, { subject }: Notice): Promise<ProviderFact | null> {
  if (!isPaymentId(subject)) return { kind: 'ignored' };
  const answer = await api.get(`/payments/${subject}?embed=refunds,chargebacks`);
  if (answer.kind === 'not_found') return null;
  if (answer.kind !== 'ok') throw senseless('payment');
  const payment = parsePayment(answer.body);
  if (payment.id !== subject) throw senseless('payment');
  const { currency, operation } = payment;
  return {
    kind: 'payment',
    reference: payment.id,
    operation,
    refunds: (await parts(api, payment, 'refunds')).map((json) => refundOf(json, currency)),
    disputes: (await parts(api, payment, 'chargebacks')).map((json) => disputeOf(json, currency)),
  };
}

/** Usually embedded; if Mollie has left them out, or only some fit, they are listed. */
async function parts(
  api: MollieApi,
  { id, status, embedded }: MolliePayment,
  name: 'refunds' | 'chargebacks',
): Promise<readonly unknown[]> {
  const found = name in embedded ? itemsOf({ _embedded: embedded }, name) : null;
  if (found !== null && found.length < maxEmbedded) return found;
  return found === null && status !== 'paid' ? [] : partsOf(api, id, name);
}

function refundOf(json: unknown, currency: string): ProviderRefund {
  const { id, operation, amount, status } = parsePart(json, 'refund', currency);
  return { reference: id, operation, amount, status: refundStatus(status) };
}

/**
 * A chargeback has taken the money back already, and Mollie tells no deadline for evidence: that is settled by email. So
 * it is lost, unless Mollie reverses it. Only banks give a reason.
 */
function disputeOf(json: unknown, currency: string): ProviderDispute {
  const { id, amount, reason, createdAt, isReversed } = parseChargeback(json, currency);
  return {
    reference: id,
    amount,
    currency,
    reason: reason ?? 'general',
    status: isReversed ? 'won' : 'lost',
    evidenceDueBy: null,
    isClosed: true,
    createdAt,
  };
}
