// Whether a reference that the sandbox was given belongs to a test payment of ours that still exists.

import type { Store } from '../storage/store.ts';

export async function isTestPayment(store: Store, reference: string): Promise<boolean> {
  const operation = await store.findBy('operations', 'id', reference);
  if (operation === null || operation.livemode) return false;
  return (await store.find('paymentIntents', operation, operation.paymentIntentId)) !== null;
}
