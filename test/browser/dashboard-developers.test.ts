// API keys, webhooks, events and requests in the dashboard: each action to its effect on the API or at a real receiver.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { entriesOf, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { loopbackAllowed } from '../webhooks/scene.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { createByKeyboard, failingCalls, password, rowsOf, visitAs } from './dashboard-staff.ts';

const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';

describeOnEachEngine('developers in the dashboard', { concurrency: 2 }, (engine) => {
  // A delivery has failed after the first attempt and one repetition at once.
  const started = checkoutForSuite(engine, { settings: { ...loopbackAllowed, PAYDESK_WEBHOOK_RETRY_DELAYS: '0' } });

  /** Confirms the open dialog with its button. */
  async function confirm(page: Page, name: string): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  }

  /** What is shown once, then closed. */
  async function secretShown(page: Page, title: string): Promise<string> {
    const dialog = page.getByRole('dialog', { name: title });
    const secret = await dialog.locator('code').innerText();
    // A click beside the dialog must not lose it.
    await page.mouse.click(5, 5);
    await press(page, 'Done');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.getByText(secret).count(), 0, 'it is shown once');
    return secret;
  }

  async function statusWith(key: string): Promise<number> {
    const response = await fetch(`${started().paydesk.url}/checkout-sessions`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    await response.body?.cancel();
    return response.status;
  }

  const keyRow = (page: Page, name: string): Locator => rowsOf(page, 'API keys').filter({ hasText: name });

  it('a key that is created works, the rolled one and its successor too, a revoked one does not', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { role: 'developer' }, async ({ page, open }) => {
      await open('/developers/api-keys');
      await press(page, 'Create key');
      await page.getByLabel('Name').fill('Web shop');
      await confirm(page, 'Create key');
      const first = await secretShown(page, 'Key created');
      assert.match(first, /^sk_test_/);
      assert.equal(await statusWith(first), 200);

      await keyRow(page, 'Web shop').getByRole('button', { name: 'Roll' }).click();
      await page.getByLabel('The old key ends in').selectOption('1 hour');
      await confirm(page, 'Roll');
      const second = await secretShown(page, 'Key rolled');
      assert.notEqual(second, first);
      assert.deepEqual([await statusWith(first), await statusWith(second)], [200, 200]);
      await keyRow(page, 'Web shop').filter({ hasText: 'Ends' }).waitFor();

      const successor = keyRow(page, `…${second.slice(-4)}`);
      await successor.getByRole('button', { name: 'Revoke' }).click();
      await confirm(page, 'Revoke');
      await successor.getByText('Revoked').waitFor();
      await until('the key is refused', async () => (await statusWith(second)) === 401);
      assert.equal(await statusWith(first), 200);
      await page.reload();
      await keyRow(page, `…${first.slice(-4)}`).waitFor();
    });
  });

  it('shows when a key was last used', async () => {
    const shop = await started().paydesk.newMerchant();
    must(200, await shop.test.get('/checkout-sessions'));
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/developers/api-keys');
      await until('the use is written', async () => {
        await page.reload();
        await rowsOf(page, 'API keys').first().waitFor();
        return (await rowsOf(page, 'API keys').first().locator('time').count()) === 2;
      });
    });
  });

  it('adds an endpoint, tests it, rotates its secret, and disables it', async (t) => {
    const shop = await started().paydesk.newMerchant();
    const receiver = await startWebhookReceiver(t);
    await visitAs(started(), shop, { role: 'developer' }, async ({ page, open }) => {
      await open('/developers/webhooks');
      await seesHeading(page, 'No endpoints yet');
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      await confirm(page, 'Add endpoint');
      await page.getByText('Enter the address that events are sent to.').waitFor();
      await page.getByLabel('Endpoint URL').fill(`${receiver.url}/hooks`);
      await page.getByLabel('Description').fill(markup);
      await confirm(page, 'Add endpoint');
      const secret = await secretShown(page, 'Endpoint added');
      assert.match(secret, /^whsec_/);
      await page.getByText(markup).waitFor();

      await press(page, 'Send test event');
      await until('the test event arrives', () => receiver.requests.length === 1);
      assert.equal(JSON.parse(String(receiver.requests[0]?.body)).type, 'webhook_endpoint.test');
      await page.getByRole('link', { name: 'View test event' }).click();
      await page.getByText('HTTP 200').waitFor();
      await page.getByRole('link', { name: 'Webhooks' }).click();

      await press(page, 'Rotate secret');
      await page.getByLabel('The new secret starts signing').selectOption('Now');
      await confirm(page, 'Rotate secret');
      assert.notEqual(await secretShown(page, 'New signing secret'), secret);

      await press(page, 'Disable');
      await confirm(page, 'Disable');
      await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
      const [endpoint] = entriesOf(await shop.test.get('/webhook-endpoints'));
      assert.equal(endpoint?.disabled, true);
      await press(page, 'Enable');
      await confirm(page, 'Enable');
      await press(page, 'Send test event');
      await until('the second test event arrives', () => receiver.requests.length === 2);
    });
  });

  async function threeFailed(shop: TestMerchant, receiver: WebhookReceiver): Promise<void> {
    const subscription = { url: `${receiver.url}/hooks`, enabled_events: ['checkout_session.expired'] };
    must(201, await shop.test.post('/webhook-endpoints', subscription));
    for (let made = 0; made < 3; made += 1) {
      const session = await shop.newSession();
      must(200, await shop.test.post(`/checkout-sessions/${session.id}/expire`, {}));
    }
    await until('all were tried twice', () => receiver.requests.length === 6);
  }

  it('resends what failed, one by one and all, and shows what the receiver answered as text', async (t) => {
    const shop = await started().paydesk.newMerchant();
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 503, body: markup });
    await threeFailed(shop, receiver);
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/developers/webhooks');
      const failed = rowsOf(page, `Failed deliveries of ${receiver.url}/hooks`);
      await until('all are listed', async () => {
        if ((await failed.count()) === 3) return true;
        await page.reload();
        await page.getByText('Last 24 hours').waitFor();
        return false;
      });
      await failed.first().getByRole('link').click();
      await page.getByText('HTTP 503').first().waitFor();
      await page.getByText(markup).first().waitFor();
      assert.equal(await page.locator('main img, main script').count(), 0);
      await page.getByText(/\d ms/).first().waitFor();
      assert.ok((await page.locator('.token-name').count()) > 3, 'the payload has syntax colours');

      receiver.answerWith({ status: 200 });
      await page.getByRole('button', { name: 'Resend', exact: true }).last().click();
      await until('one arrives', () => receiver.requests.length === 7);
      await page.getByText('HTTP 200').first().waitFor();

      await open('/developers/webhooks');
      await until('two are left', async () => (await failed.count()) === 2);
      await failed.first().getByRole('button', { name: 'Resend', exact: true }).click();
      await until('the second arrives', () => receiver.requests.length === 8);
      await until('one is left', async () => (await failed.count()) === 1);
      await press(page, 'Resend all');
      await confirm(page, 'Resend all');
      await until('the third arrives', () => receiver.requests.length === 9);
      await page.getByRole('heading', { name: 'Failed deliveries' }).waitFor({ state: 'detached' });
    });
  });

  it('lists events by type, in the address bar, and shows new ones by itself', async () => {
    const shop = await started().paydesk.newMerchant();
    const expire = async (): Promise<void> => {
      const { id } = await shop.newSession();
      must(200, await shop.test.post(`/checkout-sessions/${id}/expire`, {}));
    };
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/developers/events');
      await seesHeading(page, 'No events yet');
      await expire();
      const expired = rowsOf(page, 'Events').filter({ hasText: 'checkout_session.expired' });
      await expired.first().waitFor();
      await page.getByLabel('Type').selectOption('refund.created');
      await seesHeading(page, 'No events of this type');
      await page.getByLabel('Type').selectOption('checkout_session.expired');
      await expired.first().waitFor();
      assert.equal(new URL(page.url()).search, '?type=checkout_session.expired');
      await expired.first().getByRole('link').first().press('Enter');
      await page.getByText('No endpoint subscribed to this type when it happened.').waitFor();
      await page.getByLabel('payload', { exact: true }).getByText('"checkout_session.expired"').waitFor();
    });
  });

  it('lists requests with filters, masks what is secret, and follows new ones', async () => {
    const shop = await started().paydesk.newMerchant();
    await shop.newSession({ customer_email: 'ann@customer.example' });
    const missing = await shop.test.get('/checkout-sessions/cs_nothing');
    assert.equal(missing.status, 404);
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/developers/requests');
      const rows = rowsOf(page, 'Requests');
      await until('both are recorded', async () => {
        if ((await rows.filter({ has: page.locator('a') }).count()) === 2) return true;
        await page.reload();
        await page.getByLabel('Path').waitFor();
        return false;
      });
      await page.getByLabel('Status').selectOption('Errors');
      await until('one is shown', async () => (await rows.count()) === 1);
      await rows.getByText('404').waitFor();
      await page.getByLabel('Status').selectOption('All');
      await page.getByLabel('Path').fill('cs_nothing');
      await page.waitForURL((url) => url.searchParams.get('path') === 'cs_nothing');
      await until('one is shown by path', async () => (await rows.count()) === 1);
      await page.getByLabel('Path').fill('');
      await page.getByLabel('Live tail').check();
      await page.getByText('New requests appear by themselves.').waitFor();
      must(200, await shop.test.get('/refunds'));
      await rows.getByText('GET /refunds').waitFor();
      await rows.getByText('POST /checkout-sessions').click();
      await seesHeading(page, 'POST /checkout-sessions');
      await page.getByLabel('request body', { exact: true }).getByText('"customer_email"').waitFor();
      assert.equal(await page.getByText('ann@customer.example').count(), 0);
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('creates a key by keyboard alone', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/developers/api-keys');
      await createByKeyboard(page, { button: 'Create key', field: 'name', text: 'Typed', created: 'Key created' });
      await keyRow(page, 'Typed').waitFor();
    });
  });

  it('asks for the password again when it was entered more than ten minutes ago', async () => {
    const options = { expectedMessages: /40[13]/, passwordAgeMs: 11 * 60_000 };
    await visitAs(started(), started().merchant, options, async ({ page, open }) => {
      await open('/developers/api-keys');
      await press(page, 'Create key');
      await page.getByLabel('Name').fill('After confirming');
      await confirm(page, 'Create key');
      const asked = page.getByRole('dialog', { name: 'Confirm your password' });
      await asked.getByLabel('Password').fill('not the password of anybody');
      await asked.getByRole('button', { name: 'Confirm' }).click();
      await asked.getByRole('alert').filter({ hasText: /./ }).waitFor();
      await asked.getByLabel('Password').fill(password);
      await asked.getByRole('button', { name: 'Confirm' }).click();
      assert.match(await secretShown(page, 'Key created'), /^sk_test_/);
    });
  });

  it('shows names of keys as text', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/developers/api-keys');
      await press(page, 'Create key');
      await page.getByLabel('Name').fill(markup);
      await confirm(page, 'Create key');
      await secretShown(page, 'Key created');
      await rowsOf(page, 'API keys').getByText(markup).waitFor();
      assert.equal(await page.locator('main img').count(), 0);
      await keyRow(page, markup).getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('heading', { name: `Revoke ${markup}` }).waitFor();
    });
  });

  for (const path of ['api-keys', 'webhooks', 'events', 'requests']) {
    it(`${path}: not for support, and can be tried again when they could not be loaded`, async () => {
      const shop = await started().paydesk.newMerchant();
      await visitAs(started(), shop, { role: 'support' }, async ({ page, open }) => {
        await open(`/developers/${path}`);
        await seesHeading(page, 'Not available to you');
        assert.equal(await page.getByRole('link', { name: 'Developers' }).count(), 0);
      });
      await visitAs(started(), shop, { expectedStatus: 500 }, async ({ page, open }) => {
        const recover = await failingCalls(page, path === 'webhooks' ? '/webhook-endpoints' : `/${path}`);
        await open(`/developers/${path}`);
        await seesHeading(page, 'This could not be loaded');
        await recover();
        await press(page, 'Try again');
        await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor({ state: 'detached' });
      });
    });
  }

  it('says so if an event is another merchant’s', async () => {
    const other = await started().paydesk.newMerchant();
    const session = await other.newSession();
    must(200, await other.test.post(`/checkout-sessions/${session.id}/expire`, {}));
    const [event] = await other.events();
    assert.ok(event !== undefined);
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 404 }, async ({ page, open }) => {
      await open(`/developers/events?id=${event.id}`);
      await seesHeading(page, 'There is no such event');
    });
  });
});
