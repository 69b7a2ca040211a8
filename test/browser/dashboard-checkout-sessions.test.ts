// Checkout sessions in the dashboard: create, share, filter and expire them, to the effect in the API.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { entriesOf, fieldsOf, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { createByKeyboard, failingCalls, isLoaded, rowsOf, visitAs } from './dashboard-staff.ts';

describeOnEachEngine('checkout sessions in the dashboard', { concurrency: 2 }, (engine) => {
  const started = checkoutForSuite(engine);

  it('says what to do next, then creates a session and shows its link and QR code', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, context, open }) => {
      await open('/checkout-sessions');
      await seesHeading(page, 'No checkout sessions yet');
      await page.getByRole('button', { name: 'Create session' }).click();
      await page.getByLabel('Amount').fill('1,5');
      await page.getByLabel('Currency').selectOption('USD');
      await page.getByLabel('Description').fill('Invoice 77');
      await page.getByLabel('Expiry').selectOption('1 hour');
      await page.getByLabel('Phone number').check();
      await press(page, 'Create session');
      const dialog = page.getByRole('dialog', { name: 'Session created' });
      await dialog.waitFor();
      const [session = {}, ...others] = entriesOf(await shop.test.get('/checkout-sessions'));
      assert.deepEqual(others, []);
      const { amount, currency, description, collect, created_at: createdAt, expires_at: expiresAt } = session;
      assert.deepEqual({ amount, currency, description }, { amount: 150, currency: 'USD', description: 'Invoice 77' });
      assert.deepEqual(collect, ['phone']);
      assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 3_600_000);
      await isLoaded(dialog.getByRole('img', { name: 'QR code of the checkout link' }));
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await press(page, 'Copy link');
      await dialog.getByText('Copied').waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), session.url);
      await press(page, 'Done');
      await page.getByRole('cell', { name: 'Invoice 77' }).waitFor();
    });
  });

  it('keeps the chosen status in the address bar', async () => {
    const shop = await started().paydesk.newMerchant();
    await shop.newSession({ description: 'Still open' });
    const ended = await shop.newSession({ description: 'Already over' });
    must(200, await shop.test.post(`/checkout-sessions/${ended.id}/expire`, {}));
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/checkout-sessions');
      await page.getByText('Still open').waitFor();
      await page.getByRole('tab', { name: 'Expired' }).click();
      await page.getByText('Still open').waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).search, '?status=expired');
      await page.reload();
      await page.getByText('Already over').waitFor();
      assert.equal(await rowsOf(page, 'Checkout sessions').count(), 1);
      await page.getByRole('tab', { name: 'Completed' }).click();
      await page.getByRole('link', { name: 'Show all checkout sessions' }).click();
      await page.getByText('Still open').waitFor();
    });
  });

  it('expires an open session after asking', async () => {
    const shop = await started().paydesk.newMerchant();
    const session = await shop.newSession();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/checkout-sessions');
      await rowsOf(page, 'Checkout sessions').first().click();
      await press(page, 'Expire');
      await page.getByRole('dialog').getByText('€12.50').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Expire', exact: true }).click();
      await page.getByRole('main').getByText('Expired').first().waitFor();
      await page.getByRole('button', { name: 'Expire' }).waitFor({ state: 'detached' });
    });
    assert.equal(must(200, await shop.test.get(`/checkout-sessions/${session.id}`)).status, 'expired');
    assert.ok(
      (await shop.events()).some(({ type, data }) => type.endsWith('.expired') && fieldsOf(data).id === session.id),
    );
  });

  it('shows what happens elsewhere by itself', async () => {
    const shop = await started().paydesk.newMerchant();
    const session = await shop.newSession({ description: 'Order 8' });
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/checkout-sessions');
      await page.getByText('Order 8').waitFor();
      must(200, await shop.test.post(`/checkout-sessions/${session.id}/expire`, {}));
      await rowsOf(page, 'Checkout sessions').getByText('Expired').waitFor();
    });
  });

  it('loads further pages as the list is scrolled', async () => {
    const shop = await started().paydesk.newMerchant();
    for (let made = 0; made < 23; made += 1) await shop.newSession();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/checkout-sessions');
      await rowsOf(page, 'Checkout sessions').first().waitFor();
      await until('all sessions are shown', async () => {
        await page.mouse.wheel(0, 2_000);
        return (await rowsOf(page, 'Checkout sessions').count()) === 23;
      });
      await page.getByText('23 results').waitFor();
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('creates a session by keyboard alone', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/checkout-sessions');
      await createByKeyboard(page, {
        button: 'Create session',
        field: 'amount',
        text: '7',
        created: 'Session created',
      });
      await page.getByRole('link', { name: '€7.00' }).press('Enter');
      await page.getByRole('heading', { name: '€7.00' }).waitFor();
    });
  });

  it('shows what is wrong beside the field, and sends nothing', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/checkout-sessions');
      await page.getByRole('button', { name: 'Create session' }).click();
      await page.getByLabel('Amount').fill('12.5.0');
      await press(page, 'Create session');
      await page.getByText('Enter an amount in EUR').waitFor();
      assert.equal(await page.getByLabel('Amount').getAttribute('aria-invalid'), 'true');
    });
    assert.deepEqual(entriesOf(await shop.test.get('/checkout-sessions')), []);
  });

  it('lets support look, but neither create nor expire', async () => {
    const shop = await started().paydesk.newMerchant();
    const session = await shop.newSession({ description: 'Order 5' });
    await visitAs(started(), shop, { role: 'support' }, async ({ page, open }) => {
      await open('/checkout-sessions');
      await page.getByText('Order 5').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Create session' }).count(), 0);
      await open(`/checkout-sessions/${session.id}`);
      await page.getByRole('heading', { name: '€12.50' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Expire' }).count(), 0);
    });
  });

  it('offers to try again when the list cannot be loaded', async () => {
    const shop = await started().paydesk.newMerchant();
    await shop.newSession({ description: 'Order 6' });
    await visitAs(started(), shop, { expectedStatus: 500 }, async ({ page, open }) => {
      const recover = await failingCalls(page, '/checkout-sessions');
      await open('/checkout-sessions');
      await seesHeading(page, 'This could not be loaded');
      await recover();
      await press(page, 'Try again');
      await page.getByText('Order 6').waitFor();
    });
  });

  it('says so if there is no such session in this mode', async () => {
    const shop = await started().paydesk.newMerchant();
    const other = await (await started().paydesk.newMerchant()).newSession();
    await visitAs(started(), shop, { expectedStatus: 404 }, async ({ page, open }) => {
      await open(`/checkout-sessions/${other.id}`);
      await seesHeading(page, 'There is no such checkout session');
    });
  });
});
