// The frame of the dashboard in a browser: navigation by role, test mode, merchants, themes, phones, and the keyboard.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { axe, violationsOn } from './axe.ts';
import { newStaff, paidByCard, signInByForm, visitAs } from './dashboard-staff.ts';

const sales = ['Home', 'Payments', 'Checkout sessions', 'Payment links', 'Disputes'];
const developers = ['Developers', 'API keys', 'Webhooks', 'Events', 'Requests', 'Settings'];
const linksOf = {
  owner: [...sales, ...developers, 'Team', 'Audit log'],
  developer: [...sales, ...developers, 'Audit log'],
  support: sales,
} as const;

describe('The frame of the dashboard', () => {
  const started = checkoutForSuite(sqlite);

  for (const role of ['owner', 'developer', 'support'] as const) {
    it(`shows ${role} the pages of that role, in the order of the contract`, async () => {
      await visitAs(started(), started().merchant, { role }, async ({ page, open }) => {
        await open('');
        const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
        await links.first().waitFor();
        assert.deepEqual(await links.allInnerTexts(), linksOf[role]);
      });
    });
  }

  it('says that a page is for other roles', async () => {
    await visitAs(started(), started().merchant, { role: 'support' }, async ({ page, open }) => {
      await open('/team');
      await page.getByText('This page is for other roles.').waitFor();
    });
  });

  it('switches between test and live data with one control, and they look different', async () => {
    await paidByCard(started(), { description: 'Only in test mode' });
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('/payments');
      await page.getByRole('cell', { name: 'Only in test mode' }).first().waitFor();
      const control = page.getByLabel('Test mode');
      assert.equal(await control.getAttribute('aria-checked'), 'true');
      await page.getByText('Test data').waitFor();
      await control.click();
      await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
      assert.equal(await page.getByText('Test data').count(), 0);
      // Remembered for the next page.
      await page.reload();
      await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
      await control.click();
      await page.getByRole('cell', { name: 'Only in test mode' }).first().waitFor();
    });
  });

  it('switches between merchants, without mixing their data', async () => {
    const other = await started().paydesk.newMerchant();
    const user = await newStaff(started(), 'owner', [started().merchant, other]);
    await paidByCard(started(), { description: 'Of the first shop' });
    await visitAs(started(), started().merchant, { user }, async ({ page, open }) => {
      await open('/payments');
      await page.getByRole('cell', { name: 'Of the first shop' }).first().waitFor();
      await page.getByRole('button', { name: /Switch merchant/ }).click();
      await page.getByRole('menuitemradio', { checked: false }).click();
      await page.getByRole('heading', { name: /^First steps/ }).waitFor();
      await page.getByRole('link', { name: 'Payments' }).first().click();
      await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
    });
  });

  it('does not keep the session of somebody who has left from ending', async () => {
    const user = await newStaff(started());
    await visitAs(started(), started().merchant, { user }, async ({ page }) => {
      await page.clock.install();
      await page.goto(`${started().paydesk.url}/dashboard/payments`);
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
      const marks: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/dashboard/api/payments?')) marks.push(request.headers()['paydesk-background']);
      });
      await page.mouse.move(10, 10);
      await paidByCard(started(), { description: 'While somebody is here' });
      await page.getByRole('cell', { name: 'While somebody is here' }).first().waitFor();
      assert.ok(marks.length > 0 && marks.every((mark) => mark === undefined));
      marks.length = 0;
      await page.clock.fastForward(60_000);
      await paidByCard(started(), { description: 'While nobody is here' });
      await page.getByRole('cell', { name: 'While nobody is here' }).first().waitFor();
      assert.equal(marks.at(-1), 'true');
    });
  });

  it('follows the theme of the system, or the one that the user chose', async () => {
    await visitAs(started(), started().merchant, { colorScheme: 'dark' }, async ({ page, open }) => {
      await open('');
      const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      const dark = await ground();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitemradio', { name: 'Light' }).click();
      const light = await ground();
      assert.notEqual(light, dark);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      assert.equal(await ground(), light);
    });
  });

  it('works with the keyboard alone, from signing in to a refund', async () => {
    const user = await newStaff(started());
    const payment = await paidByCard(started(), { amount: 2000, description: 'By keyboard' });
    await started().visit({}, async ({ page }) => {
      const { keyboard } = page;
      const focused = (): Promise<string> =>
        page.evaluate(
          "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
        );
      async function tabTo(name: string | RegExp): Promise<void> {
        for (let presses = 0; presses < 60; presses += 1) {
          const text = (await focused()).trim();
          if (typeof name === 'string' ? text === name : name.test(text)) return;
          await keyboard.press('Tab');
        }
        assert.fail(`${name} is not reached; the focus is on "${await focused()}"`);
      }
      /** The focus arrives just after what it moves to is shown. */
      const untilFocusedOn = (selector: string) => page.locator(`${selector}:focus`).waitFor();
      await page.goto(`${started().paydesk.url}/dashboard/sign-in`);
      await untilFocusedOn('input[type="email"]');
      await keyboard.type(user.email);
      await keyboard.press('Tab');
      await keyboard.type('correct horse battery staple');
      await keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await tabTo('Payments');
      await keyboard.press('Enter');
      await page.getByRole('cell', { name: 'By keyboard' }).waitFor();
      await tabTo(/^€20\.00$/);
      await keyboard.press('Enter');
      await page.waitForURL(new RegExp(String(payment.id)));
      await page.getByRole('button', { name: 'Refund' }).waitFor();
      await tabTo('Refund');
      await keyboard.press('Enter');
      // The focus is in the first field, and leaves with Escape.
      await untilFocusedOn('[role="dialog"] input');
      await keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await untilFocusedOn('button:text-is("Refund")');
      await keyboard.press('Enter');
      await untilFocusedOn('[role="dialog"] input');
      await keyboard.type('5');
      await keyboard.press('Enter');
      await page.getByText('Partly refunded').waitFor();
    });
  });

  it('has its navigation behind a button on phones, and nothing wider than 360 px', async () => {
    const payment = await paidByCard(started(), {
      description: 'A rather long description that does not fit on a phone at all',
      customer_email: 'a.very.long.address.of.a.customer@subdomain.example.com',
    });
    await visitAs(started(), started().merchant, { viewport: 'phone' }, async ({ page, open }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      const overflow = (): Promise<number> =>
        page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      await open('');
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Payments' }).click();
      await page.getByRole('table', { name: 'Payments' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      for (const path of ['', '/payments', `/payments/${payment.id}`, '/account']) {
        await open(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await until('the page has loaded', async () => (await page.locator('.skeleton').count()) === 0);
        assert.equal(await overflow(), 0, path);
      }
    });
  });

  for (const viewport of ['desktop', 'phone'] as const) {
    it(`has no accessibility violations on any page or dialog on a ${viewport}, in light and dark`, async () => {
      const paid = await paidByCard(started(), { line_items: [{ name: 'Tea', quantity: 1, unit_amount: 1250 }] });
      const held = await paidByCard(started(), { capture_method: 'manual' });
      const found: string[] = [];
      await visitAs(started(), started().merchant, { viewport }, async ({ page, open: goTo }) => {
        async function check(name: string): Promise<void> {
          await until('the page has loaded', async () => (await page.locator('.skeleton').count()) === 0);
          await page.evaluate(axe);
          for (const scheme of ['light', 'dark'] as const)
            for (const violation of await violationsOn(page, scheme)) found.push(`${name}, ${viewport}: ${violation}`);
        }
        async function open(path: string): Promise<void> {
          await goTo(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
        }
        await open('');
        await check('Home');
        await page.getByRole('button', { name: 'Show table' }).click();
        await check('Home, table');
        await open('/payments');
        await check('Payments');
        await page.getByRole('button', { name: 'Filters' }).click();
        await check('Payments, filters');
        await open('/payments?q=nothing');
        await check('Payments, none');
        for (const [payment, button] of [
          [paid, 'Refund'],
          [held, 'Capture'],
          [held, 'Cancel payment'],
        ] as const) {
          await open(`/payments/${payment.id}`);
          await page.getByRole('button', { name: button }).waitFor();
          await check('a payment');
          await page.getByRole('button', { name: button }).click();
          await page.getByRole('dialog').waitFor();
          await check(`${button} dialog`);
        }
        await open('/account');
        await check('account');
        for (const name of ['Change name', 'Change password']) {
          await page.getByRole('button', { name }).click();
          await check(`${name} dialog`);
          await page.keyboard.press('Escape');
        }
        await page.getByRole('button', { name: 'Your account' }).click();
        await check('user menu');
      });
      assert.deepEqual(found, []);
    });
  }

  it('shows newcomers a checklist without accessibility violations', async () => {
    const empty = await started().paydesk.newMerchant();
    const newcomer = await newStaff({ ...started(), merchant: empty });
    const found: string[] = [];
    await started().visit({}, async ({ page }) => {
      await page.goto(`${started().paydesk.url}/dashboard`);
      await signInByForm(page, newcomer.email);
      await page.getByRole('heading', { name: /^First steps/ }).waitFor();
      await page.evaluate(axe);
      for (const scheme of ['light', 'dark'] as const) found.push(...(await violationsOn(page, scheme)));
    });
    assert.deepEqual(found, []);
  });
});
