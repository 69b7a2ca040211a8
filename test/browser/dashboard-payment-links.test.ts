// Payment links in the dashboard: create, deactivate and print them, to the effect in the API.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { entriesOf, type Fields, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { failingCalls, isLoaded, rowsOf, visitAs } from './dashboard-staff.ts';

async function startCreating(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create payment link' }).click();
}

describeOnEachEngine('payment links in the dashboard', { concurrency: 2 }, (engine) => {
  const started = checkoutForSuite(engine);
  const newLink = async (fields: Fields = {}) => {
    const shop = await started().paydesk.newMerchant();
    const body = { amount: 2500, currency: 'EUR', description: 'Workshop', ...fields };
    return { shop, link: must(201, await shop.test.post('/payment-links', body)) };
  };

  it('creates a link with a fixed price, a number of uses and an end', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/payment-links');
      await seesHeading(page, 'No payment links yet');
      await startCreating(page);
      await page.getByLabel('Amount').fill('25');
      await page.getByLabel('Description').fill('Barista workshop');
      await page.getByLabel('Max uses').fill('10');
      await page.getByLabel('Expires').fill('2099-01-31T18:00');
      await press(page, 'Create payment link');
      const dialog = page.getByRole('dialog', { name: 'Payment link created' });
      await isLoaded(dialog.getByRole('img', { name: 'QR code of the payment link' }));
      await dialog.getByText('€25.00').waitFor();
      await page.getByRole('link', { name: 'View payment link' }).click();
      await seesHeading(page, 'Barista workshop');
      await page.getByText('0 of 10').waitFor();
    });
    const [link = {}, ...others] = entriesOf(await shop.test.get('/payment-links'));
    assert.deepEqual(others, []);
    assert.deepEqual([link.type, link.amount, link.currency, link.max_uses], ['fixed', 2500, 'EUR', 10]);
    // The browser is in Berlin, which is an hour ahead of UTC in winter.
    assert.equal(Date.parse(String(link.expires_at)), Date.parse('2099-01-31T17:00:00Z'));
  });

  it('creates a link whose amount the customer chooses, within limits', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 400 }, async ({ page, open }) => {
      await open('/payment-links');
      await startCreating(page);
      await page.getByLabel('Customer chooses what to pay').check();
      await page.getByLabel('Minimum amount').fill('500');
      await page.getByLabel('Maximum amount').fill('5');
      await press(page, 'Create payment link');
      await page.getByRole('alert').filter({ hasText: 'amount' }).first().waitFor();
      await page.getByLabel('Minimum amount').fill('5');
      await page.getByLabel('Maximum amount').fill('500');
      await press(page, 'Create payment link');
      await page.getByText('Customer chooses, €5.00 to €500.00').waitFor();
    });
    const [link = {}, ...others] = entriesOf(await shop.test.get('/payment-links'));
    assert.deepEqual(others, []);
    assert.deepEqual(
      [link.type, link.amount, link.minimum_amount, link.maximum_amount, link.max_uses],
      ['open', null, 500, 50_000, null],
    );
  });

  it('creates a link that asks for the chosen customer details', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/payment-links');
      await startCreating(page);
      await page.getByLabel('Amount').fill('25');
      const choices = page.getByRole('group', { name: 'Ask the customer for' });
      assert.equal(await choices.getByRole('checkbox').count(), 4);
      assert.equal(await choices.getByRole('checkbox', { checked: true }).count(), 0);
      await choices.getByLabel('Shipping address').check();
      await choices.getByLabel('Email address').press('Space');
      await press(page, 'Create payment link');
      await page.getByRole('link', { name: 'View payment link' }).click();
      await page.getByText('Email address, shipping address').waitFor();
    });
    const [link = {}] = entriesOf(await shop.test.get('/payment-links'));
    assert.deepEqual(link.collect, ['email', 'shipping_address']);
  });

  it('deactivates a link after asking, and activates it again', async () => {
    const { shop, link } = await newLink();
    const status = async () => must(200, await shop.test.get(`/payment-links/${link.id}`)).status;
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/payment-links');
      await page.getByRole('link', { name: 'Workshop' }).click();
      await press(page, 'Deactivate');
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
      await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
      assert.equal(await status(), 'inactive');
      await press(page, 'Activate');
      await page.getByRole('dialog').getByRole('button', { name: 'Activate', exact: true }).click();
      await page.getByRole('button', { name: 'Deactivate', exact: true }).waitFor();
      assert.equal(await status(), 'active');
    });
  });

  it('keeps the chosen status in the address bar, and tries again after a failure', async () => {
    const { shop } = await newLink();
    await visitAs(started(), shop, { expectedStatus: 500 }, async ({ page, open }) => {
      const recover = await failingCalls(page, '/payment-links');
      await open('/payment-links?status=active');
      await seesHeading(page, 'This could not be loaded');
      await recover();
      await press(page, 'Try again');
      await page.getByRole('link', { name: 'Workshop' }).waitFor();
      assert.equal(await rowsOf(page, 'Payment links').count(), 1);
      await page.getByRole('tab', { name: 'Inactive', exact: true }).click();
      await page.waitForURL(/\?status=inactive$/);
      await seesHeading(page, 'No payment links with this status');
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('prints the QR code with what it is for, and nothing else', async () => {
    const { shop, link } = await newLink();
    await visitAs(started(), shop, { colorScheme: 'dark' }, async ({ page, open }) => {
      await open(`/payment-links/${link.id}`);
      await page.evaluate('window.print = () => { document.title = "printing" }');
      await press(page, 'Print QR code');
      assert.equal(await page.title(), 'printing');
      await page.emulateMedia({ media: 'print' });
      const poster = page.locator('.poster');
      await isLoaded(poster.locator('img'));
      for (const text of ['Shop of Tests', 'Workshop', '€25.00', String(link.url)])
        await poster.getByText(text).waitFor();
      assert.equal(await page.getByRole('navigation').isVisible(), false);
      assert.equal(await page.getByText('Checkouts started').isVisible(), false);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      assert.equal(background, 'rgb(255, 255, 255)');
    });
  });

  it('lets support look, but neither create nor deactivate', async () => {
    const { shop, link } = await newLink();
    await visitAs(started(), shop, { role: 'support' }, async ({ page, open }) => {
      await open('/payment-links');
      await page.getByRole('link', { name: 'Workshop' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Create payment link' }).count(), 0);
      await open(`/payment-links/${link.id}`);
      await seesHeading(page, 'Workshop');
      assert.equal(await page.getByRole('button', { name: 'Deactivate' }).count(), 0);
    });
  });

  it('shows text of the merchant as text', async () => {
    const script = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const { shop, link } = await newLink({ description: script, metadata: { note: script } });
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/payment-links');
      await page.getByText(script).waitFor();
      await open(`/payment-links/${link.id}`);
      await page.getByRole('heading', { name: script }).waitFor();
      assert.equal(await page.locator('main img[src=x]').count(), 0);
    });
  });
});
