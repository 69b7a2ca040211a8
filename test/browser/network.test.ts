// The network requests of the pages: a single document, small enough for a bad connection, and nothing from third
// parties. Violations of the content security policy fail any test in this folder; here one is provoked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { challengedCard, payByCard, press, seesReceipt } from './browsing-customer.ts';

const maxBytes = 40_000;
const methods = ['card', 'ideal', 'bancontact', 'eps', 'sepa_debit'];
const lineItems = Array.from({ length: 10 }, (_, index) => ({
  name: `Coffee from hill ${index}`,
  quantity: 1,
  unit_amount: 125,
}));

describe('the network requests of the pages', () => {
  const started = checkoutForSuite(sqlite);

  it('load the pay page as a single document under 40 KB', async () => {
    const { merchant, visit } = started();
    const order = { amount: 1250, payment_method_types: methods, line_items: lineItems, locale: 'ar' };
    const session = await merchant.newSession(order);
    await visit({}, async ({ page, requests }) => {
      const response = await page.goto(String(session.url), { waitUntil: 'networkidle' });
      const bytes = gzipSync((await response?.body()) ?? '').length;
      assert.ok(bytes > 1_000 && bytes < maxBytes, `${bytes} bytes compressed`);
      assert.deepEqual(requests, [`GET ${session.url}`]);
    });
  });

  it('go only to Paydesk for a whole payment with a challenge', async () => {
    const { merchant, visit, paydesk } = started();
    const session = await merchant.newSession();
    await visit({ viewport: 'phone' }, async ({ page, requests }) => {
      await payByCard(page, session.url, challengedCard);
      await press(page, 'Complete authentication');
      await seesReceipt(page);
      const elsewhere = requests.filter((request) => !request.includes(` ${paydesk.url}/`));
      assert.deepEqual(elsewhere, []);
    });
  });

  it("load only the merchant's logo from elsewhere, without a Referer header", async () => {
    const { paydesk, visit } = started();
    const logoOrigin = 'https://cdn.shop.example';
    const shop = await paydesk.newMerchant();
    await updateMerchant({ store: paydesk.store, moment: aMoment, actor: 'test' }, shop.merchant.id, {
      logoUrl: `${logoOrigin}/logo.svg`,
    });
    const session = await shop.newSession();
    await visit({ pictures: [logoOrigin] }, async ({ page, requests }) => {
      const logoRequest = page.waitForRequest(`${logoOrigin}/logo.svg`);
      await page.goto(String(session.url), { waitUntil: 'networkidle' });
      assert.equal((await logoRequest).headers().referer, undefined);
      assert.deepEqual(requests, [`GET ${session.url}`, `GET ${logoOrigin}/logo.svg`]);
      const width = await page.evaluate("document.querySelector('.merchant img').naturalWidth");
      assert.ok(Number(width) > 0, 'the policy allows the logo');
    });
  });

  it('report a third-party script, which does not run', async () => {
    const { merchant, visit, paydesk } = started();
    const session = await merchant.newSession();
    const seen = visit({}, async ({ page }) => {
      await page.goto(String(session.url));
      await page.evaluate(`{
        const skimmer = document.createElement('script');
        skimmer.textContent = 'window.skimmed = true';
        document.body.append(skimmer);
      }`);
      assert.equal(await page.evaluate('window.skimmed'), undefined);
      await until('the violation is reported', () =>
        paydesk.logLines().some(({ msg }) => msg === 'a page violated its content security policy'),
      );
    });
    await assert.rejects(seen, /Content Security Policy/);
  });
});
