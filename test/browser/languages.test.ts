// The pay page in the customer's language, with amounts in the local format, on a phone and on a desktop.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkoutForSuite, type VisitOptions } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { fillCard, goodCard, paidOnce, payButton, seesHeading } from './browsing-customer.ts';

interface Expected {
  readonly language: string;
  readonly dir: 'ltr' | 'rtl';
  /** The text of the button by currency, with any kind of space. */
  readonly buttons: Readonly<Record<'EUR' | 'JPY' | 'KWD', string>>;
  readonly paid: string;
}

const languages: readonly Expected[] = [
  {
    language: 'en',
    dir: 'ltr',
    buttons: { EUR: 'Pay €12,345.00', JPY: 'Pay ¥1,234,500', KWD: 'Pay KWD 1,234.500' },
    paid: 'Payment successful',
  },
  {
    language: 'de',
    dir: 'ltr',
    buttons: { EUR: '12.345,00 € bezahlen', JPY: '1.234.500 ¥ bezahlen', KWD: '1.234,500 KWD bezahlen' },
    paid: 'Zahlung erfolgreich',
  },
  {
    language: 'ja',
    dir: 'ltr',
    buttons: { EUR: '€12,345.00 を支払う', JPY: '¥1,234,500 を支払う', KWD: 'KWD 1,234.500 を支払う' },
    paid: 'お支払いが完了しました',
  },
  {
    language: 'ar',
    dir: 'rtl',
    buttons: { EUR: 'ادفع 12,345.00 €', JPY: 'ادفع 1,234,500 JP¥', KWD: 'ادفع 1,234.500 د.ك.' },
    paid: 'تم الدفع بنجاح',
  },
];

/** Removes directional marks and normalises spaces. */
function plain(text: string): string {
  return text
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replaceAll('￥', '¥')
    .replace(/\s+/g, ' ')
    .trim();
}

describe("the page in the customer's language", { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  async function shows(locale: string, expected: Expected, options: VisitOptions): Promise<void> {
    const { merchant, visit } = started();
    const { language, dir, buttons, paid } = expected;
    await visit(options, async ({ page }) => {
      for (const [currency, button] of Object.entries(buttons)) {
        const session = await merchant.newSession({ amount: 1_234_500, currency, locale });
        await page.goto(String(session.url));
        assert.equal(await page.getAttribute('html', 'lang'), language);
        assert.equal(await page.getAttribute('html', 'dir'), dir);
        assert.equal(plain(await payButton(page).innerText()), button);
        await fitsScreen(page);
        if (currency !== 'JPY' || options.viewport !== 'phone') continue;
        await fillCard(page, { number: goodCard });
        await payButton(page).click();
        await seesHeading(page, paid);
        assert.equal(await page.getAttribute('html', 'lang'), language, 'the receipt keeps the language');
        await fitsScreen(page);
        await paidOnce(started(), session);
      }
    });
  }

  for (const expected of languages) {
    it(`${expected.language}, set by the session, on a phone`, () =>
      // The session's language wins over the browser's.
      shows(expected.language, expected, { viewport: 'phone', language: 'fr' }));

    it(`${expected.language}, set by the browser, on a desktop`, () =>
      shows('auto', expected, { viewport: 'desktop', language: expected.language }));
  }

  it('fits the narrowest screens without scrolling sideways', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ amount: 99_999_999, currency: 'KWD', locale: 'de' });
    await visit({ viewport: 'phone' }, async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 568 });
      await page.goto(String(session.url));
      await fitsScreen(page);
    });
  });

  async function fitsScreen(page: { evaluate(code: string): Promise<unknown> }): Promise<void> {
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(overflow, 0, 'nothing sticks out of the screen');
  }
});
