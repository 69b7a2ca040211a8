// The embedded checkout in a real browser: a shop on one origin, Paydesk on another.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { fieldsOf, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { shortAcquirerTimeout } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import {
  challengedCard,
  declinedCard,
  declinedWith,
  goodCard,
  hasStatus,
  paidOnce,
  press,
  seesHeading,
  slowCard,
} from './browsing-customer.ts';
import {
  calledBack,
  embeddingShopForSuite,
  fillCardIn,
  frameAt,
  messagesAreSafe,
  payButtonIn,
  payIn,
  seenBy,
  seesHeadingIn,
} from './embedding-shop.ts';

const byCard = { ui_mode: 'embedded', payment_method_types: ['card'] };
/** The bank does not answer, and declines it later. */
const declinedLaterCard = '4000000000000010';

const vienna = {
  ...{ email: 'ada@example.com', phone: '+43 1 234567', full_name: 'Ada Lovelace', shipping_country: 'AT' },
  ...{ shipping_line1: 'Ring 1', shipping_postal_code: '1010', shipping_city: 'Wien' },
};

async function fillDetailsIn(frame: FrameLocator): Promise<void> {
  const { shipping_country, ...texts } = vienna;
  await frame.locator('#shipping_country').selectOption(shipping_country);
  for (const [field, text] of Object.entries(texts)) await frame.locator(`#${field}`).fill(text);
}

/** The form is shown again for this reason, with everything but the card. */
async function keepsDetails(frame: FrameLocator, reason: string): Promise<void> {
  const alert = frame.getByRole('alert');
  await alert.getByRole('heading', { name: reason, exact: true }).waitFor();
  const entered = async (field: string) => [field, await frame.locator(`#${field}`).inputValue()] as const;
  const expected = { ...vienna, name: 'Ann Example' };
  assert.deepEqual(Object.fromEntries(await Promise.all(Object.keys(expected).map(entered))), expected);
  await until('the reason has the focus', () => alert.evaluate((shown) => shown === document.activeElement));
}

describeOnEachEngine('The embedded checkout', (engine) => {
  const started = checkoutForSuite(engine);
  const { shop, atShop, embeds } = embeddingShopForSuite();

  for (const viewport of ['phone', 'desktop'] as const)
    it(`takes a payment by card on a ${viewport}, and tells the shop`, async () => {
      const { merchant, visit, paydesk } = started();
      const session = await merchant.newSession(byCard);
      await visit(atShop({ viewport }), async ({ page, context, requests }) => {
        await page.goto(embeds(started(), [session]));
        await calledBack(page, 'loaded0');
        await payIn(frameAt(page), goodCard);
        await seesHeadingIn(frameAt(page), 'Payment successful');
        assert.deepEqual(await calledBack(page, 'complete0'), { session: session.id, outcome: 'paid' });
        await paidOnce(started(), session);
        await messagesAreSafe(page, paydesk.url, [session]);
        assert.ok(!requests.some((url) => url.split('#')[0]?.includes(String(session.client_secret))));
        assert.deepEqual(await context.cookies(), []);
        assert.equal(page.url().startsWith(shop().url), true, 'the customer stays on the page of the shop');
      });
    });

  it('shows a decline in the frame, keeps what was typed, and takes another card', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession(byCard);
    await visit(atShop(), async ({ page }) => {
      await page.goto(embeds(started(), [session]));
      const frame = frameAt(page);
      await payIn(frame, declinedCard);
      await frame.getByRole('alert').getByRole('heading', { name: 'Your card was declined' }).waitFor();
      await declinedWith(started(), session, 'generic_decline');
      assert.equal(await frame.locator('#name').inputValue(), 'Ann Example');
      assert.equal(await frame.locator('#cvc').inputValue(), '');
      await payIn(frame, goodCard);
      await calledBack(page, 'complete0');
      await paidOnce(started(), session);
    });
  });

  it("keeps what was entered about the customer after a decline, also a country other than the browser's", async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession({ ...byCard, collect: ['email', 'phone', 'shipping_address'] });
    await visit(atShop({ language: 'de-DE' }), async ({ page }) => {
      await page.goto(embeds(started(), [session]));
      const frame = frameAt(page);
      await fillDetailsIn(frame);
      await payIn(frame, declinedCard);
      await keepsDetails(frame, 'Ihre Karte wurde abgelehnt');
      await payIn(frame, goodCard);
      await calledBack(page, 'complete0');
    });
    const { customer_details } = await hasStatus(started(), session, 'succeeded');
    assert.equal(fieldsOf(fieldsOf(customer_details).shipping_address).country, 'AT');
  });

  it('keeps it after 3DS has failed and after a decline that comes later, but nothing of the card', async (t) => {
    const checkout = await started().withOwnPaydesk(t, shortAcquirerTimeout);
    const session = await checkout.merchant.newSession({
      ...byCard,
      collect: ['email', 'phone', 'shipping_address'],
      locale: 'en-US',
    });
    await checkout.visit(atShop({ language: 'de-DE' }), async ({ page }) => {
      await page.goto(embeds(checkout, [session]));
      const frame = frameAt(page);
      const card = () => Promise.all(['number', 'expiry', 'cvc'].map((id) => frame.locator(`#${id}`).inputValue()));
      await fillDetailsIn(frame);
      await payIn(frame, challengedCard);
      await frame.frameLocator('dialog iframe').getByRole('button', { name: 'Fail authentication' }).click();
      await keepsDetails(frame, 'Your bank could not verify your identity');
      assert.deepEqual(await card(), ['', '', '']);
      await payIn(frame, declinedLaterCard);
      await seesHeadingIn(frame, 'Processing your payment');
      checkout.clock.skip(60_000);
      await keepsDetails(frame, 'Your card was declined');
      assert.deepEqual(await card(), ['', '', '']);
    });
  });

  it('opens 3DS in a dialog of the frame, and continues when it is passed', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession(byCard);
    await visit(atShop(), async ({ page }) => {
      await page.goto(embeds(started(), [session]));
      await payIn(frameAt(page), challengedCard);
      const dialog = frameAt(page).locator('dialog');
      const bank = frameAt(page).frameLocator('dialog iframe');
      await seesHeadingIn(bank, 'Confirm your identity');
      assert.equal(await dialog.evaluate((element) => element.matches(':modal')), true);
      await bank.getByRole('button', { name: 'Complete authentication' }).click();
      await seesHeadingIn(frameAt(page), 'Payment successful');
      assert.equal(await dialog.count(), 0);
      await calledBack(page, 'complete0');
      await paidOnce(started(), session);
    });
  });

  it('leaves the receipt alone once it is shown', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession(byCard);
    await visit(atShop(), async ({ page, requests }) => {
      await page.clock.install();
      await page.goto(embeds(started(), [session]));
      await payIn(frameAt(page), goodCard);
      await seesHeadingIn(frameAt(page), 'Payment successful');
      const heading = frameAt(page).getByRole('heading', { name: 'Payment successful' });
      await until('it has the focus', () => heading.evaluate((element) => element === document.activeElement));
      const before = requests.length;
      await page.clock.runFor(3_600_000);
      assert.deepEqual(requests.slice(before), []);
      assert.equal(await heading.evaluate((element) => element === document.activeElement), true);
    });
  });

  it('keeps room for the dialog, however long the customer takes', async () => {
    const { merchant, visit, paydesk } = started();
    const session = await merchant.newSession(byCard);
    await visit(atShop({ viewport: 'phone' }), async ({ page, requests }) => {
      await page.clock.install();
      await page.goto(embeds(started(), [session]));
      await payIn(frameAt(page), challengedCard);
      const bank = frameAt(page).frameLocator('dialog iframe');
      await seesHeadingIn(bank, 'Confirm your identity');
      await page.clock.runFor(35_000);
      await until('the frame has asked again', () =>
        requests.some((request) => request.startsWith(`GET ${paydesk.url}/embed/${session.id}/status`)),
      );
      // The page that it shows then is not requested before that.
      await until('it has the page', () => requests.filter((request) => request.endsWith('/page')).length === 2);
      await until('the dialog fits into the frame', async () => {
        const frame = await page.locator('#checkout0 iframe').boundingBox();
        const dialog = await frameAt(page).locator('dialog').boundingBox();
        return frame !== null && dialog !== null && dialog.y + dialog.height <= frame.y + frame.height;
      });
      await page.clock.runFor(1_000);
      assert.equal(await frameAt(page).locator('dialog').count(), 1);
      await bank.getByRole('button', { name: 'Complete authentication' }).click();
      await seesHeadingIn(frameAt(page), 'Payment successful');
    });
  });

  it('shows the form again when 3DS fails, and lets the customer close and reopen it', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession(byCard);
    await visit(atShop(), async ({ page }) => {
      await page.goto(embeds(started(), [session]));
      await payIn(frameAt(page), challengedCard);
      const bank = frameAt(page).frameLocator('dialog iframe');
      await seesHeadingIn(bank, 'Confirm your identity');
      await frameAt(page).locator('dialog:focus-within').waitFor();
      await page.keyboard.press('Escape');
      await frameAt(page).getByRole('link', { name: 'Continue' }).click();
      await seesHeadingIn(bank, 'Confirm your identity');
      const returned = page.waitForResponse(/\/returned$/);
      await frameAt(page).getByRole('button', { name: 'Close' }).click();
      await returned;
      await frameAt(page).getByRole('link', { name: 'Continue' }).press('Enter');
      await bank.getByRole('button', { name: 'Fail authentication' }).click();
      await seesHeadingIn(frameAt(page), 'Your bank could not verify your identity');
      await declinedWith(started(), session, 'authentication_failed');
      await payIn(frameAt(page), goodCard);
      await paidOnce(started(), session);
    });
  });

  it('waits for a payment that is being processed', async (t) => {
    const checkout = await started().withOwnPaydesk(t);
    const session = await checkout.merchant.newSession(byCard);
    await checkout.visit(atShop(), async ({ page }) => {
      await page.goto(embeds(checkout, [session]));
      await payIn(frameAt(page), slowCard);
      await seesHeadingIn(frameAt(page), 'Processing your payment');
      assert.deepEqual(
        (await seenBy(page)).calls.map(([name]) => name),
        ['loaded0'],
      );
      checkout.clock.skip(10_000);
      await seesHeadingIn(frameAt(page), 'Payment successful');
      await calledBack(page, 'complete0');
      await frameAt(page).locator('h1:focus').waitFor();
    });
  });

  it('sends the whole page to a bank, which comes back to the return URL, where it is embedded again', async () => {
    const { merchant, visit, paydesk } = started();
    const path = shop().pageFor(paydesk.url, []);
    const back = `${shop().url}${path}?back`;
    const session = await merchant.newSession({
      ui_mode: 'embedded',
      payment_method_types: ['card', 'ideal'],
      return_url: back,
    });
    for (const [button, outcome] of [
      ['Decline payment', 'The payment was not authorised'],
      ['Authorise payment', 'Payment successful'],
    ] as const)
      await visit(atShop(), async ({ page }) => {
        await page.goto(embeds(started(), [session]));
        await frameAt(page).getByLabel('iDEAL', { exact: true }).check();
        await payButtonIn(frameAt(page)).click();
        await seesHeading(page, 'iDEAL test bank');
        await press(page, button);
        await page.waitForURL(back);
        await page.goto(embeds(started(), [session]));
        await seesHeadingIn(frameAt(page), outcome);
      });
    await paidOnce(started(), session);
  });

  it('tells the shop that the session has expired, while it is open and when it is opened later', async (t) => {
    const checkout = await started().withOwnPaydesk(t);
    const session = await checkout.merchant.newSession({ ...byCard, expires_in: 300 });
    await checkout.visit(atShop(), async ({ page }) => {
      await page.clock.install();
      await page.goto(embeds(checkout, [session]));
      await fillCardIn(frameAt(page), goodCard);
      checkout.clock.skip(301_000);
      await page.clock.runFor(303_000);
      await seesHeadingIn(frameAt(page), 'This payment page has expired');
      assert.deepEqual(await calledBack(page, 'expired0'), { session: session.id });
    });
    await hasStatus(checkout, session, 'expired');
    await checkout.visit(atShop(), async ({ page }) => {
      await page.goto(embeds(checkout, [session]));
      await calledBack(page, 'expired0');
    });
  });

  it('says that the connection failed, and takes the same card again', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession(byCard);
    await visit(atShop({ expectedMessages: /ERR_CONNECTION_FAILED/ }), async ({ page }) => {
      await page.clock.install();
      await page.goto(embeds(started(), [session]));
      const frame = frameAt(page);
      await page.route(/\/embed\/[^/]+\/pay$/, (route) => route.abort('connectionfailed'), { times: 1 });
      await payIn(frame, goodCard);
      await frame.getByRole('alert').getByText('We are checking whether your payment went through.').waitFor();
      await until('the form can be sent again', async () => {
        await page.clock.runFor(1_000);
        return !(await payButtonIn(frame).isDisabled());
      });
      assert.match(await frame.getByRole('alert').innerText(), /^The connection failed\s+You have not been charged/);
      await payButtonIn(frame).click();
      await seesHeadingIn(frame, 'Payment successful');
      await paidOnce(started(), session);
    });
  });

  it('tells the shop that the page could not be shown', async () => {
    const { merchant, visit } = started();
    const session = await merchant.newSession(byCard);
    await visit(atShop({ expectedStatus: 503, expectedMessages: /^Paydesk: / }), async ({ page }) => {
      await page.route(/\/embed\/[^/]+\/page$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, status: 503, headers: { ...response.headers(), 'paydesk-state': 'fault' } });
      });
      await page.goto(embeds(started(), [session]));
      const told = await calledBack(page, 'error0');
      assert.equal((told as { code: string }).code, 'internal_error');
    });
  });

  it('keeps two frames on one page apart', async () => {
    const { merchant, visit, paydesk } = started();
    const sessions = [await merchant.newSession(byCard), await merchant.newSession(byCard)];
    await visit(atShop(), async ({ page }) => {
      await page.goto(embeds(started(), sessions));
      await payIn(frameAt(page, 1), goodCard);
      assert.deepEqual(await calledBack(page, 'complete1'), { session: sessions[1]?.id, outcome: 'paid' });
      await frameAt(page, 0).locator('#number').waitFor();
      assert.deepEqual((await seenBy(page)).calls.map(([name]) => name).sort(), ['complete1', 'loaded0', 'loaded1']);
      await payIn(frameAt(page, 0), declinedCard);
      await frameAt(page, 0).getByRole('alert').first().waitFor();
      await seesHeadingIn(frameAt(page, 1), 'Payment successful');
      await messagesAreSafe(page, paydesk.url, sessions);
    });
  });

  it('tells the shop about a wrong secret and a hosted session, and shows nothing of them', async () => {
    const { merchant, visit } = started();
    const hosted = await merchant.newSession({});
    const other = await merchant.newSession(byCard);
    const secret = String(other.client_secret);
    const wrong = { ...other, client_secret: `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}` };
    for (const [session, code, status] of [
      [wrong, 'client_secret_invalid', 401],
      [hosted, 'checkout_session_not_found', 404],
    ] as const)
      await visit(atShop({ expectedStatus: status, expectedMessages: /^Paydesk: / }), async ({ page }) => {
        await page.goto(embeds(started(), [session]));
        const error = (await calledBack(page, 'error0')) as { code: string };
        assert.equal(error.code, code);
        await frameAt(page).getByText('The payment form could not be loaded.').waitFor();
        assert.ok(!(await frameAt(page).locator('body').innerText()).includes('12.50'));
      });
    must(200, await merchant.test.get(`/checkout-sessions/${hosted.id}`));
  });
});
