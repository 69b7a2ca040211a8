// What the sandbox has stored: the acquirer's side of every payment.

import { type SandboxBooks, sandboxTables } from '../../src/acquirers/sandbox/books.ts';
import type { SandboxPayment } from '../../src/acquirers/sandbox/sandbox-payment.ts';
import type { Store } from '../../src/storage/store.ts';

export function sandboxBooks(store: Store): SandboxBooks {
  return store.recordsOf(sandboxTables);
}

export function sandboxPayment(store: Store, reference: string): Promise<SandboxPayment | null> {
  return sandboxBooks(store).findBy('payments', 'id', reference);
}
