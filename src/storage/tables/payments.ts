// A payment's session and intent, and what is read with them, in one snapshot.

import type { Payment } from '../../domain/life-cycle.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { view } from '../table.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import { merchants } from './merchants.ts';
import { paymentIntents } from './payment-intents.ts';

const intentOfSession = {
  table: paymentIntents,
  on: { merchantId: 'merchantId', livemode: 'livemode', id: 'paymentIntentId' },
};

export const paymentsBySession = view<Payment>()({
  root: { session: checkoutSessions },
  with: { intent: intentOfSession },
});

export const paymentsByIntent = view<Payment>()({
  root: { intent: paymentIntents },
  with: {
    session: {
      table: checkoutSessions,
      on: { merchantId: 'merchantId', livemode: 'livemode', id: 'checkoutSessionId' },
    },
  },
});

/** What the hosted page needs. */
export const checkouts = view<Payment & { readonly merchant: Merchant }>()({
  root: { session: checkoutSessions },
  with: { intent: intentOfSession, merchant: { table: merchants, on: { id: 'merchantId' } } },
  foundBy: ['id'],
});
