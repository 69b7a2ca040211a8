// What operators see of payments: how each attempt ended, by method and decline code, how long the acquirer and the
// customer took, captures, voids and refunds. Each outcome counts once, however often and wherever it was requested.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { must } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type Paydesk, startPaydesk } from '../support/paydesk.ts';
import { authorisedSession, intentPath, manyDeclines, openShop, paidSession, untilStatus } from './scene.ts';

const settings = { ...manyDeclines, PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' };

/** Every value above zero, by name and labels, summed over the processes. */
async function metricsOf(...processes: readonly Pick<Paydesk, 'metricsUrl'>[]): Promise<Map<string, number>> {
  const values = new Map<string, number>();
  for (const { metricsUrl } of processes) {
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    for (const [, series = '', value = ''] of text.matchAll(/^(paydesk_\S+?(?:\{.*\})?) (\S+)$/gm))
      if (Number(value) > 0) values.set(series, (values.get(series) ?? 0) + Number(value));
  }
  return values;
}

const startingWith = (metrics: ReadonlyMap<string, number>, prefix: string) =>
  Object.fromEntries([...metrics].filter(([series]) => series.startsWith(prefix)).sort());

const payments = (method: string, outcome: string, code = '') =>
  `paydesk_payments_total{mode="test",method="${method}",outcome="${outcome}",code="${code}"}`;

describeOnEachEngine('The metrics of payments', (engine) => {
  it('count every attempt by method, outcome and decline code', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings });
    const shop = await openShop(paydesk);
    const { merchant, customer } = shop;
    await paidSession(shop);
    const twice = await merchant.newSession();
    await customer.payByCard(twice.id, '4000000000009995');
    await customer.payByCard(twice.id, '4242424242424242');
    const wrongCode = await merchant.newSession();
    await customer.payByCard(wrongCode.id, '4000000000000127');
    const challenged = await merchant.newSession();
    await customer.choose(await customer.payByCard(challenged.id, '4000000000003220'), 'fail');
    const byBank = await merchant.newSession();
    await customer.choose(await customer.payBy(byBank.id, 'ideal'), 'pass');
    await untilStatus(shop, byBank, 'succeeded');
    await authorisedSession(shop);

    const metrics = await metricsOf(paydesk);
    assert.deepEqual(startingWith(metrics, 'paydesk_payments_total'), {
      [payments('card', 'authorized')]: 1,
      [payments('card', 'failed', 'authentication_failed')]: 1,
      [payments('card', 'failed', 'incorrect_cvc')]: 1,
      [payments('card', 'failed', 'insufficient_funds')]: 1,
      [payments('card', 'succeeded')]: 2,
      [payments('ideal', 'succeeded')]: 1,
    });
    const timed = (name: string): unknown =>
      metrics.get(`paydesk_time_to_pay_seconds_count{mode="test",method="${name}"}`);
    assert.deepEqual([timed('card'), timed('ideal')], [3, 1]);
    const calls = (call: string) =>
      metrics.get(
        `paydesk_acquirer_call_duration_seconds_count{provider="sandbox",call="${call}",outcome="answered"}`,
      ) ?? 0;
    assert.deepEqual([calls('begin'), calls('authorise')], [7, 6]);
    assert.ok(calls('inquire') >= 2);
  });

  it('measure the time to pay from the creation of the session', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings });
    const shop = await openShop(paydesk);
    const session = await shop.merchant.newSession();
    paydesk.clock.advance(45_000);
    await shop.customer.payByCard(session.id, '4242424242424242');
    const metrics = await metricsOf(paydesk);
    const labels = 'mode="test",method="card"';
    assert.equal(metrics.get(`paydesk_time_to_pay_seconds_sum{${labels}}`), 45);
    assert.equal(metrics.get(`paydesk_time_to_pay_seconds_bucket{le="60",${labels}}`), 1);
    assert.equal(metrics.get(`paydesk_time_to_pay_seconds_bucket{le="30",${labels}}`), undefined);
  });

  it('count captures, voids and refunds once, however often they are requested', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings });
    const shop = await openShop(paydesk);
    const { test } = shop.merchant;
    const captured = await authorisedSession(shop);
    const headers = { 'Idempotency-Key': randomUUID() };
    const capture = () => test.post(intentPath(captured, '/capture'), {}, { headers });
    for (const response of await Promise.all([capture(), capture(), capture()])) must(200, response);
    const voided = await authorisedSession(shop);
    must(200, await test.post(intentPath(voided, '/cancel')));
    for (const amount of [100, 200]) must(201, await test.post(intentPath(captured, '/refund'), { amount }));

    const metrics = await metricsOf(paydesk);
    const series = (kind: string) => `paydesk_${kind}_total{mode="test",outcome="succeeded"}`;
    for (const [kind, count] of [
      ['captures', 1],
      ['voids', 1],
      ['refunds', 2],
    ] as const)
      assert.deepEqual(startingWith(metrics, `paydesk_${kind}_total`), { [series(kind)]: count });
    assert.deepEqual(startingWith(metrics, 'paydesk_payments_total'), { [payments('card', 'authorized')]: 2 });
  });

  it('count a customer who left at the challenge as abandoned', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings });
    const shop = await openShop(paydesk);
    const session = await shop.merchant.newSession();
    const challenge = await shop.customer.payByCard(session.id, '4000000000003220');
    must(200, await shop.merchant.test.post(`/checkout-sessions/${session.id}/expire`));
    await shop.customer.choose(challenge, 'pass');
    assert.deepEqual(startingWith(await metricsOf(paydesk), 'paydesk_payments_total'), {
      [payments('card', 'abandoned')]: 1,
    });
  });

  it('count a customer who chose another method as abandoned, so that the approval rate does not fall', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings });
    const shop = await openShop(paydesk);
    const session = await shop.merchant.newSession();
    const challenge = await shop.customer.payByCard(session.id, '4000000000003220');
    await shop.customer.choose(challenge, 'cancel');
    assert.deepEqual(startingWith(await metricsOf(paydesk), 'paydesk_payments_total'), {
      [payments('card', 'abandoned', 'customer_canceled')]: 1,
    });
  });

  it('show when the acquirer does not respond', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings: { ...settings, PAYDESK_ACQUIRER_TIMEOUT: '1' } });
    const shop = await openShop(paydesk);
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000000093');
    const metrics = await metricsOf(paydesk);
    assert.equal(
      metrics.get('paydesk_acquirer_call_duration_seconds_count{provider="sandbox",call="authorise",outcome="silent"}'),
      1,
    );
  });

  if (engine.name === 'postgres') {
    it('count each outcome in only one of several processes', async (t) => {
      const first = await startPaydesk(t, engine, { settings });
      const second = await first.startAnother();
      const shop = await openShop(first);
      for (let round = 0; round < 5; round += 1) {
        const session = await shop.merchant.newSession();
        const form = formOf(await shop.customer.open(session.id));
        const both = [shop.customer, customerAt(second.url)];
        await Promise.all([...both, ...both].map((customer) => customer.payForm(form, '4242424242424242')));
        await untilStatus(shop, session, 'succeeded');
      }
      const metrics = await metricsOf(first, second);
      assert.deepEqual(startingWith(metrics, 'paydesk_payments_total'), { [payments('card', 'succeeded')]: 5 });
    });
  }
});
