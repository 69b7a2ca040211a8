// POST /checkout-sessions and GET /checkout-sessions/{id}: the request, the response, and what is stored.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { currencies, withdrawnCurrencies } from '../../src/domain/currencies.ts';
import { must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const minuteMs = 60_000;

describeOnEachEngine('Creating a checkout session', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('requires an amount and a currency, and has defaults for everything else', async () => {
    const { test } = await paydesk().newMerchant();
    const response = await test.post('/checkout-sessions', { amount: 1250, currency: 'EUR' });
    const { id, payment_intent, client_secret, ...session } = must(201, response);
    const now = paydesk().clock.now();
    assert.match(String(id), /^cs_[0-9a-z]{26,}$/);
    assert.match(String(payment_intent), /^pi_[0-9a-z]{26,}$/);
    assert.match(String(client_secret), new RegExp(`^${payment_intent}_secret_[0-9a-z]{20,}$`));
    assert.deepEqual(session, {
      object: 'checkout_session',
      status: 'open',
      mode: 'payment',
      amount: 1250,
      currency: 'EUR',
      metadata: {},
      url: `https://pay.test.example/checkout/${id}`,
      return_url: null,
      cancel_url: null,
      capture_method: 'automatic',
      payment_method_types: ['card', 'ideal', 'bancontact', 'eps', 'sepa_debit'],
      description: null,
      customer_email: null,
      locale: 'auto',
      line_items: null,
      expires_at: new Date(now + 30 * minuteMs).toISOString(),
      completed_at: null,
      collect: [],
      customer_details: null,
      payment_link: null,
      ui_mode: 'hosted',
      livemode: false,
      created_at: new Date(now).toISOString(),
    });
  });

  it('keeps every given field, and GET returns the same', async () => {
    const { test } = await paydesk().newMerchant();
    const given = {
      amount: 2100,
      currency: 'PLN',
      mode: 'payment',
      return_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://localhost:3000/cart',
      metadata: { order: '6735', 'key with ünïcode 🛒': 'wért "quoted" \\ \n 漢字', empty: '', __proto__x: '1' },
      capture_method: 'manual',
      payment_method_types: ['blik', 'card'],
      description: 'Two bags of coffee ☕',
      customer_email: 'ada@example.com',
      locale: 'pt-BR',
      line_items: [
        { name: 'Coffee', quantity: 2, unit_amount: 1000, description: 'Whole beans' },
        { name: 'Bag', quantity: 1, unit_amount: 100, description: null },
        { name: 'Gift', quantity: 3, unit_amount: 0, description: null },
      ],
    };
    const created = must(201, await test.post('/checkout-sessions', { ...given, expires_in: 300 }));
    for (const [field, value] of Object.entries(given)) assert.deepEqual(created[field], value, field);
    assert.equal(created.expires_at, new Date(paydesk().clock.now() + 5 * minuteMs).toISOString());
    assert.deepEqual(must(200, await test.get(`/checkout-sessions/${created.id}`)), created);
  });

  it('creates a payment intent with the same amount, currency and metadata, and no event', async () => {
    const { test, newSession, events } = await paydesk().newMerchant();
    const session = await newSession({ amount: 500, currency: 'usd', metadata: { a: 'b' }, capture_method: 'manual' });
    assert.deepEqual(must(200, await test.get(`/payment-intents/${session.payment_intent}`)), {
      id: session.payment_intent,
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount: 500,
      currency: 'USD',
      metadata: { a: 'b' },
      livemode: false,
      created_at: session.created_at,
      capture_method: 'manual',
      amount_captured: 0,
      amount_refunded: 0,
      checkout_session: session.id,
      payment_method: null,
      last_payment_error: null,
      canceled_at: null,
      cancellation_reason: null,
      acquirer: null,
      customer_details: null,
      payment_link: null,
    });
    assert.deepEqual(await events(), []);
  });

  it('computes the amount from the line items, or checks that both agree', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const line_items = [{ name: 'Tea', quantity: 3, unit_amount: 333 }];
    const summed = must(201, await test.post('/checkout-sessions', { currency: 'EUR', line_items }));
    assert.equal(summed.amount, 999);
    assert.deepEqual(summed.line_items, [{ name: 'Tea', quantity: 3, unit_amount: 333, description: null }]);
    assert.equal((await newSession({ amount: 999, line_items })).amount, 999);
  });

  it('accepts amounts from 1 to 999 999 999 999', async () => {
    const { newSession } = await paydesk().newMerchant();
    for (const amount of [1, 999_999_999_999]) assert.equal((await newSession({ amount })).amount, amount);
  });

  it('accepts every currency that is not withdrawn, in either case, and returns it in upper case', async () => {
    const { newSession } = await paydesk().newMerchant();
    const enabled = currencies.filter((code) => !withdrawnCurrencies.includes(code));
    assert.equal(currencies.length, 159);
    await Promise.all(
      enabled.map(async (code) => assert.equal((await newSession({ currency: code.toLowerCase() })).currency, code)),
    );
  });

  it('offers by default the methods that the currency allows', async () => {
    const { newSession } = await paydesk().newMerchant();
    const offered = async (currency: string) => (await newSession({ currency })).payment_method_types;
    assert.deepEqual(await offered('SEK'), ['card', 'swish']);
    assert.deepEqual(await offered('JPY'), ['card']);
    assert.deepEqual(await offered('MXN'), ['card', 'oxxo']);
  });

  it('accepts texts up to their limits: 50 metadata keys of 40 with values of 500, 100 line items, a description of 500', async () => {
    const { newSession } = await paydesk().newMerchant();
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${'🛒'.repeat(38)}${10 + index}`, '漢'.repeat(500)]),
    );
    const description = 'd'.repeat(500);
    const line_items = Array.from({ length: 100 }, () => ({
      name: 'n'.repeat(200),
      quantity: 1,
      unit_amount: 1,
      description,
    }));
    const session = await newSession({ metadata, line_items, amount: 100, description, expires_in: 86_400 });
    assert.deepEqual(session.metadata, metadata);
    assert.deepEqual(session.line_items, line_items);
    assert.equal(session.description, description);
  });

  it('refuses a live session while no acquirer is configured, and stores none', async () => {
    const { live } = await paydesk().newMerchant();
    const response = await live.post('/checkout-sessions', { amount: 1250, currency: 'EUR' });
    assert.equal(response.status, 400);
    assert.equal(response.error.code, 'live_mode_not_configured');
    assert.deepEqual(must(200, await live.get('/checkout-sessions')).data, []);
  });

  it('keeps metadata keys that are special in JavaScript as plain text', async () => {
    const { test } = await paydesk().newMerchant();
    const raw =
      '{"amount":5,"currency":"EUR","metadata":{"__proto__":"p","constructor":"c","toString":"t","refused":"r"}}';
    const headers = { 'Content-Type': 'application/json' };
    const created = await test.send('POST', '/checkout-sessions', { raw, headers });
    const stored = await test.get(`/checkout-sessions/${must(201, created).id}`);
    const kept = /"metadata":\{"__proto__":"p","constructor":"c","toString":"t","refused":"r"\}/;
    assert.match(created.text, kept);
    assert.match(stored.text, kept);
  });
});
