// Each card of the sandbox, from the pay page to the end that its customer sees.

import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import {
  challengedCard,
  declinedWith,
  fillCard,
  goodCard,
  paidOnce,
  payButton,
  payByCard,
  press,
  seesDecline,
  seesReceipt,
  stillThere,
} from './browsing-customer.ts';

const declines: readonly (readonly [number: string, code: string, title: string])[] = [
  ['4000000000000002', 'generic_decline', 'Your card was declined'],
  ['4000000000009995', 'insufficient_funds', 'Your card has insufficient funds'],
  ['4000000000009987', 'lost_card', 'Your card was declined'],
  ['4000000000009979', 'stolen_card', 'Your card was declined'],
  ['4000000000000069', 'expired_card', 'Your card has expired'],
  ['4000000000000127', 'incorrect_cvc', 'Your security code is incorrect'],
  ['4000000000000119', 'processing_error', 'The payment could not be processed'],
];

const successes: readonly (readonly [number: string, receipt: string])[] = [
  [goodCard, 'Visa •••• 4242'],
  ['5555555555554444', 'Mastercard •••• 4444'],
  ['378282246310005', 'American Express •••• 0005'],
  ['6011111111111117', 'Discover •••• 1117'],
  ['4000000000003055', 'Visa •••• 3055'],
];

describe('each card of the sandbox, in a browser', { concurrency: 4 }, () => {
  const started = checkoutForSuite(sqlite);

  for (const [number, receipt] of successes) {
    it(`${number} pays, and the receipt names it`, async () => {
      const { merchant, visit } = started();
      const session = await merchant.newSession();
      await visit({}, async ({ page }) => {
        await payByCard(page, session.url, number);
        await seesReceipt(page);
        await page.getByText(receipt, { exact: true }).waitFor();
        await page.getByText(String(session.payment_intent)).waitFor();
        await paidOnce(started(), session);
      });
    });
  }

  for (const [number, code, title] of declines) {
    it(`${number} is declined, and the customer reads why: ${code}`, async () => {
      const { merchant, visit } = started();
      const session = await merchant.newSession();
      await visit({}, async ({ page }) => {
        await payByCard(page, session.url, number);
        const isUseless = code === 'lost_card' || code === 'stolen_card';
        await seesDecline(page, title, isUseless ? undefined : stillThere(number));
        await declinedWith(started(), session, code);
      });
    });
  }

  it('a declined customer pays with another card on the same page', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, '4000000000000002');
      await seesDecline(page, 'Your card was declined', stillThere('4000000000000002'));
      await fillCard(page, { number: goodCard });
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('a challenge that is passed and then declined says so on the form', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, '4000008400001629');
      await press(page, 'Complete authentication');
      await seesDecline(page, 'Your card was declined');
      await declinedWith(started(), session, 'generic_decline');
    });
  });

  it('a challenge that is failed says that the bank could not confirm it', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Fail authentication');
      await seesDecline(page, 'Your bank could not verify your identity');
      await declinedWith(started(), session, 'authentication_failed');
    });
  });

  it('leads straight from the card to the return address', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks?of={CHECKOUT_SESSION_ID}` });
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, goodCard);
      await page.waitForURL(`${shopUrl}/thanks?of=${session.id}`);
      await paidOnce(started(), session);
    });
  });

  it('leads through the challenge to the return address', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks` });
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Complete authentication');
      await page.waitForURL(`${shopUrl}/thanks`);
      await paidOnce(started(), session);
    });
  });
});
