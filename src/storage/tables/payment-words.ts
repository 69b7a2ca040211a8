// The words that payments are found by.

import type { PaymentWord } from '../../domain/payment-word.ts';
import { scopeColumns, table } from '../table.ts';

export const paymentWords = table<PaymentWord>()({
  name: 'payment_words',
  columns: { ...scopeColumns, period: 'integer', word: 'integer', paymentIntentId: 'text' },
  key: ['merchantId', 'livemode', 'period', 'word', 'paymentIntentId'],
  order: { by: 'paymentIntentId', ascending: false },
  skipsTaken: true,
});
