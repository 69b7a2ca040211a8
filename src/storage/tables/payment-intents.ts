// Payment intents, as both engines store them.

import type { PaymentIntent } from '../../domain/payment-intent.ts';
import { scopeColumns, table } from '../table.ts';

export const paymentIntents = table<PaymentIntent>()({
  name: 'payment_intents',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    metadata: 'json',
    captureMethod: 'text',
    amountCaptured: 'integer',
    amountRefunded: 'integer',
    checkoutSessionId: 'text',
    paymentMethod: 'json',
    lastPaymentError: 'json',
    canceledAt: 'integer',
    cancellationReason: 'text',
    operationId: 'text',
    pendingOperationId: 'text',
    captureBefore: 'integer',
    acquirer: 'json',
    paymentLinkId: 'text',
    linkUse: 'text',
    customerDetails: 'json',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  insertedOnly: ['currency', 'captureMethod', 'checkoutSessionId', 'paymentLinkId', 'createdAt'],
  filters: ['status', 'paymentLinkId'],
  claims: {
    /** Authorisations that were not captured in time. */
    lapsed: {
      dueAt: 'captureBefore',
      leasedUntil: 'lapse_claimed_until',
      condition: 't.pending_operation_id IS NULL',
    },
  },
});
