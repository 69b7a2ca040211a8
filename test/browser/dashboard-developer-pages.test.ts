// The pages of keys, webhooks, events, requests, team and audit log: axe-core finds no violations on them and their dialogs,
// light and dark, and nothing is wider than a phone of 360 pixels.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must, textOf } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { loopbackAllowed } from '../webhooks/scene.ts';
import { axe, violationsOn } from './axe.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { newStaff, overflowing, rowsOf, type StaffVisit, visitAs } from './dashboard-staff.ts';

type Show = (visit: StaffVisit, eventId: string) => Promise<void>;

/** Opens a page, presses its first button of that name, and waits for the dialog. */
const asking =
  (path: string, button: string): Show =>
  async ({ page, open }) => {
    await open(path);
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
  };
const list =
  (path: string, label: string): Show =>
  async ({ page, open }) => {
    await open(path);
    await rowsOf(page, label).locator('time').first().waitFor({ state: 'attached' });
  };

const pages: Readonly<Record<string, Show>> = {
  'API keys': list('/developers/api-keys', 'API keys'),
  'create key': asking('/developers/api-keys', 'Create key'),
  'roll key': asking('/developers/api-keys', 'Roll'),
  'revoke key': asking('/developers/api-keys', 'Revoke'),
  'key created': async (visit, id) => {
    await asking('/developers/api-keys', 'Create key')(visit, id);
    await visit.page.keyboard.press('Enter');
    await visit.page.getByRole('dialog', { name: 'Key created' }).waitFor();
  },
  'key rolled': async (visit, id) => {
    await asking('/developers/api-keys', 'Roll')(visit, id);
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Roll' }).click();
    await visit.page.getByRole('dialog', { name: 'Key rolled' }).waitFor();
  },
  webhooks: async ({ page, open }) => {
    await open('/developers/webhooks');
    await seesHeading(page, 'Failed deliveries');
  },
  'add endpoint': async (visit, id) => {
    await asking('/developers/webhooks', 'Add endpoint')(visit, id);
    await visit.page.keyboard.press('Enter');
    await visit.page.getByText('Enter the address').waitFor();
  },
  'rotate secret': asking('/developers/webhooks', 'Rotate secret'),
  'secret rotated': async (visit, id) => {
    await asking('/developers/webhooks', 'Rotate secret')(visit, id);
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await visit.page.getByRole('dialog', { name: 'New signing secret' }).waitFor();
  },
  'edit endpoint': asking('/developers/webhooks', 'Edit'),
  'delete endpoint': asking('/developers/webhooks', 'Delete'),
  'disable endpoint': asking('/developers/webhooks', 'Disable'),
  'resend all': asking('/developers/webhooks', 'Resend all'),
  events: list('/developers/events', 'Events'),
  'an event': async ({ page, open }, id) => {
    await open(`/developers/events?id=${id}`);
    await page.getByText('HTTP 503').first().waitFor();
  },
  requests: list('/developers/requests', 'Requests'),
  'a request': async (visit, id) => {
    await list('/developers/requests', 'Requests')(visit, id);
    await visit.page.getByText('POST /webhook-endpoints').first().click();
    await seesHeading(visit.page, 'Response body');
  },
  team: async ({ page, open }) => {
    await open('/team');
    await press(page, 'Invite member');
    await page.getByLabel('Email').fill(`${Date.now()}.with.a.long.address@accounting.shop.example`);
    await page.keyboard.press('Enter');
    await press(page, 'Done');
    await page.getByRole('button', { name: 'New link' }).first().waitFor();
  },
  'invite member': asking('/team', 'Invite member'),
  'member invited': async (visit, id) => {
    await asking('/team', 'Invite member')(visit, id);
    await visit.page.getByLabel('Email').fill(`${Date.now()}@shop.example`);
    await visit.page.keyboard.press('Enter');
    await visit.page.getByRole('dialog', { name: 'Invitation created' }).waitFor();
  },
  'change role': asking('/team', 'Change role'),
  'remove member': asking('/team', 'Remove'),
  'reset password': asking('/team', 'Reset password'),
  'password reset': async (visit, id) => {
    await asking('/team', 'Reset password')(visit, id);
    await press(visit.page, 'Create link');
    await visit.page.getByRole('dialog', { name: 'Password reset link created' }).waitFor();
  },
  navigation: async ({ page, open }) => {
    await open('/payments');
    await press(page, 'Open navigation');
    await page.getByRole('dialog', { name: 'Navigation' }).waitFor();
  },
  'audit log': list('/audit-log', 'Audit log'),
  'an entry of the audit log': asking('/audit-log', 'Created an API key'),
};

describe('the pages of developers, team and audit log', { concurrency: 2 }, () => {
  const started = checkoutForSuite(sqlite, { settings: { ...loopbackAllowed, PAYDESK_WEBHOOK_RETRY_DELAYS: '0' } });
  let filled: Promise<{ shop: TestMerchant; eventId: string }> | undefined;

  async function fill(test: Parameters<typeof startWebhookReceiver>[0]) {
    const shop = await started().paydesk.newMerchant();
    await newStaff(started(), 'support', [shop]);
    const receiver = await startWebhookReceiver(test);
    receiver.answerWith({ status: 503, body: `{"error":"${'down for maintenance, '.repeat(10)}"}` });
    const subscription = { url: `${receiver.url}/hooks`, description: 'Order system' };
    const endpoint = must(201, await shop.test.post('/webhook-endpoints', subscription));
    const event = must(201, await shop.test.post(`/webhook-endpoints/${textOf(endpoint.id)}/test`));
    await until('it has failed', () => receiver.requests.length === 2);
    return { shop, eventId: textOf(event.id) };
  }

  for (const [name, show] of Object.entries(pages)) {
    it(`${name}: accessible, light and dark, and not wider than a phone`, async (t) => {
      filled ??= fill(t);
      const { shop, eventId } = await filled;
      await visitAs(started(), shop, {}, async (visit) => {
        const { page } = visit;
        await page.setViewportSize({ width: 360, height: 740 });
        await show(visit, eventId);
        await page.evaluate(axe);
        assert.deepEqual(await overflowing(page), []);
        assert.deepEqual(await violationsOn(page, 'light'), []);
        assert.deepEqual(await violationsOn(page, 'dark'), []);
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.deepEqual(await violationsOn(page, 'light'), []);
      });
    });
  }
});
