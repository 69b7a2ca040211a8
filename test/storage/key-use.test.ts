// When a key was last used: later times win, whatever order they come in and whatever else happens to the key.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, describeOnEachStore, freshStore } from '../support/engines.ts';
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

// Not one merchant at a time: the statement for that needs Citus, which runs one after the other.
describeOnEachEngine('The time a key was last used', (engine) => {
  it('is recorded by several processes at once, for the same keys in any order', async (t) => {
    const { store, openAnother } = await freshStore(t, engine);
    const stores = [store, engine.name === 'sqlite' ? store : await openAnother()] as const;
    const keys = Array.from({ length: 400 }, () => anApiKey());
    await mustCommit(store, { apiKeys: keys });
    for (let round = 1; round <= 15; round++) {
      const some = (step: number, count: number) =>
        keys
          .map((_, at) => keys[(at * step + round) % keys.length])
          .slice(0, count)
          .flatMap((key) => (key === undefined ? [] : [{ id: key.id, usedAt: round }]));
      await Promise.all([
        stores[0].markKeysUsed(some(1, 300)),
        stores[1].markKeysUsed(some(399, 37)),
        stores[0].markKeysUsed(some(7, 120)),
        stores[1].markKeysUsed(some(153, 400)),
      ]);
    }
    for (const { id } of keys.slice(0, 3)) assert.equal((await store.findBy('apiKeys', 'id', id))?.lastUsedAt, 15);
  });
});
