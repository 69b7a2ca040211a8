// Acquirer accounts in the settings, at simulated providers: add, check, replace the credentials of, disable and enable.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { stripe } from '../../src/acquirers/stripe/stripe.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { press } from './browsing-customer.ts';
import { visitAs } from './dashboard-staff.ts';
import { providerCheckoutForSuite } from './real-providers.ts';

function dialogButton(page: Page, name: string) {
  return page.getByRole('dialog').getByRole('button', { name, exact: true });
}

describeOnEachEngine('acquirer accounts in the dashboard', { concurrency: 2 }, (engine) => {
  const started = providerCheckoutForSuite(engine);
  const accountsOf = async ({ scope }: TestMerchant) =>
    (await started()).paydesk.store.list('acquirerAccounts', { scope, limit: 10 });

  it('adds an account with credentials that the provider accepts, and never shows them', async () => {
    const checkout = await started();
    const shop = await checkout.newMerchant({});
    const key = checkout.mollie.keys.test;
    await visitAs(checkout, shop, { expectedStatus: 400 }, async ({ page, open }) => {
      await open('/settings');
      await page.getByRole('heading', { name: 'No acquirer accounts' }).waitFor();
      await press(page, 'Add account');
      await page.getByLabel('Provider').selectOption('Mollie');
      await page.getByLabel('Api key').fill('test_wrongwrongwrongwrongwrongwrong');
      await dialogButton(page, 'Add account').click();
      await page.getByRole('dialog').getByRole('alert').getByText(/\w/).waitFor();
      assert.deepEqual(await accountsOf(shop), []);
      await page.getByLabel('Name', { exact: true }).fill('Mollie Benelux');
      await page.getByLabel('Api key').fill(key);
      assert.equal(await page.getByLabel('Api key').getAttribute('type'), 'password');
      await dialogButton(page, 'Add account').click();
      const account = page.getByRole('article', { name: 'Mollie Benelux' });
      await account.getByText('Enabled').waitFor();
      assert.ok(!(await page.content()).includes(key));
    });
    const [account] = await accountsOf(shop);
    assert.equal(account?.name, 'Mollie Benelux');
    assert.equal(account?.status, 'enabled');
  });

  it('checks an account, disables and enables it', async () => {
    const checkout = await started();
    const shop = await checkout.newMerchant({ stripe: ['card'] });
    await visitAs(checkout, shop, {}, async ({ page, open }) => {
      await open('/settings');
      const account = page.getByRole('article', { name: 'stripe' });
      await account.getByRole('button', { name: 'Check' }).click();
      await page
        .getByRole('dialog')
        .getByText(/The account works/)
        .waitFor();
      await press(page, 'Done');
      await account.getByRole('button', { name: 'Disable' }).click();
      await dialogButton(page, 'Disable').click();
      await account.getByText('Disabled').waitFor();
      assert.equal((await accountsOf(shop))[0]?.status, 'disabled');
      await account.getByRole('button', { name: 'Enable' }).click();
      await dialogButton(page, 'Enable').click();
      await account.getByText('Enabled').waitFor();
      assert.equal((await accountsOf(shop))[0]?.status, 'enabled');
    });
  });

  it('replaces credentials, and keeps the old ones if the provider refuses the new ones', async () => {
    const checkout = await started();
    const shop = await checkout.newMerchant({ stripe: ['card'] });
    const sealed = async () => (await accountsOf(shop))[0]?.credentials;
    const before = await sealed();
    await visitAs(checkout, shop, { expectedStatus: 400 }, async ({ page, open }) => {
      await open('/settings');
      await press(page, 'Replace credentials');
      assert.equal(await page.getByLabel('Secret key').inputValue(), '');
      await page.getByLabel('Secret key').fill('sk_test_wrong');
      await page.getByLabel('Publishable key').fill('pk_test_simulated');
      await page.getByLabel('Webhook secret').fill('whsec_simulated');
      await dialogButton(page, 'Replace credentials').click();
      await page.getByRole('dialog').getByRole('alert').getByText(/\w/).waitFor();
      assert.deepEqual(await sealed(), before);
      await page.getByLabel('Secret key').fill(checkout.stripe.secretKey);
      await dialogButton(page, 'Replace credentials').click();
      await page.getByText('The credentials were replaced.').waitFor();
      assert.notDeepEqual(await sealed(), before);
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('shows developers the accounts, but lets only owners change them', async () => {
    const checkout = await started();
    const shop = await checkout.newMerchant({ stripe: ['card'] });
    await visitAs(checkout, shop, { role: 'developer' }, async ({ page, open }) => {
      await open('/settings');
      await page.getByRole('article', { name: 'stripe' }).getByText('Enabled').waitFor();
      for (const name of ['Add account', 'Check', 'Replace credentials', 'Disable'])
        assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    });
  });

  it('warns of payment methods that no account serves in live mode', async () => {
    const checkout = await started();
    const shop = await checkout.newMerchant({});
    const { store, secretBox } = checkout.paydesk;
    const outcome = await addAcquirerAccount(
      { store, secretBox, actor: 'test', moment: () => aMoment(Date.now()) },
      {
        ...{ merchantId: shop.merchant.id, livemode: true, provider: stripe, name: 'Stripe', methods: ['card'] },
        credentials: { secret_key: 'sk_live_x', publishable_key: 'pk_live_x', webhook_secret: 'whsec_x' },
      },
    );
    assert.ok('done' in outcome, JSON.stringify(outcome));
    await visitAs(checkout, shop, {}, async ({ page, open }) => {
      await open('/settings');
      await page.getByText('Test payments are processed by the sandbox').waitFor();
      await page.getByLabel('Test mode').click();
      await page.getByText(/^No account serves iDEAL, Bancontact/).waitFor();
    });
  });
});
