// Merchants and their settings.

import type { Merchant } from '../../domain/merchant.ts';
import { table } from '../table.ts';

export const merchants = table<Merchant>()({
  name: 'merchants',
  columns: {
    id: 'text',
    version: 'integer',
    name: 'text',
    currencies: 'json',
    paymentMethodTypes: 'json',
    logoUrl: 'text',
    accentColor: 'text',
    receipts: 'boolean',
    replyTo: 'text',
    embedOrigins: 'json',
    acquirers: 'json',
    requiresSecondFactor: 'boolean',
    createdAt: 'integer',
  },
  key: ['id'],
  versioned: true,
  placement: 'every_node',
  foundBy: ['id'],
});
