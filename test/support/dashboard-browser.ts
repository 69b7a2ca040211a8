// The dashboard in a real browser: staff who are signed in, and payments for them to look at.

import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { newSession } from '../../src/domain/dashboard-session.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { hashPassword } from '../../src/domain/password-hash.ts';
import { newMembership, newUser, type User } from '../../src/domain/user.ts';
import type { Role } from '../../src/domain/user-role.ts';
import { type Fields, must } from './api-client.ts';
import type { Checkout, Visit, VisitOptions } from './browser.ts';
import { mustCommit } from './committing.ts';
import { customerAt } from './customer.ts';
import type { TestMerchant } from './paydesk.ts';

export const password = 'correct horse battery staple';
/** Takes a third of a second, so it is shared. */
const passwordHash = hashPassword(password, randomBytes);

let made = 0;

/** A user with that role at the merchants, who signs in with `password`. */
export async function newStaff(
  { paydesk, merchant, clock }: Checkout,
  role: Role = 'owner',
  merchants: readonly Pick<TestMerchant, 'merchant'>[] = [merchant],
): Promise<User> {
  const moment = momentAt(clock.now(), randomBytes);
  made += 1;
  const user: User = {
    ...newUser(`staff${made}@shop.example`, `Staff ${made}`, moment),
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
  { paydesk, merchant, clock }: Checkout,
  user: User,
  { passwordAgeMs = 0 }: { readonly passwordAgeMs?: number } = {},
): Promise<void> {
  const moment = momentAt(clock.now(), randomBytes);
  const scope = { merchantId: merchant.merchant.id, livemode: false };
  const { session, token } = newSession(user, scope, { ip: '127.0.0.1', userAgent: 'test' }, moment, randomBytes);
  await mustCommit(paydesk.store, { dashboardSessions: [{ ...session, passwordAt: moment.now - passwordAgeMs }] });
  await context.addCookies([
    { name: 'paydesk_session', value: token, url: paydesk.url, sameSite: 'Strict', httpOnly: true },
  ]);
}

/** Opens a page of the dashboard as a signed-in user, and asserts that nothing goes wrong in it. */
export function visitAs<Result>(
  checkout: Checkout,
  user: User,
  path: string,
  work: (visit: Visit) => Promise<Result>,
  options: VisitOptions = {},
): Promise<Result> {
  return checkout.visit(options, async (visit) => {
    await signInBrowser(visit.context, checkout, user);
    await visit.page.goto(`${checkout.paydesk.url}/dashboard${path}`);
    return work(visit);
  });
}

export async function signInByForm(page: Page, email: string, given: string = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(given);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A session that was paid by card; returns its payment intent. */
export async function paidByCard(checkout: Checkout, fields: Fields = {}, card = '4242424242424242'): Promise<Fields> {
  const { merchant, paydesk } = checkout;
  const session = await merchant.newSession(fields);
  await customerAt(paydesk.url).payByCard(session.id, card);
  return must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`));
}
