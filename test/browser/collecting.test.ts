// Customers are asked for what the merchant wants to know: with and without JavaScript, with the keyboard, on a phone.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Fields, fieldsOf } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { axe, violationsOn } from './axe.ts';
import {
  declinedCard,
  fillCard,
  goodCard,
  hasStatus,
  intentOf,
  payButton,
  press,
  seesHeading,
  seesReceipt,
} from './browsing-customer.ts';

const everything = ['email', 'phone', 'billing_address', 'shipping_address'];
const paris = { line1: '12 Rue Cler', line2: null, city: 'Paris', postal_code: '75007', state: null, country: 'FR' };

async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Phone').fill('+33 6 12 34 56 78');
  const shipping = page.getByRole('group', { name: 'Shipping address' });
  await shipping.getByLabel('Full name').fill('Ada Lovelace');
  await shipping.getByLabel('Country or region').selectOption({ label: 'France' });
  await shipping.getByLabel('Address', { exact: true }).fill('12 Rue Cler');
  await shipping.getByLabel('Postal code').fill('75007');
  await shipping.getByLabel('City').fill('Paris');
}

const errorOf = (page: Page, field: string): Promise<string | null> => page.textContent(`#${field}-error`);
const focusedOn = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.id');

describeOnEachEngine('customer details in a browser', (engine) => {
  const started = checkoutForSuite(engine);
  const newSession = (fields: Fields = {}): Promise<Fields> =>
    started().merchant.newSession({ collect: everything, payment_method_types: ['card', 'ideal'], ...fields });

  for (const javaScript of [true, false]) {
    it(`are entered once and stored with the payment, ${javaScript ? 'with' : 'without'} JavaScript`, async () => {
      const session = await newSession();
      await started().visit({ javaScript, viewport: 'phone' }, async ({ page }) => {
        await page.goto(String(session.url));
        await fillDetails(page);
        assert.equal(await page.getByRole('group', { name: 'Billing address' }).getByLabel('City').isVisible(), false);
        await fillCard(page, { number: declinedCard });
        await payButton(page).click();
        await page.getByText('Your card was declined').waitFor();
        assert.equal(await page.inputValue('#email'), 'ada@example.com');
        assert.equal(await page.inputValue('#shipping_country'), 'FR');
        await fillCard(page, { number: goodCard });
        await payButton(page).click();
        await seesReceipt(page);
      });
      const intent = await hasStatus(started(), session, 'succeeded');
      assert.deepEqual(intent.customer_details, {
        ...{ email: 'ada@example.com', phone: '+33612345678', name: 'Ada Lovelace' },
        ...{ billing_address: paris, shipping_address: paris },
      });
    });
  }

  it('that are missing are named beside their fields before anything is sent', async () => {
    const session = await newSession();
    await started().visit({ language: 'de-AT' }, async ({ page, requests }) => {
      await page.goto(String(session.url));
      assert.equal(await page.inputValue('#shipping_country'), 'AT', 'the country of the browser is chosen');
      await payButton(page).click();
      assert.equal(await focusedOn(page), 'email');
      assert.equal(await errorOf(page, 'email'), 'Bitte geben Sie Ihre E-Mail-Adresse ein.');
      assert.equal(await errorOf(page, 'shipping_line1'), 'Bitte füllen Sie dieses Feld aus.');
      assert.equal(await errorOf(page, 'billing_line1'), '', 'it is the same as the other address');
      assert.equal(await errorOf(page, 'number'), 'Bitte geben Sie Ihre Kartennummer ein.');
      await page.fill('#email', 'ada@example.com');
      assert.equal(await errorOf(page, 'email'), '');
      assert.ok(!requests.some((request) => request.startsWith('POST')));
    });
  });

  for (const javaScript of [true, false]) {
    it(`that the server refuses are corrected in place, ${javaScript ? 'with' : 'without'} JavaScript`, async () => {
      const session = await newSession();
      await started().visit({ javaScript }, async ({ page }) => {
        await page.goto(String(session.url));
        await fillDetails(page);
        await page.fill('#phone', 'none');
        await page.fill('#shipping_postal_code', '');
        await page.check('#by-ideal');
        await payButton(page).click();
        await page.getByText('Please correct the fields marked below.').waitFor();
        assert.equal(await focusedOn(page), 'phone');
        assert.match((await errorOf(page, 'phone')) ?? '', /country code/);
        assert.equal(await errorOf(page, 'shipping_postal_code'), 'Please fill in this field.');
        assert.equal(await page.inputValue('#shipping_city'), 'Paris');
        await page.fill('#phone', '06 12 34 56 78');
        await page.fill('#shipping_postal_code', '75007');
        await payButton(page).click();
        await press(page, 'Authorise payment');
        await seesReceipt(page);
      });
      const details = fieldsOf((await intentOf(started(), session)).customer_details);
      assert.deepEqual([details.phone, details.shipping_address], ['0612345678', paris]);
    });
  }

  it('are kept in the page after a decline, even if they are too long for the cookie', async () => {
    const session = await newSession({ collect: ['shipping_address', 'billing_address'], locale: 'en-US' });
    await started().visit({ language: 'de-DE' }, async ({ page }) => {
      await page.goto(String(session.url));
      await page.uncheck('#same_address');
      await page.fill('#full_name', 'あ'.repeat(150));
      for (const [kind, country] of [
        ['shipping', 'AT'],
        ['billing', 'FR'],
      ] as const) {
        await page.selectOption(`#${kind}_country`, country);
        for (const part of ['line1', 'line2']) await page.fill(`#${kind}_${part}`, 'あ'.repeat(150));
        for (const part of ['city', 'state']) await page.fill(`#${kind}_${part}`, 'あ'.repeat(100));
        await page.fill(`#${kind}_postal_code`, '1010');
      }
      await fillCard(page, { number: declinedCard });
      await payButton(page).click();
      await page.getByText('Your card was declined').waitFor();
      assert.equal(await page.inputValue('#shipping_country'), 'AT');
      assert.equal(await page.inputValue('#billing_country'), 'FR');
      assert.equal(await page.inputValue('#billing_city'), 'あ'.repeat(100));
    });
  });

  it('can have another billing address, with the keyboard alone', async () => {
    const session = await newSession({ collect: ['shipping_address', 'billing_address'] });
    await started().visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await page.focus('#full_name');
      const typeAndTab = async (...texts: string[]): Promise<void> => {
        for (const text of texts) {
          await page.keyboard.type(text);
          await page.keyboard.press('Tab');
        }
      };
      await typeAndTab('Ada Lovelace', 'Fra', '12 Rue Cler', '', '75007', 'Paris', '');
      assert.equal(await focusedOn(page), 'same_address');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await typeAndTab('United States', '1 Main St', '', '62701', 'Springfield');
      assert.equal(await focusedOn(page), 'billing_state');
      assert.equal(await page.locator('#billing_state-optional').isVisible(), false, 'a state is needed there');
      assert.equal(await page.locator('#shipping_state-optional').isVisible(), true);
      await page.keyboard.type('IL');
      await fillCard(page, { number: goodCard });
      await page.keyboard.press('Enter');
      await seesReceipt(page);
    });
    const details = fieldsOf((await intentOf(started(), session)).customer_details);
    assert.deepEqual(details.shipping_address, paris);
    assert.deepEqual(
      [fieldsOf(details.billing_address).country, fieldsOf(details.billing_address).state],
      ['US', 'IL'],
    );
  });

  it('fit into 320 pixels, in both directions of writing, and axe-core finds nothing', async () => {
    const session = await newSession();
    for (const [language, colorScheme] of [
      ['en', 'light'],
      ['ar', 'dark'],
    ] as const) {
      await started().visit({ language, colorScheme }, async ({ page }) => {
        await page.setViewportSize({ width: 320, height: 700 });
        await page.goto(String(session.url));
        await page.uncheck('#same_address');
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
        await payButton(page).click();
        assert.equal(await focusedOn(page), 'email');
        await page.evaluate(axe);
        assert.deepEqual(await violationsOn(page, colorScheme), []);
      });
    }
  });

  it('are asked for on the page of a payment link that wants them', async () => {
    const { merchant, visit } = started();
    const { body: link } = await merchant.test.post('/payment-links', {
      amount: 500,
      currency: 'EUR',
      collect: ['email'],
    });
    await visit({ javaScript: false }, async ({ page }) => {
      await page.goto(String(link.url));
      await press(page, 'Continue to payment');
      await page.getByLabel('Email').fill('ada@example.com');
      await page.check('#by-ideal');
      await payButton(page).click();
      await press(page, 'Authorise payment');
      await seesHeading(page, 'Payment successful');
    });
  });
});
