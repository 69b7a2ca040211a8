// Disputes at providers: what their simulators report arrives over the API and as events, whatever happens to the
// notifications on the way.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mollie } from '../../src/acquirers/mollie/provider.ts';
import type { Provider } from '../../src/acquirers/provider.ts';
import { stripe } from '../../src/acquirers/stripe/stripe.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { intentPath, openShop, paymentState, type Shop } from '../paying/scene.ts';
import { entriesOf, type Fields, must } from '../support/api-client.ts';
import { formOf } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { type Paydesk, startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startMollieSimulator } from './mollie-simulator/simulator.ts';
import { signatureOf } from './stripe-simulator/notifications.ts';
import { startStripeSimulator } from './stripe-simulator/simulator.ts';

const webhookSecret = 'whsec_simulated';

async function withAccount(
  paydesk: Paydesk,
  provider: Provider,
  credentials: Readonly<Record<string, string>>,
  methods: readonly ('card' | 'ideal')[],
) {
  const shop = await openShop(paydesk);
  const { store, secretBox, clock } = paydesk;
  const added = await addAcquirerAccount(
    { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) },
    { merchantId: shop.merchant.merchant.id, livemode: false, name: 'Main', provider, methods, credentials },
  );
  assert.ok('done' in added, JSON.stringify(added));
  clock.advance(1_000);
  const notificationUrl = `${paydesk.url}/acquirers/${added.done.id}/notifications`;
  return { ...shop, notificationUrl };
}

async function stripeShop(t: CleansUp, engine: Engine) {
  let now = fakeClock().now;
  const simulator = await startStripeSimulator(t, { now: () => now() });
  const paydesk = await startPaydesk(t, engine, { settings: { PAYDESK_STRIPE_API_URL: simulator.url } });
  now = paydesk.clock.now;
  const credentials = {
    secret_key: simulator.secretKey,
    publishable_key: 'pk_test_simulated',
    webhook_secret: webhookSecret,
  };
  const shop = await withAccount(paydesk, stripe, credentials, ['card']);
  simulator.notifications.sendTo(shop.notificationUrl, webhookSecret);
  /** Returns the session, and Stripe's id of the payment. */
  async function pay(card = 'pm_card_visa'): Promise<{ session: Fields; reference: string }> {
    const session = await shop.merchant.newSession();
    const page = formOf(await shop.customer.open(session.id));
    await shop.customer.post(page.action, { ...page.fields, method: 'card', card_token: card });
    const { intent } = await paymentState(shop, session);
    assert.equal(intent.status, 'succeeded');
    // Nothing that is still on its way speaks of what happens next.
    await simulator.notifications.idle();
    await untilProcessed(shop);
    return { session, reference: String((intent.acquirer as Fields).reference) };
  }
  return { ...shop, simulator, pay };
}

const disputesOf = async ({ merchant }: Pick<Shop, 'merchant'>): Promise<Fields[]> =>
  entriesOf(await merchant.test.get('/disputes'));

/** Types and statuses, oldest first. */
const disputeEvents = async ({ merchant }: Pick<Shop, 'merchant'>): Promise<string[]> =>
  (await merchant.events())
    .filter(({ type }) => type.startsWith('dispute.'))
    .map(({ type, data }) => `${type} ${data.status}`);

async function untilStatus(shop: Shop, status: string): Promise<Fields> {
  await until(`the dispute is ${status}`, async () => (await disputesOf(shop))[0]?.status === status);
  return (await disputesOf(shop))[0] ?? assert.fail();
}

/** Lets time pass: a notice that could not be processed is tried again later. */
async function untilProcessed({ paydesk }: Shop): Promise<void> {
  await until('every notice is processed', async () => {
    const notices = await paydesk.store.walk('acquirerNotices', null, 1_000);
    if (notices.every(({ dueAt }) => dueAt === null)) return true;
    paydesk.clock.advance(1_000);
    return false;
  });
}

describeOnEachEngine('A dispute at Stripe', (engine) => {
  it('is followed from its opening to its end, and leaves the payment as it is', async (t) => {
    const shop = await stripeShop(t, engine);
    const { session, reference } = await shop.pay();
    const { id } = shop.simulator.dashboard.dispute(reference, 'fraudulent', 500);
    const opened = await untilStatus(shop, 'needs_response');
    const openedAt = Math.floor(shop.paydesk.clock.now() / 1_000) * 1_000;
    assert.deepEqual(
      { ...opened, id: '' },
      {
        id: '',
        object: 'dispute',
        payment_intent: session.payment_intent,
        amount: 500,
        currency: 'EUR',
        reason: 'fraudulent',
        status: 'needs_response',
        evidence_due_by: new Date(openedAt + 9 * 86_400_000).toISOString(),
        acquirer: { provider: 'stripe', reference: id },
        livemode: false,
        created_at: new Date(openedAt).toISOString(),
      },
    );
    for (const status of ['under_review', 'won']) {
      shop.paydesk.clock.advance(1_000);
      shop.simulator.dashboard.moveDispute(id, status);
      assert.deepEqual(await untilStatus(shop, status), { ...opened, status });
    }
    await shop.simulator.notifications.idle();
    await untilProcessed(shop);
    assert.deepEqual(await disputeEvents(shop), [
      'dispute.created needs_response',
      'dispute.updated under_review',
      'dispute.closed won',
    ]);
    const { intent } = await paymentState(shop, session);
    assert.deepEqual([intent.status, intent.amount_captured, intent.amount_refunded], ['succeeded', 1250, 0]);
  });

  it('is recorded from Stripe’s test card', async (t) => {
    const shop = await stripeShop(t, engine);
    await shop.pay('pm_card_createDispute');
    assert.equal((await untilStatus(shop, 'needs_response')).amount, 1250);
  });

  it('is one dispute with one event if notifications are repeated and out of order', async (t) => {
    const shop = await stripeShop(t, engine);
    const { reference } = await shop.pay();
    shop.simulator.notifications.setPolicy({ hold: true, copies: 3 });
    const { id } = shop.simulator.dashboard.dispute(reference);
    shop.simulator.dashboard.moveDispute(id, 'under_review');
    shop.simulator.dashboard.moveDispute(id, 'lost');
    await shop.simulator.notifications.release((events) => events.toReversed());
    await untilStatus(shop, 'lost');
    await untilProcessed(shop);
    assert.equal((await disputesOf(shop)).length, 1);
    assert.deepEqual(await disputeEvents(shop), ['dispute.created lost', 'dispute.closed lost']);
  });

  it('is found with the next notification about the payment if its own were lost', async (t) => {
    const shop = await stripeShop(t, engine);
    const { reference } = await shop.pay();
    shop.simulator.notifications.setPolicy({ drop: (type) => type.startsWith('charge.dispute') });
    shop.simulator.dashboard.dispute(reference, 'inquiry');
    assert.deepEqual(await disputesOf(shop), []);
    shop.simulator.dashboard.refund(reference, 100);
    await untilStatus(shop, 'warning');
    assert.deepEqual(await disputeEvents(shop), ['dispute.created warning']);
  });

  it('that was only an inquiry stays a warning, and is closed', async (t) => {
    const shop = await stripeShop(t, engine);
    const { reference } = await shop.pay();
    const { id } = shop.simulator.dashboard.dispute(reference, 'inquiry');
    await untilStatus(shop, 'warning');
    shop.paydesk.clock.advance(1_000);
    shop.simulator.dashboard.moveDispute(id, 'warning_closed');
    await until('it is closed', async () => (await disputeEvents(shop)).length === 2);
    assert.deepEqual(await disputeEvents(shop), ['dispute.created warning', 'dispute.closed warning']);
    const [stored] = await shop.paydesk.store.list('disputes', { scope: shop.merchant.scope, limit: 2 });
    assert.equal(stored?.isClosed, true);
  });

  it('is not believed from a forged notification', async (t) => {
    const shop = await stripeShop(t, engine);
    const { reference } = await shop.pay();
    shop.simulator.notifications.setPolicy({ hold: true });
    shop.simulator.dashboard.dispute(reference);
    const body = shop.simulator.notifications.events.at(-1)?.body ?? assert.fail();
    const seconds = Math.floor(shop.paydesk.clock.now() / 1_000);
    for (const signature of [
      signatureOf('whsec_guessed', seconds, body),
      signatureOf(webhookSecret, seconds - 301, body),
    ]) {
      const headers = { 'stripe-signature': signature };
      assert.equal((await fetch(shop.notificationUrl, { method: 'POST', headers, body })).status, 400);
    }
    await untilProcessed(shop);
    assert.deepEqual(await disputesOf(shop), []);
  });

  it('makes refunds fail while the bank has the money, and not for an inquiry', async (t) => {
    const shop = await stripeShop(t, engine);
    const { session, reference } = await shop.pay();
    const refund = async () =>
      must(201, await shop.merchant.test.post(intentPath(session, '/refund'), { amount: 100 }));
    const inquiry = shop.simulator.dashboard.dispute(reference, 'inquiry');
    assert.equal((await refund()).status, 'succeeded');
    shop.simulator.dashboard.moveDispute(inquiry.id, 'needs_response');
    assert.equal((await refund()).status, 'failed');
    const { intent, events } = await paymentState(shop, session);
    assert.equal(intent.amount_refunded, 100);
    assert.ok(events.includes('refund.failed'));
    const reasons = shop.paydesk.logLines().flatMap(({ provider_code }) => provider_code ?? []);
    assert.deepEqual(reasons, ['charge_disputed'], 'the reason is in the log');
    shop.simulator.dashboard.moveDispute(inquiry.id, 'won');
    assert.equal((await refund()).status, 'succeeded');
  });
});

describeOnEachEngine('A key that may not read disputes', (engine) => {
  it('turns no customer away: everything else is imported, and the account shows what is missing', async (t) => {
    const shop = await stripeShop(t, engine);
    const { merchant, paydesk, simulator } = shop;
    simulator.withhold('disputes');
    // More than the failures after which an account counts as down.
    const payments = [];
    for (let customers = 0; customers < 6; customers += 1) payments.push(await shop.pay());
    const [{ session, reference } = assert.fail()] = payments;
    simulator.dashboard.refund(reference, 500);
    const refunds = async () =>
      entriesOf(await merchant.test.get(`/refunds?payment_intent=${String(session.payment_intent)}`));
    await until('the refund is imported', async () => (await refunds()).length === 1);
    await until('the account shows it', async () => {
      const [account] = await paydesk.store.list('acquirerAccounts', { scope: merchant.scope, limit: 1 });
      return account?.lastErrorMessage?.includes('Disputes (read)') === true;
    });
    assert.ok(!paydesk.logLines().some(({ msg }) => String(msg).includes('does not respond')));
  });

  it('finds a dispute as soon as it may', async (t) => {
    const shop = await stripeShop(t, engine);
    const { reference } = await shop.pay();
    shop.simulator.withhold('disputes');
    shop.simulator.dashboard.dispute(reference);
    const tried = async () =>
      (await shop.paydesk.store.walk('acquirerNotices', null, 1_000)).map((one) => one.attempts);
    await until('it was tried', async () => Math.max(...(await tried())) > 0);
    assert.deepEqual(await disputesOf(shop), []);
    shop.simulator.withhold();
    shop.paydesk.clock.advance(60_000);
    await untilStatus(shop, 'needs_response');
    await untilProcessed(shop);
  });
});

describeOnEachEngine('A chargeback at Mollie', (engine) => {
  async function mollieShop(t: CleansUp) {
    let now = fakeClock().now;
    const simulator = await startMollieSimulator(t, { now: () => now() });
    const paydesk = await startPaydesk(t, engine, { settings: { PAYDESK_MOLLIE_API_URL: simulator.url } });
    now = paydesk.clock.now;
    const shop = await withAccount(paydesk, mollie, { api_key: simulator.keys.test }, ['ideal']);
    const session = await shop.merchant.newSession();
    const sent = await shop.customer.payBy(session.id, 'ideal');
    assert.equal(sent.status, 303, sent.html);
    const [payment] = simulator.books.payments;
    assert.ok(payment !== undefined);
    simulator.books.choose(payment.id, 'paid');
    /** The public address of the service is not the one of the test. */
    async function notify(): Promise<void> {
      shop.paydesk.clock.advance(1);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(shop.notificationUrl, { method: 'POST', headers, body: `id=${payment?.id}` });
      assert.equal(response.status, 200);
    }
    simulator.notifications.mode = 'drop';
    await notify();
    await until('it is paid', async () => (await paymentState(shop, session)).intent.status === 'succeeded');
    return { ...shop, simulator, session, payment, notify };
  }

  it('is a lost dispute, which Mollie may reverse', async (t) => {
    const shop = await mollieShop(t);
    const reason = { code: 'AC04', description: 'Account closed' };
    const { id } = shop.simulator.books.chargeBack(shop.payment.id, 1_000, reason);
    await shop.notify();
    const lost = await untilStatus(shop, 'lost');
    assert.deepEqual(
      [lost.payment_intent, lost.amount, lost.reason, lost.evidence_due_by, lost.acquirer],
      [shop.session.payment_intent, 1_000, 'AC04', null, { provider: 'mollie', reference: id }],
    );
    const refund = must(201, await shop.merchant.test.post(intentPath(shop.session, '/refund'), {}));
    assert.equal(refund.status, 'failed');
    shop.simulator.books.reverseChargeback(id);
    await shop.notify();
    await shop.notify();
    assert.deepEqual(await untilStatus(shop, 'won'), { ...lost, status: 'won' });
    await untilProcessed(shop);
    assert.deepEqual(await disputeEvents(shop), ['dispute.created lost', 'dispute.closed lost', 'dispute.closed won']);
    assert.equal((await paymentState(shop, shop.session)).intent.amount_refunded, 0);
  });

  it('is one of several of a payment', async (t) => {
    const shop = await mollieShop(t);
    shop.simulator.books.chargeBack(shop.payment.id, 1_000);
    shop.simulator.books.chargeBack(shop.payment.id, 250);
    await shop.notify();
    await until('both are recorded', async () => (await disputesOf(shop)).length === 2);
    const amounts = (await disputesOf(shop)).map(({ amount, reason }) => `${amount} ${reason}`);
    assert.deepEqual(amounts.toSorted(), ['1000 general', '250 general']);
  });
});
