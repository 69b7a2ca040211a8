// Tenants and modes: data of another merchant or mode looks as if it did not exist.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { type ApiClient, type ApiResponse, assertRefused, entriesOf, must } from '../support/api-client.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment, aPayment } from '../support/records.ts';

/** All of a response except for the request id and the requested id. */
function comparable(response: ApiResponse, id: string): string {
  const headers = [...response.headers]
    .filter(([name]) => !['date', 'request-id'].includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const text = `${response.status}\n${headers.join('\n')}\n${response.text}`;
  return text.replaceAll(id, '<id>').replace(String(response.error.request_id), '<request id>');
}

const operations: Readonly<
  Record<string, (api: ApiClient, sessionId: string, intentId: string) => Promise<ApiResponse>>
> = {
  'GET session': (api, id) => api.get(`/checkout-sessions/${id}`),
  'PATCH session': (api, id) => api.patch(`/checkout-sessions/${id}`, { amount: 1 }),
  'expire session': (api, id) => api.post(`/checkout-sessions/${id}/expire`),
  'expire session with a key': (api, id) =>
    api.post(`/checkout-sessions/${id}/expire`, {}, { headers: { 'Idempotency-Key': randomUUID() } }),
  'GET payment intent': (api, _, id) => api.get(`/payment-intents/${id}`),
  'cancel payment intent': (api, _, id) => api.post(`/payment-intents/${id}/cancel`),
};

describeOnEachEngine('Data of another merchant or mode', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('gets the same response as missing data, byte for byte, and stays unchanged', async () => {
    const owner = await paydesk().newMerchant();
    const stranger = await paydesk().newMerchant();
    const session = await owner.newSession();
    const now = paydesk().clock.now();
    for (const [name, call] of Object.entries(operations)) {
      for (const api of [stranger.test, stranger.live, owner.live]) {
        const theirs = await call(api, String(session.id), String(session.payment_intent));
        const unusedId = { cs: aMoment(now).newId('cs'), pi: aMoment(now).newId('pi') };
        const missing = await call(api, unusedId.cs, unusedId.pi);
        const isIntent = name.endsWith('payment intent');
        const code = isIntent ? 'payment_intent_not_found' : 'checkout_session_not_found';
        assertRefused(theirs, { status: 404, code });
        assert.equal(
          comparable(theirs, String(isIntent ? session.payment_intent : session.id)),
          comparable(missing, isIntent ? unusedId.pi : unusedId.cs),
          name,
        );
      }
    }
    assert.deepEqual(must(200, await owner.test.get(`/checkout-sessions/${session.id}`)), session);
    assert.deepEqual(await owner.events(), []);
  });

  it('does not appear in lists', async () => {
    const owner = await paydesk().newMerchant();
    const stranger = await paydesk().newMerchant();
    const session = await owner.newSession();
    for (const path of ['/checkout-sessions', '/payment-intents', '/checkout-sessions?status=open']) {
      for (const api of [stranger.test, stranger.live, owner.live])
        assert.deepEqual(entriesOf(await api.get(path)), []);
      assert.equal(entriesOf(await owner.test.get(path)).length, 1, String(session.id));
    }
  });

  it('is hidden from a test key if it is live data', async () => {
    const { test, live, scope } = await paydesk().newMerchant();
    const payment = aPayment({ scope: { ...scope, livemode: true }, moment: aMoment(paydesk().clock.now()) });
    await mustCommit(paydesk().store, changesOf(payment));
    const { session, intent } = payment;
    assert.equal(must(200, await live.get(`/checkout-sessions/${session.id}`)).livemode, true);
    assert.equal(must(200, await live.get(`/payment-intents/${intent.id}`)).livemode, true);
    for (const call of Object.values(operations)) {
      assert.equal((await call(test, session.id, intent.id)).status, 404);
    }
    assert.deepEqual(entriesOf(await test.get('/payment-intents')), []);
    const http = await live.patch(`/checkout-sessions/${session.id}`, { return_url: 'http://shop.example/thanks' });
    assertRefused(http, { status: 400, code: 'parameter_invalid', param: 'return_url' });
    must(200, await live.post(`/payment-intents/${intent.id}/cancel`));
  });

  it('is not found under an id of the wrong type', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id, payment_intent } = await newSession();
    assertRefused(await test.get(`/checkout-sessions/${payment_intent}`), {
      status: 404,
      code: 'checkout_session_not_found',
    });
    assertRefused(await test.get(`/payment-intents/${id}`), { status: 404, code: 'payment_intent_not_found' });
  });
});

describeOnEachEngine('Webhook endpoints and events of another merchant or mode', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const since = '2026-01-01T00:00:00Z';
  const calls: Readonly<Record<string, (api: ApiClient, id: string) => Promise<ApiResponse>>> = {
    'we GET': (api, id) => api.get(`/webhook-endpoints/${id}`),
    'we PATCH': (api, id) => api.patch(`/webhook-endpoints/${id}`, { disabled: true }),
    'we DELETE': (api, id) => api.send('DELETE', `/webhook-endpoints/${id}`),
    'we rotate': (api, id) => api.post(`/webhook-endpoints/${id}/rotate-secret`, { activates_in: 0 }),
    'we test': (api, id) => api.post(`/webhook-endpoints/${id}/test`),
    'we resend failed': (api, id) => api.post(`/webhook-endpoints/${id}/resend-failed`, { since }),
    'evt GET': (api, id) => api.get(`/events/${id}`),
    'evt deliveries': (api, id) => api.get(`/events/${id}/deliveries`),
    'evt resend': (api, id) => api.post(`/events/${id}/resend`),
  };

  it('get the same response as missing ones, byte for byte, and stay unchanged', async () => {
    const owner = await paydesk().newMerchant();
    const stranger = await paydesk().newMerchant();
    const { secret: _, ...endpoint } = must(
      201,
      await owner.test.post('/webhook-endpoints', { url: 'https://shop.example/webhooks' }),
    );
    const event = must(201, await owner.test.post(`/webhook-endpoints/${endpoint.id}/test`));
    for (const api of [stranger.test, stranger.live, owner.live]) {
      for (const [name, call] of Object.entries(calls)) {
        const prefix = name.startsWith('we') ? 'we' : 'evt';
        const id = String(prefix === 'we' ? endpoint.id : event.id);
        const unusedId = aMoment(paydesk().clock.now()).newId(prefix);
        const theirs = await call(api, id);
        assert.equal(theirs.status, 404, theirs.text);
        assert.equal(comparable(theirs, id), comparable(await call(api, unusedId), unusedId), name);
      }
      for (const path of ['/webhook-endpoints', '/events', '/events?type=webhook_endpoint.test'])
        assert.deepEqual(entriesOf(await api.get(path)), []);
    }
    assert.deepEqual(must(200, await owner.test.get(`/webhook-endpoints/${endpoint.id}`)), endpoint);
    assert.equal(entriesOf(await owner.test.get(`/events/${event.id}/deliveries`)).length, 1);
  });
});
