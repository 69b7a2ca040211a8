// Disputes.

import type { Dispute } from '../../domain/dispute.ts';
import { scopeColumns, table } from '../table.ts';

export const disputes = table<Dispute>()({
  name: 'disputes',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    paymentIntentId: 'text',
    amount: 'integer',
    currency: 'text',
    reason: 'text',
    status: 'text',
    evidenceDueBy: 'integer',
    isClosed: 'boolean',
    acquirer: 'json',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  filters: ['paymentIntentId', 'status'],
});
