// Every local method, to its final state: the customer chooses at the test bank, and some settle later.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Fields } from '../support/api-client.ts';
import { pathOf, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import {
  atAcquirer,
  failed,
  manyDeclines,
  openShop,
  type PaymentState,
  paid,
  paymentState,
  type Shop,
  untilStatus,
} from './scene.ts';

const immediate = [
  ['ideal', 'EUR'],
  ['bancontact', 'EUR'],
  ['eps', 'EUR'],
  ['blik', 'PLN'],
  ['pix', 'BRL'],
  ['promptpay', 'THB'],
  ['swish', 'SEK'],
  ['twint', 'CHF'],
] as const;
const later = [
  ['sepa_debit', 'EUR'],
  ['oxxo', 'MXN'],
] as const;

const bankDeclined = { code: 'payment_declined', decline_code: 'bank_declined' };

function codesOf(intent: Fields): Fields {
  const { message, ...codes } = intent.last_payment_error as Fields;
  assert.equal(typeof message, 'string');
  return codes;
}

/** The acquirer's notification and the customer's return race to complete it while the clock stands still. */
async function untilCompleted(shop: Shop, session: Fields): Promise<PaymentState> {
  await until(
    'the session is completed',
    async () => (await paymentState(shop, session)).session.status === 'completed',
  );
  return paymentState(shop, session);
}

describeOnEachEngine('A local method', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  for (const [method, currency] of [...immediate, ...later]) {
    it(`${method} redirects to the test bank, and declining there leaves the session unpaid`, async () => {
      const shop = await openShop(paydesk());
      const session = await shop.merchant.newSession({ currency });
      const redirected = await shop.customer.payBy(session.id, method);
      assert.match(pathOf(redirected), /^\/sandbox-bank\/op_/);
      const waiting = await paymentState(shop, session);
      assert.deepEqual([waiting.intent.status, waiting.events], ['requires_action', []]);
      const bank = textOfPage(await shop.customer.follow(redirected));
      assert.ok(bank.includes('Authorise payment') && bank.includes('Decline payment'), bank);
      assert.equal(
        bank.includes('Authorise, then fail later'),
        later.some(([known]) => known === method),
      );

      const page = await shop.customer.choose(redirected, 'fail');
      assert.ok(textOfPage(page).includes('The payment was not authorised'), textOfPage(page));
      const after = await paymentState(shop, session);
      assert.equal(after.intent.status, 'requires_payment_method');
      assert.deepEqual(after.intent.payment_method, { type: method });
      assert.deepEqual(codesOf(after.intent), bankDeclined);
      assert.equal(after.intent.amount_captured, 0);
      assert.equal(after.session.status, 'open');
      assert.deepEqual(after.events, failed);
      assert.equal((await atAcquirer(shop, session)).amountCaptured, 0);
    });
  }

  for (const [method, currency] of immediate) {
    it(`${method} pays at once when it is authorised`, async () => {
      const shop = await openShop(paydesk());
      const session = await shop.merchant.newSession({ currency });
      await shop.customer.choose(await shop.customer.payBy(session.id, method), 'pass');
      const after = await untilStatus(shop, session, 'succeeded');
      assert.deepEqual(after.intent.payment_method, { type: method });
      assert.equal(after.intent.amount_captured, 1250);
      assert.equal(after.intent.last_payment_error, null);
      assert.equal(after.session.status, 'completed');
      assert.deepEqual(after.events, paid);
      assert.equal((await atAcquirer(shop, session)).amountCaptured, 1250);
    });
  }

  for (const [method, currency] of later) {
    it(`${method} completes the session at once, and pays about 5 seconds later`, async () => {
      const shop = await openShop(paydesk());
      const session = await shop.merchant.newSession({ currency });
      const redirected = await shop.customer.payBy(session.id, method);
      await shop.customer.choose(redirected, 'pass');
      const done = await untilCompleted(shop, session);
      assert.equal(done.intent.status, 'processing');
      assert.equal(done.intent.amount_captured, 0);
      assert.equal(done.session.status, 'completed');
      assert.deepEqual(done.events, ['checkout_session.completed']);
      const page = textOfPage(await shop.customer.open(session.id));
      assert.ok(page.includes('Payment on its way'), page);

      shop.paydesk.clock.advance(5_000);
      const after = await untilStatus(shop, session, 'succeeded');
      assert.equal(after.intent.amount_captured, 1250);
      assert.equal(after.session.completed_at, done.session.completed_at);
      assert.deepEqual(after.events, ['checkout_session.completed', 'payment_intent.succeeded']);
      assert.equal((await atAcquirer(shop, session)).amountCaptured, 1250);
    });

    it(`${method} that fails later leaves the session completed, and the merchant gets an event`, async () => {
      const shop = await openShop(paydesk());
      const session = await shop.merchant.newSession({ currency });
      await shop.customer.choose(await shop.customer.payBy(session.id, method), 'fail_later');
      assert.deepEqual((await untilCompleted(shop, session)).events, ['checkout_session.completed']);

      shop.paydesk.clock.advance(5_000);
      const after = await untilStatus(shop, session, 'requires_payment_method');
      assert.deepEqual(codesOf(after.intent), bankDeclined);
      assert.equal(after.intent.amount_captured, 0);
      assert.equal(after.session.status, 'completed');
      assert.deepEqual(after.events, ['checkout_session.completed', ...failed]);
      assert.equal((await atAcquirer(shop, session)).amountCaptured, 0);
      // The customer is done: no form, no second payment, and the session does not expire either.
      assert.ok(!textOfPage(await shop.customer.open(session.id)).includes('Pay '));
    });
  }

  it('that the session does not offer is not started', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ payment_method_types: ['card'] });
    for (const method of ['ideal', 'blik', 'cash', '']) {
      const page = await shop.customer.payBy(session.id, method);
      assert.equal(page.status, 200);
      assert.ok(textOfPage(page).includes('Please try that again'), textOfPage(page));
    }
    const after = await paymentState(shop, session);
    assert.deepEqual([after.intent.status, after.intent.payment_method], ['requires_payment_method', null]);
    assert.deepEqual(after.events, []);
  });
});
