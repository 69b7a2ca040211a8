// Payment links, as both engines store them, and what their pages need.

import type { Merchant } from '../../domain/merchant.ts';
import type { PaymentLink } from '../../domain/payment-link.ts';
import { scopeColumns, table, view } from '../table.ts';
import { merchants } from './merchants.ts';

export const paymentLinks = table<PaymentLink>()({
  name: 'payment_links',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    status: 'text',
    active: 'boolean',
    type: 'text',
    amount: 'integer',
    minimumAmount: 'integer',
    maximumAmount: 'integer',
    currency: 'text',
    description: 'text',
    lineItems: 'json',
    paymentMethodTypes: 'json',
    captureMethod: 'text',
    redirectUrl: 'text',
    collect: 'json',
    maxUses: 'integer',
    timesUsed: 'integer',
    timesReserved: 'integer',
    timesCompleted: 'integer',
    metadata: 'json',
    expiresAt: 'integer',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  insertedOnly: ['collect'],
  filters: ['status'],
  claims: {
    /** Active links whose time is up: their stored status follows. */
    expired: { dueAt: 'expiresAt', leasedUntil: 'expiry_claimed_until', condition: `t.status = 'active'` },
  },
});

/** What the public page needs: it knows a link by its id alone. */
export const linkPages = view<{ readonly link: PaymentLink; readonly merchant: Merchant }>()({
  root: { link: paymentLinks },
  with: { merchant: { table: merchants, on: { id: 'merchantId' } } },
  foundBy: ['id'],
});
