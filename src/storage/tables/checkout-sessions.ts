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
    locale: 'text',
    lineItems: 'json',
    expiresAt: 'integer',
    completedAt: 'integer',
    openedAt: 'integer',
    paymentLinkId: 'text',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  // The hosted page knows a session by its id alone.
  foundBy: ['id'],
  writtenSeparately: ['paymentLinkId', 'openedAt'],
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
  },
});
