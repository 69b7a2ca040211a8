// Resending events is bounded by how many of a merchant's deliveries are waiting, and by how often it is requested.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { type Delivery, resend } from '../../src/domain/delivery.ts';
import { type ApiClient, type ApiResponse, apiClient, assertRefused, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type Paydesk, paydeskForSuite, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment, anEvent, aPayment } from '../support/records.ts';
import { anExpiry, deliveriesOf, someEndpoints } from '../webhooks/scene.ts';

/** Refused at once, and retried only when the clock moves, so that every delivery keeps waiting. */
const url = 'https://127.0.0.1/webhooks';

function assertTooMany(response: ApiResponse, message: RegExp): void {
  assertRefused(response, { status: 429, code: 'rate_limited' });
  assert.match(String(response.error.message), message);
  assert.match(String(response.headers.get('retry-after')), /^[1-9]\d*$/);
}

/** A merchant with endpoints, and an event from before they were created. */
async function shopWith(paydesk: Paydesk, endpoints: number) {
  const merchant = await paydesk.newMerchant();
  const eventId = await anExpiry(merchant);
  const created = await someEndpoints(paydesk, merchant.scope, Array<string>(endpoints).fill(url));
  const [first] = created;
  return { merchant, eventId, endpointId: first?.id ?? '' };
}

const many = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => work()));

const accepted = (responses: readonly ApiResponse[]): ApiResponse[] => responses.filter(({ status }) => status !== 429);

const maxWaiting = 200;
const waitingSettings = {
  PAYDESK_WEBHOOK_MAX_WAITING: String(maxWaiting),
  PAYDESK_WEBHOOK_RESENDS_PER_MINUTE: '1000',
};

describeOnEachEngine('The number of waiting deliveries', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: waitingSettings });
  const waitingOf = ({ scope }: TestMerchant): Promise<number> =>
    paydesk().store.deliveryQueue.countWaiting(scope, 10_000);

  it('bounds resends, however many are requested at once', async () => {
    const { merchant, eventId } = await shopWith(paydesk(), 50);
    const responses = await many(40, () => merchant.test.post(`/events/${eventId}/resend`, {}));
    for (const response of accepted(responses)) must(200, response);
    assert.equal(accepted(responses).length, maxWaiting / 50);
    assert.equal((await deliveriesOf(paydesk(), merchant, eventId)).length, maxWaiting);
    assert.equal(await waitingOf(merchant), maxWaiting);
    const refused = responses.find(({ status }) => status === 429) ?? assert.fail();
    assertTooMany(refused, /200 or more deliveries .* would add 50; the limit is 200.*one `endpoint`/);
  });

  it('bounds resends across several processes', async (t) => {
    const here = await startPaydesk(t, engine, { settings: waitingSettings });
    const there = await here.startAnother();
    const { merchant, eventId } = await shopWith(here, 50);
    const other = apiClient({ url: there.url, key: merchant.test.key, contract: here.contract });
    const resendTo = (api: ApiClient) => () => api.post(`/events/${eventId}/resend`, {});
    const responses = await Promise.all([many(10, resendTo(merchant.test)), many(10, resendTo(other))]);
    for (const response of accepted(responses.flat())) must(200, response);
    assert.equal(accepted(responses.flat()).length, maxWaiting / 50);
    assert.equal((await deliveriesOf(here, merchant, eventId)).length, maxWaiting);
  });

  it('bounds test events, and lets ordinary events through', async () => {
    const { merchant, eventId, endpointId } = await shopWith(paydesk(), 100);
    for (const _ of [1, 2]) must(200, await merchant.test.post(`/events/${eventId}/resend`, {}));
    assertTooMany(await merchant.test.post(`/webhook-endpoints/${endpointId}/test`, {}), /the limit is 200/);
    assertTooMany(
      await merchant.test.post(`/events/${eventId}/resend`, { endpoint: endpointId }),
      /would add 1; the limit is 200/,
    );
    const next = await anExpiry(merchant);
    assert.equal((await deliveriesOf(paydesk(), merchant, next)).length, 100);
    assert.equal(await waitingOf(merchant), 300);
  });

  it('bounds the resending of failed deliveries: up to the limit, then none', async () => {
    const { merchant, endpointId } = await shopWith(paydesk(), 1);
    const { intent } = aPayment({ scope: merchant.scope });
    const from = paydesk().clock.now() - 10_000;
    const events = Array.from({ length: maxWaiting + 50 }, (_, at) => anEvent(intent, aMoment(from + at)));
    const deliveries = events.map(
      (event): Delivery => ({ ...resend(event, endpointId, aMoment(from)), status: 'failed', dueAt: null }),
    );
    await mustCommit(paydesk().store, { events, deliveries });
    const resendFailed = () =>
      merchant.test.post(`/webhook-endpoints/${endpointId}/resend-failed`, { since: new Date(from).toISOString() });
    assert.deepEqual(must(200, await resendFailed()), { resent: maxWaiting, has_more: true });
    assertTooMany(await resendFailed(), /the limit is 200/);
    assert.equal(await waitingOf(merchant), maxWaiting);
  });

  it('is counted per merchant and mode, without deleted endpoints', async () => {
    const { merchant, eventId } = await shopWith(paydesk(), 100);
    for (const _ of [1, 2]) must(200, await merchant.test.post(`/events/${eventId}/resend`, {}));
    const live = { ...merchant.scope, livemode: true };
    assert.equal(await paydesk().store.deliveryQueue.countWaiting(live, 10), 0);
    assert.equal(
      await paydesk().store.deliveryQueue.countWaiting(merchant.scope, 10),
      10,
      'stops counting at the limit',
    );
    const neighbour = await shopWith(paydesk(), 1);
    must(200, await neighbour.merchant.test.post(`/events/${neighbour.eventId}/resend`, {}));
    assert.equal(await waitingOf(neighbour.merchant), 1);
    must(200, await neighbour.merchant.test.send('DELETE', `/webhook-endpoints/${neighbour.endpointId}`));
    assert.equal(await waitingOf(neighbour.merchant), 0);
  });
});

describeOnEachEngine('Requests to resend events', (engine) => {
  const perMinute = 6;
  const paydesk = paydeskForSuite(engine, { settings: { PAYDESK_WEBHOOK_RESENDS_PER_MINUTE: String(perMinute) } });

  it('are limited per minute, whatever their kind and however many come at once', async () => {
    const { merchant, eventId, endpointId } = await shopWith(paydesk(), 1);
    const since = new Date(paydesk().clock.now()).toISOString();
    const responses = await Promise.all([
      many(5, () => merchant.test.post(`/events/${eventId}/resend`, {})),
      many(5, () => merchant.test.post(`/webhook-endpoints/${endpointId}/test`, {})),
      many(5, () => merchant.test.post(`/webhook-endpoints/${endpointId}/resend-failed`, { since })),
    ]);
    assert.equal(accepted(responses.flat()).length, perMinute);
    const refused = responses.flat().find(({ status }) => status === 429) ?? assert.fail();
    assertTooMany(refused, /at most 6 a minute.*resend-failed/);
    assert.equal(refused.headers.get('retry-after'), '10');

    const neighbour = await shopWith(paydesk(), 1);
    must(200, await neighbour.merchant.test.post(`/events/${neighbour.eventId}/resend`, {}));
    must(200, await merchant.test.get(`/events/${eventId}`));

    paydesk().clock.advance(10_000);
    const later = await many(3, () => merchant.test.post(`/events/${eventId}/resend`, {}));
    assert.equal(accepted(later).length, 1);
  });

  it('are not counted if the response is replayed', async () => {
    const { merchant, eventId } = await shopWith(paydesk(), 1);
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let repeated = 0; repeated < perMinute + 3; repeated += 1) {
      must(200, await merchant.test.post(`/events/${eventId}/resend`, {}, { headers }));
    }
    assert.equal((await deliveriesOf(paydesk(), merchant, eventId)).length, 1);
  });
});
