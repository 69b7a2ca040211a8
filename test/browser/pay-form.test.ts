// The pay form while the customer types, and its error messages.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { axe, violationsOn } from './axe.ts';
import {
  brandShown,
  declinedCard,
  fillCard,
  goodCard,
  keptCard,
  paidOnce,
  payButton,
  payByCard,
  seesDecline,
  seesReceipt,
} from './browsing-customer.ts';

describe('the pay form', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  async function onForm(work: (page: Page, session: Readonly<Record<string, unknown>>) => Promise<void>) {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await work(page, session);
    });
  }

  const type = (page: Page, field: string, text: string) => page.locator(field).pressSequentially(text);

  it('groups the number and shows its brand while the customer types', () =>
    onForm(async (page) => {
      const cases = [
        ['4242424242424242', '4242 4242 4242 4242', 'Visa'],
        ['5555555555554444', '5555 5555 5555 4444', 'Mastercard'],
        ['378282246310005', '3782 822463 10005', 'American Express'],
        ['6011111111111117', '6011 1111 1111 1117', 'Discover'],
        ['8171999927660000', '8171 9999 2766 0000', 'UnionPay'],
        ['5612345678901234', '5612 3456 7890 1234', 'Maestro'],
        ['5912345678901234', '5912 3456 7890 1234', ''],
      ] as const;
      for (const [digits, grouped, brand] of cases) {
        await page.fill('#number', '');
        await type(page, '#number', digits.slice(0, 4));
        assert.deepEqual(await brandShown(page), brand === '' ? null : brand);
        await type(page, '#number', digits.slice(4));
        assert.equal(await page.inputValue('#number'), grouped);
      }
    }));

  it('keeps the caret where the customer corrects a digit', () =>
    onForm(async (page) => {
      await type(page, '#number', '4242424242424241');
      for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('9');
      assert.equal(await page.inputValue('#number'), '4242 4249 4242 4241');
    }));

  it('inserts the slash into the expiry date, also for a pasted date and a one-digit month', () =>
    onForm(async (page) => {
      for (const [typed, shown] of [
        ['1234', '12 / 34'],
        ['12/34', '12 / 34'],
        ['534', '05 / 34'],
        ['122034', '12 / 34'],
        ['12/2099', '12 / 99'],
        ['1/34', '01 / 34'],
        ['1\u221234', '01 / 34'],
        ['1\u221534', '01 / 34'],
      ] as const) {
        await page.fill('#expiry', '');
        await type(page, '#expiry', typed);
        assert.equal(await page.inputValue('#expiry'), shown, typed);
      }
    }));

  it('accepts any future expiry and any CVC', () =>
    onForm(async (page) => {
      await fillCard(page, { number: goodCard, expiry: '12/99', cvc: '' });
      await type(page, '#cvc', '12345');
      assert.equal(await page.inputValue('#cvc'), '1234');
      await payButton(page).click();
      await seesReceipt(page);
    }));

  it('accepts what is pasted, with spaces, dashes and words around the digits', () =>
    onForm(async (page) => {
      for (const [field, pasted, shown] of [
        ['#number', '4242 - 4242 - 4242 - 4242', '4242 4242 4242 4242'],
        ['#number', 'Card: 4242 4242 4242 4242', '4242 4242 4242 4242'],
        ['#number', '  4242\u200b  4242  –  4242  –  4242', '4242 4242 4242 4242'],
        ['#expiry', '2034-12', '12 / 34'],
        ['#expiry', '2034/1', '01 / 34'],
        ['#expiry', '\u200e2034–12', '12 / 34'],
        ['#expiry', '2034\u221212', '12 / 34'],
        ['#expiry', '2034\u22151', '01 / 34'],
        ['#expiry', '1\u20442034', '01 / 34'],
        ['#expiry', ' 12 / 2034 ', '12 / 34'],
        ['#expiry', 'Valid until: 12/2034', '12 / 34'],
        ['#cvc', 'CVC: 123', '123'],
      ] as const) {
        await page.fill(field, '');
        await page.focus(field);
        // Unlike `fill`, this respects `maxlength`, as pasting does.
        await page.keyboard.insertText(pasted);
        assert.equal(await page.inputValue(field), shown, pasted);
      }
    }));

  it('shows each error at its field, links it for screen readers, and focuses the first invalid field', () =>
    onForm(async (page, session) => {
      await type(page, '#number', '4242424242424241');
      await type(page, '#expiry', '0120');
      await payButton(page).click();
      const errors: readonly (readonly [field: string, message: string])[] = [
        ['number', 'Your card number is incorrect. Please check the digits.'],
        ['expiry', 'This card has expired. Please use another card.'],
        ['cvc', 'Enter the security code.'],
      ];
      for (const [field, message] of errors) {
        await page.locator(`#${field}[aria-invalid=true]`).waitFor();
        assert.equal(await page.textContent(`#${field}-error`), message);
        assert.match((await page.getAttribute(`#${field}`, 'aria-describedby')) ?? '', new RegExp(`\\b${field}-error`));
      }
      await page.locator('#number:focus').waitFor();
      await page.evaluate(axe);
      for (const theme of ['light', 'dark'] as const) assert.deepEqual(await violationsOn(page, theme), []);
      await page.fill('#number', goodCard);
      assert.equal(await page.getAttribute('#number', 'aria-invalid'), null, 'a corrected field is no longer marked');
      const intent = await started().merchant.test.get(`/payment-intents/${session.payment_intent}`);
      assert.equal(intent.body.last_payment_error, null, 'nothing was sent');
    }));

  it('shows the error when the customer leaves a field', () =>
    onForm(async (page) => {
      await type(page, '#number', '4242');
      await page.keyboard.press('Tab');
      await page.locator('#number-error', { hasText: 'Your card number is incorrect' }).waitFor();
      await page.locator('#said', { hasText: 'Your card number is incorrect' }).waitFor({ state: 'attached' });
    }));

  it('can be used with only the keyboard', () =>
    onForm(async (page, session) => {
      const tabTo = async (selector: string): Promise<void> => {
        for (let tabs = 0; tabs < 20; tabs += 1) {
          await page.keyboard.press('Tab');
          if ((await page.locator(`${selector}:focus`).count()) > 0) return;
        }
        assert.fail(`${selector} cannot be reached by Tab`);
      };
      for (const [field, text] of [
        ['#number', goodCard],
        ['#expiry', '1234'],
        ['#cvc', '123'],
        ['#name', 'Ann Example'],
      ] as const) {
        await tabTo(field);
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      await seesReceipt(page);
      await paidOnce(started(), session);
    }));

  it('focuses the reason after a decline, and shows it in the title', () =>
    onForm(async (page, session) => {
      await payByCard(page, session.url, declinedCard);
      await seesDecline(page, 'Your card was declined', keptCard(declinedCard));
      assert.equal(await page.isChecked('#by-card'), true);
      await page.locator('[role=alert]:focus').waitFor();
      assert.match(await page.title(), /^Your card was declined/);
    }));

  it('links to the cancel URL and leaves the session open', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ cancel_url: `${shopUrl}/cart?of={CHECKOUT_SESSION_ID}` });
    await visit({ viewport: 'phone' }, async ({ page }) => {
      await page.goto(String(session.url));
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.waitForURL(`${shopUrl}/cart?of=${session.id}`);
      await payByCard(page, session.url, goodCard);
      await seesReceipt(page);
    });
  });
});
