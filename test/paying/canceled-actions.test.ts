// "Cancel and choose another method" on the sandbox pages: this is not a decline, and the customer can pay another way.
// The pages show the merchant, and use the customer's language.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import type { Fields } from '../support/api-client.ts';
import { formOf, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';
import { assertNeverAuthorised, atAcquirer, failed, openShop, paid, paymentState, untilStatus } from './scene.ts';

const good = '4242424242424242';
const challenged = '4000000000003220';

describeOnEachEngine('A customer who cancels', (engine) => {
  // A third decline per session, address or card would be refused.
  const paydesk = paydeskForSuite(engine, {
    settings: {
      PAYDESK_DECLINES_PER_SESSION: '2',
      PAYDESK_DECLINES_PER_ADDRESS: '2',
      PAYDESK_DECLINES_PER_CARD: '2',
    },
  });

  it('a challenge can pay another way, however often they cancel', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    for (const _ of [1, 2, 3, 4]) {
      const page = await shop.customer.choose(await shop.customer.payByCard(session.id, challenged), 'cancel');
      assert.ok(textOfPage(page).includes('You cancelled the payment'), textOfPage(page));
      assert.ok(page.html.includes('class="banner mild"'), 'it is not a failure');
    }
    const { intent, events, session: after } = await paymentState(shop, session);
    assert.deepEqual([intent.status, after.status], ['requires_payment_method', 'open']);
    assert.deepEqual(events, [...failed, ...failed, ...failed, ...failed]);
    const { message, ...codes } = intent.last_payment_error as Fields;
    assert.deepEqual(codes, { code: 'customer_canceled' });
    assert.match(String(message), /canceled before the payment was confirmed/);
    assert.equal((await atAcquirer(shop, session)).actionStatus, 'canceled');
    await assertNeverAuthorised(shop, session);
    await shop.customer.payByCard(session.id, good);
    const done = await untilStatus(shop, session, 'succeeded');
    assert.equal(done.intent.last_payment_error, null);
  });

  it('at the bank can pay another way', async () => {
    const shop = await openShop(paydesk());
    for (const method of ['ideal', 'sepa_debit']) {
      const session = await shop.merchant.newSession();
      const page = await shop.customer.choose(await shop.customer.payBy(session.id, method), 'cancel');
      assert.ok(textOfPage(page).includes('You cancelled the payment'), textOfPage(page));
      assert.equal(formOf(page).fields.method, method);
      const { intent, events } = await paymentState(shop, session);
      assert.equal((intent.last_payment_error as Fields).code, 'customer_canceled');
      assert.deepEqual(events, failed);
    }
  });

  it('after authorising changes nothing', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const redirected = await shop.customer.payBy(session.id, 'ideal');
    const bank = formOf(await shop.customer.follow(redirected));
    await shop.customer.choose(redirected, 'pass');
    await shop.customer.post(bank.action, { result: 'cancel' });
    assert.deepEqual((await untilStatus(shop, session, 'succeeded')).events, paid);
  });
});

describeOnEachEngine('The sandbox pages', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('name the merchant, with logo and colour, in the language of the session', async () => {
    const shop = await openShop(paydesk());
    const { store } = paydesk();
    await updateMerchant({ store, moment: aMoment, actor: 'test' }, shop.merchant.merchant.id, {
      name: 'Nordwind & Söhne',
      logoUrl: 'https://nordwind.example/logo.svg',
      accentColor: '#0b7a4b',
    });
    const session = await shop.merchant.newSession({ locale: 'fr' });
    const other = await shop.merchant.newSession({ locale: 'fr' });
    for (const redirected of [
      await shop.customer.payByCard(session.id, challenged),
      await shop.customer.payBy(other.id, 'ideal'),
    ]) {
      const page = await shop.customer.follow(redirected);
      assert.match(page.html, /<html lang="fr"/);
      assert.ok(page.html.includes('src="https://nordwind.example/logo.svg"'));
      assert.ok(page.html.includes('--accent:#0b7a4b'));
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /img-src 'self' data: https:\/\/nordwind\.example;/,
      );
      const text = textOfPage(page);
      assert.ok(text.includes('Nordwind & Söhne') && text.includes('12,50 €'), text);
      assert.ok(!text.includes('Paydesk Sandbox'));
    }
  });

  it("use the customer's language if the session does not set one", async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    const options = { headers: { 'Accept-Language': 'de-AT' } };
    const redirected = await shop.customer.payForm(form, challenged, options);
    assert.match((await shop.customer.follow(redirected)).html, /<html lang="de"/);
    assert.equal((await atAcquirer(shop, session)).locale, 'de-AT');
  });

  it('also show payments that an earlier version began', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const redirected = await shop.customer.payByCard(session.id, challenged);
    const payment = await atAcquirer(shop, session);
    await sandboxBooks(paydesk().store).commit({ payments: [{ ...payment, merchant: null, locale: null }] });
    assert.ok(textOfPage(await shop.customer.follow(redirected)).includes('Confirm your identity'));
  });
});
