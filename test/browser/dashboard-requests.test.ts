// The request log in the dashboard: a live view that misses nothing, however often its stream begins, and a filter that keeps
// up with typing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { seesHeading } from './browsing-customer.ts';
import { rowsOf, visitAs } from './dashboard-staff.ts';

describe('the live tail of requests', () => {
  const started = checkoutForSuite(sqlite);

  /** Makes a request, and returns when it is in the log. */
  async function record({ test, scope }: TestMerchant, path: string): Promise<void> {
    must(200, await test.get(path));
    const { store } = started().paydesk;
    await until(`${path} is recorded`, async () => {
      const [newest] = await store.list('requestSummaries', { scope, limit: 1 });
      return newest?.path === path;
    });
  }

  /** Answers the first connections of the tail in these ways, and lets the others through. */
  async function answerTails(page: Page, answers: ((route: Route) => Promise<void>)[]): Promise<void> {
    const isTail = (url: URL): boolean => url.pathname === '/dashboard/api/requests/tail';
    await page.route(isTail, (route) => answers.shift()?.(route) ?? route.continue());
  }

  const follow = (page: Page): Promise<void> => page.getByLabel('Live tail').check();

  it('shows what was recorded after the list was loaded, and before the tail began', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, context, open }) => {
      const updating = context.waitForEvent('response', (response) => response.url().includes('/api/updates'));
      await open('/developers/requests');
      await updating;
      await seesHeading(page, 'No requests yet');
      await record(shop, '/refunds');
      await follow(page);
      await rowsOf(page, 'Requests').getByText('GET /refunds').waitFor();
    });
  });

  it('shows what a first, slow answer of the list does not contain', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      // Live updates, which also fetch the list again, never begin.
      await page.route(/\/dashboard\/api\/updates/, () => {});
      const recorded = Promise.withResolvers<void>();
      let isFirst = true;
      await page.route(/\/dashboard\/api\/requests(\?|$)/, async (route) => {
        const response = await route.fetch();
        if (isFirst) {
          isFirst = false;
          await record(shop, '/refunds');
          recorded.resolve();
          await page.getByText('New requests appear by themselves.').waitFor();
        }
        await route.fulfill({ response });
      });
      await open('/developers/requests');
      await recorded.promise;
      await follow(page);
      await rowsOf(page, 'Requests').getByText('GET /refunds').waitFor();
    });
  });

  it('shows what was recorded while it was interrupted, in order', async () => {
    const shop = await started().paydesk.newMerchant();
    await record(shop, '/refunds');
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await answerTails(page, [
        async (route) => {
          const list = await route.fetch({ url: `${started().paydesk.url}/dashboard/api/requests` });
          const [refunds] = (await list.json()).data;
          const body = `retry: 10\n\nevent: request\ndata: ${JSON.stringify(refunds)}\n\n`;
          await route.fulfill({ contentType: 'text/event-stream', body });
        },
        async (route) => {
          await record(shop, '/checkout-sessions');
          await route.continue();
        },
      ]);
      await open('/developers/requests');
      const rows = rowsOf(page, 'Requests');
      await rows.getByText('GET /refunds').waitFor();
      await follow(page);
      await rows.getByText('GET /checkout-sessions').waitFor();
      const shown = await rows.locator('code').allInnerTexts();
      assert.deepEqual(
        shown.filter((text) => text.startsWith('GET')),
        ['GET /checkout-sessions', 'GET /refunds'],
      );
    });
  });

  it('begins again after an error of the server', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 502 }, async ({ page, open }) => {
      await answerTails(page, [(route) => route.fulfill({ status: 502, body: 'Bad gateway' })]);
      await open('/developers/requests');
      await seesHeading(page, 'No requests yet');
      await follow(page);
      await page.getByText('New requests appear by themselves.').waitFor();
      must(200, await shop.test.get('/refunds'));
      await rowsOf(page, 'Requests').getByText('GET /refunds').waitFor();
    });
  });
});

describe('the path filter of requests', () => {
  const started = checkoutForSuite(sqlite);
  const pathIn = (url: URL): string | null => url.searchParams.get('path');

  it('has what was typed, however fast, and where it was typed', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('/developers/requests');
      const field = page.getByLabel('Path');
      await field.click();
      await page.keyboard.type('/checkout-sessions');
      await page.waitForURL((url) => pathIn(url) === '/checkout-sessions');
      assert.equal(await field.inputValue(), '/checkout-sessions');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('v2/');
      await page.waitForURL((url) => pathIn(url) === '/v2/checkout-sessions');
      assert.equal(await field.inputValue(), '/v2/checkout-sessions');
    });
  });

  it('is applied together with another filter that is chosen right after typing', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('/developers/requests');
      await page.getByLabel('Path').fill('/nothing');
      await page.getByLabel('Status').selectOption('Errors');
      await page.waitForURL((url) => pathIn(url) === '/nothing' && url.searchParams.get('status') === 'error');
      assert.equal(await page.getByLabel('Path').inputValue(), '/nothing');
    });
  });

  it('follows the address when it is cleared elsewhere, or when going back', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('/developers/requests');
      const field = page.getByLabel('Path');
      const hasText = (text: string): Promise<void> =>
        until(`the field has "${text}"`, async () => (await field.inputValue()) === text);
      await field.fill('/nothing');
      await page.waitForURL((url) => pathIn(url) === '/nothing');
      await page.getByRole('link', { name: 'Show all requests' }).click();
      await hasText('');
      // Also while it has the focus.
      await field.click();
      await page.goBack();
      await hasText('/nothing');
    });
  });

  it('is dropped when another page is opened right after typing', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await page.clock.install();
      await open('/developers/requests');
      await page.getByLabel('Path').fill('/nothing');
      await page.getByRole('link', { name: 'Disputes' }).click();
      await seesHeading(page, 'No disputes');
      await page.clock.runFor(5_000);
      await seesHeading(page, 'No disputes');
      assert.equal(new URL(page.url()).search, '');
    });
  });
});
