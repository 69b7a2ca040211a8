// The API reference in a real browser: it is accessible, and can send requests.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkoutForSuite, viewports } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { axe, violationsOn } from './axe.ts';

describe('The API reference in a browser', () => {
  const checkout = checkoutForSuite(sqlite);
  const reference = () => `${checkout().paydesk.url}/docs`;

  it('has no axe-core violations in either theme, with everything expanded, and fits a phone', async () => {
    await checkout().visit({ javaScript: true }, async ({ page }) => {
      await page.goto(reference());
      await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
      await page.evaluate(axe);
      const found: string[] = [];
      for (const viewport of [viewports.phone, viewports.desktop, { width: 320, height: 600 }]) {
        await page.setViewportSize(viewport);
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        if (width > viewport.width) found.push(`${width} wide at ${viewport.width}`);
      }
      await page.setViewportSize(viewports.desktop);
      for (const scheme of ['light', 'dark'] as const) found.push(...(await violationsOn(page, scheme)));
      assert.deepEqual(found, []);
    });
  });

  it('sends each request with a new Idempotency-Key, remembers the API key, and fills in ids from earlier responses', async () => {
    const merchant = await checkout().paydesk.newMerchant();
    await checkout().visit({ javaScript: true }, async ({ page }) => {
      const keys: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
      });
      await page.goto(reference());
      const create = page.locator('section[aria-labelledby="createCheckoutSession"] .try');
      await create.locator('summary').click();
      await create.getByRole('button', { name: 'Send request' }).click();
      await create.getByText('Enter a test key').waitFor();
      await page.getByLabel('Your test key').fill(merchant.test.key);
      for (const sent of [1, 2]) {
        await create.getByRole('button', { name: 'Send request' }).click();
        await create.getByText(/^201 in \d+ ms, req_/).waitFor();
        assert.equal(keys.length, sent);
      }
      assert.equal(new Set(keys).size, 2);
      const retrieve = page.locator('section[aria-labelledby="getPaymentIntent"] .try');
      await retrieve.locator('summary').click();
      assert.match(await retrieve.getByLabel('id').inputValue(), /^pi_/);
      await retrieve.getByRole('button', { name: 'Send request' }).click();
      await retrieve.getByText(/^200 in /).waitFor();
      await page.reload();
      assert.equal(await page.getByLabel('Your test key').inputValue(), merchant.test.key);
    });
  });

  it('finds sections of the guides and operations by keyboard search', async () => {
    await checkout().visit({ javaScript: true }, async ({ page }) => {
      await page.goto(`${reference()}/guides`);
      await page.keyboard.press('/');
      await page.keyboard.type('rotate secret');
      const results = page.getByRole('region', { name: 'Search results' });
      await results.getByRole('link').first().waitFor();
      assert.ok((await results.getByRole('link').allTextContents()).some((text) => /secret/i.test(text)));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/docs(\/guides\/[\w-]+)?#/);
      await page.getByLabel('Search the documentation').fill('qqqq zzzz');
      await page.getByText('Nothing found.').waitFor();
    });
  });

  it('copies code with a button that only exists with script', async () => {
    await checkout().visit({ javaScript: true }, async ({ page }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${reference()}/guides/quick-start`);
      const block = page.locator('.code').first();
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), await block.locator('code').textContent());
    });
    await checkout().visit({ javaScript: false }, async ({ page }) => {
      await page.goto(`${reference()}/guides/quick-start`);
      assert.equal(await page.locator('.copy').count(), 0);
    });
  });
});
