// The last error of an acquirer account is stored beside updates of the account: neither disturbs the other.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AcquirerAccount } from '../../src/domain/acquirer-account.ts';
import type { Store } from '../../src/storage/store.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { anAcquirerAccount } from '../support/records.ts';

async function anAccount(store: Store): Promise<AcquirerAccount> {
  const account = anAcquirerAccount();
  await mustCommit(store, { acquirerAccounts: [account] });
  return stored(store, account);
}

async function stored(store: Store, { id, ...scope }: AcquirerAccount): Promise<AcquirerAccount> {
  return (await store.find('acquirerAccounts', scope, id)) ?? assert.fail('the account exists');
}

describeOnEachStore('The last error of an account', (engine) => {
  it('is replaced by a later one at once if the message differs, and otherwise after a minute', async (t) => {
    const { store } = await freshStore(t, engine);
    const account = await anAccount(store);
    const { merchantId, livemode, id } = account;
    async function after(at: number, message: string): Promise<unknown> {
      await store.recordAccountErrors([{ merchantId, livemode, id, at, message }]);
      const { lastErrorAt, lastErrorMessage, version } = await stored(store, account);
      assert.equal(version, account.version);
      return [lastErrorAt, lastErrorMessage];
    }
    assert.deepEqual([account.lastErrorAt, account.lastErrorMessage], [null, null]);
    assert.deepEqual(await after(100_000, 'no response'), [100_000, 'no response']);
    assert.deepEqual(await after(159_999, 'no response'), [100_000, 'no response']);
    assert.deepEqual(await after(160_000, 'no response'), [160_000, 'no response']);
    assert.deepEqual(await after(160_001, 'HTTP 500'), [160_001, 'HTTP 500']);
    assert.deepEqual(await after(160_000, 'an earlier one'), [160_001, 'HTTP 500']);
  });

  it('of no account, of an unknown one or in the other mode changes nothing', async (t) => {
    const { store } = await freshStore(t, engine);
    const account = await anAccount(store);
    const error = { merchantId: account.merchantId, livemode: account.livemode, id: account.id, at: 5, message: 'x' };
    await store.recordAccountErrors([]);
    await store.recordAccountErrors([
      { ...error, livemode: !error.livemode },
      { ...error, id: 'acq_unknown' },
      { ...error, merchantId: 'acct_other' },
    ]);
    assert.deepEqual(await stored(store, account), account);
  });

  it('neither makes an update of the account conflict, nor loses it, nor is lost with it', async (t) => {
    const { store } = await freshStore(t, engine);
    const read = await anAccount(store);
    const { merchantId, livemode, id } = read;
    const error = { merchantId, livemode, id, message: 'no response' };
    await store.recordAccountErrors([{ ...error, at: 1 }]);
    // As it was read before the error.
    await mustCommit(store, { acquirerAccounts: [{ ...read, status: 'disabled' }] });
    const disabled = await stored(store, read);
    assert.deepEqual([disabled.status, disabled.lastErrorAt], ['disabled', 1]);
    const credentials = new Uint8Array([2]);
    await Promise.all([
      mustCommit(store, { acquirerAccounts: [{ ...disabled, credentials }] }),
      ...[2, 3, 4].map((n) => store.recordAccountErrors([{ ...error, at: n * 100_000 }])),
    ]);
    const { version, ...after } = await stored(store, read);
    assert.equal(version, disabled.version + 1);
    assert.deepEqual([after.status, [...after.credentials], after.lastErrorAt], ['disabled', [2], 400_000]);
  });
});
