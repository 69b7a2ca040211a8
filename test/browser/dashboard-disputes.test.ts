// Disputes in the dashboard: what was reclaimed, why, and until when to respond.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Dispute } from '../../src/domain/dispute.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { failingCalls, rowsOf, visitAs } from './dashboard-staff.ts';

const dayMs = 86_400_000;

describeOnEachEngine('disputes in the dashboard', { concurrency: 2 }, (engine) => {
  const started = checkoutForSuite(engine);

  async function dispute(shop: TestMerchant, changes: Partial<Dispute>): Promise<Dispute> {
    const session = await shop.newSession();
    const made: Dispute = {
      ...shop.scope,
      id: aMoment(Date.now()).newId('dp'),
      version: 0,
      paymentIntentId: String(session.payment_intent),
      amount: 1250,
      currency: 'EUR',
      reason: 'fraudulent',
      status: 'needs_response',
      evidenceDueBy: Date.now() + 20 * dayMs,
      isClosed: false,
      acquirer: { provider: 'stripe', reference: 'du_1' },
      createdAt: Date.now(),
      ...changes,
    };
    await mustCommit(started().paydesk.store, { disputes: [made] });
    return made;
  }

  it('shows amount, status, reason, payment and deadline, and opens the payment', async () => {
    const shop = await started().paydesk.newMerchant();
    const made = await dispute(shop, {
      amount: 900,
      reason: 'product_not_received',
      evidenceDueBy: Date.now() + dayMs,
    });
    await visitAs(started(), shop, { role: 'support' }, async ({ page, open }) => {
      await open('/disputes');
      const row = rowsOf(page, 'Disputes').first();
      for (const text of ['€9.00', 'Needs response', 'Product not received', 'Stripe', made.paymentIntentId])
        await row.getByText(text, { exact: true }).waitFor();
      await row.getByText(/^in \d+ hours$/).waitFor();
      await row.getByRole('button', { name: 'Copy du_1' }).waitFor();
      await row.click();
      await page.waitForURL(`**/dashboard/payments/${made.paymentIntentId}`);
    });
  });

  it('filters by status, in the address bar', async () => {
    const shop = await started().paydesk.newMerchant();
    await dispute(shop, { reason: 'duplicate', status: 'won', isClosed: true });
    await dispute(shop, { reason: 'general' });
    await visitAs(started(), shop, {}, async ({ page, open }) => {
      await open('/disputes?status=won');
      await page.getByText('Duplicate').waitFor();
      assert.equal(await rowsOf(page, 'Disputes').count(), 1);
      await page.getByRole('tab', { name: 'Lost' }).click();
      await page.getByRole('link', { name: 'Show all disputes' }).click();
      await page.getByText('General').waitFor();
      assert.equal(new URL(page.url()).search, '');
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('says what disputes are if there are none, and tries again after a failure', async () => {
    const shop = await started().paydesk.newMerchant();
    await visitAs(started(), shop, { expectedStatus: 500 }, async ({ page, open }) => {
      const recover = await failingCalls(page, '/disputes');
      await open('/disputes');
      await seesHeading(page, 'This could not be loaded');
      await recover();
      await press(page, 'Try again');
      await seesHeading(page, 'No disputes');
    });
  });
});
