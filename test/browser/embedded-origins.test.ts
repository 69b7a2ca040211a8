// Who may embed the checkout, in a real browser: registered origins may, and all others see and learn nothing.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { checkoutForSuite, launchBrowser, type Visit, type VisitOptions, visit } from '../support/browser.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { goodCard, paidOnce } from './browsing-customer.ts';
import {
  calledBack,
  type EmbeddingShop,
  frameAt,
  payIn,
  seenBy,
  seesHeadingIn,
  startEmbeddingShop,
} from './embedding-shop.ts';

const byCard = { ui_mode: 'embedded', payment_method_types: ['card'] };
const shopOrigin = 'http://shop.example';
const foreignOrigin = 'http://foreign.example';

describeOnEachEngine('Embedding the checkout', (engine) => {
  const started = checkoutForSuite(engine);
  const cleanUps: (() => Promise<void>)[] = [];
  let shop: EmbeddingShop;
  let browser: Browser;
  before(async () => {
    const test = { after: (work: () => Promise<void>) => cleanUps.push(work) };
    shop = await startEmbeddingShop(test);
    const { port } = shop;
    browser = await launchBrowser(test, undefined, [
      { name: 'shop.example', port },
      { name: 'foreign.example', port },
    ]);
    const { paydesk, merchant } = started();
    const context = { store: paydesk.store, moment: aMoment, actor: 'test' };
    await updateMerchant(context, merchant.merchant.id, { embedOrigins: [shopOrigin] });
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  const visitFrom = <Result>(options: VisitOptions, work: (visit: Visit) => Promise<Result>): Promise<Result> =>
    visit(browser, [started().paydesk.url, shopOrigin, foreignOrigin], options, work);

  it('works on a registered origin', async () => {
    const session = await started().merchant.newSession(byCard);
    await visitFrom({}, async ({ page }) => {
      await page.goto(`${shopOrigin}${shop.pageFor(started().paydesk.url, [session])}`);
      await payIn(frameAt(page), goodCard);
      await calledBack(page, 'complete0');
      await paidOnce(started(), session);
    });
  });

  it('is blocked on a foreign origin, and the console says why in one line', async () => {
    const session = await started().merchant.newSession(byCard);
    const blocked = /frame-ancestors|^Paydesk: /;
    await visitFrom({ expectedMessages: blocked }, async ({ page, requests }) => {
      const lines: string[] = [];
      page.on('console', (message) => lines.push(message.text()));
      await page.goto(`${foreignOrigin}${shop.pageFor(started().paydesk.url, [session])}`);
      const error = (await calledBack(page, 'error0')) as { code: string; message: string };
      assert.equal(error.code, 'frame_blocked');
      const own = lines.filter((line) => line.startsWith('Paydesk: '));
      assert.equal(own.length, 1);
      assert.match(own[0] ?? '', /allow this origin: .* --embed-origins http:\/\/foreign\.example$/);
      assert.deepEqual((await seenBy(page)).messages, []);
      const toFrame = requests.filter((request) => request.includes('/embed/')).map((request) => request.split('#')[0]);
      assert.deepEqual(toFrame, [`GET ${started().paydesk.url}/embed/${session.id}`]);
    });
  });

  it('teaches a foreign page nothing, whatever it frames', async () => {
    const { paydesk, merchant } = started();
    const session = await merchant.newSession(byCard);
    const hosted = await merchant.newSession({});
    const sources = [
      `${paydesk.url}/embed/${session.id}#client_secret=${session.client_secret}&origin=${foreignOrigin}`,
      `${paydesk.url}/embed/${session.id}#client_secret=${session.client_secret}&origin=${shopOrigin}`,
      `${paydesk.url}/embed/${session.id}/return`,
      `${paydesk.url}/checkout/${session.id}`,
      `${paydesk.url}/checkout/${hosted.id}`,
    ];
    const script = `globalThis.loaded = 0;
      for (const src of ${JSON.stringify(sources)}) {
        const frame = document.createElement('iframe');
        frame.addEventListener('load', () => (loaded += 1));
        frame.src = src;
        document.body.append(frame);
      }`;
    await visitFrom(
      { expectedStatus: 404, expectedMessages: /frame-ancestors|X-Frame-Options|CORS policy|ERR_FAILED/ },
      async ({ page }) => {
        await page.goto(`${foreignOrigin}${shop.pageFor(paydesk.url, [], { script })}`);
        await until('every frame is blocked', async () => (await page.evaluate('loaded')) === sources.length);
        const shown = page.frames().filter((frame) => frame.url().startsWith(paydesk.url));
        assert.deepEqual(shown, []);
        assert.deepEqual((await seenBy(page)).messages, []);
        const reads = await page.evaluate(
          ([url, secret]) =>
            fetch(String(url), { headers: { Authorization: `Bearer ${secret}` } }).then(
              () => 'read',
              () => 'blocked',
            ),
          [`${paydesk.url}/client/checkout-sessions/${session.id}`, session.client_secret],
        );
        assert.equal(reads, 'blocked');
      },
    );
  });

  it('says in the frame that it needs JavaScript', async () => {
    const { paydesk, merchant } = started();
    const session = await merchant.newSession(byCard);
    await visitFrom({ javaScript: false }, async ({ page }) => {
      await page.goto(`${paydesk.url}/embed/${session.id}`);
      await page.locator('noscript p', { hasText: 'To pay here, please turn on JavaScript' }).waitFor();
      await page.getByText('Loading the payment form…').waitFor({ state: 'hidden' });
    });
  });

  it('works as a module', async () => {
    const session = await started().merchant.newSession(byCard);
    await visitFrom({}, async ({ page }) => {
      await page.goto(`${shopOrigin}${shop.pageFor(started().paydesk.url, [session], { asModule: true })}`);
      await calledBack(page, 'loaded0');
      await payIn(frameAt(page), goodCard);
      await seesHeadingIn(frameAt(page), 'Payment successful');
    });
  });
});
