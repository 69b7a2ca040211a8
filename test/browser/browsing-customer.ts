// What customers do and see on the pages.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type Fields, fieldsOf, must } from '../support/api-client.ts';
import type { Checkout } from '../support/browser.ts';
import { until } from '../support/until.ts';

export interface CardDetails {
  readonly number: string;
  readonly expiry?: string;
  readonly cvc?: string;
  readonly name?: string;
}

export const goodCard = '4242424242424242';
export const declinedCard = '4000000000000002';
export const challengedCard = '4000000000003220';
export const slowCard = '4000000000000077';

export function payButton(page: Page): Locator {
  return page.locator('form button.primary');
}

/** Fills in each field at once, as a browser does with a saved card. */
export async function fillCard(page: Page, { number, expiry, cvc, name }: CardDetails): Promise<void> {
  await page.fill('#number', number);
  await page.fill('#expiry', expiry ?? '12 / 34');
  await page.fill('#cvc', cvc ?? (number.startsWith('37') ? '1234' : '123'));
  await page.fill('#name', name ?? 'Ann Example');
}

export async function payByCard(page: Page, url: unknown, number: string): Promise<void> {
  await page.goto(String(url));
  await fillCard(page, { number });
  await payButton(page).click();
}

export async function seesHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name }).waitFor();
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

export async function seesReceipt(page: Page): Promise<void> {
  await seesHeading(page, 'Payment successful');
}

/** The card fields that are still filled in when the form is shown again. */
export interface KeptFields {
  readonly number: string;
  readonly expiry: string;
}

const nothingKept: KeptFields = { number: '', expiry: '' };

/** For a 16-digit card, on a page that the customer has not left. */
export function keptCard(number: string): KeptFields {
  return { number: number.replace(/\d{4}(?=\d)/g, '$& '), expiry: '12 / 34' };
}

/** The form is shown again with the reason and the name, and never with the CVC. */
export async function seesDecline(page: Page, title: string, kept: KeptFields = nothingKept): Promise<void> {
  await page.getByRole('alert').getByRole('heading', { name: title, exact: true }).waitFor();
  const shown = Object.fromEntries(
    await Promise.all(['number', 'expiry', 'cvc', 'name'].map(async (id) => [id, await page.inputValue(`#${id}`)])),
  );
  assert.deepEqual(shown, { ...kept, cvc: '', name: 'Ann Example' });
}

export async function intentOf(checkout: Checkout, session: Fields): Promise<Fields> {
  return must(200, await checkout.merchant.test.get(`/payment-intents/${session.payment_intent}`));
}

/** Waits until the API reports this status; the outcome may still be pending. */
export async function hasStatus(checkout: Checkout, session: Fields, status: string): Promise<Fields> {
  let intent: Fields = {};
  await until(`the payment is ${status}`, async () => {
    intent = await intentOf(checkout, session);
    return intent.status === status;
  });
  return intent;
}

/** The card brand beside the number, as screen readers call it; null: none. The drawing must be that of the brand. */
export async function brandShown(page: Page): Promise<string | null> {
  const brand = page.locator('.brand');
  const isHidden = (await brand.getAttribute('aria-hidden')) === 'true';
  const drawing = await brand.locator('use').getAttribute('href');
  assert.equal(drawing === '#mark-card', isHidden);
  assert.equal(await page.locator(`symbol${drawing}`).count(), 1);
  return isHidden ? null : await brand.getAttribute('aria-label');
}

/** Paid in full, with exactly one event. */
export async function paidOnce(checkout: Checkout, session: Fields): Promise<void> {
  const intent = await hasStatus(checkout, session, 'succeeded');
  assert.equal(intent.amount_captured, intent.amount);
  const succeeded = (await checkout.merchant.events()).filter(
    ({ type, data }) => type === 'payment_intent.succeeded' && fieldsOf(data).id === session.payment_intent,
  );
  assert.equal(succeeded.length, 1, 'one payment_intent.succeeded event');
}

export async function declinedWith(checkout: Checkout, session: Fields, code: string): Promise<void> {
  const intent = await hasStatus(checkout, session, 'requires_payment_method');
  const error = fieldsOf(intent.last_payment_error);
  assert.equal(error.decline_code ?? error.code, code);
  assert.equal(intent.amount_captured, 0);
}
