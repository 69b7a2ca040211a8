// Each local method, in a currency that it supports, through the test bank to the outcome that the customer sees.

import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { declinedWith, paidOnce, payButton, press, seesHeading, seesReceipt } from './browsing-customer.ts';

const immediateMethods: readonly (readonly [type: string, currency: string, name: string])[] = [
  ['ideal', 'EUR', 'iDEAL'],
  ['bancontact', 'EUR', 'Bancontact'],
  ['eps', 'EUR', 'EPS'],
  ['blik', 'PLN', 'BLIK'],
  ['pix', 'BRL', 'Pix'],
  ['promptpay', 'THB', 'PromptPay'],
  ['swish', 'SEK', 'Swish'],
  ['twint', 'CHF', 'TWINT'],
];

describe('each local method, in a browser', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  for (const [type, currency, name] of immediateMethods) {
    it(`${type} is authorised at the bank, and the receipt names it`, async () => {
      const { merchant, visit } = started();
      const session = await merchant.newSession({ currency, payment_method_types: ['card', type] });
      await visit({ viewport: 'phone' }, async ({ page }) => {
        await page.goto(String(session.url));
        await page.getByLabel(name, { exact: true }).check();
        await payButton(page).click();
        await seesHeading(page, `${name} test bank`);
        await press(page, 'Authorise payment');
        await seesReceipt(page);
        await page.getByText(name, { exact: true }).waitFor();
        await paidOnce(started(), session);
      });
    });
  }

  it('shows the form again after the bank declines, with the method still selected', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'] });
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await page.getByLabel('iDEAL', { exact: true }).check();
      await payButton(page).click();
      await press(page, 'Decline payment');
      await seesHeading(page, 'The payment was not authorised');
      await page.locator('#by-ideal:checked').waitFor();
      await declinedWith(started(), session, 'bank_declined');
    });
  });

  it('redirects from the bank to the return URL', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ payment_method_types: ['ideal'], return_url: `${shopUrl}/thanks` });
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await payButton(page).click();
      await press(page, 'Authorise payment');
      await page.waitForURL(`${shopUrl}/thanks`);
      await paidOnce(started(), session);
    });
  });
});
