// The export of payments in the browser when it does not go as planned: payments that change meanwhile, and connections
// that break off.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkoutForSuite } from '../support/browser.ts';
import { type CleansUp, sqlite } from '../support/engines.ts';
import { press } from './browsing-customer.ts';
import { rowsOf, visitAs } from './dashboard-staff.ts';

const exports = (url: URL): boolean => url.pathname === '/dashboard/api/payments/export';

/** A server that breaks every connection off after the first row of three. Returns its address. */
async function startBreakingServer(test: CleansUp): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8', 'Paydesk-Total-Rows': '3' });
    response.write('id,created_at\r\npi_1,2026-01-01\r\n', () => response.destroy());
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  test.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the export of payments in the dashboard', () => {
  const started = checkoutForSuite(sqlite);

  /** What the page shows first: a file, or an error. */
  async function outcomeOf(page: Page): Promise<string> {
    const failure = page.getByText('The export failed.');
    const outcome = Promise.race([
      page.waitForEvent('download').then(async (download) => readFileSync(await download.path(), 'utf8')),
      failure.waitFor().then(() => failure.innerText()),
    ]);
    await press(page, 'Export CSV');
    return outcome;
  }

  it('is complete although a payment no longer passes the filter by the time its row is read', async () => {
    const shop = await started().paydesk.newMerchant();
    const { payment_intent: id } = await shop.newSession();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await page.route(exports, async (route) => {
        const response = await route.fetch();
        // Two were counted, of which one has changed since then.
        await route.fulfill({ response, headers: { ...response.headers(), 'paydesk-total-rows': '2' } });
      });
      await open('/payments');
      await rowsOf(page, 'Payments').first().waitFor();
      const lines = (await outcomeOf(page)).trimEnd().split('\r\n');
      assert.deepEqual([lines.length, lines[1]?.split(',')[0]], [2, id]);
    });
  });

  it('fails if the connection breaks off, and leaves no file', async (t) => {
    const shop = await started().paydesk.newMerchant();
    const breaking = await startBreakingServer(t);
    const options = { expectedMessages: /INCOMPLETE_CHUNKED|CONNECTION/ };
    await visitAs(started(), shop, options, async ({ page, open }) => {
      await page.route(exports, (route) => route.continue({ url: `${breaking}/` }));
      await open('/payments');
      assert.match(await outcomeOf(page), /The file is incomplete: the connection broke off\. Try again\./);
      await page.getByRole('button', { name: 'Export CSV' }).waitFor();
    });
  });
});
