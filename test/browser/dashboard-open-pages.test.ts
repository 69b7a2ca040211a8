// Pages that stay open while the session, the role or the token changes elsewhere, or while nobody sees them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { User } from '../../src/domain/user.ts';
import type { Role } from '../../src/domain/user-role.ts';
import { must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { mustCommit } from '../support/committing.ts';
import { sqlite } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { newStaff, paidByCard, password, rowsOf, signInBrowser, visitAs } from './dashboard-staff.ts';

/** Counts the streams that are open. */
const countStreams = `(() => {
  const opened = new Set();
  window.streams = () => [...opened].filter(({ readyState }) => readyState !== EventSource.CLOSED).length;
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      opened.add(this);
    }
  };
})()`;

/** Browsers that are controlled by a program show all their tabs. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  })()`);
}

describe('An open page of the dashboard', () => {
  const started = checkoutForSuite(sqlite);
  const at = (path: string): string => `${started().paydesk.url}/dashboard${path}`;

  async function changeRole(user: User, role: Role): Promise<void> {
    const { paydesk, merchant } = started();
    const where = { merchantId: merchant.merchant.id, userId: user.id };
    const [membership] = await paydesk.store.list('memberships', { where, limit: 1 });
    assert.ok(membership);
    await mustCommit(paydesk.store, { memberships: [{ ...membership, role }] });
  }

  it('has no stream while nobody sees it, and catches up when it is shown again', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, context, open }) => {
      const streams = async (): Promise<number> => (await page.evaluate('streams()')) as number;
      await context.addInitScript(countStreams);
      const following = context.waitForEvent('response', (response) => response.url().includes('/api/updates'));
      await open('/developers/requests');
      await following;
      await page.getByLabel('Live tail').check();
      await page.getByText('New requests appear by themselves.').waitFor();
      assert.equal(await streams(), 2);
      await setVisibility(page, 'hidden');
      assert.equal(await streams(), 0);
      must(200, await started().merchant.test.get('/events?limit=7'));
      await setVisibility(page, 'visible');
      assert.equal(await streams(), 2);
      await page.getByText('GET /events?limit=7').waitFor();
    });
  });

  it('shows the sign-in page after a sign-out in another tab', async () => {
    await paidByCard(started(), { description: 'Kettle' });
    await visitAs(started(), started().merchant, { expectedStatus: 401 }, async ({ page, context, open }) => {
      await open('/payments');
      await page.getByRole('cell', { name: 'Kettle' }).first().waitFor();
      const other = await context.newPage();
      await other.goto(at('/account'));
      await other.getByRole('button', { name: 'Your account' }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.equal(await page.getByText('Kettle').count(), 0);
    });
  });

  it('shows what another role may see as soon as the role has changed', async () => {
    const user = await newStaff(started(), 'owner');
    const options = { user, expectedStatus: 403 };
    await visitAs(started(), started().merchant, options, async ({ page, open, requests }) => {
      await open('/developers/api-keys');
      await rowsOf(page, 'API keys').first().waitFor();
      await changeRole(user, 'support');
      await page.getByRole('heading', { name: 'Not available to you' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Webhooks' }).count(), 0);
      // The page may have been refused something before the server ended its stream, which belongs to the first role.
      await until(
        'the stream is that of the new role',
        () => requests.filter((request) => request.includes('/api/updates')).length === 2,
      );
      await changeRole(user, 'owner');
      await rowsOf(page, 'API keys').first().waitFor();
      // Their own role, without waiting for the stream.
      await newStaff(started(), 'owner');
      await page.route(/\/dashboard\/api\/updates/, () => {});
      await open('/team');
      const row = rowsOf(page, 'Team').filter({ hasText: user.email });
      await row.getByRole('button', { name: /Change role/ }).click();
      await page
        .getByRole('dialog')
        .getByLabel(/Support/)
        .check();
      await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
      await page.getByRole('heading', { name: 'Not available to you' }).waitFor();
    });
  });

  it('goes on after a call that was on its way while another window replaced the session', async () => {
    const user = await newStaff(started());
    await visitAs(started(), started().merchant, { user, expectedStatus: 401 }, async ({ page, open }) => {
      let refused = 0;
      const error = { type: 'authentication_error', code: 'sign_in_required', message: 'Sign in.', param: null };
      await page.route(/\/dashboard\/api\/disputes/, (route) =>
        refused++ === 0 ? route.fulfill({ status: 401, json: { error } }) : route.continue(),
      );
      await open('/disputes');
      await page.getByText('No disputes').first().waitFor();
      assert.ok(refused > 1);
    });
  });

  it('waits for the new session while another window replaces it', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, context, open }) => {
      await open('/disputes');
      const other = await context.newPage();
      let isReplacing = false;
      let reads = 0;
      await context.route('**/dashboard/api/session', (route) => {
        if (!isReplacing) return route.continue();
        reads += 1;
        return route.fulfill({ json: { signed_in: false, setup: false } });
      });
      await context.route('**/dashboard/api/account/password', async (route) => {
        isReplacing = true;
        const reloaded = page.reload();
        const waits = async () => (await other.evaluate(() => navigator.locks.query())).pending?.length === 1;
        await until('the other window reads the session, or waits', async () => reads > 0 || (await waits()));
        isReplacing = false;
        await Promise.all([reloaded, route.continue()]);
      });
      await other.goto(at('/account'));
      await other.getByRole('button', { name: 'Change password' }).click();
      await other.getByLabel('Current password').fill(password);
      await other.getByLabel('Password', { exact: true }).fill(`another ${password}`);
      await other.getByLabel('Repeat the password').fill(`another ${password}`);
      await other.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
      await other.getByText('Your password was changed.').waitFor();
      await page.getByText('No disputes').first().waitFor();
      assert.equal(reads, 0);
    });
  });

  it('goes on with a token that another window has renewed', async () => {
    const payment = await paidByCard(started(), { amount: 1500 });
    const user = await newStaff(started());
    // What is on its way while the session is replaced is refused with 401, and repeated.
    const options = { user, expectedMessages: /40[13]/ };
    await visitAs(started(), started().merchant, options, async ({ page, context, open }) => {
      await open(`/payments/${payment.id}`);
      await page.getByRole('button', { name: 'Refund' }).click();
      const elsewhere = await context.browser()?.newContext();
      assert.ok(elsewhere);
      await signInBrowser(elsewhere, started(), user, started().merchant);
      await elsewhere.close();
      const other = await context.newPage();
      await other.goto(at('/account'));
      await other.getByRole('button', { name: 'Sign out everywhere else' }).click();
      await other.getByText('All other sessions were ended').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
      await page.getByText('€15.00 is being refunded.').waitFor();
    });
    const { data } = must(200, await started().merchant.test.get(`/refunds?payment_intent=${payment.id}`));
    await until('it was refunded once', () => (data as readonly unknown[]).length === 1);
  });
});
