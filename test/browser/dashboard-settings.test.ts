// Settings in the dashboard: how the business looks to customers, and what it accepts.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { failingCalls, visitAs } from './dashboard-staff.ts';

/** What the browser offers to scripts, of which the tests need one function. */
interface StyledPage {
  getComputedStyle(element: unknown): { readonly backgroundColor: string };
}

describeOnEachEngine('settings in the dashboard', { concurrency: 2 }, (engine) => {
  const started = checkoutForSuite(engine);
  const stored = async ({ merchant }: TestMerchant) =>
    (await started().paydesk.store.findBy('merchants', 'id', merchant.id)) ?? assert.fail();

  it('previews the name and the colour on the checkout page, and saves them', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/settings');
      const preview = page.frameLocator('.preview-frame:not(.preview-frame-loading)');
      await preview.getByText('Shop of Tests').first().waitFor();
      await page.getByLabel('Business name').fill('Northwind');
      await page.getByLabel('Accent colour').fill('#0b7a4b');
      await preview.getByText('Northwind').first().waitFor();
      const button = preview.locator('button.primary');
      const colour = await button.evaluate(
        (element) => (globalThis as unknown as StyledPage).getComputedStyle(element).backgroundColor,
      );
      assert.equal(colour, 'rgb(11, 122, 75)');
      assert.equal((await stored(shop)).name, 'Shop of Tests', 'a preview stores nothing');
      await press(page, 'Save changes');
      await page.getByText('Settings saved').waitFor();
      // Also in the navigation, which knows it from the session.
      await page.getByRole('complementary').getByText('Northwind').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0);
    });
    const { name, accentColor } = await stored(shop);
    assert.deepEqual({ name, accentColor }, { name: 'Northwind', accentColor: '#0b7a4b' });
    const [entry] = await started().paydesk.store.list('auditEntries', {
      where: { merchantId: shop.merchant.id, action: 'merchant.updated' },
      limit: 1,
    });
    assert.match(entry?.actor ?? '', /^user:usr_/);
  });

  it('saves currencies, payment methods and receipts', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { role: 'developer' }, async ({ page, open }) => {
      await open('/settings');
      await press(page, 'Clear');
      await page.getByLabel('Find a currency').fill('euro');
      await page.getByLabel('EUR · Euro').check();
      await page.getByLabel('Find a currency').fill('usd');
      await page.getByLabel('USD · US Dollar').check();
      await page.getByLabel('OXXO').uncheck();
      await page.getByLabel('Send receipts').uncheck();
      await page.getByLabel('Reply-to address').fill('help@shop.example');
      await press(page, 'Save changes');
      await page.getByText('Settings saved').waitFor();
    });
    const { currencies, paymentMethodTypes, receipts, replyTo } = await stored(shop);
    assert.deepEqual(currencies, ['EUR', 'USD']);
    assert.ok(paymentMethodTypes.includes('card') && !paymentMethodTypes.includes('oxxo'));
    assert.deepEqual({ receipts, replyTo }, { receipts: false, replyTo: 'help@shop.example' });
  });

  it('saves the allowed embedding origins, and marks an invalid one', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 400 }, async ({ page, open }) => {
      await open('/settings');
      const origins = page.getByLabel('Allowed embedding origins');
      await origins.fill('https://shop.example\nhttps://shop.example/path');
      await press(page, 'Save changes');
      await page.getByText(/must end after the host name/).waitFor();
      assert.equal(await origins.getAttribute('aria-invalid'), 'true');
      assert.deepEqual((await stored(shop)).embedOrigins, []);
      await origins.fill('https://shop.example\nhttps://www.shop.example');
      await press(page, 'Save changes');
      await page.getByText('Settings saved').waitFor();
      await open('/settings');
      await origins.waitFor();
      assert.equal(await origins.inputValue(), 'https://shop.example\nhttps://www.shop.example');
    });
    assert.deepEqual((await stored(shop)).embedOrigins, ['https://shop.example', 'https://www.shop.example']);
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('previews the logo', async () => {
    const shop = await started().paydesk.newMerchant();
    const logo = 'https://northwind.example';
    await visitAs(started(), shop, { pictures: [logo] }, async ({ page, open }) => {
      await open('/settings');
      await page.getByLabel('Logo').fill(`${logo}/logo.svg`);
      const preview = page.frameLocator('.preview-frame:not(.preview-frame-loading)');
      await preview.locator(`img[src="${logo}/logo.svg"]`).waitFor();
    });
  });

  it('says what is wrong, changes nothing, and can discard what was typed', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 400 }, async ({ page, open }) => {
      await open('/settings');
      await page.getByLabel('Business name').fill('Other name');
      await page.getByLabel('Logo').fill('http://shop.example/logo.png');
      await press(page, 'Save changes');
      await page.getByText(/must be an https address/).waitFor();
      await page.getByText('Not saved. Correct what is marked above.').waitFor();
      await page.locator('input[type=url]:focus').waitFor();
      await press(page, 'Discard');
      assert.equal(await page.getByLabel('Business name').inputValue(), 'Shop of Tests');
      assert.equal(await page.getByText(/must be an https address/).count(), 0);
    });
    assert.equal((await stored(shop)).name, 'Shop of Tests');
  });

  it('keeps what is typed while a save is in progress', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      const typed = Promise.withResolvers<void>();
      await page.route(/\/dashboard\/api\/settings$/, async (route) => {
        if (route.request().method() === 'PATCH') await typed.promise;
        await route.continue();
      });
      await open('/settings');
      const [name, replyTo] = [page.getByLabel('Business name'), page.getByLabel('Reply-to address')];
      await name.fill('Northwind');
      await page.getByLabel('Send receipts').uncheck();
      await page.getByLabel('OXXO').uncheck();
      const saving = page.waitForRequest((request) => request.method() === 'PATCH');
      await press(page, 'Save changes');
      await saving;
      await name.fill('Northwind Traders');
      await replyTo.fill('help@shop.example');
      await page.getByLabel('OXXO').check();
      typed.resolve();
      await page.getByText('Settings saved').waitFor();
      assert.deepEqual(
        [await name.inputValue(), await replyTo.inputValue(), await page.getByLabel('Send receipts').isChecked()],
        ['Northwind Traders', 'help@shop.example', false],
      );
      assert.equal(await page.getByLabel('OXXO').isChecked(), true);
      const { name: savedName, receipts, paymentMethodTypes } = await stored(shop);
      assert.deepEqual({ savedName, receipts }, { savedName: 'Northwind', receipts: false });
      assert.ok(!paymentMethodTypes.includes('oxxo'));
      await page.getByText('Unsaved changes').waitFor();
      await press(page, 'Save changes');
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    });
    const { name, replyTo, paymentMethodTypes } = await stored(shop);
    assert.deepEqual({ name, replyTo }, { name: 'Northwind Traders', replyTo: 'help@shop.example' });
    assert.ok(paymentMethodTypes.includes('oxxo'));
  });

  it('keeps what somebody else has changed in the same list', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, context, open }) => {
      await open('/settings');
      await page.getByLabel('OXXO').uncheck();
      const other = await context.newPage();
      await other.goto(`${started().paydesk.url}/dashboard/settings`);
      await other.getByLabel('SEPA Direct Debit').uncheck();
      await other.getByRole('button', { name: 'Save changes' }).click();
      await other.getByText('Settings saved').waitFor();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Settings saved').waitFor();
    });
    const stored = await started().paydesk.store.findBy('merchants', 'id', shop.merchant.id);
    const isAccepted = (type: 'oxxo' | 'sepa_debit' | 'card') => stored?.paymentMethodTypes.includes(type);
    assert.deepEqual([isAccepted('oxxo'), isAccepted('sepa_debit'), isAccepted('card')], [false, false, true]);
  });

  it('is closed to support', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { role: 'support' }, async ({ page, open, requests }) => {
      await open('/settings');
      await seesHeading(page, 'Not available to you');
      assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
      assert.ok(!requests.some((request) => request.includes('/dashboard/api/settings')));
    });
  });

  it('tries again after a failure', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 500 }, async ({ page, open }) => {
      const recover = await failingCalls(page, '/settings');
      await open('/settings');
      await seesHeading(page, 'This could not be loaded');
      await recover();
      await press(page, 'Try again');
      await page.getByLabel('Business name').waitFor();
    });
  });
});
