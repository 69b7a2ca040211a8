// Home of the dashboard in a browser: first steps for newcomers, then figures that update by themselves.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { newStaff, paidByCard, visitAs } from '../support/dashboard-browser.ts';
import { sqlite } from '../support/engines.ts';

describe('Home of the dashboard', () => {
  const started = checkoutForSuite(sqlite);

  it('shows first steps until there is a session, then the figures of today, without being reloaded', async () => {
    const user = await newStaff(started());
    await visitAs(started(), user, '', async ({ page }) => {
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

  it('shows the figures of the day under the pointer', async () => {
    const user = await newStaff(started());
    await paidByCard(started(), { amount: 2100 });
    await visitAs(started(), user, '', async ({ page }) => {
      await page.getByRole('img', { name: /^Bars of the last 30 days/ }).waitFor();
      await page.locator('.chart-day').last().hover();
      await page.getByText(/: €[\d.]+, \d+ payments, \d+ failed/).waitFor();
    });
  });

  it('offers "Try again" when it cannot be loaded', async () => {
    const user = await newStaff(started());
    await visitAs(
      started(),
      user,
      '/account',
      async ({ page }) => {
        await page.route(/\/dashboard\/api\/home/, (route) => route.fulfill({ status: 503, body: '{}' }));
        await page.getByRole('link', { name: 'Home' }).click();
        await page.getByRole('button', { name: 'Try again' }).waitFor();
        await page.unroute(/\/dashboard\/api\/home/);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('region', { name: 'Today' }).waitFor();
      },
      { expectedStatus: 503 },
    );
  });
});
