// Every sandbox card, to its final state: the payment, the merchant's events, and the money at the acquirer.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pathOf, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, shortAcquirerTimeout, startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import {
  assertNeverAuthorised,
  atAcquirer,
  failed,
  manyDeclines,
  openShop,
  type PaymentState,
  paid,
  paymentState,
  untilStatus,
} from './scene.ts';

const good = [
  ['4242424242424242', 'visa', '4242'],
  ['5555555555554444', 'mastercard', '4444'],
  ['378282246310005', 'amex', '0005'],
  ['6011111111111117', 'discover', '1117'],
  ['4000000000003055', 'visa', '3055'],
] as const;

const refused = [
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds'],
  ['4000000000009987', 'card_declined', 'lost_card', 'Your card was declined'],
  ['4000000000009979', 'card_declined', 'stolen_card', 'Your card was declined'],
  ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', 'Your security code is incorrect'],
  ['4000000000000119', 'processing_error', 'processing_error', 'The payment could not be processed'],
] as const;

function assertPaid({ intent, session, events }: PaymentState, card: { brand: string; last4: string }): void {
  assert.equal(intent.status, 'succeeded');
  assert.equal(intent.amount, 1250);
  assert.equal(intent.amount_captured, 1250);
  assert.equal(intent.amount_refunded, 0);
  assert.equal(intent.last_payment_error, null);
  assert.deepEqual(intent.payment_method, { type: 'card', card: { ...card, exp_month: 12, exp_year: 2034 } });
  assert.equal(session.status, 'completed');
  assert.equal(typeof session.completed_at, 'string');
  assert.deepEqual(events, paid);
}

function assertNotPaid(
  { intent, session, events }: PaymentState,
  error: { code: string; decline_code?: string },
): void {
  assert.equal(intent.status, 'requires_payment_method');
  assert.equal(intent.amount_captured, 0);
  const { message, ...codes } = intent.last_payment_error as Record<string, string>;
  assert.deepEqual(codes, error);
  assert.match(message ?? '', /^[A-Z].+\.$/);
  assert.equal(session.status, 'open');
  assert.equal(session.completed_at, null);
  assert.deepEqual(events, failed);
}

describeOnEachEngine('A card', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  for (const [number, brand, last4] of good) {
    it(`${number} pays`, async () => {
      const shop = await openShop(paydesk());
      const session = await shop.merchant.newSession({ metadata: { order: '7' } });
      const response = await shop.customer.payByCard(session.id, number);
      assert.equal(response.status, 303);
      assert.equal(pathOf(response), `/checkout/${session.id}`);
      assertPaid(await paymentState(shop, session), { brand, last4 });
      const [succeeded, completed] = await shop.merchant.events().then((events) => events.toSorted(byType));
      assert.deepEqual(succeeded?.data, {
        id: session.payment_intent,
        object: 'payment_intent',
        status: 'succeeded',
        amount: 1250,
        currency: 'EUR',
        metadata: { order: '7' },
      });
      assert.deepEqual(completed?.data, {
        id: session.id,
        object: 'checkout_session',
        status: 'completed',
        amount: 1250,
        currency: 'EUR',
        metadata: { order: '7' },
        payment_intent: session.payment_intent,
        expires_at: session.expires_at,
      });
      assert.equal((await atAcquirer(shop, session)).amountCaptured, 1250);
    });
  }

  for (const [number, code, declineCode, title] of refused) {
    it(`${number} fails with ${declineCode}; another card pays afterwards`, async () => {
      const shop = await openShop(paydesk());
      const session = await shop.merchant.newSession();
      const response = await shop.customer.payByCard(session.id, number);
      assert.equal(response.status, 200);
      assert.ok(textOfPage(response).includes(title), textOfPage(response));
      const then = await paymentState(shop, session);
      assertNotPaid(then, { code, decline_code: declineCode });
      const [event] = await shop.merchant.events();
      assert.equal(event?.data.status, 'requires_payment_method');
      assert.deepEqual(event?.data.last_payment_error, then.intent.last_payment_error);
      const { status, amountCaptured } = await atAcquirer(shop, session);
      assert.deepEqual([status, amountCaptured], ['declined', 0]);

      shop.paydesk.clock.advance(1);
      await shop.customer.payByCard(session.id, '4242424242424242');
      const after = await paymentState(shop, session);
      assertPaid({ ...after, events: after.events.slice(1) }, { brand: 'visa', last4: '4242' });
      assert.deepEqual(after.events, [...failed, ...paid]);
    });
  }

  it('that is unknown is declined', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4111111111111111');
    assertNotPaid(await paymentState(shop, session), { code: 'card_declined', decline_code: 'generic_decline' });
  });

  for (const number of ['4000000000003220', '4000008400001629']) {
    it(`${number} requires a challenge; failing it leaves the session unpaid and open`, async () => {
      const shop = await openShop(paydesk());
      const session = await shop.merchant.newSession();
      const redirected = await shop.customer.payByCard(session.id, number);
      assert.match(pathOf(redirected), /^\/sandbox-challenge\/op_/);
      const waiting = await paymentState(shop, session);
      assert.equal(waiting.intent.status, 'requires_action');
      assert.deepEqual(waiting.events, []);
      const challenge = await shop.customer.follow(redirected);
      for (const button of ['Complete authentication', 'Fail authentication']) {
        assert.ok(textOfPage(challenge).includes(button));
      }
      assert.ok(!textOfPage(challenge).includes(number));
      assert.equal(pathOf(await shop.customer.open(session.id)), pathOf(redirected), 'the page redirects to it again');

      const page = await shop.customer.choose(redirected, 'fail');
      assert.ok(textOfPage(page).includes('Your bank could not verify your identity'), textOfPage(page));
      assertNotPaid(await paymentState(shop, session), { code: 'authentication_failed' });
      await assertNeverAuthorised(shop, session);
    });
  }

  it('4000000000003220 pays when the challenge is passed', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.choose(await shop.customer.payByCard(session.id, '4000000000003220'), 'pass');
    assertPaid(await untilStatus(shop, session, 'succeeded'), { brand: 'visa', last4: '3220' });
  });

  it('4000008400001629 is declined when the challenge is passed', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.choose(await shop.customer.payByCard(session.id, '4000008400001629'), 'pass');
    const after = await untilStatus(shop, session, 'requires_payment_method');
    assertNotPaid(after, { code: 'card_declined', decline_code: 'generic_decline' });
  });

  it('4000000000000077 is processing for 5 seconds, then pays', async () => {
    const shop = await openShop(paydesk());
    const { clock, store } = shop.paydesk;
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000000077');
    const then = await paymentState(shop, session);
    assert.deepEqual([then.intent.status, then.session.status, then.events], ['processing', 'open', []]);
    assert.equal((await shop.customer.get(`/checkout/${session.id}/status`)).html.includes('"done":false'), true);
    const page = await shop.customer.open(session.id);
    assert.ok(textOfPage(page).includes('Processing your payment'));

    clock.advance(4_999);
    const operation = (await store.find('paymentIntents', shop.merchant.scope, String(session.payment_intent)))
      ?.operationId;
    const inquired = async () => ((await store.findBy('operations', 'id', operation ?? ''))?.inquiries ?? 0) >= 1;
    await until('an inquiry was made', inquired);
    assert.equal((await paymentState(shop, session)).intent.status, 'processing');
    clock.advance(1);
    assertPaid(await untilStatus(shop, session, 'succeeded'), { brand: 'visa', last4: '0077' });
    assert.equal((await shop.customer.get(`/checkout/${session.id}/status`)).html.includes('"done":true'), true);
  });

  it('whose acquirer does not respond is processing, and then gets the outcome of the inquiry', async (t) => {
    const settings = { ...manyDeclines, ...shortAcquirerTimeout };
    const shop = await openShop(await startPaydesk(t, engine, { settings }));
    const [approved, declined] = [await shop.merchant.newSession(), await shop.merchant.newSession()];
    const responses = await Promise.all([
      shop.customer.payByCard(approved.id, '4000000000000093'),
      shop.customer.payByCard(declined.id, '4000000000000010'),
    ]);
    for (const [index, session] of [approved, declined].entries()) {
      assert.equal(responses[index]?.location, `/checkout/${session.id}`);
      const then = await paymentState(shop, session);
      assert.deepEqual([then.intent.status, then.session.status, then.events], ['processing', 'open', []]);
    }
    shop.paydesk.clock.advance(1_000);
    assertPaid(await untilStatus(shop, approved, 'succeeded'), { brand: 'visa', last4: '0093' });
    const error = { code: 'card_declined', decline_code: 'generic_decline' };
    assertNotPaid(await untilStatus(shop, declined, 'requires_payment_method'), error);
  });
});

function byType(a: { type: string }, b: { type: string }): number {
  return a.type < b.type ? 1 : -1;
}
