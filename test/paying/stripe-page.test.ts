// The pay page of a session whose cards are served by a Stripe account: its policy, what it posts, and what it refuses.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mollie } from '../../src/acquirers/mollie/provider.ts';
import type { Provider } from '../../src/acquirers/provider.ts';
import { stripe } from '../../src/acquirers/stripe/stripe.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { type StripeSimulator, startStripeSimulator } from '../acquirers/stripe-simulator/simulator.ts';
import { must } from '../support/api-client.ts';
import { cardFields, customerAt, formOf, type PageResponse, textOfPage } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { intentPath, paymentState, type Shop } from './scene.ts';

const number = '4242424242424242';
const asBrowser = { headers: { Accept: 'text/html,*/*;q=0.8' } };

interface Scene extends Shop {
  readonly simulator: StripeSimulator;
  add(provider: Provider, methods: readonly string[], credentials: Record<string, string>): Promise<void>;
  addStripe(): Promise<void>;
}

async function openScene(t: CleansUp, engine: Engine, settings: Record<string, string> = {}): Promise<Scene> {
  const simulator = await startStripeSimulator(t);
  const paydesk = await startPaydesk(t, engine, { settings: { PAYDESK_STRIPE_API_URL: simulator.url, ...settings } });
  const merchant = await paydesk.newMerchant();
  const { store, secretBox } = paydesk;
  const deps = { store, secretBox, actor: 'test', moment: () => aMoment(paydesk.clock.now()) };
  async function add(
    provider: Provider,
    methods: readonly string[],
    credentials: Record<string, string>,
  ): Promise<void> {
    const about = { merchantId: merchant.merchant.id, livemode: false, name: provider.name };
    assert.ok('done' in (await addAcquirerAccount(deps, { ...about, provider, methods, credentials })));
    // Requests within a second of it may still use the merchant as it was.
    paydesk.clock.advance(1_000);
  }
  const keys = { publishable_key: 'pk_test_public', webhook_secret: 'whsec_simulated' };
  return {
    paydesk,
    merchant,
    simulator,
    customer: customerAt(paydesk.url),
    add,
    addStripe: () => add(stripe, ['card'], { secret_key: simulator.secretKey, ...keys }),
  };
}

function policyOf({ headers }: PageResponse): Record<string, string> {
  const directives = (headers.get('content-security-policy') ?? '').split('; ').map((part) => part.split(' '));
  return Object.fromEntries(directives.map(([name = '', ...sources]) => [name, sources.join(' ')]));
}

const withoutHashes = (sources: string | undefined): string => (sources ?? '').replace(/'sha256-[^']+' ?/g, '').trim();

describeOnEachEngine("The page of a session with Stripe's card fields", (engine) => {
  it("loads Stripe's script and names its origins in its policy, and no other page does", async (t) => {
    const scene = await openScene(t, engine, { PAYDESK_STRIPE_API_URL: 'https://api.stripe.com' });
    const before = await scene.merchant.newSession();
    const sandbox = await scene.customer.open(before.id);
    await scene.addStripe();
    const session = await scene.merchant.newSession();
    const page = await scene.customer.open(session.id);
    assert.match(page.html, /<script id="provider-script" src="https:\/\/js\.stripe\.com\/dahlia\/stripe\.js" async>/);
    assert.match(page.html, /data-key="pk_test_public"/);
    assert.doesNotMatch(page.html, /name="(?:number|expiry|cvc)"/);
    const { 'script-src': scripts, 'frame-src': frames, 'connect-src': connects, ...others } = policyOf(page);
    assert.equal(withoutHashes(scripts), 'https://js.stripe.com https://*.js.stripe.com');
    assert.equal(frames, 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com');
    assert.equal(connects, "'self' https://api.stripe.com");
    assert.equal(
      page.headers.get('permissions-policy'),
      'camera=(), geolocation=(), microphone=(), payment=(self "https://js.stripe.com" "https://*.js.stripe.com")',
    );

    const { 'script-src': ownScripts, 'connect-src': ownConnects, ...same } = policyOf(sandbox);
    assert.equal(withoutHashes(ownScripts), '');
    assert.equal(ownConnects, "'self'");
    const { 'style-src': style, ...rest } = others;
    assert.match(String(style), /^('sha256-[^']+' ?)+$/);
    assert.deepEqual({ ...rest, 'style-src': '' }, { ...same, 'style-src': '' }, 'nothing else is loosened');

    await scene.add(mollie, ['ideal'], { api_key: 'test_simulatorsimulatorsimulator01' });
    const elsewhere = await scene.merchant.newSession({ payment_method_types: ['ideal'] });
    const ended = await scene.merchant.newSession();
    must(200, await scene.merchant.test.post(`/checkout-sessions/${ended.id}/expire`, {}));
    const pages = [sandbox, await scene.customer.open(elsewhere.id), await scene.customer.open(ended.id)];
    for (const other of [...pages, await scene.customer.get('/checkout/cs_unknown')]) {
      const policy = other.headers.get('content-security-policy') ?? '';
      assert.doesNotMatch(`${policy}${other.html}`, /stripe\.com/);
      assert.doesNotMatch(policy, /frame-src/);
      assert.match(other.headers.get('permissions-policy') ?? '', /payment=\(\)$/);
      assert.equal(other.headers.get('cross-origin-opener-policy'), 'same-origin');
    }
  });

  it('names the origin of another script instead', async (t) => {
    const scene = await openScene(t, engine, { PAYDESK_STRIPE_JS_URL: 'http://127.0.0.1:9/v3/' });
    await scene.addStripe();
    const page = await scene.customer.open((await scene.merchant.newSession()).id);
    const policy = policyOf(page);
    assert.equal(withoutHashes(policy['script-src']), 'http://127.0.0.1:9');
    assert.equal(policy['frame-src'], 'http://127.0.0.1:9');
    assert.equal(policy['connect-src'], `'self' http://127.0.0.1:9 ${scene.simulator.url}`);
    assert.doesNotMatch(JSON.stringify(policy), /stripe\.com/);
  });

  it('refuses a card number without reading it: nothing is stored, logged, shown or sent to Stripe', async (t) => {
    const scene = await openScene(t, engine);
    await scene.addStripe();
    const session = await scene.merchant.newSession();
    // Not even a number: a card that is read would be reported as invalid.
    for (const posted of [number, 'not a number']) {
      for (const extra of [{}, { card_token: 'pm_card_visa' }]) {
        const form = formOf(await scene.customer.open(session.id));
        const fields = { ...form.fields, ...cardFields(posted), ...extra };
        const response = await scene.customer.post(form.action, fields, asBrowser);
        assert.equal(response.location, `/checkout/${session.id}?problem=card_not_accepted`);
        const page = await scene.customer.backToForm(response);
        assert.ok(textOfPage(page).includes('Your card details were not accepted'));
        const kept = `${page.html}${response.headers.get('set-cookie')}${JSON.stringify(scene.paydesk.logLines())}`;
        assert.ok(!kept.includes(posted));
        const direct = await scene.customer.post(form.action, fields);
        assert.ok(direct.html.includes('Your card details were not accepted') && !direct.html.includes(posted));
      }
    }
    assert.deepEqual(scene.simulator.calls, []);
    const { intent, events } = await paymentState(scene, session);
    assert.deepEqual([intent.status, intent.last_payment_error, events], ['requires_payment_method', null, []]);
  });

  it('refuses a form without a token, as a browser without scripts would send it', async (t) => {
    const scene = await openScene(t, engine);
    await scene.addStripe();
    const session = await scene.merchant.newSession();
    const form = formOf(await scene.customer.open(session.id));
    assert.equal(form.fields.card_token, '');
    const { card_token: _, ...withoutToken } = form.fields;
    for (const fields of [form.fields, withoutToken]) {
      const response = await scene.customer.post(form.action, { ...fields, method: 'card' }, asBrowser);
      assert.equal(response.location, `/checkout/${session.id}?problem=card_not_accepted`);
    }
    assert.deepEqual(scene.simulator.calls, []);
    assert.deepEqual((await paymentState(scene, session)).events, []);
  });

  for (const token of ['pm_card_visa', 'ctoken_card_visa']) {
    for (const captureMethod of ['automatic', 'manual']) {
      it(`pays with ${token} and ${captureMethod} capture`, async (t) => {
        const scene = await openScene(t, engine);
        await scene.addStripe();
        const session = await scene.merchant.newSession({ capture_method: captureMethod });
        const form = formOf(await scene.customer.open(session.id));
        await scene.customer.post(form.action, { ...form.fields, method: 'card', card_token: token });
        const { intent } = await paymentState(scene, session);
        assert.equal(intent.status, captureMethod === 'manual' ? 'requires_capture' : 'succeeded');
        if (captureMethod === 'manual') must(200, await scene.merchant.test.post(intentPath(session, '/capture'), {}));
        assert.equal(scene.simulator.totals().captured, 1250);
      });
    }
  }

  it('says that another method works if Stripe does not answer, and chooses it', async (t) => {
    const scene = await openScene(t, engine);
    await scene.addStripe();
    for (const [methods, title] of [
      [['card', 'ideal'], 'This payment method is not available at the moment'],
      [['card'], 'Payment is not available at the moment'],
    ] as const) {
      scene.simulator.faults.inject('payment_intents.create', '503_before', 10);
      const session = await scene.merchant.newSession({ payment_method_types: methods });
      const form = formOf(await scene.customer.open(session.id));
      const fields = { ...form.fields, method: 'card', card_token: 'pm_card_visa' };
      const response = await scene.customer.post(form.action, fields, asBrowser);
      assert.equal(response.location, `/checkout/${session.id}?problem=method_unavailable&method=card`);
      const page = await scene.customer.backToForm(response);
      assert.ok(textOfPage(page).includes(title), textOfPage(page));
      assert.match(page.html, new RegExp(`data-starting="${methods.at(-1)}"`));
      assert.deepEqual((await paymentState(scene, session)).events, []);
      scene.simulator.faults.clear();
    }
  });

  it('shows the card as unavailable if Stripe cannot charge the amount', async (t) => {
    const scene = await openScene(t, engine);
    const inSandbox = await scene.merchant.newSession({
      amount: 1_234,
      currency: 'KWD',
      payment_method_types: ['card'],
    });
    await scene.addStripe();
    const page = await scene.customer.open(inSandbox.id);
    assert.equal(page.status, 200);
    assert.ok(textOfPage(page).includes('Not available at the moment.'));
    assert.match(page.html, /<button type="submit" class="primary" disabled>/);
    assert.doesNotMatch(page.html, /provider-script/);
    const { action, fields } = formOf(page);
    const forged = { ...fields, method: 'card', card_token: 'pm_card_visa' };
    const response = await scene.customer.post(action, forged, asBrowser);
    assert.equal(response.location, `/checkout/${inSandbox.id}?problem=method_unavailable&method=card`);
    assert.deepEqual(scene.simulator.calls, []);
  });

  it('says that a card is entered on the page of a provider that has no fields here', async (t) => {
    const scene = await openScene(t, engine);
    await scene.add(mollie, ['card'], { api_key: 'test_simulatorsimulatorsimulator01' });
    const session = await scene.merchant.newSession({ payment_method_types: ['card'] });
    const page = await scene.customer.open(session.id);
    assert.ok(textOfPage(page).includes('You will be redirected to a secure page to enter your card details'));
    assert.doesNotMatch(page.html, /name="number"/);
  });
});
