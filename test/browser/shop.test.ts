// The example shop, as `npm run demo` starts it: a customer buys something, and the shop is notified by webhook.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { Paydesk } from '../../sdk/src/paydesk.ts';
import { launchBrowser, visit } from '../support/browser.ts';
import { type Program, startProgram } from '../support/child-process.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import {
  declinedCard,
  fillCard,
  goodCard,
  keptCard,
  payButton,
  seesDecline,
  seesHeading,
} from './browsing-customer.ts';

interface Demo {
  readonly shopUrl: string;
  readonly paydeskUrl: string;
  readonly folder: string;
  readonly program: Program;
}

describe('The example shop', () => {
  let demo: Demo;
  let browser: Browser;
  const cleanUps: (() => Promise<void>)[] = [];
  const suite = cleanUpInReverse({ after: (work) => cleanUps.push(work) });

  before(async () => {
    browser = await launchBrowser(suite);
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-demo-'));
    suite.after(() => rm(folder, { recursive: true, force: true }));
    const [port, shopPort] = [await freePort(), await freePort()];
    const program = startProgram(new URL('../../examples/demo.ts', import.meta.url), null, {
      DEMO_FOLDER: folder,
      PORT: String(port),
      SHOP_PORT: String(shopPort),
      DEMO_PAYMENTS: '80',
      PAYDESK_METRICS_ADDRESS: 'off',
    });
    suite.after(async () => {
      process.kill(program.pid, 'SIGTERM');
      assert.equal(await program.ended(), 0);
    });
    demo = { shopUrl: `http://localhost:${shopPort}`, paydeskUrl: `http://localhost:${port}`, folder, program };
    await until('the demo prints its link', () => program.lines.some((line) => line.includes(demo.shopUrl)));
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const shopping = (work: (page: Page) => Promise<void>): Promise<void> =>
    visit(browser, [demo.shopUrl, demo.paydeskUrl], {}, ({ page }) => work(page));
  const buy = async (page: Page, product: string): Promise<void> => {
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: product }).click();
    await page.waitForURL(`${demo.paydeskUrl}/checkout/**`);
  };

  it('shows a paid order when the customer returns from Paydesk, and ships it once', () =>
    shopping(async (page) => {
      await buy(page, 'Buy Green tea, 100 g');
      await page.getByText('€12.50').first().waitFor();
      await fillCard(page, { number: goodCard });
      await payButton(page).click();
      await page.waitForURL(`${demo.shopUrl}/orders/**`);
      await seesHeading(page, 'Thank you, your order is paid');
      const orderId = new URL(page.url()).pathname.split('/').at(-1);
      assert.deepEqual(
        demo.program.lines.filter((line) => line.includes(String(orderId))),
        [`order ${orderId} is paid: ship it`],
      );
    }));

  it('has a month of made-up payments, of which its own endpoint got the events', async () => {
    await until('the demo data is complete', () => demo.program.lines.some((line) => line.startsWith('Added them')));
    const paydesk = new Paydesk({
      apiKey: (await readFile(join(demo.folder, 'shop-key'), 'utf8')).trim(),
      baseUrl: demo.paydeskUrl,
    });
    const { data: payments } = await paydesk.paymentIntents.list({ limit: 100 });
    assert.ok(payments.length >= 80);
    const { data: endpoints } = await paydesk.webhookEndpoints.list();
    const urls = endpoints.map(({ url }) => url);
    assert.equal(urls.length, 2);
    assert.ok(urls.includes(`${demo.shopUrl}/webhooks`));
    assert.match(await readFile(join(demo.folder, 'filled'), 'utf8'), /payments +80 /);
    assert.ok(demo.program.lines.some((line) => line.includes(`${demo.paydeskUrl}/dashboard/set-password#`)));
  });

  it('does not mistake a return for a payment', () =>
    shopping(async (page) => {
      await buy(page, 'Buy Coffee, 250 g');
      await fillCard(page, { number: declinedCard });
      await payButton(page).click();
      await seesDecline(page, 'Your card was declined', keptCard(declinedCard));
      const paydesk = new Paydesk({
        apiKey: (await readFile(join(demo.folder, 'shop-key'), 'utf8')).trim(),
        baseUrl: demo.paydeskUrl,
      });
      const session = await paydesk.checkoutSessions.get(new URL(page.url()).pathname.split('/')[2] ?? '');
      await page.goto(String(session.return_url));
      await seesHeading(page, 'We are waiting for your payment');
      await paydesk.checkoutSessions.expire(session.id);
      await seesHeading(page, 'This order was not paid');
    }));

  it('refuses a webhook that Paydesk did not sign', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object: 'payment_intent' } });
    const headers = { 'Service-Signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
    const response = await fetch(`${demo.shopUrl}/webhooks`, { method: 'POST', headers, body });
    assert.equal(response.status, 400);
    assert.equal(await response.text(), 'signature_mismatch\n');
  });
});
