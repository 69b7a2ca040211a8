// Several merchants of one user in the dashboard: switching between them, and being removed from one while it is open.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { momentAt } from '../../src/domain/moment.ts';
import type { User } from '../../src/domain/user.ts';
import { removeMember } from '../../src/usecases/change-team.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { mustCommit } from '../support/committing.ts';
import { sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { seesHeading } from './browsing-customer.ts';
import { newStaff, visitAs } from './dashboard-staff.ts';

describe('Several merchants in the dashboard', () => {
  const started = checkoutForSuite(sqlite);

  async function newShop(name: string, requiresSecondFactor = false): Promise<TestMerchant> {
    const { paydesk } = started();
    const shop = await paydesk.newMerchant();
    const merchant = await paydesk.store.findBy('merchants', 'id', shop.merchant.id);
    assert.ok(merchant);
    await mustCommit(paydesk.store, { merchants: [{ ...merchant, name, requiresSecondFactor }] });
    return shop;
  }

  /** As an owner does on the page Team. */
  async function removeFrom({ merchant }: TestMerchant, user: User): Promise<void> {
    const { paydesk, clock } = started();
    const deps = { store: paydesk.store, moment: () => momentAt(clock.now(), randomBytes), random: randomBytes };
    const actor = { merchantId: merchant.id, userId: 'usr_owner' };
    assert.equal(await removeMember(deps, actor, user.id), null);
  }

  /** So that the page makes no calls by itself. */
  const withoutLiveUpdates = (page: Page) => page.route(/\/dashboard\/api\/updates/, () => {});
  const switcherOf = (page: Page, name: string) =>
    page.getByRole('button', { name: `Merchant: ${name}. Switch merchant` });
  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

  it('can be switched to one that requires a second factor, and back', async () => {
    const [alpha, beta] = [await newShop('Alpha'), await newShop('Beta', true)];
    const user = await newStaff(started(), 'owner', [alpha, beta]);
    await visitAs(started(), alpha, { user, expectedStatus: 403 }, async ({ page, open }) => {
      const required = page.getByText('This merchant requires two-step verification.');
      await open('/payments');
      await seesHeading(page, 'No payments yet');
      await switcherOf(page, 'Alpha').click();
      await page.getByRole('menuitemradio', { name: 'Beta' }).click();
      await switcherOf(page, 'Beta').waitFor();
      await page.waitForURL(/\/dashboard\/account$/);
      await required.waitFor();
      await switcherOf(page, 'Beta').click();
      await page.getByRole('menuitemradio', { name: 'Alpha' }).click();
      await switcherOf(page, 'Alpha').waitFor();
      await seesHeading(page, /^First steps/);
      await goTo(page, 'Payments');
      await seesHeading(page, 'No payments yet');
      assert.equal(await required.count(), 0);
    });
  });

  it('lead somebody who was removed from one of them to another', async () => {
    const [alpha, beta, gamma] = [await newShop('Alpha'), await newShop('Beta'), await newShop('Gamma')];
    const user = await newStaff(started(), 'developer', [alpha, beta, gamma]);
    await visitAs(started(), alpha, { user, expectedStatus: 404 }, async ({ page, open }) => {
      await withoutLiveUpdates(page);
      await open('/payments');
      await switcherOf(page, 'Alpha').waitFor();
      await seesHeading(page, 'No payments yet');
      await removeFrom(alpha, user);
      await goTo(page, 'Disputes');
      await page.getByText('You no longer work for Alpha.').waitFor();
      await seesHeading(page, 'Home');
      await page.getByRole('button', { name: /^Merchant: (Beta|Gamma)\./ }).click();
      assert.equal(await page.getByRole('menuitemradio', { name: 'Alpha' }).count(), 0);
      await page.keyboard.press('Escape');
      await goTo(page, 'Disputes');
      await seesHeading(page, 'No disputes');
    });
  });

  it('keep their settings apart if somebody switches while those of one are being saved', async () => {
    const [alpha, beta] = [await newShop('Alpha'), await newShop('Beta')];
    const user = await newStaff(started(), 'owner', [alpha, beta]);
    await visitAs(started(), alpha, { user }, async ({ page, open }) => {
      await open('/settings');
      await page.getByLabel('Business name').fill('Alpha & Sons');
      // Saving begins with what the server has now.
      const isHeld = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const settings = /\/dashboard\/api\/settings$/;
      await page.route(settings, async (route) => {
        isHeld.resolve();
        await released.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Save changes' }).click();
      await isHeld.promise;
      await switcherOf(page, 'Alpha').click();
      await page.getByRole('menuitemradio', { name: 'Beta' }).click();
      await switcherOf(page, 'Beta').waitFor();
      released.resolve();
      await page.getByText('Settings saved').waitFor();
    });
    const nameOf = async ({ merchant }: TestMerchant) =>
      (await started().paydesk.store.findBy('merchants', 'id', merchant.id))?.name;
    assert.deepEqual([await nameOf(alpha), await nameOf(beta)], ['Alpha & Sons', 'Beta']);
  });

  it('can be left by signing out, also after being removed from the open one', async () => {
    const [alpha, beta] = [await newShop('Alpha'), await newShop('Beta')];
    const user = await newStaff(started(), 'developer', [alpha, beta]);
    await visitAs(started(), alpha, { user, expectedStatus: 404 }, async ({ page, open }) => {
      await open('/payments');
      await seesHeading(page, 'No payments yet');
      // Nothing else is answered, so that the page does not leave the merchant before.
      const calls = /\/dashboard\/api\//;
      await page.route(calls, (route) => (route.request().method() === 'DELETE' ? route.continue() : undefined));
      await removeFrom(alpha, user);
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/\/dashboard\/sign-in/);
      await page.unroute(calls);
      // The session has ended on the server too.
      await page.goto(`${started().paydesk.url}/dashboard/account`);
      await page.waitForURL(/\/dashboard\/sign-in/);
    });
  });

  it('stay as they are if something else is not found', async () => {
    const [alpha, beta] = [await newShop('Alpha'), await newShop('Beta')];
    const user = await newStaff(started(), 'developer', [alpha, beta]);
    const { payment_intent: ofBeta } = await beta.newSession();
    await visitAs(started(), alpha, { user, expectedStatus: 404 }, async ({ page, open, requests }) => {
      await open(`/payments/${ofBeta}`);
      await seesHeading(page, 'There is no such payment');
      await goTo(page, 'Disputes');
      await seesHeading(page, 'No disputes');
      await switcherOf(page, 'Alpha').waitFor();
      assert.equal(requests.filter((request) => request.endsWith('/api/session')).length, 1);
    });
  });

  it('are read again once for each call that finds no merchant, if the session still has it', async () => {
    const [alpha, beta] = [await newShop('Alpha'), await newShop('Beta')];
    const user = await newStaff(started(), 'developer', [alpha, beta]);
    await visitAs(started(), alpha, { user, expectedStatus: 404 }, async ({ page, open, requests }) => {
      const readings = () => requests.filter((request) => request.endsWith('/api/session')).length;
      const error = {
        type: 'invalid_request_error',
        code: 'merchant_not_found',
        message: 'There is no such merchant.',
      };
      await withoutLiveUpdates(page);
      await page.route(/\/dashboard\/api\/disputes/, (route) => route.fulfill({ status: 404, json: { error } }));
      await open('/payments');
      await seesHeading(page, 'No payments yet');
      const before = readings();
      await goTo(page, 'Disputes');
      await seesHeading(page, 'This could not be loaded');
      await until('the session was read', () => readings() > before);
      await goTo(page, 'Payment links');
      await seesHeading(page, 'No payment links yet');
      await switcherOf(page, 'Alpha').waitFor();
      assert.equal(readings(), before + 1);
    });
  });
});
