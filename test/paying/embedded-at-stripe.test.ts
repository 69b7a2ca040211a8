// The frame of the embedded checkout of a merchant with a Stripe account: its policy, and where 3DS is shown.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stripe } from '../../src/acquirers/stripe/stripe.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { startStripeSimulator } from '../acquirers/stripe-simulator/simulator.ts';
import type { Fields } from '../support/api-client.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { intentPath } from './scene.ts';

const byCard = { ui_mode: 'embedded', payment_method_types: ['card'] };

/** `scriptHost`: where Stripe's script is loaded from; its frames, and therefore 3DS, are allowed from there. */
async function openScene(t: CleansUp, engine: Engine, scriptHost: 'simulator' | 'elsewhere') {
  const simulator = await startStripeSimulator(t);
  const scriptUrl = scriptHost === 'simulator' ? `${simulator.url}/stripe.js` : 'http://localhost:9/stripe.js';
  const settings = { PAYDESK_STRIPE_API_URL: simulator.url, PAYDESK_STRIPE_JS_URL: scriptUrl };
  const paydesk = await startPaydesk(t, engine, { settings });
  const merchant = await paydesk.newMerchant();
  const deps = {
    ...{ store: paydesk.store, secretBox: paydesk.secretBox, actor: 'test' },
    moment: () => aMoment(paydesk.clock.now()),
  };
  const about = { merchantId: merchant.merchant.id, livemode: false, name: 'stripe', provider: stripe };
  const keys = { publishable_key: 'pk_test_public', webhook_secret: 'whsec_simulated' };
  const credentials = { secret_key: simulator.secretKey, ...keys };
  assert.ok('done' in (await addAcquirerAccount(deps, { ...about, methods: ['card'], credentials })));
  paydesk.clock.advance(1_000);
  return { simulator, paydesk, merchant, session: await merchant.newSession(byCard) };
}

function requests(url: string, session: Fields) {
  const headers = { Authorization: `Bearer ${session.client_secret}`, Accept: 'text/html' };
  const at = (step: string): string => `${url}/embed/${session.id}/${step}`;
  return {
    get: (step: string) => fetch(at(step), { headers }),
    post: (step: string, body: URLSearchParams) => fetch(at(step), { method: 'POST', headers, body }),
  };
}

async function payByToken(url: string, session: Fields, token: string): Promise<Response> {
  const { get, post } = requests(url, session);
  const html = await (await get('page')).text();
  const attempt = /name="attempt" value="([^"]+)"/.exec(html)?.[1] ?? '';
  return post('pay', new URLSearchParams({ attempt, amount: '1250', method: 'card', name: 'Ann', card_token: token }));
}

describeOnEachEngine("The frame of the embedded checkout with Stripe's card fields", (engine) => {
  it("loads Stripe's script, and its policy names Stripe's origins and its own dialog", async (t) => {
    const { paydesk, session, simulator } = await openScene(t, engine, 'simulator');
    const frame = await fetch(`${paydesk.url}/embed/${session.id}`);
    const policy = frame.headers.get('content-security-policy') ?? '';
    assert.match(policy, new RegExp(`script-src (?:'sha256-[^']+' )+${simulator.url};`));
    assert.ok(policy.includes(`frame-src 'self' ${simulator.url};`), policy);
    assert.match(
      await frame.text(),
      new RegExp(`<script id="provider-script" src="${simulator.url}/stripe.js" async>`),
    );
  });

  for (const [scriptHost, state] of [
    ['simulator', 'dialog'],
    ['elsewhere', 'top'],
  ] as const)
    it(`shows 3DS ${state === 'top' ? 'in the whole page if' : 'in a dialog unless'} the policy does not allow it in the frame`, async (t) => {
      const { paydesk, session, merchant, simulator } = await openScene(t, engine, scriptHost);
      const shown = await payByToken(paydesk.url, session, 'pm_card_threeDSecure2Required');
      assert.deepEqual([shown.status, shown.headers.get('paydesk-state')], [200, state]);
      const [, url = ''] = /<a class="primary" href="([^"]+)" target="_top"/.exec(await shown.text()) ?? [];
      assert.ok(url.startsWith(simulator.url), url);
      // The customer passes it, and is sent back to a page that only tells the frame.
      const bank = await fetch(url.replaceAll('&amp;', '&'));
      assert.equal(bank.status, 200);
      const [, action = ''] = /action="([^"]+)"/.exec(await bank.text()) ?? [];
      const passed = await fetch(new URL(action, url), {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ outcome: 'pass' }),
      });
      assert.match(passed.headers.get('location') ?? '', new RegExp(`/embed/${session.id}/return\\?`));
      const { status } = (await merchant.test.get(intentPath(session))).body;
      assert.equal(status, 'requires_action');
      const done = await requests(paydesk.url, session).post('returned', new URLSearchParams());
      assert.equal(done.headers.get('paydesk-state'), 'paid');
      assert.equal((await merchant.test.get(intentPath(session))).body.status, 'succeeded');
    });
});
