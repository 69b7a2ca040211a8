// Totals of payments by half hour.

import type { PaymentTotals } from '../../domain/payment-totals.ts';
import { scopeColumns, table } from '../table.ts';

export const paymentTotals = table<PaymentTotals>()({
  name: 'payment_totals',
  columns: { ...scopeColumns, id: 'text', version: 'integer', byCurrency: 'json', failed: 'integer', declines: 'json' },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  // Several processes may begin a half hour at the same time.
  oftenTaken: true,
});
