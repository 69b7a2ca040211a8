// Accounts come and go: what is known about them takes bounded memory, and starts over when an account is changed.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { acquirerAccounts } from '../../src/acquirers/accounts.ts';
import { type AcquirerOperation, AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import { noAcquirer } from '../../src/acquirers/no-acquirer.ts';
import { type AcquirerAccount, sealCredentials } from '../../src/domain/acquirer-account.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { freshStore, sqlite } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { secretKey } from '../support/paydesk.ts';
import { scriptedProvider, testCredentials } from './scripted-provider.ts';

const operation: AcquirerOperation = {
  ...{ id: 'op_1', amount: 1250, currency: 'EUR', reference: null, state: null, createdAt: 0 },
};

async function scene(t: TestContext) {
  const { store } = await freshStore(t, sqlite);
  const clock = fakeClock();
  const box = secretBox(secretKey, randomBytes);
  const doors = { open: 0, most: 0 };
  const silent = async (): Promise<never> => {
    throw new AcquirerSilent('no answer');
  };
  const played = scriptedProvider({
    acquirer: { ...scriptedProvider().acquirer, inquire: silent },
    check: silent,
  });
  const accounts = acquirerAccounts({
    ...{ store, secretBox: box, providers: played.providers, sandbox: noAcquirer, publicUrl: 'https://pay.example' },
    ...{ apiUrls: { stripe: '', mollie: '' }, now: clock.now, onUnusable: assert.fail },
    cardScriptUrl: 'https://js.example/v1.js',
    openDoor() {
      doors.open += 1;
      doors.most = Math.max(doors.most, doors.open);
      return {
        send: silent,
        async close() {
          doors.open -= 1;
        },
      };
    },
    guard: {
      ...{ steadyClock: clock.steady, deadlineMs: 4_000 },
      ...{ onCall() {}, onTurnedAway() {}, onAvailability() {} },
    },
  });
  t.after(() => accounts.close());
  const account = (id: string, version = 1): AcquirerAccount => ({
    ...{ merchantId: 'acct_1', livemode: false, id, version, provider: 'stripe', name: 'Main', methods: ['card'] },
    ...{ status: 'enabled', createdAt: 0, ...sealCredentials(box, id, testCredentials) },
    ...{ lastErrorAt: null, lastErrorMessage: null },
  });
  async function failAt(one: AcquirerAccount): Promise<void> {
    const connected = await accounts.connected(one);
    for (let i = 0; i < 5; i += 1) await assert.rejects(connected.inquire(operation), AcquirerSilent);
  }
  return { accounts, account, failAt, doors };
}

describe('Many accounts', () => {
  it('take bounded memory: the connections and the health of at most a thousand are kept', async (t) => {
    const { accounts, account, failAt, doors } = await scene(t);
    for (let i = 0; i < 2_500; i += 1) await failAt(account(`acq_${i}`));
    assert.ok(doors.most <= 1_001, `${doors.most} at once`);
    assert.equal(
      [...accounts.down().values()].reduce((sum, count) => sum + count, 0),
      1_000,
    );
    assert.equal(accounts.availability('acq_2499'), 'down');
    assert.equal(accounts.availability('acq_0'), 'available', 'forgotten, and found out again when it is used');
    await accounts.close();
    assert.equal(doors.open, 0);
  });

  it('start over when one is changed, for example because its credentials were replaced', async (t) => {
    const { accounts, account, failAt } = await scene(t);
    await failAt(account('acq_1'));
    assert.equal(accounts.availability('acq_1'), 'down');
    await accounts.connected(account('acq_1', 2));
    assert.equal(accounts.availability('acq_1'), 'available');
  });

  it('are connected once, however many payments come at the same time', async (t) => {
    const { accounts, account, doors } = await scene(t);
    await Promise.all(Array.from({ length: 100 }, () => accounts.connected(account('acq_1'))));
    assert.equal(doors.most, 1);
  });

  it('are not called any more once the service stops', async (t) => {
    const { accounts, account } = await scene(t);
    await accounts.connected(account('acq_1'));
    accounts.stop();
    await assert.rejects(
      accounts.connected(account('acq_1')),
      (error: unknown) => error instanceof AcquirerSilent && error.notSent,
    );
  });
});
