// What is true at Stripe about a payment: its refunds and disputes, whoever made them.

import { AcquirerSilent } from '../acquirer.ts';
import { type Notice, PermissionMissing, type ProviderDispute, type ProviderFact } from '../provider.ts';
import type { StripeClient } from './client.ts';
import { refundStatus } from './follow-ups.ts';
import { idIn, integerIn, type Json, objectIn, textIn } from './json.ts';
import { listOfPayment, listRefunds } from './lists.ts';
import { nonsense, readMoney, type StripePayment, type StripeRefund } from './objects.ts';
import { paymentIn, retrievePayment } from './payments.ts';

/** Null if Stripe does not know it. */
export async function resolveNotice(
  client: StripeClient,
  { subject, type, isOurs }: Notice,
): Promise<ProviderFact | null> {
  const reference = await paymentOf(client, subject);
  if (reference === null) return null;
  const reply = await retrievePayment(client, reference);
  if (!reply.ok && reply.error.status === 404) return null;
  const payment = paymentIn(reply, reference);
  const { operation, status } = payment;
  // Reading the lists would use up the rate limit of an account that other systems use too.
  if (operation === null && isOurs !== true) return { kind: 'unmarked', reference };
  const wasCharged = status === 'succeeded';
  const disputes = wasCharged ? await readDisputes(client, reference) : [];
  return {
    kind: 'payment',
    reference,
    operation,
    refunds: wasCharged
      ? paidBack(await listRefunds(client, reference), payment).map((refund) => ({
          reference: refund.id,
          operation: refund.operation,
          amount: refund.amount,
          status: refundStatus(refund.status),
        }))
      : [],
    ...(disputes instanceof PermissionMissing
      ? { disputes: [], unread: { reason: disputes.message, isAwaited: type.startsWith('charge.dispute.') } }
      : { disputes }),
  };
}

/**
 * Stripe also lists what a partial capture has released, like a refund that was made in the dashboard: succeeded, without
 * metadata, and with a balance transaction or without. It was made with the capture, so it is the oldest of its amount;
 * the newest are listed first.
 */
function paidBack(listed: readonly StripeRefund[], { amount, amountReceived }: StripePayment): readonly StripeRefund[] {
  const released = listed.findLast((one) => one.operation === null && one.amount === amount - amountReceived);
  return listed.filter((one) => one !== released);
}

/** Payments and refunds do not need this permission. */
async function readDisputes(client: StripeClient, payment: string): Promise<ProviderDispute[] | PermissionMissing> {
  try {
    return (await listOfPayment(client, 'disputes', payment)).map(readDispute);
  } catch (error) {
    if (error instanceof AcquirerSilent && error.cause instanceof PermissionMissing) return error.cause;
    throw error;
  }
}

const paths: readonly (readonly [prefix: RegExp, path: string])[] = [
  [/^(?:ch|py)_/, 'charges'],
  [/^(?:re|pyr)_/, 'refunds'],
  [/^(?:dp|du)_/, 'disputes'],
];

/** The PaymentIntent of a charge, refund or dispute; null for what has none. */
async function paymentOf(client: StripeClient, subject: string): Promise<string | null> {
  if (subject.startsWith('pi_')) return subject;
  const [, path] = paths.find(([prefix]) => prefix.test(subject)) ?? [];
  if (path === undefined) return null;
  const reply = await client.get(`${path}/${encodeURIComponent(subject)}`);
  if (reply.ok) return idIn(reply.body, 'payment_intent');
  if (reply.error.status === 404) return null;
  throw new AcquirerSilent(`Stripe does not return ${subject} (${reply.error.code ?? reply.error.type}).`, {
    isOnlyAboutThis: true,
  });
}

/** `warning_…`: an inquiry of the bank, with no money taken. `prevented`: ended before it became a dispute. */
const disputeStatuses: Readonly<Record<string, ProviderDispute['status']>> = {
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  warning_closed: 'warning',
  prevented: 'warning',
};

const closedStatuses: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];

function readDispute(json: Json): ProviderDispute {
  const { id, status, amount, currency } = readMoney(json, 'dispute', '');
  const details = objectIn(json, 'evidence_details');
  const dueBy = details === null ? null : integerIn(details, 'due_by');
  const created = integerIn(json, 'created');
  const ours = Object.hasOwn(disputeStatuses, status) ? disputeStatuses[status] : undefined;
  if (ours === undefined || created === null) throw nonsense('a dispute');
  return {
    reference: id,
    amount,
    currency,
    reason: textIn(json, 'reason') ?? 'general',
    status: ours,
    // 0: the bank accepts none.
    evidenceDueBy: dueBy === null || dueBy === 0 ? null : dueBy * 1_000,
    isClosed: closedStatuses.includes(status),
    createdAt: created * 1_000,
  };
}
