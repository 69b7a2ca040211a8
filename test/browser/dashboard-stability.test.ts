// Nothing jumps while a page of the dashboard loads. Chromium's own measure is used: the cumulative layout shift, of which
// below 0.1 is considered good. Answers come late, so that every page is shown while it waits.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Fields, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { overflowing, paidByCard, visitAs } from './dashboard-staff.ts';

const maxShift = 0.05;
/** Longer than a page takes to draw what it shows while it waits. */
const answerAfterMs = 300;

const recordShifts = `(() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        window.shifts.push({ value, moved: sources.map(({ node }) => node?.className ?? node?.nodeName) });
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Waits until nothing is loading, and what has loaded is drawn. */
async function loaded(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await until('the page is loaded', async () => (await page.locator('.skeleton, [aria-busy=true]').count()) === 0);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

describe('a page of the dashboard that loads slowly', () => {
  const started = checkoutForSuite(sqlite);
  let payment: Fields = {};
  let link: Fields = {};

  before(async () => {
    const { merchant } = started();
    const endpoint = { url: `${started().shopUrl}/hooks`, enabled_events: ['payment_intent.succeeded'] };
    must(201, await merchant.test.post('/webhook-endpoints', endpoint));
    link = must(
      201,
      await merchant.test.post('/payment-links', { amount: 2500, currency: 'EUR', description: 'Workshop' }),
    );
    for (const currency of ['EUR', 'USD', 'GBP']) payment = await paidByCard(started(), { currency });
    await Promise.all(Array.from({ length: 25 }, () => merchant.newSession({ description: 'Order' })));
  });

  const paths = (): string[] => [
    '',
    '/payments',
    `/payments/${payment.id}`,
    '/checkout-sessions',
    `/checkout-sessions/${payment.checkout_session}`,
    '/payment-links',
    `/payment-links/${link.id}`,
    '/disputes',
    '/developers/api-keys',
    '/developers/webhooks',
    '/developers/events',
    '/developers/requests',
    '/settings',
    '/team',
    '/audit-log',
    '/account',
  ];

  for (const width of [360, 1440]) {
    it(`keeps everything in its place at ${width} px`, async (t) => {
      await visitAs(started(), started().merchant, {}, async ({ page, context, open }) => {
        await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
        await context.addInitScript(recordShifts);
        await context.route(/\/dashboard\/api\/(?!updates)/, async (route) => {
          await pause(answerAfterMs);
          await route.continue();
        });
        for (const path of paths()) {
          await open(path);
          await loaded(page);
          const shifts = (await page.evaluate('shifts')) as Shift[];
          const total = shifts.reduce((sum, { value }) => sum + value, 0);
          t.diagnostic(`${path === '' ? '/' : path}: ${total.toFixed(4)}`);
          assert.ok(total < maxShift, `${path} shifts by ${total.toFixed(3)}: ${JSON.stringify(shifts)}`);
        }
      });
    });
  }

  it('is not wider than a phone while it waits', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, context, open }) => {
      await page.setViewportSize({ width: 360, height: 780 });
      let answers = Promise.withResolvers<void>();
      await context.route(/\/dashboard\/api\/(?!updates|session)/, async (route) => {
        await answers.promise;
        await route.continue();
      });
      for (const path of paths()) {
        await open(path);
        await page.locator('main .skeleton').first().waitFor();
        assert.deepEqual(await overflowing(page), [], path);
        answers.resolve();
        await loaded(page);
        answers = Promise.withResolvers();
      }
    });
  });
});
