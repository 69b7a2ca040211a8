// The last error of an acquirer account in the dashboard, whichever process had it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import type { AccountError } from '../../src/domain/acquirer-account.ts';
import { scriptedProvider, testCredentials } from '../acquirers/scripted-provider.ts';
import { scriptedAcquirer } from '../paying/scripted-acquirer.ts';
import { entriesOf, type Fields, must, textOf } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { dashboardClient, signIn } from '../support/dashboard.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { type Paydesk, type PaydeskOptions, startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

/** A shop whose provider fails with these messages, one for each payment. */
async function scene(t: CleansUp, engine: Engine, messages: readonly string[], options: PaydeskOptions = {}) {
  const begin = messages.map((message) => new AcquirerSilent(message));
  const { providers } = scriptedProvider({ acquirer: scriptedAcquirer({ begin }) });
  const paydesk = await startPaydesk(t, engine, { longestPauseMs: 20, providers, ...options });
  const shop = await paydesk.newMerchant();
  const owner = await signIn(paydesk, shop);
  const account = must(
    201,
    await owner.post('/acquirers', {
      provider: 'stripe',
      name: 'Main',
      methods: ['card'],
      credentials: testCredentials,
    }),
  );
  paydesk.clock.advance(1_000);
  return {
    paydesk,
    shop,
    owner,
    stored: () => paydesk.store.find('acquirerAccounts', shop.scope, textOf(account.id)),
    path: `/acquirers/${textOf(account.id)}`,
    async pay() {
      const session = await shop.newSession();
      const customer = customerAt(paydesk.url);
      const { action, fields } = formOf(await customer.open(session.id));
      return customer.post(action, { ...fields, method: 'card', card_token: 'pm_1' });
    },
    /** As another process shows it. */
    async shownBy({ url }: Pick<Paydesk, 'url'>): Promise<Fields | null> {
      const [shown] = entriesOf(await dashboardClient(url, owner.user, owner).get('/acquirers'));
      return (shown?.last_error as Fields | null | undefined) ?? null;
    },
  };
}

describeOnEachEngine('The last error of an acquirer account', (engine) => {
  it('is shown by every process, and after a restart', async (t) => {
    const { paydesk, pay, shownBy } = await scene(t, engine, ['no response with sk_test_1234567890abcdefghij']);
    const other = await paydesk.startAnother();
    assert.equal(await shownBy(other), null);
    await pay();
    const error = { at: new Date(paydesk.clock.now()).toISOString(), message: 'no response with [secret]' };
    assert.deepEqual(await shownBy(paydesk), error, 'at once by the process that had it');
    await until('the other process shows it', async () => (await shownBy(other)) !== null);
    assert.deepEqual(await shownBy(other), error);
    await paydesk.stop();
    assert.deepEqual(await shownBy(await paydesk.startAnother()), error);
  });

  it('is stored when a process ends right after it', async (t) => {
    const { paydesk, pay, stored } = await scene(t, engine, ['no response'], { longestPauseMs: 3_600_000 });
    await pay();
    await paydesk.stop();
    assert.equal((await stored())?.lastErrorMessage, 'no response');
  });

  it('is written once a minute, sooner if the message differs, and an update of the account keeps it', async (t) => {
    const written: AccountError[] = [];
    const messages = ['no response', 'no response', 'HTTP 500\u0000\nfrom a proxy', 'no response'];
    const { paydesk, pay, owner, path, stored } = await scene(t, engine, messages, {
      storage: (store) => ({
        ...store,
        async recordAccountErrors(errors) {
          await store.recordAccountErrors(errors);
          written.push(...errors);
        },
      }),
    });
    await pay();
    await until('the first is written', () => written.length === 1);
    paydesk.clock.advance(1_000);
    await pay();
    paydesk.clock.advance(1_000);
    await pay();
    await until('the other message is written', () => written.length >= 2);
    assert.deepEqual(
      written.map(({ message }) => message),
      ['no response', 'HTTP 500 from a proxy'],
      'not the same one again',
    );
    must(200, await owner.post(`${path}/disable`));
    const account = await stored();
    assert.deepEqual([account?.status, account?.lastErrorMessage], ['disabled', 'HTTP 500 from a proxy']);
  });

  it('that cannot be stored is logged, does not affect the payment, and is stored later', async (t) => {
    let isBroken = true;
    const { paydesk, pay, shownBy, stored } = await scene(t, engine, ['no response'], {
      storage: (store) => ({
        ...store,
        recordAccountErrors: (errors) =>
          isBroken ? Promise.reject(new Error('storage is away')) : store.recordAccountErrors(errors),
      }),
    });
    const { status, html } = await pay();
    assert.equal(status, 200);
    assert.match(html, /role="alert"/);
    await until('it has failed', () => paydesk.logLines().some(({ job }) => job === 'recordAccountErrors'));
    assert.equal((await shownBy(paydesk))?.message, 'no response');
    assert.equal((await stored())?.lastErrorAt, null);
    isBroken = false;
    await until('it is stored', async () => (await stored())?.lastErrorMessage === 'no response');
  });
});
