// A merchant's staff in a browser: signed in, on pages of the dashboard, with payments to look at.

import { randomBytes } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { newSession } from '../../src/domain/dashboard-session.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { hashPassword } from '../../src/domain/password-hash.ts';
import { newMembership, newUser, type User } from '../../src/domain/user.ts';
import type { Role } from '../../src/domain/user-role.ts';
import { type Fields, must } from '../support/api-client.ts';
import type { Checkout, Visit, VisitOptions } from '../support/browser.ts';
import { mustCommit } from '../support/committing.ts';
import { customerAt } from '../support/customer.ts';
import { lowPasswordCost } from '../support/password-cost.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

export const password = 'correct horse battery staple';
const passwordHash = hashPassword(password, randomBytes, lowPasswordCost);

let made = 0;

type Shop = Pick<TestMerchant, 'merchant'>;

/** A user with that role at the merchants, who signs in with `password`. */
export async function newStaff(
  { paydesk, merchant, clock }: Checkout,
  role: Role = 'owner',
  merchants: readonly Shop[] = [merchant],
): Promise<User> {
  const moment = momentAt(clock.now(), randomBytes);
  made += 1;
  const user: User = {
    ...newUser(`staff${made}@staff.example`, `Staff ${made}`, moment),
    passwordHash: await passwordHash,
  };
  const memberships = merchants.map((one) =>
    newMembership({ merchantId: one.merchant.id, userId: user.id, role }, null, moment),
  );
  await mustCommit(paydesk.store, { users: [user], memberships });
  return user;
}

/** Gives the browser a session of that user. `passwordAgeMs`: how long ago the password was entered. */
export async function signInBrowser(
  context: BrowserContext,
  { paydesk, clock }: Checkout,
  user: User,
  { merchant }: Shop,
  passwordAgeMs = 0,
): Promise<void> {
  const moment = momentAt(clock.now(), randomBytes);
  const scope = { merchantId: merchant.id, livemode: false };
  const { session, token } = newSession(user, scope, { ip: '127.0.0.1', userAgent: 'test' }, moment, randomBytes);
  await mustCommit(paydesk.store, { dashboardSessions: [{ ...session, passwordAt: moment.now - passwordAgeMs }] });
  // Paydesk is at an http address here, where the name has no prefix.
  await context.addCookies([
    { name: 'paydesk_session', value: token, url: paydesk.url, sameSite: 'Strict', httpOnly: true },
  ]);
}

export interface StaffOptions extends VisitOptions {
  /** Of a new user; owner unless given. */
  readonly role?: Role;
  /** Instead of a new one. */
  readonly user?: User;
  readonly passwordAgeMs?: number;
}

export interface StaffVisit extends Visit {
  /** Opens a page by its path below `/dashboard`. */
  open(path: string): Promise<void>;
}

/** Signs somebody in who works for that merchant, in a new context, and asserts that nothing goes wrong in it. */
export async function visitAs<Result>(
  checkout: Checkout,
  shop: Shop,
  options: StaffOptions,
  work: (visit: StaffVisit) => Promise<Result>,
): Promise<Result> {
  const user = options.user ?? (await newStaff(checkout, options.role, [shop]));
  return checkout.visit(options, async (visit) => {
    await signInBrowser(visit.context, checkout, user, shop, options.passwordAgeMs);
    return work({ ...visit, open: (path) => open(visit.page, `${checkout.paydesk.url}/dashboard${path}`) });
  });
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('main').waitFor();
}

export async function signInByForm(page: Page, email: string, given: string = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(given);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a dialog with the button, types into its first field, and closes what says that it was created. */
export async function createByKeyboard(
  page: Page,
  { button, field, text, created }: Readonly<Record<'button' | 'field' | 'text' | 'created', string>>,
): Promise<void> {
  await page.getByRole('button', { name: button }).press('Enter');
  await page.locator(`input[name=${field}]:focus`).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: created }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The focus returns to where it was.
  await page.locator('button:focus', { hasText: button }).waitFor();
}

/** A session that was paid by card; returns its payment intent. */
export async function paidByCard(
  { paydesk, merchant }: Pick<Checkout, 'paydesk' | 'merchant'>,
  fields: Fields = {},
  card = '4242424242424242',
): Promise<Fields> {
  const session = await merchant.newSession(fields);
  await customerAt(paydesk.url).payByCard(session.id, card);
  return must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`));
}

/** Elements that make the page wider than the window. */
export async function overflowing(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 120));
  })()`)) as string[];
}

/** The rows of a table, without its head. */
export function rowsOf(page: Page, label: string): Locator {
  return page.getByRole('table', { name: label }).locator('tbody tr');
}

/** Waits until a picture is drawn. */
export async function isLoaded(picture: Locator): Promise<void> {
  await until('the picture is loaded', async () =>
    picture.evaluate((element) => (element as unknown as { readonly naturalWidth: number }).naturalWidth > 0),
  );
}

/** Makes the dashboard's calls below a path fail, until the returned function is called. */
export async function failingCalls(page: Page, path: string): Promise<() => Promise<void>> {
  const calls = (url: URL): boolean => url.pathname.startsWith(`/dashboard/api${path}`);
  const error = { type: 'api_error', code: 'internal_error', message: 'Something went wrong.' };
  await page.route(calls, (route) => route.fulfill({ status: 500, json: { error } }));
  return () => page.unroute(calls);
}
