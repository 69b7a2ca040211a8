// The main payment flows again on PostgreSQL: by card, with a challenge, at a bank.

import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { postgres } from '../support/engines.ts';
import { challengedCard, goodCard, paidOnce, payButton, payByCard, press, seesReceipt } from './browsing-customer.ts';

describe('paying in a browser, on PostgreSQL', { concurrency: 3 }, () => {
  const started = checkoutForSuite(postgres);

  it('redirects from the card form straight to the return URL', async () => {
    const { merchant, visit, shopUrl } = started();
    const session = await merchant.newSession({ return_url: `${shopUrl}/thanks?of={CHECKOUT_SESSION_ID}` });
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, goodCard);
      await page.waitForURL(`${shopUrl}/thanks?of=${session.id}`);
      await paidOnce(started(), session);
    });
  });

  it('redirects through the challenge to the receipt', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession();
    await visit({}, async ({ page }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Complete authentication');
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });

  it('redirects from the bank to the receipt', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ payment_method_types: ['ideal'] });
    await visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await payButton(page).click();
      await press(page, 'Authorise payment');
      await seesReceipt(page);
      await paidOnce(started(), session);
    });
  });
});
