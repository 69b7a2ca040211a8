// The layout of the pages on small screens, and when an image is missing, in every language.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Language, languages, type View } from '../../src/http/checkout/views.ts';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { aPayView, everyView, rendered } from '../http/checkout-pages/sample-views.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { aMoment } from '../support/records.ts';
import { challengedCard, goodCard, payButton, payByCard, seesReceipt } from './browsing-customer.ts';

const logos = ['https://northwind.example'];
const fiveMethods = ['card', 'ideal', 'bancontact', 'eps', 'sepa_debit'] as const;

/** Without scripts: those of two pages would clash in one document. */
async function showView(page: Page, view: View): Promise<void> {
  await page.setContent(rendered(view).html.replace(/<script[^>]*>[\s\S]*?<\/script>/g, ''));
}

/** Finds elements wider than the page, and labels whose words do not fit on a line. */
const overflowing = `(() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : [];
  document.body.style.overflowWrap = 'normal';
  for (const element of document.querySelectorAll('label, legend, button, small, .note')) {
    if (element.scrollWidth > element.clientWidth + 1) found.push(element.outerHTML.slice(0, 120));
  }
  return found;
})()`;

describe('the layout of the pages', { concurrency: 2 }, () => {
  const started = checkoutForSuite(sqlite);

  it('shows the button without scrolling, with five methods on a desktop, in every language', async () => {
    await started().visit({ pictures: logos }, async ({ page }) => {
      for (const language of languages) {
        await showView(page, aPayView(language, { methods: fiveMethods }));
        const { y = Number.NaN, height = Number.NaN } = (await payButton(page).boundingBox()) ?? {};
        assert.ok(y + height <= 800, `${language}: the button ends at ${y + height}`);
      }
    });
  });

  const views = (language: Language): readonly (readonly [string, View | undefined])[] =>
    [
      ...['pay', "pay, provider's fields", 'pay, provider down', 'pay, incorrect_cvc'],
      ...['challenge', 'bank, later', 'receipt, failed'],
      ...['link', 'link, open, ambiguous', 'link ended, taken'],
    ].map((name) => [name, everyView(language)[name]]);

  for (const [width, size] of [
    [375, '200%'],
    [375, '100%'],
    [320, '100%'],
  ] as const) {
    it(`never breaks a word of a label on a screen of ${width} pixels, with text at ${size}`, async () => {
      await started().visit({ pictures: logos }, async ({ page }) => {
        await page.setViewportSize({ width, height: 667 });
        const found: string[] = [];
        for (const language of languages) {
          for (const [name, view] of views(language)) {
            assert.ok(view !== undefined);
            await showView(page, view);
            await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
            const cut = (await page.evaluate(overflowing)) as string[];
            found.push(...cut.map((what) => `${language} ${name}: ${what}`));
          }
        }
        assert.deepEqual(found, []);
      });
    });
  }

  it('puts the security code below the expiry date with large text, and beside it otherwise', async () => {
    await started().visit({ pictures: logos }, async ({ page }) => {
      const tops = async (): Promise<number[]> =>
        Promise.all(
          ['#expiry', '#cvc'].map(async (field) => (await page.locator(field).boundingBox())?.y ?? Number.NaN),
        );
      for (const width of [320, 375]) {
        await page.setViewportSize({ width, height: 667 });
        await showView(page, aPayView('en'));
        const [expiry = 0, cvc = 0] = await tops();
        assert.equal(cvc, expiry);
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        const [above = 0, below = 0] = await tops();
        assert.ok(below > above + 64);
      }
    });
  });

  it("shows the merchant's whole name on a phone with large text", async () => {
    await started().visit({ pictures: logos }, async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await showView(page, aPayView('de'));
      await page.evaluate("document.querySelector('.merchant bdi').textContent = 'Demo shop Berlin'");
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      const isCut = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth || scrollHeight > clientHeight + 1)(document.querySelector('.merchant bdi'))`;
      assert.equal(await page.evaluate(isCut), false);
    });
  });

  it("shows the merchant's initial only if the logo cannot be loaded", async () => {
    const { visit } = started();
    const isInitialVisible = `(() => {
      const [logo, initial] = ['.logo', '.initial'].map((name) => document.querySelector(name).getBoundingClientRect());
      return initial.top < logo.bottom - 1 && initial.width > 0 && initial.left < logo.right - 1;
    })()`;
    for (const javaScript of [true, false]) {
      await visit({ javaScript, pictures: logos }, async ({ page }) => {
        await showView(page, aPayView('en'));
        if (javaScript) await page.waitForFunction("document.querySelector('.logo img').naturalWidth > 0");
        else await page.waitForLoadState('networkidle');
        assert.equal(await page.evaluate(isInitialVisible), false);
      });
      await visit({ javaScript, pictures: logos, expectedStatus: 404 }, async ({ page }) => {
        await page.route('https://northwind.example/**', (route) => route.fulfill({ status: 404 }));
        await showView(page, everyView('ar').challenge ?? assert.fail());
        await page.waitForLoadState('networkidle');
        assert.equal(await page.evaluate(isInitialVisible), true);
      });
    }
  });

  it('keeps the test mode badge on a printed receipt', async () => {
    await started().visit({ pictures: logos }, async ({ page }) => {
      await showView(page, everyView('en').receipt ?? assert.fail());
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.getByText('Test mode').isVisible(), true);
      assert.equal(await page.getByText('You can close this page.').isVisible(), false);
    });
  });

  it('has an inline icon, which needs no request', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page, requests }) => {
      await payByCard(page, session.url, goodCard);
      await seesReceipt(page);
      const icon = await page.locator('link[rel=icon]').getAttribute('href');
      const drawn = await page.evaluate(
        `new Promise((done) => { const image = new Image(); image.onload = () => done(true); image.onerror = () => done(false); image.src = ${JSON.stringify(icon)}; })`,
      );
      assert.equal(drawn, true, 'the policy allows it, and it is a valid image');
      assert.ok(!requests.some((request) => request.includes('favicon')), requests.join('\n'));
    });
  });

  it("shows the merchant on the challenge page, in the session's language", async () => {
    const { paydesk, visit } = started();
    const shop = await paydesk.newMerchant();
    await updateMerchant({ store: paydesk.store, moment: aMoment, actor: 'test' }, shop.merchant.id, {
      name: 'Nordwind',
      logoUrl: 'https://northwind.example/logo.svg',
      accentColor: '#0b7a4b',
    });
    const session = await shop.newSession({ locale: 'de' });
    await visit({ language: 'en', pictures: logos }, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await page.getByRole('button', { name: 'Abbrechen und andere Zahlungsart wählen' }).waitFor();
      assert.equal(await page.getAttribute('html', 'lang'), 'de');
      assert.deepEqual(
        await page.getByText('Nordwind', { exact: true }).count(),
        2,
        'in the header and in the details',
      );
      await page.waitForFunction("document.querySelector('.logo img').naturalWidth > 0");
      const color = await page.evaluate("getComputedStyle(document.querySelector('.primary')).backgroundColor");
      assert.equal(color, 'rgb(11, 122, 75)');
    });
  });
});
