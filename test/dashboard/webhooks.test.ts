// Webhook endpoints and events in the dashboard, with a real receiver.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, entriesOf, type Fields, fieldsOf, must, textOf } from '../support/api-client.ts';
import { type DashboardClient, signIn } from '../support/dashboard.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { loopbackAllowed } from '../webhooks/scene.ts';

describeOnEachEngine('Webhooks in the dashboard', (engine) => {
  const paydesk = paydeskForSuite(engine, {
    longestPauseMs: 50,
    settings: { ...loopbackAllowed, PAYDESK_WEBHOOK_RETRY_DELAYS: '0' },
  });
  const notFound = { status: 404, code: 'webhook_endpoint_not_found' };

  async function healthOf(staff: DashboardClient, id: unknown): Promise<Fields> {
    return fieldsOf(must(200, await staff.get(`/webhook-endpoints/${textOf(id)}`)).health);
  }

  it('are added, tested, disabled, enabled, and given a new secret', async (t) => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'developer');
    const receiver = await startWebhookReceiver(t);
    const endpoint = must(201, await staff.post('/webhook-endpoints', { url: `${receiver.url}/hooks` }));
    assert.match(textOf(endpoint.secret), /^whsec_/);
    const path = `/webhook-endpoints/${textOf(endpoint.id)}`;
    const event = must(201, await staff.post(`${path}/test`));
    assert.equal(event.type, 'webhook_endpoint.test');
    await until('it is delivered', async () => (await healthOf(staff, endpoint.id)).delivered === 1);
    assert.equal(receiver.requests.length, 1);
    const health = await healthOf(staff, endpoint.id);
    assert.equal(health.failed, 0);
    assert.equal(health.sampled, false);
    assert.equal(typeof health.median_ms, 'number');
    const [listed] = entriesOf(await staff.get('/webhook-endpoints'));
    assert.deepEqual(listed?.health, health);
    assert.equal(listed?.secret, undefined);

    const disabled = must(200, await staff.post(`${path}/disable`));
    assert.equal(disabled.disabled, true);
    assert.equal(must(200, await shop.test.get(path)).disabled, true);
    assertRefused(await staff.post(`${path}/test`), { status: 409, code: 'webhook_endpoint_disabled' });
    assert.equal(must(200, await staff.post(`${path}/enable`)).disabled, false);
    const rotated = must(200, await staff.post(`${path}/rotate-secret`, { activates_in: 0 }));
    assert.notEqual(rotated.secret, endpoint.secret);
    assert.equal(must(200, await staff.patch(path, { description: 'Order system' })).description, 'Order system');
    assert.equal(must(200, await staff.delete(path)).deleted, true);
    assertRefused(await shop.test.get(path), notFound);

    const where = { merchantId: shop.merchant.id };
    const actions = (await paydesk().store.list('auditEntries', { where, limit: 50 }))
      .filter(({ actor }) => actor === `user:${staff.user.id}`)
      .map(({ action }) => action);
    assert.deepEqual(actions.toSorted(), [
      'webhook_endpoint.created',
      'webhook_endpoint.deleted',
      'webhook_endpoint.secret_rotated',
      'webhook_endpoint.test_sent',
      'webhook_endpoint.updated',
      'webhook_endpoint.updated',
      'webhook_endpoint.updated',
    ]);
  });

  it('show failed deliveries with the answers of the receiver, and send one or all of them again', async (t) => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'owner');
    const receiver = await startWebhookReceiver(t);
    receiver.answerWith({ status: 503, body: 'down for maintenance' });
    const subscription = { url: `${receiver.url}/hooks`, enabled_events: ['checkout_session.expired'] };
    const endpoint = must(201, await staff.post('/webhook-endpoints', subscription));
    const path = `/webhook-endpoints/${textOf(endpoint.id)}`;
    for (let count = 0; count < 3; count++) {
      const session = await shop.newSession();
      must(200, await staff.post(`/checkout-sessions/${textOf(session.id)}/expire`));
      paydesk().clock.advance(10);
    }
    const failed = async () => entriesOf(await staff.get(`${path}/deliveries?status=failed`));
    await until('all have failed', async () => {
      // A retry is due after the time that the attempt took.
      paydesk().clock.advance(100);
      return (await failed()).length === 3;
    });
    assert.deepEqual((await healthOf(staff, endpoint.id)).failed, 3);
    const [newest] = await failed();
    const { event, deliveries } = must(200, await staff.get(`/events/${textOf(newest?.event)}`));
    assert.equal(fieldsOf(event).type, 'checkout_session.expired');
    assert.ok(Array.isArray(deliveries));
    const [delivery] = deliveries.map(fieldsOf);
    assert.equal(delivery?.endpoint_url, `${receiver.url}/hooks`);
    assert.ok(Array.isArray(delivery?.attempts));
    const attempt = fieldsOf(delivery?.attempts[0]);
    assert.equal(attempt.status_code, 503);
    assert.equal(attempt.response_excerpt, 'down for maintenance');
    assert.equal(typeof attempt.duration_ms, 'number');

    receiver.answerWith({ status: 200 });
    paydesk().clock.advance(10);
    must(200, await staff.post(`/events/${textOf(newest?.event)}/resend`, { endpoint: endpoint.id }));
    assert.equal((await failed()).length, 2, 'what is sent again is no longer listed');
    const since = new Date(paydesk().clock.now() - 3_600_000).toISOString();
    assert.deepEqual(must(200, await staff.post(`${path}/resend-failed`, { since })), { resent: 2, has_more: false });
    await until('all have arrived', () => receiver.requests.length === 9);
    assert.deepEqual(await failed(), []);
  });

  it('filter events by type', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'developer');
    const session = await shop.newSession();
    must(200, await staff.post(`/checkout-sessions/${textOf(session.id)}/expire`));
    assert.equal(entriesOf(await staff.get('/events?type=checkout_session.expired')).length, 1);
    assert.equal(entriesOf(await staff.get('/events?type=payment_intent.succeeded')).length, 0);
  });

  it('of other merchants and modes do not exist, and support sees none', async (t) => {
    const [shop, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
    const staff = await signIn(paydesk(), shop);
    const receiver = await startWebhookReceiver(t);
    const theirs = must(201, await other.test.post('/webhook-endpoints', { url: `${receiver.url}/theirs` }));
    const own = must(201, await shop.test.post('/webhook-endpoints', { url: `${receiver.url}/own` }));
    const live = { headers: { 'Paydesk-Mode': 'live' } };
    for (const [id, options] of [
      [textOf(theirs.id), {}],
      [textOf(own.id), live],
    ] as const) {
      assertRefused(await staff.get(`/webhook-endpoints/${id}`, options), notFound);
      assertRefused(await staff.get(`/webhook-endpoints/${id}/deliveries`, options), notFound);
      for (const action of ['test', 'disable', 'enable', 'rotate-secret'])
        assertRefused(await staff.post(`/webhook-endpoints/${id}/${action}`, {}, options), notFound);
      assertRefused(await staff.delete(`/webhook-endpoints/${id}`, options), notFound);
    }
    const session = await other.newSession();
    must(200, await other.test.post(`/checkout-sessions/${textOf(session.id)}/expire`));
    const [event] = entriesOf(await other.test.get('/events'));
    assertRefused(await staff.get(`/events/${textOf(event?.id)}`), { status: 404, code: 'event_not_found' });
    assertRefused(await staff.post(`/events/${textOf(event?.id)}/resend`), { status: 404, code: 'event_not_found' });
    const support = await signIn(paydesk(), shop, 'support');
    for (const path of ['/webhook-endpoints', `/webhook-endpoints/${textOf(own.id)}`, '/events'])
      assertRefused(await support.get(path), { status: 403, code: 'role_not_allowed' });
  });
});
