// Refunds.

import type { Refund } from '../../domain/refund.ts';
import { scopeColumns, table } from '../table.ts';

export const refunds = table<Refund>()({
  name: 'refunds',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    paymentIntentId: 'text',
    amount: 'integer',
    currency: 'text',
    status: 'text',
    reason: 'text',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  filters: ['paymentIntentId'],
});
