// Team and audit log in the dashboard: inviting, joining, roles, removing, and what is kept about it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { createByKeyboard, failingCalls, newStaff, password, rowsOf, visitAs } from './dashboard-staff.ts';

const markup = '<img src=x onerror=alert(1)>';

describeOnEachEngine('team and audit log in the dashboard', { concurrency: 2 }, (engine) => {
  const started = checkoutForSuite(engine);
  const member = (page: Page, email: string): Locator => rowsOf(page, 'Team').filter({ hasText: email });
  const entry = (page: Page, what: string): Locator => rowsOf(page, 'Audit log').filter({ hasText: what });

  async function confirm(page: Page, name: string): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  }

  /** Returns the link, which is shown once. */
  async function invite(page: Page, email: string, role: string): Promise<string> {
    await press(page, 'Invite member');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('radio', { name: role }).check();
    await confirm(page, 'Create invitation');
    const link = await page.getByRole('dialog', { name: 'Invitation created' }).locator('code').innerText();
    await press(page, 'Done');
    return link;
  }

  it('invites by link, with which somebody joins; changes the role; removes', async () => {
    const shop = await started().paydesk.newMerchant();
    const email = 'newcomer@shop.example';
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/team');
      const link = await invite(page, email, 'Support');
      await member(page, email).getByText('Invited').waitFor();
      await started().visit({ expectedMessages: /401/ }, async ({ page: theirs }) => {
        await theirs.goto(link);
        await theirs.getByLabel('Password', { exact: true }).fill('another horse battery staple');
        await theirs.getByLabel('Repeat the password').fill('another horse battery staple');
        await theirs.getByRole('button', { name: 'Create account' }).click();
        await seesHeading(theirs, 'Home');
        assert.equal(await theirs.getByRole('link', { name: 'Team' }).count(), 0);

        await page.reload();
        await member(page, email).getByText('Active').waitFor();
        await member(page, email).getByRole('button', { name: 'Change role' }).click();
        await page.getByRole('radio', { name: 'Developer' }).check();
        await confirm(page, 'Change role');
        await member(page, email).getByText('Developer').waitFor();
        await theirs.reload();
        await theirs.getByRole('navigation').getByRole('link', { name: 'API keys' }).waitFor();

        await member(page, email).getByRole('button', { name: 'Remove' }).click();
        await confirm(page, 'Remove');
        await member(page, email).waitFor({ state: 'detached' });
        await theirs.goto('about:blank');
        await theirs.goto(`${started().paydesk.url}/dashboard/payments`);
        await theirs.waitForURL(/sign-in/);
      });

      await page.getByRole('link', { name: 'Audit log' }).click();
      for (const what of ['Invited a member', 'Joined the team', 'Changed a role', 'Removed a member'])
        await entry(page, what).waitFor();
    });
  });

  it('makes a new link, which ends the earlier one', async () => {
    const shop = await started().paydesk.newMerchant();
    const email = 'slow@shop.example';
    await visitAs(started(), shop, { expectedStatus: 400 }, async ({ page, context, open }) => {
      await open('/team');
      const first = await invite(page, email, 'Developer');
      await member(page, email).getByRole('button', { name: 'New link' }).click();
      await confirm(page, 'Create link');
      const second = await page.getByRole('dialog', { name: 'Invitation created' }).locator('code').innerText();
      assert.notEqual(second, first);
      // The page asks for news of its own accord, so it is left first.
      await page.goto('about:blank');
      await context.clearCookies();
      await page.goto(first);
      await seesHeading(page, 'This link does not work');
    });
  });

  it('resets the password of a colleague, who chooses a new one with a link', async () => {
    const shop = await started().paydesk.newMerchant();
    const colleague = await newStaff(started(), 'support', [shop]);
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/team');
      await member(page, colleague.email).getByRole('button', { name: 'Reset password' }).click();
      await page.getByRole('dialog', { name: 'Reset password' }).getByText(colleague.email).waitFor();
      await confirm(page, 'Create link');
      const created = page.getByRole('dialog', { name: 'Password reset link created' });
      await created.getByText(`Send this link to ${colleague.email}.`).waitFor();
      assert.doesNotMatch(await created.innerText(), /invit|join/i);
      const link = await created.locator('code').innerText();
      await press(page, 'Done');
      await started().visit({}, async ({ page: theirs }) => {
        await theirs.goto(link);
        await theirs.getByLabel('Password', { exact: true }).fill('another horse battery staple');
        await theirs.getByLabel('Repeat the password').fill('another horse battery staple');
        await theirs.getByRole('button', { name: 'Set password' }).click();
        await seesHeading(theirs, 'Home');
      });
    });
  });

  it('cannot reset the password of somebody who works for others too, and says why', async () => {
    const shop = await started().paydesk.newMerchant();
    const colleague = await newStaff(started(), 'support', [shop, started().merchant]);
    await visitAs(started(), shop, { expectedStatus: 409 }, async ({ page, open }) => {
      await open('/team');
      await member(page, colleague.email).getByRole('button', { name: 'Reset password' }).click();
      await confirm(page, 'Create link');
      await page.getByRole('dialog').getByText('works for other merchants too').waitFor();
    });
  });

  it('says what is wrong with an invitation, beside the field', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 400 }, async ({ page, open }) => {
      await open('/team');
      await press(page, 'Invite member');
      await confirm(page, 'Create invitation');
      await page.getByText('Enter an e-mail address.').waitFor();
      await page.getByLabel('Email').fill('nobody');
      await page.keyboard.press('Enter');
      await page.getByText('must be an e-mail address').waitFor();
      assert.equal(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true');
    });
  });

  it('shows who did what from where, filters in the address bar, and exports exactly that', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { role: 'developer' }, async ({ page, open }) => {
      await open('/developers/api-keys');
      await press(page, 'Create key');
      await page.getByLabel('Name').fill(markup);
      await confirm(page, 'Create key');
      await press(page, 'Done');
      await open('/audit-log');
      const created = entry(page, 'Created an API key').filter({ hasText: '@staff.example' });
      await created.getByText('127.0.0.1').waitFor();
      await created.getByRole('button', { name: 'Created an API key' }).press('Enter');
      await page.getByRole('dialog').getByText(markup).waitFor();
      assert.equal(await page.locator('[role=dialog] img').count(), 0);
      await page.keyboard.press('Escape');
      await created.getByRole('link').click();
      await page.getByRole('link', { name: 'Show everybody' }).waitFor();
      await page.getByLabel('Action').selectOption('Created an API key');
      await page.waitForURL(/actor=usr_.*action=api_key.created|action=api_key.created.*actor=usr_/);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export' }).click();
      const download = await downloading;
      assert.equal(download.suggestedFilename(), 'audit-log.csv');
      const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
      assert.equal(lines.length, 2);
      assert.match(String(lines[1]), /@staff\.example,127\.0\.0\.1,api_key\.created/);
      await page.getByLabel('Action').selectOption('Removed a member');
      await page.getByRole('link', { name: 'Show all entries' }).click();
      await entry(page, 'Exported the audit log').waitFor();
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('invites by keyboard alone', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/team');
      await createByKeyboard(page, {
        button: 'Invite member',
        field: 'email',
        text: 'typed@shop.example',
        created: 'Invitation created',
      });
      await member(page, 'typed@shop.example').waitFor();
    });
  });

  it('shows all buttons of a member on a phone', async () => {
    const shop = await started().paydesk.newMerchant();
    const colleague = await newStaff(started(), 'support', [shop]);
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await open('/team');
      const row = member(page, colleague.email);
      await row.getByRole('button', { name: 'Reset password' }).waitFor();
      const [button, frame] = [
        await row.getByRole('button', { name: 'Remove' }).boundingBox(),
        await row.boundingBox(),
      ];
      assert.ok(button !== null && frame !== null);
      assert.ok(button.x + button.width <= frame.x + frame.width, JSON.stringify({ button, frame }));
    });
  });

  it('keeps the last owner, and says why', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 409 }, async ({ page, open }) => {
      await open('/team');
      await rowsOf(page, 'Team').getByRole('button', { name: 'Remove' }).click();
      await confirm(page, 'Remove');
      await page.getByRole('dialog').getByText('A merchant needs an owner.').waitFor();
    });
  });

  it('asks for the password again when it was entered more than ten minutes ago, and does nothing without it', async () => {
    const options = { expectedStatus: 403, passwordAgeMs: 11 * 60_000 };
    await visitAs(started(), started().merchant, options, async ({ page, open }) => {
      await open('/team');
      await press(page, 'Invite member');
      await page.getByLabel('Email').fill('later@shop.example');
      await page.getByLabel('Name').fill(markup);
      await confirm(page, 'Create invitation');
      const asked = page.getByRole('dialog', { name: 'Confirm your password' });
      await asked.waitFor();
      await page.keyboard.press('Escape');
      await asked.waitFor({ state: 'detached' });
      assert.equal(await member(page, 'later@shop.example').count(), 0);
      await confirm(page, 'Create invitation');
      await asked.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Invitation created' }).waitFor();
      await press(page, 'Done');
      await member(page, 'later@shop.example').getByText(markup).waitFor();
      assert.equal(await page.locator('main img').count(), 0);
    });
  });

  it('is not for support, and the team only for owners', async () => {
    const shop = await started().paydesk.newMerchant();
    for (const [role, paths] of [
      ['support', ['/team', '/audit-log']],
      ['developer', ['/team']],
    ] as const) {
      await visitAs(started(), shop, { role }, async ({ page, open }) => {
        for (const path of paths) {
          await open(path);
          await seesHeading(page, 'Not available to you');
        }
        assert.equal(await page.getByRole('link', { name: 'Team' }).count(), 0);
      });
    }
  });

  for (const path of ['/team', '/audit-log']) {
    it(`${path} can be tried again when it could not be loaded`, async () => {
      const shop = await started().paydesk.newMerchant();
      await visitAs(started(), shop, { expectedStatus: 500 }, async ({ page, open }) => {
        const recover = await failingCalls(page, path);
        await open(path);
        await seesHeading(page, 'This could not be loaded');
        await recover();
        await press(page, 'Try again');
        await page.locator('tbody tr.row').first().waitFor();
      });
    });
  }
});
