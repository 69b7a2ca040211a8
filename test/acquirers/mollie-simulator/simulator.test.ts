// The simulator must refuse what Mollie refuses, or the tests that use it prove nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CleansUp } from '../../support/engines.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { type MollieSimulator, startMollieSimulator } from './simulator.ts';

const request = {
  amount: { currency: 'EUR', value: '10.00' },
  description: 'Order 1',
  redirectUrl: 'https://shop.example/return',
  method: 'ideal',
};

interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly id?: string; readonly field?: string; readonly status?: unknown };
}

async function post(simulator: MollieSimulator, path: string, body: unknown, key?: string): Promise<Response> {
  const response = await fetch(`${simulator.url}/v2${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${simulator.keys.test}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

async function started(test: CleansUp): Promise<{ simulator: MollieSimulator; clock: { now: number } }> {
  const clock = { now: Date.parse('2026-03-02T10:00:00Z') };
  return { simulator: await startMollieSimulator(test, { now: () => clock.now }), clock };
}

describe('the Mollie simulator', () => {
  for (const [what, change, field] of [
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a missing description', { description: undefined }, 'description'],
    ['a missing return address', { redirectUrl: undefined }, 'redirectUrl'],
    ['too few decimals', { amount: { currency: 'EUR', value: '10.0' } }, 'amount'],
    ['a number instead of a string', { amount: { currency: 'EUR', value: 10 } }, 'amount'],
    ['decimals of a currency without', { amount: { currency: 'JPY', value: '10.00' }, method: 'creditcard' }, 'amount'],
    ['an unknown currency', { amount: { currency: 'XXX', value: '10.00' } }, 'amount'],
    ['a currency that the method does not have', { amount: { currency: 'USD', value: '10.00' } }, 'amount'],
    ['less than the minimum', { amount: { currency: 'EUR', value: '0.99' }, method: 'eps' }, 'amount'],
    ['a one-off direct debit', { method: 'directdebit' }, 'method'],
    ['an unknown locale', { locale: 'de' }, 'locale'],
    ['manual capture of a bank method', { captureMode: 'manual' }, 'captureMode'],
    ['metadata of more than 1 kB', { metadata: 'x'.repeat(1100) }, 'metadata'],
  ] as const) {
    it(`refuses ${what}`, async (test) => {
      const { simulator } = await started(test);
      const { status, body } = await post(simulator, '/payments', { ...request, ...change });
      assert.deepEqual([status, body.field], [422, field]);
      assert.equal(simulator.books.payments.length, 0);
    });
  }

  it('refuses a wrong key', async (test) => {
    const { simulator } = await started(test);
    const response = await fetch(`${simulator.url}/v2/payments`, { headers: { authorization: 'Bearer test_wrong' } });
    assert.equal(response.status, 401);
  });

  it('replays its response to a repeated key for an hour, and then starts again', async (test) => {
    const { simulator, clock } = await started(test);
    const first = await post(simulator, '/payments', request, 'key');
    clock.now += 3_599_999;
    const second = await post(simulator, '/payments', request, 'key');
    assert.equal(second.body.id, first.body.id);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal((await post(simulator, '/payments', { ...request, method: 'eps' }, 'key')).status, 400);
    clock.now += 1;
    assert.notEqual((await post(simulator, '/payments', request, 'key')).body.id, first.body.id);
  });

  it('gives one key one response, also if it is told to refuse one of its requests', async (test) => {
    const { simulator } = await started(test);
    const statusesOf = async (key: string) => {
      const responses = [];
      for (const _ of [1, 2]) responses.push((await post(simulator, '/payments', request, key)).status);
      return responses;
    };
    const refusal = { method: 'POST', when: 'before', how: 422 } as const;
    simulator.faults.add(refusal);
    assert.deepEqual(await statusesOf('refused'), [422, 422]);
    assert.deepEqual(await statusesOf('accepted'), [201, 201]);
    simulator.faults.add(refusal);
    assert.deepEqual(await statusesOf('accepted'), [201, 201]);
    assert.equal(simulator.books.payments.length, 1);
  });

  it('refuses captures and refunds in the wrong state, and above what is left', async (test) => {
    const { simulator } = await started(test);
    const { body } = await post(simulator, '/payments', { ...request, method: 'creditcard', captureMode: 'manual' });
    const payment = `/payments/${body.id}`;
    const amount = { currency: 'EUR', value: '10.00' };
    assert.equal((await post(simulator, `${payment}/captures`, { amount })).status, 422);
    simulator.books.choose(body.id ?? '', 'authorized');
    assert.equal((await post(simulator, `${payment}/refunds`, { amount })).status, 422);
    const more = { currency: 'EUR', value: '10.01' };
    assert.equal((await post(simulator, `${payment}/captures`, { amount: more })).status, 422);
    assert.equal((await post(simulator, `${payment}/captures`, { amount })).status, 201);
    assert.equal((await post(simulator, `${payment}/refunds`, { amount: more })).status, 422);
    assert.equal((await post(simulator, `${payment}/refunds`, { amount })).status, 201);
    assert.equal((await post(simulator, `${payment}/refunds`, { amount })).status, 422);
  });

  it('keeps test and live payments apart', async (test) => {
    const { simulator } = await started(test);
    const { body } = await post(simulator, '/payments', request);
    const headers = { authorization: `Bearer ${simulator.keys.live}` };
    assert.equal((await fetch(`${simulator.url}/v2/payments/${body.id}`, { headers })).status, 404);
  });

  it('shows a page on which the customer chooses', async (test) => {
    const { simulator } = await started(test);
    const { body } = await post(simulator, '/payments', request);
    const page = await (await fetch(`${simulator.url}/checkout/${body.id}`)).text();
    assert.match(page, /ideal: 10\.00 EUR/);
    assert.match(page, /<button name="choice" value="paid">/);
    assert.doesNotMatch(page, /value="authorized"/);
    const location = await simulator.choose(`${simulator.url}/checkout/${body.id}`, 'canceled');
    assert.equal(location, request.redirectUrl);
    assert.equal(simulator.books.payments[0]?.status, 'canceled');
  });

  it('sends notifications twice, in another order or not at all', async (test) => {
    const { simulator } = await started(test);
    const receiver = await startWebhookReceiver(test);
    const received = (): string[] => receiver.requests.map(({ body }) => body.toString());
    const created = async (): Promise<string> =>
      (await post(simulator, '/payments', { ...request, webhookUrl: receiver.url })).body.id ?? '';
    const [first, second, third] = [await created(), await created(), await created()];
    simulator.notifications.mode = 'hold';
    simulator.books.choose(first, 'paid');
    simulator.books.choose(second, 'paid');
    simulator.notifications.copies = 2;
    await simulator.notifications.deliverWaiting('newest first');
    assert.deepEqual(received(), [`id=${second}`, `id=${second}`, `id=${first}`, `id=${first}`]);
    simulator.notifications.mode = 'drop';
    simulator.books.choose(third, 'paid');
    await simulator.notifications.idle();
    assert.equal(received().length, 4);
  });

  it('sends a notification again that was not accepted', async (test) => {
    const { simulator } = await started(test);
    const receiver = await startWebhookReceiver(test);
    receiver.answerWith({ status: 503 });
    const { body } = await post(simulator, '/payments', { ...request, webhookUrl: receiver.url });
    simulator.books.choose(body.id ?? '', 'paid');
    await simulator.notifications.idle();
    receiver.answerWith({ status: 200 });
    await simulator.notifications.deliverWaiting();
    assert.deepEqual(
      simulator.notifications.deliveries.map(({ status }) => status),
      [503, 200],
    );
    assert.equal(simulator.notifications.waiting.length, 0);
  });
});
