// Disputes, which banks open and close; evidence is given in Stripe's dashboard.

import type { Dispute, Intent } from './books.ts';
import { disputeJson } from './objects.ts';
import type { Ledger } from './payments.ts';

const evidenceWithinSeconds = 9 * 86_400;

export function openDispute(ledger: Ledger, intent: Intent, kind: 'fraudulent' | 'inquiry'): Dispute {
  const dispute: Dispute = {
    id: ledger.books.newId('du'),
    created: ledger.now(),
    intent,
    amount: intent.charge?.captured ?? 0,
    reason: kind === 'inquiry' ? 'general' : 'fraudulent',
    dueBy: ledger.now() + evidenceWithinSeconds,
    status: kind === 'inquiry' ? 'warning_needs_response' : 'needs_response',
  };
  ledger.books.disputes.set(dispute.id, dispute);
  ledger.emit('charge.dispute.created', disputeJson(ledger, dispute));
  return dispute;
}

export function moveDispute(ledger: Ledger, dispute: Dispute, status: string): void {
  dispute.status = status;
  const closed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
  ledger.emit(closed ? 'charge.dispute.closed' : 'charge.dispute.updated', disputeJson(ledger, dispute));
}
