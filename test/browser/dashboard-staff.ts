// A merchant's staff in a browser: signed in, on pages of the dashboard.

import type { Page } from 'playwright-core';
import type { Role } from '../../src/domain/user-role.ts';
import type { Checkout, Visit, VisitOptions } from '../support/browser.ts';
import { signIn } from '../support/dashboard.ts';
import type { TestMerchant } from '../support/paydesk.ts';

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
