// One provider is down: its customers see at once that another method works, everyone else pays and expires as usual, and
// when it is back, payments with it continue by themselves. With the real connectors, over real HTTP.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { providers } from '../../src/acquirers/providers.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { startMollieSimulator } from '../acquirers/mollie-simulator/simulator.ts';
import { startStripeSimulator } from '../acquirers/stripe-simulator/simulator.ts';
import type { Fields } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { type PaydeskOptions, shortAcquirerTimeout, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { manyDeclines, paymentState, untilStatus } from './scene.ts';

async function scene(t: CleansUp, engine: Engine) {
  const stripe = await startStripeSimulator(t, { now: Date.now });
  const mollie = await startMollieSimulator(t);
  const options: PaydeskOptions = {
    settings: {
      ...manyDeclines,
      ...shortAcquirerTimeout,
      PAYDESK_METRICS_ADDRESS: '127.0.0.1:0',
      PAYDESK_STRIPE_API_URL: stripe.url,
      PAYDESK_MOLLIE_API_URL: mollie.url,
    },
  };
  const paydesk = await startPaydesk(t, engine, options);
  const { store, secretBox, clock } = paydesk;
  const deps = { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) };
  async function add(merchant: TestMerchant, name: 'stripe' | 'mollie', methods: readonly string[]): Promise<string> {
    const provider = (await providers[name]?.()) ?? assert.fail();
    const credentials =
      name === 'mollie'
        ? { api_key: mollie.keys.test }
        : { secret_key: stripe.secretKey, publishable_key: 'pk_test_1', webhook_secret: 'whsec_simulated' };
    const about = { merchantId: merchant.merchant.id, livemode: false, name: 'Main', provider };
    const added = await addAcquirerAccount(deps, { ...about, methods, credentials });
    assert.ok('done' in added, JSON.stringify(added));
    clock.advance(1_000);
    return added.done.id;
  }
  const customer = customerAt(paydesk.url);
  async function payByToken(session: Fields) {
    const page = formOf(await customer.open(session.id));
    return customer.post(page.action, { ...page.fields, method: 'card', card_token: 'pm_card_visa' });
  }
  const isMarked = async (session: Fields, method: string): Promise<boolean> => {
    const { html } = await customer.open(session.id);
    assert.ok(html.includes(`id="by-${method}"`), html);
    // Without scripts, a card at Stripe cannot be chosen either, for another reason.
    return html.includes(`id="why-${method}"><small>Not available at the moment.`);
  };
  const metrics = async () => (await fetch(`${paydesk.metricsUrl}/metrics`)).text();
  return { options, stripe, mollie, paydesk, clock, customer, add, payByToken, isMarked, metrics };
}

describeOnEachEngine('While a provider is down', (engine) => {
  it('the next customer sees its method marked at once, pays with another, and with it again when it is back', async (t) => {
    const { stripe, paydesk, clock, customer, add, payByToken, isMarked, metrics } = await scene(t, engine);
    const merchant = await paydesk.newMerchant();
    const account = await add(merchant, 'stripe', ['card']);
    stripe.faults.inject('*', 'silent_before', 1_000);
    const first = await merchant.newSession();
    const refused = await payByToken(first);
    assert.match(refused.html, /role="alert"/);
    assert.equal((await paymentState({ merchant }, first)).intent.status, 'requires_payment_method');

    const second = await merchant.newSession();
    await until('the method is marked', () => isMarked(second, 'card'));
    assert.equal(await isMarked(second, 'ideal'), false);
    const callsBefore = stripe.calls.length;
    await payByToken(second);
    assert.equal(stripe.calls.length, callsBefore, 'the provider was not called');
    assert.match(await metrics(), /paydesk_acquirer_accounts_down\{provider="stripe"\} 1/);
    assert.match(await metrics(), /paydesk_acquirer_calls_turned_away_total\{provider="stripe",reason="down"\} 1/);
    await customer.choose(await customer.payBy(second.id, 'ideal'), 'pass');
    await untilStatus({ merchant }, second, 'succeeded');

    stripe.faults.clear();
    clock.advance(60_000);
    const says = (text: string) => paydesk.logLines().some(({ msg }) => String(msg).includes(text));
    await until('it responds again', () => says('an acquirer account responds again'));
    assert.equal(await isMarked(first, 'card'), false);
    await payByToken(first);
    assert.equal((await paymentState({ merchant }, first)).intent.status, 'succeeded');
    assert.match(await metrics(), /paydesk_acquirer_accounts_down\{provider="stripe"\} 0/);

    const lines = paydesk.logLines().filter((line) => line.account === account);
    assert.ok(says('an acquirer account does not respond'));
    const failed = lines.find(({ msg, call }) => msg === 'a call to an acquirer failed' && call === 'begin');
    assert.equal(failed?.provider, 'stripe');
    assert.equal(failed?.outcome, 'silent');
    assert.match(String(failed?.requestId), /^req_/);
    assert.match(String(failed?.about), /^op_/);
    assert.equal(typeof failed?.ms, 'number');
    assert.ok(!JSON.stringify(lines).includes(stripe.secretKey));
  });

  it('or refuses the key, the customer gets the form back, and its method is marked at once', async (t) => {
    const { mollie, paydesk, clock, customer, add, isMarked } = await scene(t, engine);
    const merchant = await paydesk.newMerchant();
    const account = await add(merchant, 'mollie', ['ideal']);
    mollie.faults.add({ when: 'before', how: 401, times: 100_000 });
    const session = await merchant.newSession();
    const { html } = await customer.payBy(session.id, 'ideal');
    assert.match(html, /role="alert"/);
    const { intent } = await paymentState({ merchant }, session);
    assert.equal(intent.status, 'requires_payment_method');
    assert.equal((intent.last_payment_error as Fields).code, 'processing_error');
    await until('the method is marked', () => isMarked(session, 'ideal'));
    const failed = paydesk
      .logLines()
      .find(({ msg, call }) => msg === 'a call to an acquirer failed' && call === 'authorise');
    assert.equal(failed?.account, account);
    assert.match(String(failed?.reason), /does not accept the API key/);
    assert.equal((await merchant.test.post(`/checkout-sessions/${session.id}/expire`, {})).status, 200);

    mollie.faults.clear();
    const another = await merchant.newSession();
    await until('it is back', async () => {
      // A check that was refused before may still be reported, and counts from that moment.
      clock.advance(60_000);
      if (await isMarked(another, 'ideal')) return false;
      await customer.payBy(another.id, 'ideal');
      return (await paymentState({ merchant }, another)).intent.status === 'requires_action';
    });
  });

  it('its own id of a request that failed is in the log, and no body or credential', async (t) => {
    const { stripe, paydesk, add, payByToken } = await scene(t, engine);
    const merchant = await paydesk.newMerchant();
    await add(merchant, 'stripe', ['card']);
    stripe.faults.inject('*', '500_before');
    const session = await merchant.newSession();
    await payByToken(session);
    const failed = paydesk.logLines().find(({ msg }) => msg === 'a call to an acquirer failed');
    assert.equal(failed?.providerRequestId, 'req_simulated');
    assert.deepEqual(Object.keys(failed ?? {}).sort(), [
      ...['about', 'account', 'answer', 'call', 'level', 'ms', 'msg', 'outcome', 'provider', 'providerRequestId'],
      ...['reason', 'requestId', 'time'],
    ]);
    // A single failure that a check does not confirm changes nothing for the customer.
    await payByToken(session);
    assert.equal((await paymentState({ merchant }, session)).intent.status, 'succeeded');
  });

  it('the service stops as usual, and the next process goes on with what is left', async (t) => {
    const { options, mollie, paydesk, clock, customer, add } = await scene(t, engine);
    const merchant = await paydesk.newMerchant();
    await add(merchant, 'mollie', ['ideal']);
    const session = await merchant.newSession();
    await customer.payBy(session.id, 'ideal');
    mollie.faults.add({ when: 'before', how: 'silence', times: 100_000 });
    const before = mollie.requests.length;
    clock.advance(1_800_000);
    await until('the job asks', () => mollie.requests.length > before);
    await paydesk.stop();
    const payment = await paydesk.store.find('paymentsBySession', merchant.scope, String(session.id));
    assert.deepEqual([payment?.session.status, payment?.intent.status], ['open', 'requires_action']);
    const errors = paydesk.logLines().filter(({ level }) => Number(level) >= 50);
    assert.deepEqual(errors, []);

    mollie.faults.clear();
    const later = clock.now() + 60_000;
    await paydesk.startAnother({ ...options, runningClock: { now: () => later } });
    await until('it expires', async () => {
      const found = await paydesk.store.find('paymentsBySession', merchant.scope, String(session.id));
      return found?.session.status === 'expired';
    });
  });

  it('payments at another account and in the sandbox finish and expire as usual, and its own are kept until it answers', async (t) => {
    const { stripe, mollie, paydesk, clock, customer, add, payByToken } = await scene(t, engine);
    const atMollie = await paydesk.newMerchant();
    const atStripe = await paydesk.newMerchant();
    await add(atMollie, 'mollie', ['ideal']);
    await add(atStripe, 'stripe', ['card']);
    const waiting = await Promise.all(Array.from({ length: 10 }, () => atMollie.newSession()));
    for (const session of waiting) await customer.payBy(session.id, 'ideal');
    const unpaid = await atStripe.newSession();
    const atTheBank = await atStripe.newSession();
    await customer.payBy(atTheBank.id, 'ideal');
    const sandboxed = await atMollie.newSession();
    mollie.faults.add({ when: 'before', how: 'silence', times: 100_000 });
    clock.advance(1_800_000);
    for (const [merchant, session] of [
      [atStripe, unpaid],
      [atStripe, atTheBank],
      [atMollie, sandboxed],
    ] as const)
      await untilStatus({ merchant }, session, 'expired');
    for (const session of waiting)
      assert.equal((await paymentState({ merchant: atMollie }, session)).intent.status, 'requires_action');

    const paid = await atStripe.newSession();
    await payByToken(paid);
    assert.equal((await paymentState({ merchant: atStripe }, paid)).intent.status, 'succeeded');
    const bySandbox = await atMollie.newSession();
    await customer.payByCard(bySandbox.id, '4242424242424242');
    assert.equal((await paymentState({ merchant: atMollie }, bySandbox)).intent.status, 'succeeded');
    assert.equal(stripe.totals().captured, 1250);

    mollie.faults.clear();
    clock.advance(60_000);
    for (const session of waiting) {
      await until('it expires', async () => {
        clock.advance(1_000);
        return (await paymentState({ merchant: atMollie }, session)).intent.status === 'expired';
      });
    }
  });
});
