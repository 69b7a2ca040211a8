// When a key was last used: later times win, whatever order they come in and whatever else happens to the key.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { aMerchant, anApiKey } from '../support/records.ts';

describeOnEachStore('The time a key was last used', (engine) => {
  it('only ever moves forward', async (t) => {
    const { store } = await freshStore(t, engine);
    const [one, other] = [anApiKey(), anApiKey()];
    await mustCommit(store, { apiKeys: [one, other] });
    const lastUsed = async (id: string) => (await store.findBy('apiKeys', 'id', id))?.lastUsedAt;
    await store.markKeysUsed([{ id: one.id, usedAt: 200 }]);
    assert.equal(await lastUsed(one.id), 200);
    assert.equal(await lastUsed(other.id), null);
    await store.markKeysUsed([
      { id: one.id, usedAt: 100 },
      { id: other.id, usedAt: 50 },
    ]);
    assert.equal(await lastUsed(one.id), 200);
    assert.equal(await lastUsed(other.id), 50);
    await store.markKeysUsed([{ id: one.id, usedAt: 201 }]);
    assert.equal(await lastUsed(one.id), 201);
  });

  it('is the latest if one key is recorded several times at once', async (t) => {
    const { store } = await freshStore(t, engine);
    const key = anApiKey();
    await mustCommit(store, { apiKeys: [key] });
    const times = [300, 900, 100, 500];
    await store.markKeysUsed(times.map((usedAt) => ({ id: key.id, usedAt })));
    assert.equal((await store.findBy('apiKeys', 'id', key.id))?.lastUsedAt, 900);
    await Promise.all([950, 1000, 970].map((usedAt) => store.markKeysUsed([{ id: key.id, usedAt }])));
    assert.equal((await store.findBy('apiKeys', 'id', key.id))?.lastUsedAt, 1000);
  });

  it('may be recorded for no key, or for one that does not exist', async (t) => {
    const { store } = await freshStore(t, engine);
    await store.markKeysUsed([]);
    await store.markKeysUsed([{ id: anApiKey().id, usedAt: 1 }]);
  });

  it('neither conflicts with a change of the key nor is lost by one', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchant = aMerchant();
    const key = anApiKey({ merchantId: merchant.id });
    await mustCommit(store, { merchants: [merchant], apiKeys: [key] });
    const read = await store.findBy('apiKeys', 'id', key.id);
    assert.ok(read !== null);
    await store.markKeysUsed([{ id: key.id, usedAt: 777 }]);
    await mustCommit(store, { apiKeys: [{ ...read, revokedAt: 800 }] });
    const now = await store.findBy('credentials', 'hash', key.hash);
    assert.equal(now?.key.revokedAt, 800);
    assert.equal(now?.key.lastUsedAt, 777);
  });
});
