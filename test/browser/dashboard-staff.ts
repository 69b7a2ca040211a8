// A merchant's staff in a browser: signed in, on pages of the dashboard.

import type { Locator, Page } from 'playwright-core';
import type { Role } from '../../src/domain/user-role.ts';
import type { Checkout, Visit, VisitOptions } from '../support/browser.ts';
import { signIn } from '../support/dashboard.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

export interface StaffVisit extends Visit {
  /** Opens a page by its path below `/dashboard`. */
  open(path: string): Promise<void>;
}

/** Signs a new user in, and opens a page in a new context. */
export async function visitAs<Result>(
  { paydesk, clock, visit }: Checkout,
  shop: TestMerchant,
  options: VisitOptions & { readonly role?: Role },
  work: (visit: StaffVisit) => Promise<Result>,
): Promise<Result> {
  const running = { ...paydesk.clock, now: () => clock.now() };
  const { cookie } = await signIn({ ...paydesk, clock: running }, shop, options.role ?? 'owner');
  // Paydesk is at an http address here, where the name has no prefix.
  const value = cookie.slice(cookie.indexOf('=') + 1);
  return visit(options, async (opened) => {
    await opened.context.addCookies([
      { name: 'paydesk_session', value, url: paydesk.url, sameSite: 'Strict', httpOnly: true },
    ]);
    return work({ ...opened, open: (path) => open(opened.page, `${paydesk.url}/dashboard${path}`) });
  });
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('main').waitFor();
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
