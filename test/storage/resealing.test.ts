// What changing the secret key stands on: every kept answer is walked through once, and a fact moves only from where it is.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { IdempotencyRecord } from '../../src/domain/idempotency.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { anIdempotencyRecord, aScope } from '../support/records.ts';

const placeOf = ({ merchantId, livemode, key }: IdempotencyRecord): string => `${merchantId} ${livemode} ${key}`;

describeOnEachStore('Stored responses', (engine) => {
  it('of every merchant and mode are walked through once each', async (t) => {
    const { store } = await freshStore(t, engine);
    const scopes = [aScope(), aScope()].flatMap((scope) => [scope, { ...scope, livemode: true }]);
    const all = scopes.flatMap((scope) => Array.from({ length: 5 }, () => anIdempotencyRecord(scope)));
    await mustCommit(store, { idempotencyRecords: all });
    const seen: string[] = [];
    for (let after: IdempotencyRecord | null = null; ; ) {
      const page: readonly IdempotencyRecord[] = await store.walk('idempotencyRecords', after, 3);
      seen.push(...page.map(placeOf));
      after = page.at(-1) ?? null;
      if (after === null) break;
    }
    assert.deepEqual(seen.toSorted(), all.map(placeOf).toSorted());
  });

  it('are re-encrypted a page at a time, as long as they have not changed', async (t) => {
    const { store } = await freshStore(t, engine);
    const [one, other, third] = [anIdempotencyRecord(), anIdempotencyRecord(), anIdempotencyRecord()];
    await mustCommit(store, { idempotencyRecords: [one, other, third] });
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const resealed = [
      { ...one, version: 1, sealedBody: bytes },
      { ...other, version: 1, sealedBody: Uint8Array.of(0, 92, 34) },
    ];
    await mustCommit(store, { idempotencyRecords: resealed });
    const sealed = async (record: IdempotencyRecord) =>
      Buffer.from((await store.find('idempotencyRecords', record, record.key))?.sealedBody ?? []);
    assert.deepEqual(await sealed(one), Buffer.from(bytes));
    assert.deepEqual(await sealed(other), Buffer.from([0, 92, 34]));
    assert.deepEqual(await sealed(third), Buffer.from(third.sealedBody));
    assert.deepEqual(await store.commit({ idempotencyRecords: [{ ...third, version: 1 }, ...resealed] }), {
      committed: false,
      conflict: 'version',
    });
  });
});

describeOnEachStore('A fact', (engine) => {
  it('is replaced by exactly one of several concurrent changes', async (t) => {
    const { store } = await freshStore(t, engine);
    assert.equal(await store.moveFact('secret_key_id', 'a', 'b'), false, 'what is not there does not move');
    await mustCommit(store, { facts: [{ name: 'secret_key_id', value: 'a' }] });
    const moves = await Promise.all(['b', 'c', 'd'].map((to) => store.moveFact('secret_key_id', 'a', to)));
    assert.equal(moves.filter(Boolean).length, 1);
    const value = (await store.findBy('facts', 'name', 'secret_key_id'))?.value;
    assert.equal(value, ['b', 'c', 'd'][moves.indexOf(true)]);
    assert.equal(await store.moveFact('secret_key_id', 'a', 'e'), false);
    assert.equal(await store.findBy('facts', 'name', 'demo_merchant'), null);
  });
});
