// What a receipt says about a payment: what was charged, which may be less than the order, and what was refunded since.

import type { PaymentIntent } from '../../domain/payment-intent.ts';
import type { ReceiptView, RedirectingView } from './views.ts';

/** Of a payment whose session is completed. */
export function receiptOutcome({ status, amountCaptured, amountRefunded }: PaymentIntent): ReceiptView['outcome'] {
  switch (status) {
    case 'succeeded':
      return amountCaptured > 0 && amountRefunded >= amountCaptured ? 'refunded' : 'paid';
    case 'requires_capture':
      return 'authorised';
    case 'requires_payment_method':
      return 'failed';
    default:
      return 'pending';
  }
}

/** The same for customers who go back to the shop. Shops know about refunds. */
export function redirectReason({ status }: PaymentIntent): Exclude<RedirectingView['reason'], 'action'> {
  if (status === 'succeeded') return 'paid';
  if (status === 'requires_capture') return 'authorised';
  return status === 'processing' ? 'pending' : 'unpaid';
}

/** `refunded`: including what is on its way. */
export function receiptAmounts({ amount, amountCaptured, amountRefunded }: PaymentIntent): ReceiptView['amounts'] {
  return { charged: amountCaptured > 0 ? amountCaptured : amount, refunded: amountRefunded };
}
