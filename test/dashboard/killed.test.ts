// Totals and the index equal the payments after a process that was adding up was killed, however often.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '../../src/domain/merchant.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import { sumOf } from '../../src/domain/payment-totals.ts';
import { numberOf } from '../../src/domain/payment-word.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { indexPayments } from '../../src/usecases/index-payments.ts';
import { rollUpTotals } from '../../src/usecases/roll-up-totals.ts';
import { startProgram } from '../support/child-process.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { chaosNumbers } from '../support/killing.ts';
import { aScope } from '../support/records.ts';

const rounds = 4;
const maxLifetimeMs = 300;
const most = 100_000;
const program = new URL('./programs/roll-up-until-killed.ts', import.meta.url);

async function allPayments(store: Store, scope: Scope): Promise<PaymentIntent[]> {
  return [...(await store.list('paymentIntents', { scope, limit: most }))];
}

describeOnEachEngine('A process that is killed while it adds up payments', (engine) => {
  it('counts each of them once, and indexes all of them', async (t) => {
    const address = await freshDatabase(t, engine);
    const scope = aScope();
    const next = chaosNumbers(t);
    for (let round = 0; round < rounds; round++) {
      const worker = startProgram(program, { address, scope });
      try {
        await worker.firstLine();
        await pause(next() * maxLifetimeMs);
      } finally {
        await worker.kill();
      }
    }
    const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
    t.after(() => store.close());
    while (await rollUpTotals({ store }, scope));
    while (await indexPayments({ store, now: () => Date.now() + 60_000 }, scope));
    const payments = await allPayments(store, scope);
    const gross = payments.reduce((sum, { amountCaptured }) => sum + amountCaptured, 0);
    const { byCurrency } = sumOf(await store.list('paymentTotals', { scope, limit: most }));
    assert.ok(payments.length >= rounds);
    assert.deepEqual(byCurrency.EUR, { gross, succeeded: payments.length, refunded: 0, refunds: 0 });
    const indexed = await store.payments.byWords(scope, [numberOf('1001')], undefined, most);
    assert.deepEqual(
      indexed,
      payments.map(({ id }) => id),
    );
  });
});
