// Disputes, which banks open and close; evidence is given in Stripe's dashboard.

import type { Dispute, Intent } from './books.ts';
import { disputeJson } from './objects.ts';
import type { Ledger } from './payments.ts';

/** The bank has the money, or may still get it. An inquiry takes none, and a refund ends it. */
export function isTakenBack({ status }: Dispute): boolean {
  return status === 'needs_response' || status === 'under_review' || status === 'lost';
}

const evidenceWithinSeconds = 9 * 86_400;

export function openDispute(
  ledger: Ledger,
  intent: Intent,
  kind: 'fraudulent' | 'inquiry',
  amount = intent.charge?.captured ?? 0,
): Dispute {
  const dispute: Dispute = {
    id: ledger.books.newId('du'),
    created: ledger.now(),
    intent,
    amount,
    reason: kind === 'inquiry' ? 'general' : 'fraudulent',
    dueBy: ledger.now() + evidenceWithinSeconds,
    status: kind === 'inquiry' ? 'warning_needs_response' : 'needs_response',
  };
  ledger.books.disputes.set(dispute.id, dispute);
  ledger.emit('charge.dispute.created', disputeJson(ledger, dispute));
  if (kind === 'fraudulent') ledger.emit('charge.dispute.funds_withdrawn', disputeJson(ledger, dispute));
  return dispute;
}

export function moveDispute(ledger: Ledger, dispute: Dispute, status: string): void {
  dispute.status = status;
  const closed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
  ledger.emit(closed ? 'charge.dispute.closed' : 'charge.dispute.updated', disputeJson(ledger, dispute));
  if (status === 'won') ledger.emit('charge.dispute.funds_reinstated', disputeJson(ledger, dispute));
}
