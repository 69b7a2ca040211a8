// The pages of sessions, links, disputes and settings: axe-core finds no violations on them and their dialogs, light and
// dark, and nothing is wider than a phone of 360 pixels.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { must } from '../support/api-client.ts';
import { sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { axe, violationsOn } from './axe.ts';
import { press } from './browsing-customer.ts';
import { overflowing, type StaffVisit, visitAs } from './dashboard-staff.ts';
import { providerCheckoutForSuite } from './real-providers.ts';

type Show = (visit: StaffVisit, ids: Ids) => Promise<void>;

interface Ids {
  readonly session: unknown;
  readonly link: unknown;
}

async function seesText(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
}

const pages: Readonly<Record<string, Show>> = {
  'checkout sessions': async ({ page, open }) => {
    await open('/checkout-sessions');
    await seesText(page, '€12.50');
  },
  'a checkout session': async ({ page, open }, { session }) => {
    await open(`/checkout-sessions/${session}`);
    await seesText(page, 'Copy link');
  },
  'expire session': async ({ page, open }, { session }) => {
    await open(`/checkout-sessions/${session}`);
    await press(page, 'Expire');
    await page.getByRole('dialog').waitFor();
  },
  'create session': async ({ page, open }) => {
    await open('/checkout-sessions');
    await press(page, 'Create session');
    await page.getByLabel('Amount').fill('x');
    await press(page, 'Create session');
    await seesText(page, 'Enter an amount');
  },
  'session created': async ({ page, open }) => {
    await open('/checkout-sessions');
    await press(page, 'Create session');
    await page.getByLabel('Amount').fill('5');
    await press(page, 'Create session');
    await seesText(page, 'Session created');
  },
  'payment links': async ({ page, open }) => {
    await open('/payment-links');
    await seesText(page, 'Workshop');
  },
  'a payment link': async ({ page, open }, { link }) => {
    await open(`/payment-links/${link}`);
    await seesText(page, 'Print QR code');
  },
  'deactivate payment link': async ({ page, open }, { link }) => {
    await open(`/payment-links/${link}`);
    await press(page, 'Deactivate');
    await page.getByRole('dialog').waitFor();
  },
  'create payment link': async ({ page, open }) => {
    await open('/payment-links');
    await press(page, 'Create payment link');
    await page.getByLabel('Customer chooses').check();
  },
  disputes: async ({ page, open }) => {
    await open('/disputes');
    await seesText(page, 'No disputes');
  },
  settings: async ({ page, open }) => {
    await open('/settings');
    await page.getByRole('article', { name: 'stripe' }).waitFor();
    await page.getByLabel('Business name').fill('Another name');
    await seesText(page, 'Unsaved changes');
  },
  'replace credentials': async ({ page, open }) => {
    await open('/settings');
    await press(page, 'Replace credentials');
    await page.getByRole('dialog').getByLabel('Secret key').waitFor();
  },
  'check account': async ({ page, open }) => {
    await open('/settings');
    await page.getByRole('article', { name: 'stripe' }).getByRole('button', { name: 'Check' }).click();
    await seesText(page, 'The account works');
  },
  'disable account': async ({ page, open }) => {
    await open('/settings');
    await page.getByRole('article', { name: 'stripe' }).getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'add account': async ({ page, open }) => {
    await open('/settings');
    await press(page, 'Add account');
    await page.getByLabel('Secret key').waitFor();
  },
};

describe('the pages of sessions, links, disputes and settings', { concurrency: 2 }, () => {
  const started = providerCheckoutForSuite(sqlite);
  let filled: Promise<{ shop: TestMerchant; ids: Ids }> | undefined;

  async function fill() {
    const shop = await (await started()).newMerchant({ stripe: ['card'] });
    const items = [{ name: 'Yirgacheffe', quantity: 2, unit_amount: 625, description: '500 g' }];
    const order = { line_items: items, metadata: { order: '1001' }, customer_email: 'ann@customer.example' };
    const session = await shop.newSession({ ...order, description: 'A long description of what is being paid for' });
    const body = { amount: 2500, currency: 'EUR', description: 'Workshop' };
    const link = must(201, await shop.test.post('/payment-links', body));
    return { shop, ids: { session: session.id, link: link.id } };
  }

  for (const [name, show] of Object.entries(pages)) {
    it(`${name}: accessible, light and dark, and not wider than a phone`, async () => {
      filled ??= fill();
      const { shop, ids } = await filled;
      await visitAs(await started(), shop, {}, async (visit) => {
        const { page } = visit;
        await page.setViewportSize({ width: 360, height: 740 });
        await show(visit, ids);
        await page.evaluate(axe);
        assert.deepEqual(await overflowing(page), []);
        assert.deepEqual(await violationsOn(page, 'light'), []);
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.deepEqual(await violationsOn(page, 'dark'), []);
        assert.deepEqual(await violationsOn(page, 'light'), []);
      });
    });
  }
});
