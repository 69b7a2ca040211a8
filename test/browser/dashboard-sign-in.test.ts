// Signing in to the dashboard in a browser: passwords, delays, one-time links, the second factor, and signing out.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { isRefusal } from '../../src/domain/errors.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { linkUrl } from '../../src/domain/one-time-link.ts';
import { totpCode } from '../../src/domain/totp.ts';
import { createFirstOwnerLink } from '../../src/usecases/create-first-owner-link.ts';
import { createUser } from '../../src/usecases/create-user.ts';
import { type Checkout, checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { axe, violationsOn } from './axe.ts';
import { newStaff, password, signInBrowser, signInByForm, visitAs } from './dashboard-staff.ts';

async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const scheme of ['light', 'dark'] as const) assert.deepEqual(await violationsOn(page, scheme), []);
}

describeOnEachEngine('Signing in to the dashboard', (engine) => {
  const started = checkoutForSuite(engine);
  const addressOf = ({ paydesk }: Checkout, path: string): string => `${paydesk.url}/dashboard${path}`;

  it('asks for email and password, and leads to the page that was wanted', async () => {
    const user = await newStaff(started());
    await started().visit({}, async ({ page }) => {
      await page.goto(addressOf(started(), '/payments?status=succeeded'));
      await page.waitForURL(/\/dashboard\/sign-in/);
      await page.getByLabel('Email').waitFor();
      await assertAccessible(page);
      await signInByForm(page, user.email);
      await page.waitForURL(/\/dashboard\/payments\?status=succeeded$/);
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    });
  });

  it('sets a password with a one-time link, and signs in', async () => {
    const { paydesk, merchant, clock } = started();
    const email = 'invited@shop.example';
    const created = await createUser(
      { store: paydesk.store, moment: () => momentAt(clock.now(), randomBytes), random: randomBytes, actor: 'test' },
      { email, name: null, merchantId: merchant.merchant.id, role: 'support', passwordHash: null },
    );
    if (isRefusal(created) || !('done' in created) || created.done.link === null) throw new Error('no link was made');
    const address = linkUrl(paydesk.url, created.done.link);
    await started().visit({ expectedMessages: /40\d/ }, async ({ page }) => {
      await page.goto(address);
      assert.equal(await page.getByLabel('Email').inputValue(), email);
      await assertAccessible(page);
      await page.getByLabel('Password', { exact: true }).fill('short');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page
        .getByText(/at least 12 characters/)
        .first()
        .waitFor();
      await page.getByLabel('Password', { exact: true }).fill('another horse battery staple');
      await page.getByLabel('Repeat the password').fill('another horse battery staple');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.goto('about:blank');
      await page.goto(address);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    });
  });

  it('sets up a second factor, which is then asked for, and accepts a recovery code once', async () => {
    const user = await newStaff(started());
    const codes = await visitAs(started(), started().merchant, { user }, async ({ page, open }) => {
      await open('/account');
      await page.getByRole('button', { name: 'Set up' }).click();
      const dialog = page.getByRole('dialog');
      const secret = await dialog.locator('code').innerText();
      await assertAccessible(page);
      await dialog.getByLabel('Code').fill(totpCode(secret, Date.now()));
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
      await assertAccessible(page);
      const shown = await page.getByRole('dialog').locator('code').allInnerTexts();
      await page.getByRole('button', { name: 'I have saved them' }).click();
      await page.getByRole('button', { name: 'New recovery codes' }).waitFor();
      return shown;
    });
    assert.ok(codes.length >= 8, 'there are recovery codes');
    for (const [isAccepted, code = ''] of [
      [true, codes[0]],
      [false, codes[0]],
      [true, codes[1]],
    ] as const) {
      await started().visit({ expectedMessages: /40\d|429/ }, async ({ page }) => {
        await page.goto(addressOf(started(), '/sign-in'));
        await signInByForm(page, user.email);
        await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
        await page.getByLabel('Code').fill(code);
        await page.getByRole('button', { name: 'Continue' }).click();
        if (isAccepted) await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        else await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
      });
    }
  });

  it('returns to sign-in when the session was ended elsewhere', async () => {
    const user = await newStaff(started());
    await visitAs(started(), started().merchant, { user, expectedStatus: 401 }, async ({ page, context, open }) => {
      await open('/account');
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      const other = await context.browser()?.newContext();
      if (other === undefined) throw new Error('there is no browser');
      await signInBrowser(other, started(), user, started().merchant);
      const second = await other.newPage();
      await second.goto(addressOf(started(), '/account'));
      await second.getByRole('button', { name: 'Sign out everywhere else' }).click();
      await second.getByText('All other sessions were ended.').first().waitFor();
      await other.close();
      await page.getByRole('link', { name: 'Payments' }).click();
      await page.waitForURL(/\/dashboard\/sign-in\?redirect=/);
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('never leads to another site', async () => {
    const user = await newStaff(started());
    await started().visit({}, async ({ page }) => {
      await page.goto(addressOf(started(), '/sign-in?redirect=//evil.example/'));
      await signInByForm(page, user.email);
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      assert.equal(new URL(page.url()).origin, started().paydesk.url);
    });
  });

  it('says the same about an unknown email and a wrong password', async () => {
    const user = await newStaff(started());
    await started().visit({ expectedStatus: 401 }, async ({ page }) => {
      await page.goto(addressOf(started(), '/sign-in'));
      const said: string[] = [];
      for (const email of [user.email, 'nobody@shop.example']) {
        await signInByForm(page, email, 'not the password of anybody');
        const message = page.getByRole('alert').filter({ hasText: /./ });
        await message.waitFor();
        said.push(await message.innerText());
        await page.reload();
      }
      assert.equal(said[0], said[1]);
    });
  });

  it('tells the user how long to wait after too many failures', async () => {
    const user = await newStaff(started());
    await started().visit({ expectedMessages: /401|429/ }, async ({ page }) => {
      await page.goto(addressOf(started(), '/sign-in'));
      const button = page.getByRole('button', { name: 'Sign in' });
      for (let attempt = 0; attempt < 12; attempt += 1) {
        await signInByForm(page, user.email, `wrong password number ${attempt}`);
        await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
        if (await page.getByText(/You can try again in \d+ seconds?\./).isVisible()) break;
      }
      await page.getByText(/You can try again in \d+ seconds?\./).waitFor();
      assert.equal(await button.isDisabled(), true);
      await assertAccessible(page);
    });
  });

  it('creates the first owner with the link of the first start', async (t) => {
    const fresh = await started().withOwnPaydesk(t);
    const { paydesk, merchant, clock } = fresh;
    const link = await createFirstOwnerLink(
      { store: paydesk.store, moment: () => momentAt(clock.now(), randomBytes), random: randomBytes },
      merchant.merchant.id,
    );
    await fresh.visit({}, async ({ page }) => {
      await page.goto(addressOf(fresh, ''));
      await page.getByText('There is no user yet.').waitFor();
      await page.goto(linkUrl(paydesk.url, link));
      await page.getByLabel('Email').fill('first@shop.example');
      await page.getByLabel('Name').fill('First Owner');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Repeat the password').fill(password);
      await assertAccessible(page);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.getByRole('link', { name: 'Team' }).waitFor();
    });
  });

  it('signs out, and leaves nothing of the account on the screen', async () => {
    const user = await newStaff(started());
    // What the page still loads meanwhile is refused.
    await visitAs(started(), started().merchant, { user, expectedStatus: 401 }, async ({ page, open }) => {
      await open('');
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/\/dashboard\/sign-in/);
      assert.equal(await page.getByText(started().merchant.merchant.name).count(), 0);
      await page.goto(addressOf(started(), '/account'));
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    });
  });

  it('asks for the password again before a sensitive action', async () => {
    const options = { expectedStatus: 403, passwordAgeMs: 700_000 };
    await visitAs(started(), started().merchant, options, async ({ page, open }) => {
      await open('/account');
      await page.getByRole('button', { name: 'Set up' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
      await dialog.waitFor();
      await assertAccessible(page);
      await dialog.getByLabel('Password').fill(password);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('dialog', { name: 'Set up two-step verification' }).waitFor();
    });
  });
});
