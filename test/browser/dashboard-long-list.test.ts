// Live updates of a list that somebody has scrolled far down: a change costs a few requests, however many pages are shown,
// and no row is lost, doubled or moved. Requests are counted, because machines differ in speed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Fields, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { rowsOf, type StaffVisit, visitAs } from './dashboard-staff.ts';

const pages = 20;
const rowsPerPage = 50;
/** What is new, and the part with the row that changed. */
const fewRequests = 2;

describe('a list of 20 pages', () => {
  const started = checkoutForSuite(sqlite);

  async function newSessions(count: number): Promise<Fields[]> {
    const sessions: Fields[] = [];
    while (sessions.length < count) {
      const together = Array.from({ length: Math.min(rowsPerPage, count - sessions.length) }, () =>
        started().merchant.newSession({ description: 'One of many' }),
      );
      sessions.push(...(await Promise.all(together)));
    }
    return sessions.sort((a, b) => (String(a.payment_intent) < String(b.payment_intent) ? 1 : -1));
  }

  /** Scrolls until all pages are loaded. */
  async function scrollThrough(page: Page): Promise<void> {
    let seen = '';
    const what = (): string => `all pages are loaded, but ${seen}`;
    await until(what, async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      const rows = await rowsOf(page, 'Payments').count();
      seen = `${rows} rows and: ${await page.locator('.list-end').innerText()}`;
      return rows === pages * rowsPerPage;
    });
  }

  const shownIds = async (page: Page): Promise<string[]> =>
    rowsOf(page, 'Payments')
      .locator('a[data-row-link]')
      .evaluateAll((links) => links.map((link) => String(link.getAttribute('href')).replace(/.*\//, '')));

  const listRequests = ({ requests }: StaffVisit): string[] =>
    requests.filter((request) => /\/dashboard\/api\/payments\?/.test(request));

  const rowOf = (page: Page, session: Fields | undefined) =>
    rowsOf(page, 'Payments').filter({ has: page.locator(`a[href$="${session?.payment_intent}"]`) });

  const topOf = async (page: Page, session: Fields | undefined): Promise<number> =>
    (await rowOf(page, session).boundingBox())?.y ?? Number.NaN;

  it('shows a change of a row and a new row with few requests, and stays where it is', async () => {
    const { merchant } = started();
    const sessions = await newSessions(pages * rowsPerPage);
    const paymentIds = sessions.map(({ payment_intent }) => String(payment_intent));
    await visitAs(started(), merchant, {}, async (visit) => {
      const { page } = visit;
      const following = page.waitForResponse((response) => response.url().includes('/dashboard/api/updates'));
      await visit.open('/payments');
      await following;
      await scrollThrough(page);
      assert.deepEqual(await shownIds(page), paymentIds);

      const changed = sessions[17 * rowsPerPage + 7];
      await rowOf(page, changed).scrollIntoViewIfNeeded();
      const before = listRequests(visit).length;
      const topBefore = await topOf(page, changed);
      must(200, await merchant.test.post(`/checkout-sessions/${changed?.id}/expire`, {}));
      await rowOf(page, changed).getByText('Expired').waitFor();
      const forChange = listRequests(visit).slice(before);
      assert.ok(forChange.length <= fewRequests, `requested ${forChange.join(', ')}`);
      assert.deepEqual(await shownIds(page), paymentIds);
      assert.equal(await topOf(page, changed), topBefore);

      const beforeNew = listRequests(visit).length;
      const added = await merchant.newSession({ description: 'The newest' });
      await rowOf(page, added).waitFor();
      const forNew = listRequests(visit).slice(beforeNew);
      assert.ok(forNew.length <= fewRequests, `requested ${forNew.join(', ')}`);
      assert.deepEqual(await shownIds(page), [String(added.payment_intent), ...paymentIds]);
      assert.ok(Math.abs((await topOf(page, changed)) - topBefore) < 1, 'the row that was looked at has moved');
    });
  });

  it('removes a row that no longer matches the filter, and no other', async () => {
    const { merchant } = started();
    await visitAs(started(), merchant, {}, async (visit) => {
      const { page } = visit;
      const following = page.waitForResponse((response) => response.url().includes('/dashboard/api/updates'));
      await visit.open('/payments?status=requires_payment_method');
      await following;
      await until('three pages are loaded', async () => {
        await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded();
        return (await rowsOf(page, 'Payments').count()) >= 3 * rowsPerPage;
      });
      const ids = await shownIds(page);
      const leaving = ids[2 * rowsPerPage + 3] ?? '';
      const { checkout_session: session } = must(200, await merchant.test.get(`/payment-intents/${leaving}`));
      const before = listRequests(visit).length;
      must(200, await merchant.test.post(`/checkout-sessions/${session}/expire`, {}));
      await rowOf(page, { payment_intent: leaving }).waitFor({ state: 'detached' });
      const made = listRequests(visit).slice(before);
      assert.ok(made.length <= fewRequests, `requested ${made.join(', ')}`);
      const left = await shownIds(page);
      assert.deepEqual(
        left.slice(0, ids.length - 1),
        ids.filter((id) => id !== leaving),
      );
      assert.equal(new Set(left).size, left.length);
    });
  });

  it('shows a change that is being fetched while its end comes into view, and then the next page', async () => {
    const { merchant } = started();
    const changed = await merchant.newSession({ description: 'The newest' });
    await visitAs(started(), merchant, {}, async (visit) => {
      const { page } = visit;
      let answers = 0;
      page.on('response', (response) => {
        if (listRequests(visit).includes(`GET ${response.url()}`)) answers += 1;
      });
      const following = page.waitForResponse((response) => response.url().includes('/dashboard/api/updates'));
      await visit.open('/payments');
      await following;
      // Usually twice: it is read again when its live updates begin after that.
      await until('the list is read', () => answers > 0 && answers === listRequests(visit).length);
      await rowOf(page, changed).waitFor();

      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      await page.route(/\/dashboard\/api\/payments\?(?!.*cursor=)/, async (route) => {
        const response = await route.fetch();
        hold();
        await released;
        await route.fulfill({ response });
      });
      must(200, await merchant.test.post(`/checkout-sessions/${changed.id}/expire`, {}));
      await held;
      await page.evaluate(`scrollTo(0, document.body.scrollHeight);
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
      release();
      await rowOf(page, changed).getByText('Expired').waitFor();
      await rowsOf(page, 'Payments').nth(rowsPerPage).waitFor();
    });
  });
});
