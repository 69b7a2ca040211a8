// Makes payments succeed, and adds them up and indexes them at the same time, until it is killed.

import { paymentIntentEvent } from '../../../src/domain/event.ts';
import { openStore } from '../../../src/storage/open-store.ts';
import { indexPayments } from '../../../src/usecases/index-payments.ts';
import { rollUpTotals } from '../../../src/usecases/roll-up-totals.ts';
import { changesOf } from '../../support/committing.ts';
import { aMoment, aPayment } from '../../support/records.ts';

const { address, scope } = JSON.parse(process.argv[2] ?? '');
const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
const maxTurns = 20_000;

async function pay(): Promise<void> {
  for (let turn = 0; turn < maxTurns; turn++) {
    // Old enough to be indexed, and in the order of commits.
    const moment = aMoment(Date.now() - 60_000);
    const { intent, session } = aPayment({ scope, moment, terms: { amount: 100 + (turn % 7) } });
    const paid = { ...intent, status: 'succeeded', amountCaptured: intent.amount } as const;
    const events = [paymentIntentEvent('payment_intent.succeeded', paid, moment)];
    await store.commit({ ...changesOf({ intent: paid, session }), events });
    console.log(intent.id);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function rollUp(): Promise<void> {
  for (let turn = 0; turn < maxTurns; turn++) {
    await rollUpTotals({ store }, scope);
    await indexPayments({ store, now: () => Date.now() - 35_000 }, scope);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

await Promise.all([pay(), rollUp()]);
await store.close();
