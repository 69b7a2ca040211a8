// Events over the API: subscribed to, retrieved, listed and resent, with the history of their deliveries.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { Delivery } from '../../src/domain/delivery.ts';
import { assertRefused, entriesOf, type Fields, fieldsOf, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, type TestMerchant } from '../support/paydesk.ts';
import { aMoment, anEvent, aPayment } from '../support/records.ts';

const url = 'https://shop.example/webhooks';

async function newEndpoint({ test }: TestMerchant, fields: Fields = {}): Promise<string> {
  return String(must(201, await test.post('/webhook-endpoints', { url, ...fields })).id);
}

/** An event of the type `checkout_session.expired`. */
async function anExpiry({ test, newSession }: TestMerchant): Promise<Fields> {
  const { id } = await newSession({ metadata: { order: '7' } });
  must(200, await test.post(`/checkout-sessions/${id}/expire`));
  const events = entriesOf(await test.get('/events'));
  const event = events.find(({ data }) => fieldsOf(data).id === id);
  assert.ok(event !== undefined);
  return event;
}

async function receiversOf({ test }: TestMerchant, event: unknown): Promise<unknown[]> {
  return entriesOf(await test.get(`/events/${event}/deliveries`)).map(({ endpoint }) => endpoint);
}

describeOnEachEngine('An event', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('has exactly the fields of its webhook, alone and in lists', async () => {
    const merchant = await paydesk().newMerchant();
    const { id, payment_intent } = await merchant.newSession({ metadata: { order: '7' } });
    must(200, await merchant.test.post(`/checkout-sessions/${id}/expire`));
    const [event, ...others] = entriesOf(await merchant.test.get('/events'));
    assert.deepEqual(others, []);
    assert.match(String(event?.id), /^evt_/);
    const now = new Date(paydesk().clock.now()).toISOString();
    assert.deepEqual(event, {
      id: event?.id,
      type: 'checkout_session.expired',
      created_at: now,
      livemode: false,
      data: {
        id,
        object: 'checkout_session',
        status: 'expired',
        amount: 1250,
        currency: 'EUR',
        metadata: { order: '7' },
        payment_intent,
        expires_at: now,
      },
    });
    assert.deepEqual(must(200, await merchant.test.get(`/events/${event?.id}`)), event);
  });

  it('is listed newest first and by type, with a stable order within a commit', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const types: string[] = [];
    for (let count = 0; count < 5; count++) {
      paydesk().clock.advance(1);
      const { payment_intent } = await newSession();
      must(200, await test.post(`/payment-intents/${payment_intent}/cancel`));
      types.push('payment_intent.canceled', 'checkout_session.expired');
    }
    const all = entriesOf(await test.get('/events'));
    const order = all.slice(0, 2).map(({ type }) => type);
    assert.deepEqual(
      all.map(({ type }) => type),
      types.map((_, at) => order[at % 2]),
      'the same order in every commit',
    );
    const canceled = entriesOf(await test.get('/events?type=payment_intent.canceled&limit=3'));
    assert.equal(canceled.length, 3);
    assert.ok(canceled.every(({ type }) => type === 'payment_intent.canceled'));
    const rest = await test.get(`/events?type=payment_intent.canceled&cursor=${canceled[2]?.id}`);
    assert.equal(entriesOf(rest).length, 2);
    assert.deepEqual(entriesOf(await test.get('/events?type=refund.created')), []);
    const wrong = await test.get('/events?type=payment.succeeded');
    assertRefused(wrong, { status: 400, code: 'parameter_invalid', param: 'type' });
    assert.match(String(wrong.error.message), /webhook_endpoint\.test/);
    assertRefused(await test.get('/events?status=x'), { status: 400, code: 'parameter_unknown', param: 'status' });
  });

  it('is not found under any other id', async () => {
    const { test } = await paydesk().newMerchant();
    for (const id of [aMoment().newId('evt'), aMoment().newId('we'), 'x', '%00']) {
      const notFound = { status: 404, code: 'event_not_found' };
      assertRefused(await test.get(`/events/${id}`), notFound);
      assertRefused(await test.get(`/events/${id}/deliveries`), notFound);
      assertRefused(await test.post(`/events/${id}/resend`), notFound);
    }
  });

  it('goes to the endpoints subscribed to its type when it happens, and to no other', async () => {
    const merchant = await paydesk().newMerchant();
    const byDefault = await newEndpoint(merchant);
    const byName = await newEndpoint(merchant, { enabled_events: ['payment_intent.canceled', 'refund.created'] });
    await newEndpoint(merchant, { enabled_events: ['payment_intent.succeeded'] });
    await newEndpoint(merchant, { disabled: true });
    const deleted = await newEndpoint(merchant);
    must(200, await merchant.test.send('DELETE', `/webhook-endpoints/${deleted}`));
    must(201, await merchant.live.post('/webhook-endpoints', { url }));
    await newEndpoint(await paydesk().newMerchant());

    const { payment_intent } = await merchant.newSession();
    must(200, await merchant.test.post(`/payment-intents/${payment_intent}/cancel`));
    const events = entriesOf(await merchant.test.get('/events'));
    const idOf = (wanted: string) => events.find(({ type }) => type === wanted)?.id;
    assert.deepEqual(await receiversOf(merchant, idOf('checkout_session.expired')), [byDefault]);
    assert.deepEqual(await receiversOf(merchant, idOf('payment_intent.canceled')), [byName], 'opt-in, by name');

    await newEndpoint(merchant);
    assert.deepEqual(await receiversOf(merchant, idOf('checkout_session.expired')), [byDefault], 'not retroactively');
    must(200, await merchant.test.patch(`/webhook-endpoints/${byDefault}`, { disabled: true }));
    const { id } = await anExpiry(merchant);
    assert.ok(!(await receiversOf(merchant, id)).includes(byDefault));
  });

  it('lists its deliveries, newest first, with every attempt', async () => {
    const { test, scope } = await paydesk().newMerchant();
    const now = paydesk().clock.now();
    const event = anEvent(aPayment({ scope }).intent, aMoment(now));
    const endpoint = aMoment(now).newId('we');
    const aDelivery = (at: number, fields: Partial<Delivery>): Delivery => ({
      ...scope,
      id: aMoment(at).newId('del'),
      eventId: event.id,
      endpointId: endpoint,
      status: 'failed',
      attempts: [],
      dueAt: null,
      createdAt: at,
      ...fields,
    });
    const failed = aDelivery(now - 2_000, {
      attempts: [
        { at: now - 2_000, statusCode: null, error: 'timed out', durationMs: 10_000, responseExcerpt: null },
        { at: now - 1_500, statusCode: 500, error: null, durationMs: 12, responseExcerpt: 'no \u{1F469} “today”' },
      ],
    });
    const delivered = aDelivery(now - 1_000, { status: 'delivered' });
    const pending = aDelivery(now, { status: 'pending', dueAt: now + 1e12 });
    await mustCommit(paydesk().store, { events: [event], deliveries: [failed, delivered, pending] });
    const [first, second, third, ...others] = entriesOf(await test.get(`/events/${event.id}/deliveries`));
    assert.deepEqual(others, []);
    assert.deepEqual(first, {
      id: pending.id,
      event: event.id,
      endpoint,
      status: 'pending',
      next_attempt_at: new Date(now + 1e12).toISOString(),
      attempts: [],
    });
    assert.deepEqual([second?.id, second?.status], [delivered.id, 'delivered']);
    assert.deepEqual(third, {
      id: failed.id,
      event: event.id,
      endpoint,
      status: 'failed',
      next_attempt_at: null,
      attempts: [
        {
          at: new Date(now - 2_000).toISOString(),
          status_code: null,
          error: 'timed out',
          duration_ms: 10_000,
          response_excerpt: null,
        },
        {
          at: new Date(now - 1_500).toISOString(),
          status_code: 500,
          error: null,
          duration_ms: 12,
          response_excerpt: 'no \u{1F469} “today”',
        },
      ],
    });
    const page = must(200, await test.get(`/events/${event.id}/deliveries?limit=2`));
    assert.deepEqual([page.has_more, page.next_cursor], [true, delivered.id]);
    const rest = await test.get(`/events/${event.id}/deliveries?limit=2&cursor=${page.next_cursor}`);
    assert.deepEqual(entriesOf(rest), [third]);
    assertRefused(await test.get(`/events/${event.id}/deliveries?cursor=${event.id}`), {
      status: 400,
      code: 'parameter_invalid',
      param: 'cursor',
    });
  });
});

describeOnEachEngine('A resent event', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('goes to all enabled endpoints that are subscribed to its type now', async () => {
    const merchant = await paydesk().newMerchant();
    const event = await anExpiry(merchant);
    const later = [await newEndpoint(merchant), await newEndpoint(merchant)].sort();
    await newEndpoint(merchant, { enabled_events: ['refund.failed'] });
    await newEndpoint(merchant, { disabled: true });
    const response = await merchant.test.post(`/events/${event.id}/resend`);
    assert.deepEqual([response.body.has_more, response.body.next_cursor], [false, null]);
    const sent = entriesOf(response);
    assert.deepEqual(sent.map(({ endpoint }) => endpoint).sort(), later);
    for (const delivery of sent) {
      assert.match(String(delivery.id), /^del_/);
      assert.deepEqual([delivery.event, delivery.status, delivery.attempts], [event.id, 'pending', []]);
    }
    assert.deepEqual((await receiversOf(merchant, event.id)).sort(), later);
    assert.deepEqual(must(200, await merchant.test.get(`/events/${event.id}`)), event, 'it is the same event');
  });

  it('goes only to the named endpoint, whatever its subscriptions', async () => {
    const merchant = await paydesk().newMerchant();
    const endpoint = await newEndpoint(merchant, { enabled_events: ['refund.failed'] });
    await newEndpoint(merchant);
    const event = await anExpiry(merchant);
    paydesk().clock.advance(1);
    const sent = entriesOf(await merchant.test.post(`/events/${event.id}/resend`, { endpoint }));
    assert.deepEqual(
      sent.map((delivery) => delivery.endpoint),
      [endpoint],
    );
    assert.equal((await receiversOf(merchant, event.id))[0], endpoint);
  });

  it('is refused if no endpoint would receive it', async () => {
    const merchant = await paydesk().newMerchant();
    const event = await anExpiry(merchant);
    const resend = (body: Fields = {}) => merchant.test.post(`/events/${event.id}/resend`, body);
    const refused = await resend();
    assertRefused(refused, { status: 409, code: 'event_has_no_endpoint' });
    assert.match(String(refused.error.message), /checkout_session\.expired.*enabled_events/);
    const endpoint = await newEndpoint(merchant, { disabled: true });
    assertRefused(await resend(), { status: 409, code: 'event_has_no_endpoint' });
    assertRefused(await resend({ endpoint }), { status: 409, code: 'webhook_endpoint_disabled' });
    const stranger = await paydesk().newMerchant();
    for (const id of [aMoment().newId('we'), 'x', await newEndpoint(stranger)]) {
      assertRefused(await resend({ endpoint: id }), { status: 404, code: 'webhook_endpoint_not_found' });
    }
    assertRefused(await resend({ endpoint: 5 }), { status: 400, code: 'parameter_invalid', param: 'endpoint' });
    assertRefused(await resend({ to: endpoint }), { status: 400, code: 'parameter_unknown', param: 'to' });
    assert.deepEqual(await receiversOf(merchant, event.id), []);
  });

  it('is sent once per Idempotency-Key', async () => {
    const merchant = await paydesk().newMerchant();
    const event = await anExpiry(merchant);
    await newEndpoint(merchant);
    const headers = { 'Idempotency-Key': randomUUID() };
    const responses = await Promise.all(
      [1, 2, 3].map(() => merchant.test.post(`/events/${event.id}/resend`, {}, { headers })),
    );
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
    assert.equal((await receiversOf(merchant, event.id)).length, 1);
  });
});

describeOnEachEngine('A test event', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('goes only to the endpoint under test', async () => {
    const merchant = await paydesk().newMerchant();
    const endpoint = await newEndpoint(merchant, { enabled_events: ['refund.failed'] });
    await newEndpoint(merchant);
    const event = must(201, await merchant.test.post(`/webhook-endpoints/${endpoint}/test`));
    assert.deepEqual(event, {
      id: event.id,
      type: 'webhook_endpoint.test',
      created_at: new Date(paydesk().clock.now()).toISOString(),
      livemode: false,
      data: { id: endpoint, object: 'webhook_endpoint', url, enabled_events: ['refund.failed'] },
    });
    assert.deepEqual(must(200, await merchant.test.get(`/events/${event.id}`)), event);
    assert.deepEqual(await receiversOf(merchant, event.id), [endpoint]);
    assert.equal(entriesOf(await merchant.test.get('/events?type=webhook_endpoint.test')).length, 1);
    assertRefused(await merchant.test.post(`/events/${event.id}/resend`), {
      status: 409,
      code: 'event_has_no_endpoint',
    });
    must(200, await merchant.test.post(`/events/${event.id}/resend`, { endpoint }));
  });

  it('is refused for a disabled endpoint, and created once per Idempotency-Key', async () => {
    const merchant = await paydesk().newMerchant();
    const endpoint = await newEndpoint(merchant);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await merchant.test.post(`/webhook-endpoints/${endpoint}/test`, {}, { headers });
    must(201, first);
    assert.equal((await merchant.test.post(`/webhook-endpoints/${endpoint}/test`, {}, { headers })).text, first.text);
    must(200, await merchant.test.patch(`/webhook-endpoints/${endpoint}`, { disabled: true }));
    const refused = await merchant.test.post(`/webhook-endpoints/${endpoint}/test`);
    assertRefused(refused, { status: 409, code: 'webhook_endpoint_disabled' });
    assert.match(String(refused.error.message), /disabled: false/);
    assert.equal(entriesOf(await merchant.test.get('/events')).length, 1);
  });
});
