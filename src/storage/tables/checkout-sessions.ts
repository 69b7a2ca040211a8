// Checkout sessions, as both engines store them.

import type { CheckoutSession } from '../../domain/checkout-session.ts';
import { scopeColumns, table } from '../table.ts';

export const checkoutSessions = table<CheckoutSession>()({
  name: 'checkout_sessions',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    metadata: 'json',
    paymentIntentId: 'text',
    returnUrl: 'text',
    cancelUrl: 'text',
    captureMethod: 'text',
    paymentMethodTypes: 'json',
    description: 'text',
    customerEmail: 'text',
    collect: 'json',
    customerDetails: 'json',
    locale: 'text',
    lineItems: 'json',
    expiresAt: 'integer',
    completedAt: 'integer',
    openedAt: 'integer',
    paymentLinkId: 'text',
    uiMode: 'text',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  // The hosted page knows a session by its id alone.
  foundBy: ['id'],
  insertedOnly: [
    'currency',
    'paymentIntentId',
    'captureMethod',
    'paymentMethodTypes',
    'collect',
    'locale',
    'openedAt',
    'paymentLinkId',
    'uiMode',
    'createdAt',
  ],
  filters: ['status', 'paymentLinkId'],
  claims: {
    /** Open sessions that are past their expiry and whose payment is not being processed. */
    expired: {
      dueAt: 'expiresAt',
      leasedUntil: 'expiry_claimed_until',
      condition: `t.status = 'open' AND NOT EXISTS (
        SELECT 1 FROM payment_intents p
        WHERE p.merchant_id = t.merchant_id AND p.livemode = t.livemode AND p.id = t.payment_intent_id
        AND p.status = 'processing')`,
    },
    /** Sessions that have ended and whose customer is known. */
    withCustomer: {
      dueAt: 'createdAt',
      leasedUntil: 'erasure_claimed_until',
      condition: `(t.customer_email IS NOT NULL OR t.customer_details IS NOT NULL) AND t.status <> 'open'
        AND NOT EXISTS (
          SELECT 1 FROM payment_intents p
          WHERE p.merchant_id = t.merchant_id AND p.livemode = t.livemode AND p.id = t.payment_intent_id
          AND (p.status IN ('requires_action', 'processing', 'requires_capture') OR p.pending_operation_id IS NOT NULL))`,
    },
  },
});
