// Opens a store the moment it is told to, writes a payment, and closes it: one of many that start at the same time.

import { once } from 'node:events';
import { openStore } from '../../../src/storage/open-store.ts';
import { changesOf, mustCommit } from '../../support/committing.ts';
import { aPayment } from '../../support/records.ts';

const { address, scope } = JSON.parse(process.argv[2] ?? '');
console.log('ready');
await once(process.stdin, 'data');
const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
await store.check();
await mustCommit(store, changesOf(aPayment({ scope })));
await store.close();
process.exit(0);
