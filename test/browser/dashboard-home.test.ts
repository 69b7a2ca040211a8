// Home of the dashboard in a browser: first steps for newcomers, then figures that update by themselves.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { paidByCard, visitAs } from './dashboard-staff.ts';

describeOnEachEngine('Home of the dashboard', (engine) => {
  const started = checkoutForSuite(engine);

  it('shows first steps until there is a session, then the figures of today, without being reloaded', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('');
      await page.getByRole('heading', { name: /^First steps/ }).waitFor();
      for (const step of ['Create a checkout session', 'Take a first payment', 'Add a webhook endpoint'])
        await page.getByRole('heading', { name: step }).waitFor();
      await paidByCard(started(), { amount: 1999 });
      await paidByCard(started(), { amount: 500 }, '4000000000009995');
      const today = page.getByRole('region', { name: 'Today' });
      await today.getByText('€19.99', { exact: true }).waitFor();
      await today.getByText('50%', { exact: true }).waitFor();
      await page.getByText('Insufficient funds').waitFor();
      await page.getByRole('button', { name: 'Show table' }).click();
      const table = page.getByRole('table', { name: 'Figures of the last 30 days' });
      assert.equal(await table.locator('tbody tr').count(), 30);
      await table.locator('tbody tr').first().getByText('€19.99').waitFor();
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('shows the figures of the day under the pointer', async () => {
    await paidByCard(started(), { amount: 2100 });
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('');
      await page.getByRole('img', { name: /^Bars of the last 30 days/ }).waitFor();
      await page.locator('.chart-day').last().hover();
      await page.getByText(/: €[\d.]+, \d+ payments, \d+ failed/).waitFor();
    });
  });

  it('offers "Try again" when it cannot be loaded', async () => {
    await visitAs(started(), started().merchant, { expectedStatus: 503 }, async ({ page, open }) => {
      await open('/account');
      await page.route(/\/dashboard\/api\/home/, (route) => route.fulfill({ status: 503, body: '{}' }));
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.unroute(/\/dashboard\/api\/home/);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('region', { name: 'Today' }).waitFor();
    });
  });
});
