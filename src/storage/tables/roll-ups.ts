// How far events and payments have been rolled up.

import type { RollUp } from '../../domain/roll-up.ts';
import { scopeColumns, table } from '../table.ts';

export const rollUps = table<RollUp>()({
  name: 'roll_ups',
  columns: { ...scopeColumns, id: 'text', version: 'integer', position: 'integer', paymentIntentId: 'text' },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  oftenTaken: true,
});
