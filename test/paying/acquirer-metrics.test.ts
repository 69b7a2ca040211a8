// What operators see of providers: calls by what was answered, outcomes that are unknown and for how long, sessions that
// should have expired, and notifications by kind and result.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { scriptedProvider, testCredentials } from '../acquirers/scripted-provider.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { manyDeclines, untilStatus } from './scene.ts';
import { type Script, scriptedAcquirer } from './scripted-acquirer.ts';

async function scene(t: CleansUp, engine: Engine, script: Script) {
  const played = scriptedProvider({
    acquirer: scriptedAcquirer(script),
    readNotification({ body }) {
      const [id = '', type = ''] = body.toString('utf8').split(' ');
      return type === 'forged' ? { refused: 'forged' } : { notices: [{ id, type, subject: 'pi_none' }] };
    },
  });
  const settings = { ...manyDeclines, PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' };
  const paydesk = await startPaydesk(t, engine, { settings, providers: played.providers });
  const merchant = await paydesk.newMerchant();
  const { store, secretBox, clock } = paydesk;
  const deps = { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) };
  const added = await addAcquirerAccount(deps, {
    ...{ merchantId: merchant.merchant.id, livemode: false, name: 'Main', provider: played.provider },
    ...{ methods: ['card'], credentials: testCredentials },
  });
  assert.ok('done' in added);
  clock.advance(1_000);
  const customer = customerAt(paydesk.url);
  async function pay() {
    const session = await merchant.newSession();
    const page = formOf(await customer.open(session.id));
    await customer.post(page.action, { ...page.fields, method: 'card', card_token: 'pm_1' });
    return session;
  }
  const notify = (body: string, id = added.done.id) =>
    fetch(`${paydesk.url}/acquirers/${id}/notifications`, { method: 'POST', body });
  /** The value of a series; null if there is none. */
  async function metric(series: string): Promise<number | null> {
    const text = await (await fetch(`${paydesk.metricsUrl}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length + 1));
  }
  return { paydesk, merchant, clock, pay, notify, metric };
}

describeOnEachEngine('The metrics of providers', (engine) => {
  it('show how many outcomes are unknown, since when, and how long they were once they are known', async (t) => {
    const silence = new AcquirerSilent('no answer', { isOnlyAboutThis: true });
    const { merchant, clock, pay, metric } = await scene(t, engine, {
      authorise: [silence, { kind: 'done' }],
      inquire: [silence, { kind: 'done' }],
    });
    const unknown = () => metric('paydesk_unknown_outcomes{provider="stripe"}');
    const oldest = () => metric('paydesk_oldest_unknown_outcome_seconds{provider="stripe"}');
    const session = await pay();
    await pay();
    assert.deepEqual([await unknown(), await oldest()], [1, 0], 'one of two');
    clock.advance(15_000);
    const asked = 'paydesk_acquirer_calls_total{provider="stripe",call="inquire",answer="silent"}';
    await until('it was asked about', async () => (await metric(asked)) === 1);
    assert.deepEqual([await unknown(), await oldest()], [1, 15]);
    clock.advance(30_000);
    await untilStatus({ merchant }, session, 'succeeded');
    assert.deepEqual([await unknown(), await oldest()], [null, null]);
    assert.equal(await metric('paydesk_unknown_outcome_duration_seconds_sum{provider="stripe"}'), 45);
    assert.equal(await metric('paydesk_unknown_outcome_duration_seconds_count{provider="stripe"}'), 1);
  });

  it('count calls by provider, call and answer', async (t) => {
    const declined = { kind: 'declined', decline: { code: 'generic_decline' } } as const;
    const { pay, metric } = await scene(t, engine, { authorise: [declined, { kind: 'done' }] });
    await pay();
    await pay();
    const calls = (call: string, answer: string) =>
      metric(`paydesk_acquirer_calls_total{provider="stripe",call="${call}",answer="${answer}"}`);
    assert.deepEqual(
      [await calls('begin', 'authorise'), await calls('authorise', 'declined'), await calls('authorise', 'done')],
      [2, 1, 1],
    );
    const timed = 'paydesk_acquirer_call_duration_seconds_count{provider="stripe",call="authorise",outcome="answered"}';
    assert.equal(await metric(timed), 2);
  });

  it('show by how much expiry is behind, and 0 if it is not', async (t) => {
    const action = { kind: 'action', url: 'https://bank.example/pay' } as const;
    const silence = new AcquirerSilent('no answer');
    const { merchant, clock, pay, metric } = await scene(t, engine, {
      authorise: [action],
      close: [silence, { kind: 'not_made' }],
    });
    const session = await pay();
    assert.equal(await metric('paydesk_session_expiry_lag_seconds'), 0);
    clock.advance(1_800_000 + 7_000);
    const asked = 'paydesk_acquirer_calls_total{provider="stripe",call="close",answer="silent"}';
    await until('the provider was asked', async () => (await metric(asked)) === 1);
    assert.equal(await metric('paydesk_session_expiry_lag_seconds'), 7);
    clock.advance(30_000);
    await untilStatus({ merchant }, session, 'expired');
    assert.equal(await metric('paydesk_session_expiry_lag_seconds'), 0);
  });

  it('count notifications by kind and result', async (t) => {
    const { notify, metric } = await scene(t, engine, {});
    for (const body of ['evt_1 paid', 'evt_2 paid', 'evt_2 paid', 'evt_3 refunded', 'evt_4 forged']) await notify(body);
    await notify('evt_1 paid', 'acq_none');
    for (let i = 0; i < 120; i += 1) await notify(`evt_t${i} type_${i}`);
    const counted = (type: string, outcome: string, provider = 'stripe') =>
      metric(`paydesk_acquirer_notifications_total{provider="${provider}",type="${type}",outcome="${outcome}"}`);
    assert.deepEqual(
      [
        await counted('paid', 'accepted'),
        await counted('paid', 'duplicate'),
        await counted('refunded', 'accepted'),
        await counted('', 'refused'),
        await counted('', 'unknown', ''),
        await counted('other', 'accepted'),
      ],
      [2, 1, 1, 1, 1, 22],
    );
  });
});
