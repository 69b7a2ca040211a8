// Each sandbox card, from the pay page to the outcome that the customer sees.

import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import {
  challengedCard,
  declinedWith,
  fillCard,
  goodCard,
  keptCard,
  paidOnce,
  payButton,
  payByCard,
  press,
  seesDecline,
  seesReceipt,
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

describe('each sandbox card, in a browser', { concurrency: 4 }, () => {
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
    it(`${number} is declined, and the customer sees the reason: ${code}`, async () => {
      const { merchant, visit } = started();
      const session = await merchant.newSession();
      await visit({}, async ({ page }) => {
        await payByCard(page, session.url, number);
        const mustReplaceCard = code === 'lost_card' || code === 'stolen_card';
        await seesDecline(page, title, mustReplaceCard ? undefined : keptCard(number));
        await declinedWith(started(), session, code);
      });
    });
  }

  it('lets a customer pay with another card on the same page after a decline', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, '4000000000000002');
      await seesDecline(page, 'Your card was declined', keptCard('4000000000000002'));
      await fillCard(page, { number: goodCard });
      await payButton(page).click();
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('shows the form with the reason if the card is declined after a passed challenge', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, '4000008400001629');
      await press(page, 'Complete authentication');
      await seesDecline(page, 'Your card was declined');
      await declinedWith(started(), session, 'generic_decline');
    });
  });

  it('says that the bank could not verify the customer after a failed challenge', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Fail authentication');
      await seesDecline(page, 'Your bank could not verify your identity');
      await declinedWith(started(), session, 'authentication_failed');
    });
  });

  it('redirects from the card form straight to the return URL', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks?of={CHECKOUT_SESSION_ID}` });
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, goodCard);
      await page.waitForURL(`${shopUrl}/thanks?of=${session.id}`);
      await paidOnce(started(), session);
    });
  });

  it('redirects through the challenge to the return URL', async () => {
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
