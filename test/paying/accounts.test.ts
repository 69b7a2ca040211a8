// Which account serves a payment: the merchant's oldest enabled one that lists the method, in that mode; the sandbox in
// test mode otherwise. An operation stays with the account that it was made with.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import type { AcquirerAccount } from '../../src/domain/acquirer-account.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { updateAcquirerAccount } from '../../src/usecases/update-acquirer-account.ts';
import {
  liveCredentials,
  type ProviderScript,
  scriptedProvider,
  testCredentials,
} from '../acquirers/scripted-provider.ts';
import { assertRefused, type Fields, must } from '../support/api-client.ts';
import { customerAt, formOf, operationOf } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { intentPath, paymentState } from './scene.ts';
import { scriptedAcquirer } from './scripted-acquirer.ts';

const done: MoneyOutcome = { kind: 'done' };

async function scene(t: CleansUp, engine: Engine, script: ProviderScript = {}) {
  const played = scriptedProvider(script);
  const paydesk = await startPaydesk(t, engine, { providers: played.providers });
  const merchant = await paydesk.newMerchant();
  const { store, secretBox } = paydesk;
  const deps = { store, secretBox, actor: 'test', moment: () => aMoment(paydesk.clock.now()) };
  /** Requests within a second of it may still use the merchant as it was. */
  const takeEffect = (): void => {
    paydesk.clock.advance(1_000);
  };
  async function add(terms: { livemode?: boolean; methods?: readonly string[] } = {}): Promise<AcquirerAccount> {
    const { livemode = false, methods = ['card'] } = terms;
    const credentials = livemode ? liveCredentials : testCredentials;
    const about = { merchantId: merchant.merchant.id, name: 'Main', provider: played.provider };
    const outcome = await addAcquirerAccount(deps, { ...about, livemode, methods, credentials });
    assert.ok('done' in outcome);
    takeEffect();
    return { ...outcome.done, version: 1 };
  }
  async function disable({ id }: AcquirerAccount): Promise<void> {
    await updateAcquirerAccount(deps, id, null, { status: 'disabled' });
    takeEffect();
  }
  const customer = customerAt(paydesk.url);
  const shop = { paydesk, merchant, customer };
  return {
    ...shop,
    ...played,
    add,
    disable,
    acquirerOf: async (session: Fields) => (await paymentState(shop, session)).intent.acquirer,
  };
}

describeOnEachEngine('A payment', (engine) => {
  it('is made by the sandbox in test mode without accounts, and by the account that lists its method with them', async (t) => {
    const acquirer = scriptedAcquirer({
      begin: [{ next: 'authorise', reference: 'pi_31' }],
      authorise: [done],
    });
    const shop = await scene(t, engine, { acquirer });
    const before = await shop.merchant.newSession();
    assert.equal(await shop.acquirerOf(before), null, 'before the first attempt');
    const form = formOf(await shop.customer.open(before.id));
    await shop.customer.payForm(form, '4242424242424242');
    assert.deepEqual(await shop.acquirerOf(before), { provider: 'sandbox', reference: operationOf(form) });

    const account = await shop.add();
    const session = await shop.merchant.newSession({ customer_email: 'ada@shop.example', description: 'Coffee' });
    const page = formOf(await shop.customer.open(session.id));
    await shop.customer.post(page.action, { ...page.fields, method: 'card', card_token: 'pm_1' });
    assert.deepEqual(await shop.acquirerOf(session), { provider: 'stripe', reference: 'pi_31' });
    assert.equal((await paymentState(shop, session)).intent.status, 'succeeded');
    const [request] = acquirer.begun;
    assert.deepEqual(request?.card, { kind: 'token', token: 'pm_1' });
    assert.equal(request?.notificationUrl, `https://pay.test.example/acquirers/${account.id}/notifications`);
    assert.deepEqual([request?.description, request?.customerEmail], ['Coffee', 'ada@shop.example']);
    assert.deepEqual(request?.ids, { paymentIntent: session.payment_intent, checkoutSession: session.id });
    assert.deepEqual(shop.connected[0]?.credentials, testCredentials);

    const byBank = await shop.merchant.newSession();
    await shop.customer.payBy(byBank.id, 'ideal');
    const { provider } = (await shop.acquirerOf(byBank)) as Fields;
    assert.equal(provider, 'sandbox', 'no account lists ideal');
  });

  it('never takes a card number to an account, nor to the sandbox instead', async (t) => {
    const acquirer = scriptedAcquirer({ begin: [{ next: 'declined', decline: { code: 'processing_error' } }] });
    const shop = await scene(t, engine, { acquirer });
    await shop.add();
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    await shop.customer.payForm(form, '4242424242424242');
    assert.ok(!JSON.stringify(acquirer.begun).includes('4242'));
    assert.equal(await sandboxPayment(shop.paydesk.store, operationOf(form)), null);
    assert.ok(!JSON.stringify(shop.paydesk.logLines()).includes('4242424242424242'));
  });

  it('is served by the oldest enabled account, and stays with it after that is disabled', async (t) => {
    const acquirer = scriptedAcquirer({ authorise: [done, done], refund: [done] });
    const shop = await scene(t, engine, { acquirer });
    const first = await shop.add();
    const second = await shop.add();
    const operations = async (session: Fields) => {
      const intent = await shop.paydesk.store.find(
        'paymentIntents',
        shop.merchant.scope,
        String(session.payment_intent),
      );
      return shop.paydesk.store.findBy('operations', 'id', intent?.operationId ?? '');
    };
    async function pay(): Promise<Fields> {
      const session = await shop.merchant.newSession();
      const page = formOf(await shop.customer.open(session.id));
      await shop.customer.post(page.action, { ...page.fields, method: 'card', card_token: 'pm_1' });
      return session;
    }
    const session = await pay();
    assert.equal((await operations(session))?.acquirerId, first.id);
    await shop.disable(first);
    assert.equal((await operations(await pay()))?.acquirerId, second.id);
    const refund = must(201, await shop.merchant.test.post(intentPath(session, '/refund'), {}));
    assert.equal(refund.status, 'succeeded');
    const refunded = acquirer.operations.at(-1);
    assert.equal(
      refunded !== undefined && 'payment' in refunded ? refunded.payment.id : '',
      (await operations(session))?.id,
    );
  });
});

describeOnEachEngine('A live session', (engine) => {
  it('needs an account that serves a method', async (t) => {
    const shop = await scene(t, engine);
    const { live } = shop.merchant;
    const create = (fields: Fields = {}) =>
      live.post('/checkout-sessions', { amount: 1250, currency: 'EUR', ...fields });
    const refused = { status: 400, code: 'live_mode_not_configured' };
    assertRefused(await create(), refused);
    await shop.add();
    assertRefused(await create(), refused);
    const account = await shop.add({ livemode: true, methods: ['ideal'] });
    const session = must(201, await create());
    assert.deepEqual(session.payment_method_types, ['ideal'], 'only what is served');
    assertRefused(await create({ currency: 'USD' }), refused);
    const param = { status: 400, code: 'payment_method_not_enabled', param: 'payment_method_types' };
    assertRefused(await create({ payment_method_types: ['ideal', 'card'] }), param);
    await shop.disable(account);
    assertRefused(await create(), refused);
  });
});

describeOnEachEngine('An amount that the provider cannot express', (engine) => {
  it('is refused when the session is created or changed, with the reason', async (t) => {
    const shop = await scene(t, engine);
    const { test } = shop.merchant;
    const create = (fields: Fields) => test.post('/checkout-sessions', fields);
    must(201, await create({ amount: 1_234, currency: 'KWD' }));
    await shop.add();
    const reason = { status: 400, code: 'parameter_invalid', param: 'amount' };
    assertRefused(await create({ amount: 1_234, currency: 'KWD' }), reason);
    assertRefused(await create({ amount: 1_234, currency: 'XCG' }), {
      ...{ status: 400, code: 'currency_not_supported', param: 'currency' },
    });
    const session = must(201, await create({ amount: 1_230, currency: 'KWD' }));
    assertRefused(await test.patch(`/checkout-sessions/${session.id}`, { amount: 1_231 }), reason);
    must(200, await test.patch(`/checkout-sessions/${session.id}`, { amount: 1_240 }));
  });

  for (const kind of ['capture', 'refund'] as const) {
    it(`is refused as a part to ${kind}, and changes nothing`, async (t) => {
      const outcome = kind === 'capture' ? ({ kind: 'authorised' } as const) : done;
      const shop = await scene(t, engine, { acquirer: scriptedAcquirer({ authorise: [outcome], [kind]: [done] }) });
      const { test } = shop.merchant;
      await shop.add();
      const terms = { amount: 10_000, currency: 'KWD', capture_method: kind === 'capture' ? 'manual' : 'automatic' };
      const session = must(201, await test.post('/checkout-sessions', terms));
      const page = formOf(await shop.customer.open(session.id));
      await shop.customer.post(page.action, { ...page.fields, method: 'card', card_token: 'pm_1' });
      const param = kind === 'capture' ? 'amount_to_capture' : 'amount';
      const act = (amount: number) => test.post(intentPath(session, `/${kind}`), { [param]: amount });
      assertRefused(await act(1_234), { status: 400, code: 'parameter_invalid', param });
      must(kind === 'capture' ? 200 : 201, await act(1_230));
    });
  }
});
