// Notifications of providers: verified over their raw bytes, stored before they are answered, and then acted on. Forged
// ones change nothing; duplicates and any order give the same result.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { it } from 'node:test';
import { AcquirerSilent, type Answer, type MoneyOutcome } from '../../src/acquirers/acquirer.ts';
import type { ProviderFact, ProviderRefund } from '../../src/acquirers/provider.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { updateAcquirerAccount } from '../../src/usecases/update-acquirer-account.ts';
import { scriptedProvider, testCredentials } from '../acquirers/scripted-provider.ts';
import { intentPath, paid, paymentState, untilStatus } from '../paying/scene.ts';
import { type Script, scriptedAcquirer } from '../paying/scripted-acquirer.ts';
import { type Fields, must } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';

const done: MoneyOutcome = { kind: 'done' };
const action: MoneyOutcome = { kind: 'action', url: 'https://bank.example/pay' };

type PaymentFact = Extract<ProviderFact, { kind: 'payment' }>;

/** What is true at the provider, by reference. */
type Truth = Map<string, ProviderFact>;

async function scene(t: CleansUp, engine: Engine, script: Script, further: Readonly<Record<string, string>> = {}) {
  const truth: Truth = new Map();
  /** References of payments without our id. */
  const unmarked = new Set<string>();
  const refusals: AcquirerSilent[] = [];
  /** Emits `about` when the provider is asked about a reference. */
  const asked = new EventEmitter();
  const acquirer = scriptedAcquirer(script);
  const played = scriptedProvider({
    acquirer,
    // The test's signature: the body, backwards.
    readNotification({ headers, body }) {
      const signature = [...body.toString('utf8')].reverse().join('');
      if (headers['x-signature'] !== signature) return { refused: 'The signature is not valid.' };
      const [id = '', subject = ''] = body.toString('utf8').split(' ');
      return { notices: [{ id, type: 'payment.updated', subject, isRepeatable: id === subject }] };
    },
    resolve(subject, { isOurs = false }) {
      asked.emit('about', subject);
      const error = refusals.shift();
      if (error !== undefined) throw error;
      if (unmarked.has(subject) && !isOurs) return { kind: 'unmarked', reference: subject };
      return truth.get(subject) ?? null;
    },
  });
  const settings = { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0', ...further };
  const paydesk = await startPaydesk(t, engine, { settings, providers: played.providers });
  const merchant = await paydesk.newMerchant();
  const { store, secretBox } = paydesk;
  const deps = { store, secretBox, actor: 'test', moment: () => aMoment(paydesk.clock.now()) };
  const added = await addAcquirerAccount(deps, {
    ...{ merchantId: merchant.merchant.id, livemode: false, name: 'Main', provider: played.provider },
    ...{ methods: ['card'], credentials: testCredentials },
  });
  assert.ok('done' in added);
  const account = added.done;
  paydesk.clock.advance(1_000);
  const customer = customerAt(paydesk.url);
  async function send(body: string, { signature = [...body].reverse().join(''), id = account.id } = {}) {
    const response = await fetch(`${paydesk.url}/acquirers/${id}/notifications`, {
      ...{ method: 'POST', body, headers: { 'X-Signature': signature } },
    });
    return { status: response.status, text: await response.text() };
  }
  async function pay(terms: Fields = {}): Promise<{ session: Fields; operationId: string }> {
    const session = await merchant.newSession({ customer_email: 'ada@example.com', ...terms });
    const page = formOf(await customer.open(session.id));
    await customer.post(page.action, { ...page.fields, method: 'card', card_token: 'pm_1' });
    const intent = await store.find('paymentIntents', merchant.scope, String(session.payment_intent));
    return { session, operationId: intent?.operationId ?? assert.fail() };
  }
  const notices = () => store.walk('acquirerNotices', null, 100);
  const untilProcessed = () =>
    until('every notice is processed', async () => (await notices()).every(({ dueAt }) => dueAt === null));
  const shop = { paydesk, merchant, customer };
  const refuseOnce = (error: AcquirerSilent): void => void refusals.push(error);
  return { ...shop, deps, account, acquirer, truth, unmarked, asked, refuseOnce, send, pay, notices, untilProcessed };
}

const factOf = (operation: string | null, refunds: readonly ProviderRefund[] = []): PaymentFact => ({
  ...{ kind: 'payment', reference: 'pi_31', operation, refunds, disputes: [] },
});
const challenged = { outcome: action, reference: 'pi_31' };

describeOnEachEngine('A notification', (engine) => {
  it('makes us ask the provider: what was paid there is paid here', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged], inquire: [done] });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    assert.deepEqual(await shop.send('evt_1 pi_31'), { status: 200, text: '' });
    const { events } = await untilStatus(shop, session, 'succeeded');
    assert.deepEqual(events, paid);
    await shop.untilProcessed();
  });

  it('finds the payment by its reference if the provider does not store our id', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged], inquire: [done] });
    const { session } = await shop.pay();
    shop.truth.set('pi_31', factOf(null));
    await shop.send('evt_1 pi_31');
    await untilStatus(shop, session, 'succeeded');
  });

  it('finds the payment by its reference if somebody has removed our id at the provider', async (t) => {
    const shop = await scene(t, engine, { authorise: [{ outcome: done, reference: 'pi_31' }] });
    const { session } = await shop.pay();
    const refund: ProviderRefund = { reference: 're_1', operation: null, amount: 500, status: 'succeeded' };
    shop.truth.set('pi_31', factOf(null, [refund]));
    shop.unmarked.add('pi_31');
    await shop.send('evt_1 pi_31');
    await shop.untilProcessed();
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 500);
  });

  it('about a payment of another system is processed at once', async (t) => {
    const shop = await scene(t, engine, {});
    shop.unmarked.add('pi_31');
    let timesAsked = 0;
    shop.asked.on('about', () => (timesAsked += 1));
    await shop.send('evt_1 pi_31');
    await shop.untilProcessed();
    assert.equal((await shop.notices())[0]?.attempts, 0);
    assert.equal(timesAsked, 1);
    assert.deepEqual(shop.acquirer.calls, []);
  });

  it('is acted on soon after a pause that the provider has asked for', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged], inquire: [done] });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    shop.refuseOnce(new AcquirerSilent('wait', { notSent: true, retryAfterMs: 2_000 }));
    await shop.send('evt_1 pi_31');
    const [before] = await shop.notices();
    await until('it is postponed', async () => {
      const [notice] = await shop.notices();
      return (
        notice !== undefined &&
        notice.version > (before?.version ?? 0) &&
        (notice.dueAt ?? 0) < shop.paydesk.clock.now() + 3_000
      );
    });
    assert.equal((await shop.notices())[0]?.attempts, 0);
    shop.paydesk.clock.advance(2_000);
    await untilStatus(shop, session, 'succeeded');
  });

  it('that is forged gets 400, is counted, and changes nothing', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged] });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    const refused = await shop.send('evt_1 pi_31', { signature: 'forged' });
    assert.equal(refused.status, 400, refused.text);
    assert.deepEqual(await shop.notices(), []);
    assert.equal((await paymentState(shop, session)).intent.status, 'requires_action');
    const metrics = await (await fetch(`${shop.paydesk.metricsUrl}/metrics`)).text();
    assert.match(metrics, /paydesk_acquirer_notifications_total\{provider="stripe",type="",outcome="refused"\} 1/);
  });

  it('for an unknown account gets 404', async (t) => {
    const shop = await scene(t, engine, {});
    for (const id of [aMoment().newId('acq'), 'acq_none', 'x']) {
      assert.equal((await shop.send('evt_1 pi_31', { id })).status, 404, id);
    }
    assert.deepEqual(await shop.notices(), []);
  });

  it('that is too large gets 413', async (t) => {
    const shop = await scene(t, engine, {});
    assert.equal((await shop.send('x'.repeat(300_000), { signature: '' })).status, 413);
  });

  it('about something that the provider does not know changes nothing', async (t) => {
    const shop = await scene(t, engine, {});
    assert.equal((await shop.send('evt_1 pi_none')).status, 200);
    await shop.untilProcessed();
    assert.deepEqual(shop.acquirer.calls, []);
  });

  it('that only names a payment is stored once, and acted on whenever it comes again', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged], inquire: [action, action, done] });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    for (const status of ['requires_action', 'requires_action', 'succeeded']) {
      await shop.send('pi_31 pi_31');
      await shop.untilProcessed();
      await untilStatus(shop, session, status);
    }
    assert.equal((await shop.notices()).length, 1);
    assert.deepEqual(shop.acquirer.calls.filter((call) => call === 'inquire').length, 3);
  });

  it('that only names a payment and comes again while it is acted on is acted on once more', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged], inquire: [action, done] });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    const repeated = Promise.withResolvers<unknown>();
    shop.asked.once('about', () => repeated.resolve(shop.send('pi_31 pi_31')));
    const asked = once(shop.asked, 'about');
    await shop.send('pi_31 pi_31');
    await asked;
    await repeated.promise;
    await untilStatus(shop, session, 'succeeded');
    await shop.untilProcessed();
    assert.equal((await shop.notices()).length, 1);
  });

  it('that is repeated many times is stored and processed once', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged], inquire: [done] });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.send('evt_1 pi_31')));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    await shop.untilProcessed();
    assert.equal((await shop.notices()).length, 1);
    assert.deepEqual((await untilStatus(shop, session, 'succeeded')).events, paid);
  });

  it('of a capture that was made there captures the payment here, as much of it', async (t) => {
    const shop = await scene(t, engine, {
      authorise: [{ outcome: { kind: 'authorised' }, reference: 'pi_31' }],
      inquire: [{ kind: 'authorised' }, { kind: 'done', captured: 400 }],
    });
    const { session, operationId } = await shop.pay({ capture_method: 'manual' });
    const first = {
      ...factOf(operationId, [{ reference: 're_9', operation: null, amount: 100, status: 'succeeded' }]),
    };
    shop.truth.set('pi_31', factOf(operationId));
    await shop.send('evt_1 pi_31');
    await shop.untilProcessed();
    assert.equal((await paymentState(shop, session)).intent.status, 'requires_capture');
    shop.truth.set('pi_31', first);
    await shop.send('evt_2 pi_31');
    const { intent } = await untilStatus(shop, session, 'succeeded');
    assert.equal(intent.amount_captured, 400);
    await shop.untilProcessed();
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 100);
  });

  for (const [kind, path] of [
    ['void', '/cancel'],
    ['capture', '/capture'],
  ] as const) {
    it(`of a capture that was made there while a ${kind} of ours is in progress is not lost`, async (t) => {
      const refusal = Promise.withResolvers<Answer>();
      const captured: MoneyOutcome = { kind: 'done', captured: 400 };
      const shop = await scene(t, engine, {
        authorise: [{ outcome: { kind: 'authorised' }, reference: 'pi_31' }],
        [kind]: [refusal.promise],
        inquire: [captured, captured],
      });
      const { session, operationId } = await shop.pay({ capture_method: 'manual' });
      const asked = shop.merchant.test.post(intentPath(session, path), {});
      await until('it is in progress', () => shop.acquirer.calls.includes(kind));
      shop.truth.set('pi_31', factOf(operationId));
      await shop.send('evt_1 pi_31');
      await shop.untilProcessed();
      assert.equal((await paymentState(shop, session)).intent.status, 'requires_capture');
      refusal.resolve({ outcome: { kind: 'declined', decline: { code: 'processing_error' } } });
      assert.equal((await asked).status, 409);
      const { intent, events } = await paymentState(shop, session);
      assert.deepEqual([intent.status, intent.amount_captured], ['succeeded', 400]);
      assert.deepEqual(events.toSorted(), ['checkout_session.completed', 'payment_intent.succeeded']);
    });
  }

  it('of an authorisation that was released there cancels the payment here', async (t) => {
    const shop = await scene(t, engine, {
      authorise: [{ outcome: { kind: 'authorised' }, reference: 'pi_31' }],
      inquire: [{ kind: 'not_made' }],
    });
    const { session, operationId } = await shop.pay({ capture_method: 'manual' });
    shop.truth.set('pi_31', factOf(operationId));
    await shop.send('evt_1 pi_31');
    const { intent } = await untilStatus(shop, session, 'canceled');
    assert.deepEqual([intent.cancellation_reason, intent.amount_captured], ['acquirer', 0]);
  });

  it('of another payment with the same metadata changes nothing', async (t) => {
    const shop = await scene(t, engine, { authorise: [{ outcome: done, reference: 'pi_30' }] });
    const { session, operationId } = await shop.pay();
    shop.truth.set(
      'pi_31',
      factOf(operationId, [{ reference: 're_9', operation: null, amount: 9, status: 'succeeded' }]),
    );
    assert.equal((await shop.send('evt_1 pi_31')).status, 200);
    await until('the notice was tried', async () => (await shop.notices()).every(({ attempts }) => attempts > 0));
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 0);
  });

  for (const refunded of [true, false]) {
    it(`of a second payment returns its money${refunded ? '' : ', or tries to'}`, async (t) => {
      const decline: MoneyOutcome = { kind: 'declined', decline: { code: 'processing_error' } };
      const shop = await scene(t, engine, {
        authorise: [challenged, { outcome: done, reference: 'pi_32' }],
        inquire: [{ kind: 'abandoned', reason: 'canceled' }, done],
        refund: [refunded ? done : decline],
      });
      const { session, operationId } = await shop.pay();
      await shop.customer.get(`/checkout/${session.id}/return`);
      const form = formOf(await shop.customer.open(session.id));
      await shop.customer.post(form.action, { ...form.fields, method: 'card', card_token: 'pm_2' });
      assert.deepEqual((await paymentState(shop, session)).intent.status, 'succeeded');
      shop.truth.set('pi_31', factOf(operationId));
      await shop.send('evt_1 pi_31');
      // What the provider refuses is tried again for a day.
      const status = refunded ? 'succeeded' : 'pending';
      const list = async () =>
        must(200, await shop.merchant.test.get(`/refunds?payment_intent=${session.payment_intent}`)).data as Fields[];
      await until('its refund was sent', async () => shop.acquirer.calls.includes('refund'));
      await until('its refund is recorded', async () => (await list())[0]?.status === status);
      const [refund, ...others] = await list();
      assert.deepEqual([refund?.amount, refund?.reason, others], [1250, 'late_payment', []]);
      if (!refunded) {
        // Meanwhile, the merchant does it at the provider.
        const made = { reference: 're_9', operation: null, amount: 1250, status: 'succeeded' } as const;
        shop.truth.set('pi_31', factOf(operationId, [made]));
        await shop.send('evt_2 pi_31');
        await until('its refund has succeeded', async () => (await list())[0]?.status === 'succeeded');
        assert.equal((await list()).length, 1);
      }
      const { intent } = await paymentState(shop, session);
      assert.deepEqual([intent.status, intent.amount_captured, intent.amount_refunded], ['succeeded', 1250, 0]);
    });
  }

  it('of a refund that was made at the provider is followed by a notice to the customer', async (t) => {
    const server = await startMailServer(t);
    const outcomes = { authorise: [challenged], inquire: [done] };
    const shop = await scene(t, engine, outcomes, { SMTP_URL: server.url });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    await shop.send('evt_1 pi_31');
    await untilStatus(shop, session, 'succeeded');
    const refund = { operation: null, reference: 're_31', amount: 400 } as const;
    for (const [at, status] of (['pending', 'succeeded', 'succeeded'] as const).entries()) {
      shop.truth.set('pi_31', factOf(operationId, [{ ...refund, status }]));
      await shop.send(`evt_${at + 2} pi_31`);
      await shop.untilProcessed();
    }
    await until('both messages arrived', () => server.received.length >= 2);
    const messages = await shop.paydesk.store.list('mailMessages', { limit: 10 });
    assert.deepEqual(messages.map(({ kind }) => kind).sort(), ['receipt', 'refund_notice']);
    const subjects = server.received.map(({ mail }) => mail.subject ?? '');
    assert.deepEqual(subjects.sort(), [
      '[Test] Your receipt from Shop of Tests',
      '[Test] Your refund from Shop of Tests',
    ]);
    assert.ok(server.received.some(({ mail }) => mail.text?.includes('Refund: €4.00')));
  });

  it('is accepted for a disabled account: its payments are still its own', async (t) => {
    const shop = await scene(t, engine, { authorise: [challenged], inquire: [done] });
    const { session, operationId } = await shop.pay();
    await updateAcquirerAccount(shop.deps, shop.account.id, null, { status: 'disabled' });
    shop.truth.set('pi_31', factOf(operationId));
    assert.equal((await shop.send('evt_1 pi_31')).status, 200);
    await untilStatus(shop, session, 'succeeded');
  });

  it('about a payment that had failed here returns the money', async (t) => {
    const shop = await scene(t, engine, {
      authorise: [{ outcome: { kind: 'declined', decline: { code: 'generic_decline' } }, reference: 'pi_31' }],
      inquire: [done],
      refund: [done],
    });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId));
    await shop.send('evt_1 pi_31');
    await shop.untilProcessed();
    const list = async () =>
      must(200, await shop.merchant.test.get(`/refunds?payment_intent=${session.payment_intent}`));
    await until('it is refunded', async () => ((await list()).data as Fields[])[0]?.status === 'succeeded');
    const [refund, ...others] = (await list()).data as Fields[];
    assert.deepEqual([refund?.amount, refund?.reason, others], [1250, 'late_payment', []]);
    await shop.send('evt_2 pi_31');
    await shop.untilProcessed();
    assert.equal(((await list()).data as Fields[]).length, 1, 'once');
  });
});

describeOnEachEngine('A provider with nothing to read', (engine) => {
  it('is believed: its notifications settle payments and refunds', async (t) => {
    const received = { outcome: { kind: 'pending', customerDone: false } } as const;
    const shop = await scene(t, engine, { authorise: [{ ...received, reference: 'pi_31' }], refund: [received] });
    const { session, operationId } = await shop.pay();
    const told = (operation: string): ProviderFact => ({
      ...{ kind: 'payment', reference: 'pi_31', operation: operationId, refunds: [], disputes: [] },
      outcomes: [{ operation, answer: { outcome: done } }],
    });
    shop.truth.set('pi_31', told(operationId));
    await shop.send('evt_1 pi_31');
    assert.deepEqual((await untilStatus(shop, session, 'succeeded')).events, paid);
    const refund = must(201, await shop.merchant.test.post(intentPath(session, '/refund'), {}));
    assert.equal(refund.status, 'pending');
    const sent = shop.acquirer.operations.at(-1) ?? assert.fail();
    shop.truth.set('pi_31', told(sent.id));
    await shop.send('evt_2 pi_31');
    await until(
      'it is settled',
      async () => must(200, await shop.merchant.test.get(`/refunds/${refund.id}`)).status === 'succeeded',
    );
    assert.deepEqual(shop.acquirer.calls, ['authorise', 'refund']);
  });
});

describeOnEachEngine('A refund made at the provider', (engine) => {
  const made = (status: ProviderRefund['status'], amount = 400): ProviderRefund => ({
    ...{ reference: 're_9', operation: null, amount, status },
  });

  it('appears here once, with its event and totals, and can fail later', async (t) => {
    const shop = await scene(t, engine, { authorise: [{ outcome: done, reference: 'pi_31' }] });
    const { session, operationId } = await shop.pay();
    const refunds = async () =>
      (
        must(200, await shop.merchant.test.get(`/refunds?payment_intent=${session.payment_intent}`)).data as Fields[]
      ).map(({ amount, status, reason }) => [amount, status, reason]);
    for (const [turn, status] of (['pending', 'pending', 'failed', 'failed'] as const).entries()) {
      shop.truth.set('pi_31', factOf(operationId, [made(status)]));
      await shop.send(`evt_${turn} pi_31`);
      await shop.untilProcessed();
      const { intent } = await paymentState(shop, session);
      assert.deepEqual(await refunds(), [[400, status, 'acquirer']]);
      assert.equal(intent.amount_refunded, status === 'failed' ? 0 : 400);
    }
    const types = (await shop.merchant.events()).map(({ type }) => type).filter((type) => type.startsWith('refund'));
    assert.deepEqual(types.toSorted(), ['refund.created', 'refund.failed']);
  });

  it('counts towards what can be refunded', async (t) => {
    const shop = await scene(t, engine, { authorise: [{ outcome: done, reference: 'pi_31' }] });
    const { session, operationId } = await shop.pay();
    shop.truth.set('pi_31', factOf(operationId, [made('succeeded', 1_000)]));
    await Promise.all(['evt_1', 'evt_2', 'evt_3'].map((id) => shop.send(`${id} pi_31`)));
    await shop.untilProcessed();
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 1_000);
    const refused = await shop.merchant.test.post(intentPath(session, '/refund'), { amount: 251 });
    assert.equal(refused.error.code, 'parameter_invalid', refused.text);
  });
});
