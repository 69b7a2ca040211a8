// Lists whose filter matches few of many rows: the server examines a bounded number for each page, and the page goes on until
// it has found some, or the end.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { momentAt } from '../../src/domain/moment.ts';
import type { RequestRecord } from '../../src/domain/request-record.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { mustCommit } from '../support/committing.ts';
import { sqlite } from '../support/engines.ts';
import { aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { rowsOf, visitAs } from './dashboard-staff.ts';

/** As many records as one commit may have. */
const atOnce = 250;

describe('A list with few matches among many rows', () => {
  const started = checkoutForSuite(sqlite);
  const momentsFrom = (start: number) => (later: number) => momentAt(start + later, randomBytes);

  const tabs = async (page: Page): Promise<string> => page.getByRole('tablist', { name: 'Status' }).innerText();

  it('of payments goes on until it finds some, and marks the counts that are incomplete', async () => {
    const { paydesk, clock } = started();
    const shop = await paydesk.newMerchant();
    const at = momentsFrom(clock.now() - 3_600_000);
    // A search reads 2,000 payments for a page, and counts up to 1,000.
    const payments = Array.from({ length: 2_101 }, (_, index) =>
      aPayment({
        scope: shop.scope,
        terms: { amount: index === 0 ? 999_900 : 100, metadata: { campaign: 'spring' } },
        moment: at(index),
        expiresInSeconds: 86_400,
      }),
    );
    for (let from = 0; from < payments.length; from += atOnce) {
      const part = payments.slice(from, from + atOnce);
      await mustCommit(paydesk.store, {
        paymentIntents: part.map(({ intent }) => intent),
        checkoutSessions: part.map(({ session }) => session),
      });
    }
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/payments?q=spring&min=500000');
      await page.getByRole('cell', { name: '€9,999.00' }).waitFor();
      await page.getByText('1 result', { exact: true }).waitFor();
      await until('no count is shown as 0 that may be higher', async () => !(await tabs(page)).includes('0'));
      await open('/payments?q=spring');
      await until('the count says that there are more', async () => (await tabs(page)).includes('1,000+'));
      await open('/payments?q=spring&min=900000&max=999000');
      await page.getByRole('heading', { name: 'No payments match' }).waitFor();
    });
  });

  it('of requests goes on by itself, up to a limit', async () => {
    const { paydesk, clock } = started();
    const shop = await paydesk.newMerchant();
    const at = momentsFrom(clock.now() - 3_600_000);
    const recorded = (index: number, status: number): RequestRecord => {
      const { now, newId } = at(index);
      const nothing = { requestBody: null, responseBody: null, requestBytes: 0, responseBytes: 0, unrecorded: null };
      const request = { method: 'GET', path: '/payment-intents', status, duration: 1_000, keyId: 'key_1' };
      return { ...shop.scope, id: newId('req'), ...request, ...nothing, createdAt: now };
    };
    const requests = [recorded(0, 500), ...Array.from({ length: 5_100 }, (_, index) => recorded(index + 1, 200))];
    for (let from = 0; from < requests.length; from += atOnce)
      await mustCommit(paydesk.store, { requestRecords: requests.slice(from, from + atOnce) });
    await visitAs(started(), shop, {}, async ({ page, open, requests: sent }) => {
      await open('/developers/requests?status=5xx');
      await until('the failed request is listed', async () => (await rowsOf(page, 'Requests').count()) === 1);
      // Pages without rows, until told otherwise. A page that is read again, because live updates begin, counts once, and pages
      // of the list before, which may be read again as well, do not count.
      const asked = () => new Set(sent.filter((request) => /\/dashboard\/api\/requests\?.*status=4xx/.test(request)));
      let isEmpty = true;
      await page.route(/\/dashboard\/api\/requests\?/, (route) => {
        const cursor = new URL(route.request().url()).searchParams.get('cursor');
        const next = requests[requests.findIndex(({ id }) => id === cursor) + 1]?.id;
        return isEmpty
          ? route.fulfill({ json: { data: [], has_more: true, next_cursor: next, kept_days: 7 } })
          : route.continue();
      });
      await page.getByLabel('Status').selectOption('4xx');
      await page.getByText('No matches so far.').waitFor();
      assert.equal(await page.getByText('No requests match').count(), 0);
      const pages = asked().size;
      assert.ok(pages > 5 && pages <= 12, `${pages} pages`);
      isEmpty = false;
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('No requests match').waitFor();
    });
  });
});
