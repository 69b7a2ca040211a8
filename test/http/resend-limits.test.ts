// Sending events again is bounded: by how many of a merchant's deliveries wait, and by how often it is asked for.

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

/** Refused at once, and tried again when the clock has moved: so all that is sent goes on waiting. */
const url = 'https://127.0.0.1/webhooks';

function assertTooMany(answer: ApiResponse, message: RegExp): void {
  assertRefused(answer, { status: 429, code: 'rate_limited' });
  assert.match(String(answer.error.message), message);
  assert.match(String(answer.headers.get('retry-after')), /^[1-9]\d*$/);
}

/** A merchant with endpoints, and an event from before they were made. */
async function shopWith(paydesk: Paydesk, endpoints: number) {
  const merchant = await paydesk.newMerchant();
  const eventId = await anExpiry(merchant);
  const made = await someEndpoints(paydesk, merchant.scope, Array<string>(endpoints).fill(url));
  const [first] = made;
  return { merchant, eventId, endpointId: first?.id ?? '' };
}

const many = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => work()));

const accepted = (answers: readonly ApiResponse[]): ApiResponse[] => answers.filter(({ status }) => status !== 429);

const maxWaiting = 200;
const waitingSettings = {
  PAYDESK_WEBHOOK_MAX_WAITING: String(maxWaiting),
  PAYDESK_WEBHOOK_RESENDS_PER_MINUTE: '1000',
};

describeOnEachEngine('The number of deliveries that wait', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: waitingSettings });
  const waitingOf = ({ scope }: TestMerchant): Promise<number> => paydesk().store.countWaitingDeliveries(scope, 10_000);

  it('bounds resends, however many come at once', async () => {
    const { merchant, eventId } = await shopWith(paydesk(), 50);
    const answers = await many(40, () => merchant.test.post(`/events/${eventId}/resend`, {}));
    for (const answer of accepted(answers)) must(200, answer);
    assert.equal(accepted(answers).length, maxWaiting / 50);
    assert.equal((await deliveriesOf(paydesk(), merchant, eventId)).length, maxWaiting);
    assert.equal(await waitingOf(merchant), maxWaiting);
    const refused = answers.find(({ status }) => status === 429) ?? assert.fail();
    assertTooMany(refused, /200 or more deliveries .* would add 50; the limit is 200.*one `endpoint`/);
  });

  it('bounds resends over several processes', async (t) => {
    const here = await startPaydesk(t, engine, { settings: waitingSettings });
    const there = await here.startAnother();
    const { merchant, eventId } = await shopWith(here, 50);
    const other = apiClient({ url: there.url, key: merchant.test.key, contract: here.contract });
    const resendTo = (api: ApiClient) => () => api.post(`/events/${eventId}/resend`, {});
    const answers = await Promise.all([many(10, resendTo(merchant.test)), many(10, resendTo(other))]);
    for (const answer of accepted(answers.flat())) must(200, answer);
    assert.equal(accepted(answers.flat()).length, maxWaiting / 50);
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

  it('bounds what is sent again of what failed: as many as there is room for, then none', async () => {
    const { merchant, endpointId } = await shopWith(paydesk(), 1);
    const { intent } = aPayment({ scope: merchant.scope });
    const from = paydesk().clock.now() - 10_000;
    const events = Array.from({ length: maxWaiting + 50 }, (_, at) => anEvent(intent, aMoment(from + at)));
    const deliveries = events.map(
      (event): Delivery => ({ ...resend(event, endpointId, aMoment(from)), status: 'failed', dueAt: null }),
    );
    await mustCommit(paydesk().store, { events, deliveries });
    const again = () =>
      merchant.test.post(`/webhook-endpoints/${endpointId}/resend-failed`, { since: new Date(from).toISOString() });
    assert.deepEqual(must(200, await again()), { resent: maxWaiting, has_more: true });
    assertTooMany(await again(), /the limit is 200/);
    assert.equal(await waitingOf(merchant), maxWaiting);
  });

  it('is counted for each merchant and mode, without endpoints that were deleted', async () => {
    const { merchant, eventId } = await shopWith(paydesk(), 100);
    for (const _ of [1, 2]) must(200, await merchant.test.post(`/events/${eventId}/resend`, {}));
    const live = { ...merchant.scope, livemode: true };
    assert.equal(await paydesk().store.countWaitingDeliveries(live, 10), 0);
    assert.equal(await paydesk().store.countWaitingDeliveries(merchant.scope, 10), 10, 'counts no further');
    const neighbour = await shopWith(paydesk(), 1);
    must(200, await neighbour.merchant.test.post(`/events/${neighbour.eventId}/resend`, {}));
    assert.equal(await waitingOf(neighbour.merchant), 1);
    must(200, await neighbour.merchant.test.send('DELETE', `/webhook-endpoints/${neighbour.endpointId}`));
    assert.equal(await waitingOf(neighbour.merchant), 0);
  });
});

describeOnEachEngine('Requests to send events again', (engine) => {
  const perMinute = 6;
  const paydesk = paydeskForSuite(engine, { settings: { PAYDESK_WEBHOOK_RESENDS_PER_MINUTE: String(perMinute) } });

  it('are limited for each minute, whatever they ask for and however many come at once', async () => {
    const { merchant, eventId, endpointId } = await shopWith(paydesk(), 1);
    const since = new Date(paydesk().clock.now()).toISOString();
    const answers = await Promise.all([
      many(5, () => merchant.test.post(`/events/${eventId}/resend`, {})),
      many(5, () => merchant.test.post(`/webhook-endpoints/${endpointId}/test`, {})),
      many(5, () => merchant.test.post(`/webhook-endpoints/${endpointId}/resend-failed`, { since })),
    ]);
    assert.equal(accepted(answers.flat()).length, perMinute);
    const refused = answers.flat().find(({ status }) => status === 429) ?? assert.fail();
    assertTooMany(refused, /at most 6 a minute.*resend-failed/);
    assert.equal(refused.headers.get('retry-after'), '10');

    const neighbour = await shopWith(paydesk(), 1);
    must(200, await neighbour.merchant.test.post(`/events/${neighbour.eventId}/resend`, {}));
    must(200, await merchant.test.get(`/events/${eventId}`));

    paydesk().clock.advance(10_000);
    const later = await many(3, () => merchant.test.post(`/events/${eventId}/resend`, {}));
    assert.equal(accepted(later).length, 1);
  });

  it('are not counted where the answer is replayed', async () => {
    const { merchant, eventId } = await shopWith(paydesk(), 1);
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let repeated = 0; repeated < perMinute + 3; repeated += 1) {
      must(200, await merchant.test.post(`/events/${eventId}/resend`, {}, { headers }));
    }
    assert.equal((await deliveriesOf(paydesk(), merchant, eventId)).length, 1);
  });
});
