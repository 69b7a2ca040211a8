// Paying with JavaScript disabled: forms, responses and redirects are plain HTML.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import {
  challengedCard,
  declinedCard,
  declinedWith,
  fillCard,
  goodCard,
  paidOnce,
  payButton,
  payByCard,
  press,
  seesDecline,
  seesHeading,
  seesReceipt,
} from './browsing-customer.ts';

describe('paying without JavaScript', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);
  const plain = { javaScript: false } as const;

  it('charges the card and redirects to the return URL', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
    await visit(plain, async ({ page }) => {
      await payByCard(page, session.url, goodCard);
      await page.waitForURL(`${shopUrl}/thanks`);
      await paidOnce(started(), session);
    });
  });

  it('accepts a card that is pasted with dashes and a year of four digits', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit(plain, async ({ page }) => {
      await page.goto(String(session.url));
      for (const [field, pasted] of [
        ['#number', '4242 – 4242 – 4242 – 4242'],
        ['#expiry', '12 / 2034'],
        ['#cvc', ' 123 '],
      ] as const) {
        await page.focus(field);
        // Unlike `fill`, this respects `maxlength`, as pasting does.
        await page.keyboard.insertText(pasted);
      }
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('shows the form with the reason after a decline, and accepts another card', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({ ...plain, viewport: 'phone' }, async ({ page }) => {
      await payByCard(page, session.url, declinedCard);
      await seesDecline(page, 'Your card was declined');
      await declinedWith(started(), session, 'generic_decline');
      await fillCard(page, { number: goodCard });
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('shows the receipt after a passed challenge', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit(plain, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Complete authentication');
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('shows the form again after a failed challenge', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit(plain, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Fail authentication');
      await seesDecline(page, 'Your bank could not verify your identity');
      await declinedWith(started(), session, 'authentication_failed');
    });
  });

  it('offers a local method beside the card, authorised at the bank', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal', 'sepa_debit'] });
    await visit({ ...plain, viewport: 'phone' }, async ({ page }) => {
      await page.goto(String(session.url));
      await page.getByLabel('iDEAL', { exact: true }).check();
      await page.getByText('You will be redirected to iDEAL').waitFor();
      assert.equal(await page.locator('#number').isVisible(), false, 'the card fields are hidden');
      await payButton(page).click();
      await seesHeading(page, 'iDEAL test bank');
      await press(page, 'Authorise payment');
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('shows each error at its field, and focuses the first invalid field', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit(plain, async ({ page }) => {
      await page.goto(String(session.url));
      await fillCard(page, { number: goodCard, expiry: '01 / 20', cvc: '12' });
      await payButton(page).click();
      await seesHeading(page, 'Please check your details');
      assert.equal(await page.textContent('#expiry-error'), 'This card has expired. Please use another card.');
      assert.equal(await page.textContent('#cvc-error'), 'Your security code is incomplete.');
      assert.match((await page.getAttribute('#expiry', 'aria-describedby')) ?? '', /\bexpiry-error\b/);
      await page.locator('#expiry:focus').waitFor();
      assert.equal(await page.inputValue('#number'), '', 'no card data is sent back');
    });
  });
});
