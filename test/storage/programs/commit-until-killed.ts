// Commits payments, several at a time, and says which ones were acknowledged, until it is killed.

import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openStore } from '../../../src/storage/open-store.ts';
import { changesOf } from '../../support/committing.ts';
import { aMoment, anEvent, anIdempotencyRecord, aPayment } from '../../support/records.ts';

const committers = 8;
const maxCommitsEach = 20_000;

const { address, scope } = JSON.parse(process.argv[2] ?? '');
const store = await openStore(address, { serving: true, onConnectionLost: () => {} });

async function commitOn(): Promise<void> {
  for (let count = 0; count < maxCommitsEach; count += 1) {
    const key = randomUUID();
    const payment = aPayment({ scope, moment: aMoment(Date.now()), terms: { metadata: { key } } });
    const outcome = await store.commit({
      ...changesOf(payment),
      events: [anEvent(payment.intent)],
      idempotencyRecords: [anIdempotencyRecord({ ...scope, key })],
    });
    if (!outcome.committed) throw new Error(`unexpected conflict: ${outcome.conflict}`);
    // Written before anything else happens, so that the other side knows of every acknowledgement.
    writeSync(1, `${payment.session.id}\n`);
  }
}

await Promise.all(Array.from({ length: committers }, commitOn));
await store.close();
