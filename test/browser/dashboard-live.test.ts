// Live updates as people see them: what happens through the API or in one window appears in another one without a reload,
// also if another process has done it. How long that takes is reported, and is no condition: machines differ.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { type CleansUp, describeOnEachEngine, postgres, sqlite } from '../support/engines.ts';
import { secretKey } from '../support/paydesk.ts';
import { databaseUrl, freshFolder, type ServingProcess, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { paidByCard, rowsOf, type StaffVisit, visitAs } from './dashboard-staff.ts';

/** Opens the page, and returns when its live updates have begun. */
async function follow({ page, context }: StaffVisit, address: string): Promise<void> {
  const following = context.waitForEvent('response', (response) => response.url().includes('/dashboard/api/updates'));
  await page.goto(address);
  await following;
}

/** Reports how long after `since` the page has shown the text, by the page's own observation. */
async function seen(test: TestContext, page: Page, what: string, text: string, since: number): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
  const at = (await page.evaluate(`window.shownAt(${JSON.stringify(text)})`)) as number;
  assert.ok(at >= since, `"${text}" was there before`);
  test.diagnostic(`${what}: shown after ${Math.round(at - since)} ms`);
}

/** Remembers when each text first appeared. */
const observe = `(() => {
  const times = new Map();
  const note = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.data;
      if (!times.has(text)) times.set(text, Date.now());
    }
  };
  window.shownAt = (text) => times.get(text);
  new MutationObserver(() => note(document)).observe(document, {
    childList: true, characterData: true, subtree: true,
  });
})()`;

/** Counts the live updates that the page has received. */
const countUpdates = `(() => {
  window.updates = 0;
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      this.addEventListener('message', () => { window.updates += 1; });
    }
  };
})()`;

describeOnEachEngine('two windows of the dashboard', (engine) => {
  const started = checkoutForSuite(engine);
  const at = (path: string): string => `${started().paydesk.url}/dashboard${path}`;

  it('show a payment that is made through the API', async (t) => {
    await visitAs(started(), started().merchant, {}, async (visit) => {
      await visit.page.addInitScript(observe);
      await follow(visit, at('/payments'));
      await visit.page.getByRole('heading', { name: 'No payments yet' }).waitFor();
      const since = Date.now();
      await started().merchant.newSession({ description: 'Just ordered' });
      await seen(t, visit.page, 'a session', 'Just ordered', since);
    });
  });

  it('show in one what is done in the other', async (t) => {
    const { merchant } = started();
    const payment = await paidByCard(started(), { amount: 5000 });
    await visitAs(started(), merchant, { role: 'support' }, async (first) => {
      await visitAs(started(), merchant, {}, async (second) => {
        await second.page.addInitScript(observe);
        await follow(second, at(`/payments/${payment.id}`));
        await second.page.getByRole('button', { name: 'Refund' }).waitFor();
        await first.open(`/payments/${payment.id}`);
        await first.page.getByRole('button', { name: 'Refund' }).click();
        const dialog = first.page.getByRole('dialog', { name: 'Refund payment' });
        await dialog.getByLabel('Amount').fill('12.50');
        const since = Date.now();
        await dialog.getByRole('button', { name: 'Refund' }).click();
        await seen(t, second.page, 'a refund', 'Partly refunded', since);
      });
    });
  });
});

describe('a window of the dashboard with a slow connection', () => {
  const started = checkoutForSuite(sqlite);

  it('shows new payments while there are more of them all the time', async () => {
    await visitAs(started(), started().merchant, {}, async (visit) => {
      const { page } = visit;
      await follow(visit, `${started().paydesk.url}/dashboard/payments`);
      await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
      await page.route(/\/dashboard\/api\/payments\?/, async (route) => {
        await pause(1_000);
        await route.continue();
      });
      await until('one of them is shown', async () => {
        await started().merchant.newSession({ description: 'One of many' });
        return page.getByText('One of many').first().isVisible();
      });
    });
  });
});

describe('a window of the dashboard whose live updates begin late', () => {
  const started = checkoutForSuite(sqlite);

  it('shows what happened before they began', async () => {
    const merchant = await started().paydesk.newMerchant();
    await visitAs(started(), merchant, {}, async ({ page, open }) => {
      const happened = Promise.withResolvers<void>();
      await page.route(/\/dashboard\/api\/updates/, async (route) => {
        await happened.promise;
        await route.continue();
      });
      await open('/payments');
      await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
      await merchant.newSession({ description: 'Before they began' });
      happened.resolve();
      await page.getByText('Before they began').first().waitFor();
    });
  });

  it('shows a change that its first, slow answer does not contain', async () => {
    const merchant = await started().paydesk.newMerchant();
    await visitAs(started(), merchant, {}, async (visit) => {
      const { page } = visit;
      await page.addInitScript(countUpdates);
      const answered = Promise.withResolvers<void>();
      const changed = Promise.withResolvers<void>();
      let isFirst = true;
      await page.route(/\/dashboard\/api\/payments\?/, async (route) => {
        const response = await route.fetch();
        if (isFirst) {
          isFirst = false;
          answered.resolve();
          await changed.promise;
          // By then, the page has reacted to the update.
          await pause(1_000);
        }
        await route.fulfill({ response });
      });
      await follow(visit, `${started().paydesk.url}/dashboard/payments`);
      await answered.promise;
      await merchant.newSession({ description: 'After the answer' });
      await until('the page knows of it', async () => ((await page.evaluate('window.updates')) as number) > 0);
      changed.resolve();
      await page.getByText('After the answer').first().waitFor();
    });
  });
});

describe('a window of the dashboard at another process', () => {
  const started = checkoutForSuite(postgres);

  function anotherProcess(test: CleansUp, folder: string): Promise<ServingProcess> {
    const settings = {
      DATABASE_URL: databaseUrl(started().paydesk.address),
      PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
    };
    return servePaydesk(test, { folder, settings });
  }

  it('shows a payment of the first process, and what is done there', async (t) => {
    const { merchant, paydesk } = started();
    const other = await anotherProcess(t, await freshFolder(t));
    await visitAs(started(), merchant, { sites: [other.url] }, async (visit) => {
      const { page } = visit;
      await page.addInitScript(observe);
      await follow(visit, `${other.url}/dashboard/payments`);
      await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
      const since = Date.now();
      await merchant.newSession({ description: 'Ordered elsewhere' });
      await seen(t, page, 'a session of another process', 'Ordered elsewhere', since);

      await rowsOf(page, 'Payments').first().click();
      await page.getByRole('button', { name: 'Cancel payment' }).waitFor();
      await visitAs(started(), merchant, {}, async (first) => {
        await first.page.goto(page.url().replace(other.url, paydesk.url));
        await first.page.getByRole('button', { name: 'Cancel payment' }).click();
        const dialog = first.page.getByRole('dialog', { name: 'Cancel payment' });
        const clickedAt = Date.now();
        await dialog.getByRole('button', { name: 'Cancel payment' }).click();
        await seen(t, page, 'a cancellation in another process', 'Payment canceled', clickedAt);
      });
    });
  });

  it('shows changes of the first process that no event tells of', async (t) => {
    const merchant = await started().paydesk.newMerchant();
    const other = await anotherProcess(t, await freshFolder(t));
    await visitAs(started(), merchant, { sites: [other.url] }, async (visit) => {
      const { page } = visit;
      await follow(visit, `${other.url}/dashboard/payment-links`);
      await page.getByRole('heading', { name: 'No payment links yet' }).waitFor();
      const fields = { amount: 1_000, currency: 'EUR', description: 'Linked elsewhere' };
      const link = must(201, await merchant.test.post('/payment-links', fields));
      await rowsOf(page, 'Payment links').getByText('Linked elsewhere').waitFor();
      must(200, await merchant.test.patch(`/payment-links/${link.id}`, { active: false }));
      await rowsOf(page, 'Payment links').getByText('Inactive').waitFor();
    });
  });
});
