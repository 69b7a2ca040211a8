// `acquirer check` at Stripe: a harmless call, and a test payment from creation to refund.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHttpDoor } from '../../../src/acquirers/http-door.ts';
import { CredentialsRefused, type TestStep } from '../../../src/acquirers/provider.ts';
import { stripe } from '../../../src/acquirers/stripe/stripe.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { assertSilent, openScene, returnUrl, type Scene } from './scene.ts';

const request = { currency: 'EUR', returnUrl, notificationUrl: 'https://pay.example/n', id: 'check_1' };

async function steps({ account }: Scene, currency = 'EUR'): Promise<TestStep[]> {
  const made: TestStep[] = [];
  for await (const step of account.payForTest({ ...request, currency, id: `check_${currency}` })) made.push(step);
  return made;
}

describe('Checking an account', () => {
  it('reports the account, its country, currencies and methods, and the clock difference', async (t) => {
    const { account, clock } = await openScene(t);
    clock.set(Date.now() + 3_600_000);
    const facts = await account.check();
    assert.equal(facts.account, 'acct_1Simulated');
    assert.equal(facts.country, 'DE');
    assert.deepEqual(facts.methods, ['card']);
    assert.deepEqual(facts.currencies, ['CHF', 'EUR', 'GBP', 'ISK', 'JPY', 'KWD', 'MGA', 'PLN', 'SEK', 'UGX', 'USD']);
    // The response took some time, so that Stripe's clock is a little later than ours when it was set.
    assert.ok(facts.clockAheadMs !== null && facts.clockAheadMs > 3_400_000 && facts.clockAheadMs < 3_601_000);
  });

  it('refuses a revoked key, without repeating it', async (t) => {
    const { account } = await openScene(t, { givenKey: 'sk_test_revoked' });
    await assert.rejects(account.check(), (error: unknown) => {
      assert.ok(error instanceof CredentialsRefused);
      assert.doesNotMatch(error.message, /sk_test/);
      return true;
    });
  });

  it('names the permissions that a restricted key lacks', async (t) => {
    const { account, simulator } = await openScene(t);
    assert.deepEqual((await account.check()).missingPermissions, []);
    for (const [endpoints, names] of [
      [['disputes'], ['Disputes (read)']],
      [['confirmation_tokens'], ['Confirmation tokens (read)']],
      [['refunds', 'charges'], ['Charges and refunds (write)']],
      [
        ['disputes', 'confirmation_tokens'],
        ['Confirmation tokens (read)', 'Disputes (read)'],
      ],
    ] as const) {
      simulator.withhold(...endpoints);
      assert.deepEqual((await account.check()).missingPermissions, names);
    }
    simulator.withhold('payment_intents', 'disputes');
    await assert.rejects(account.check(), (error: unknown) => {
      assert.ok(error instanceof CredentialsRefused);
      assert.match(error.message, /: PaymentIntents \(write\), Disputes \(read\)\.$/);
      return true;
    });
    simulator.withhold('account');
    await assert.rejects(account.check(), /: Account \(read\)\.$/);
  });

  it('does not take a read that goes wrong for a missing permission', async (t) => {
    const { account, simulator } = await openScene(t);
    simulator.faults.inject('disputes.list', '500_before');
    assert.deepEqual((await account.check()).missingPermissions, []);
  });

  it('has a cheap form of one request, which tells that the key may not make it', async (t) => {
    const { account, simulator } = await openScene(t);
    await account.ping?.();
    assert.equal(simulator.calls.length, 1);
    simulator.withhold('account');
    await assert.rejects(account.ping?.() ?? Promise.resolve(), CredentialsRefused);
    simulator.faults.inject('*', '503_before');
    await assertSilent(account.ping?.() ?? Promise.resolve());
  });

  it('is silent if Stripe is', async (t) => {
    const { account, simulator } = await openScene(t);
    simulator.faults.inject('*', '503_before', 100);
    await assertSilent(account.check());
  });

  it('manages with a key that may read little, and an account that cannot charge', async (t) => {
    const server = await startWebhookReceiver(t);
    const account = { id: 'acct_1', country: 'DE', default_currency: 'eur', charges_enabled: false };
    server.answerWith({ body: JSON.stringify(account), headers: { date: 'nonsense' } }, '/v1/account');
    server.answerWith({ status: 403, body: '{}' }, '/v1/country_specs/DE');
    const door = createHttpDoor({ userAgent: 'Paydesk/test' });
    t.after(() => door.close());
    const credentials = { secret_key: 'rk_test_1', publishable_key: 'pk_test_1', webhook_secret: 'whsec_1' };
    const options = { livemode: false, credentials, door, apiUrl: server.url, now: Date.now };
    assert.deepEqual(await stripe.connect(options).check(), {
      account: 'acct_1',
      country: 'DE',
      currencies: ['EUR'],
      methods: [],
      missingPermissions: [],
      clockAheadMs: null,
    });
  });
});

describe('A test payment', () => {
  it('is authorised, captured and refunded, in any currency', async (t) => {
    const scene = await openScene(t);
    for (const currency of ['EUR', 'JPY', 'ISK', 'KWD', 'IDR', 'MGA']) {
      const made = await steps(scene, currency);
      assert.deepEqual(
        made.map(({ name, ok }) => ({ name, ok })),
        [
          { name: 'payment', ok: true },
          { name: 'capture', ok: true },
          { name: 'refund', ok: true },
        ],
        JSON.stringify(made),
      );
    }
    const { captured, held, refunded } = scene.simulator.totals();
    assert.ok(captured > 0 && held === 0);
    assert.equal(refunded, captured);
  });

  it('stops at the first step that fails, and says why', async (t) => {
    const scene = await openScene(t);
    scene.simulator.faults.inject('payment_intents.create', '503_before');
    const [first, ...others] = await steps(scene);
    assert.deepEqual(others, []);
    assert.equal(first?.ok, false);
    assert.match(first?.message ?? '', /could not be created/);
  });

  it('is never made with live keys', async (t) => {
    const { simulator } = await openScene(t);
    const door = createHttpDoor({ userAgent: 'Paydesk/test' });
    t.after(() => door.close());
    const credentials = { secret_key: 'sk_live_1', publishable_key: 'pk_live_1', webhook_secret: 'whsec_1' };
    const options = { livemode: true, credentials, door, apiUrl: simulator.url, now: Date.now };
    assert.throws(() => stripe.connect(options).payForTest(request), /never made with live keys/);
    assert.equal(simulator.calls.length, 0);
  });
});
