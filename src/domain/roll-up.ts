// How far a merchant's events and payments have been rolled up into totals and into the index for searches. It is part of
// the same commit as what was rolled up, so that everything is counted exactly once.

import type { Scope } from './merchant.ts';

export type RollUpName = 'totals' | 'search';

export interface RollUp extends Scope {
  readonly id: RollUpName;
  readonly version: number;
  /** The last event, by its position; 0 before the first one. */
  readonly position: number;
  /** The last payment, by its id; `''` before the first one. */
  readonly paymentIntentId: string;
}

export function newRollUp({ merchantId, livemode }: Scope, id: RollUpName): RollUp {
  return { merchantId, livemode, id, version: 0, position: 0, paymentIntentId: '' };
}
