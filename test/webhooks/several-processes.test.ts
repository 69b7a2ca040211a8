// Several processes on one PostgreSQL: each delivery belongs to one process at a time, and a dead one's are taken over.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resend } from '../../src/domain/delivery.ts';
import { leaseMs } from '../../src/webhooks/dispatcher.ts';
import { must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { postgres } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { anEndpoint, anExpiry, deliveriesOf, loopbackAllowed, untilAttempted } from './scene.ts';

describe('Several processes (postgres)', () => {
  it('send each delivery once', async (t) => {
    const first = await startPaydesk(t, postgres, { settings: loopbackAllowed });
    const options = { settings: loopbackAllowed };
    for (let more = 0; more < 3; more += 1) await first.startAnother(options);
    const merchant = await first.newMerchant();
    const receiver = await startWebhookReceiver(t);
    await anEndpoint(first, merchant, receiver.url);
    const sessions = await Promise.all(Array.from({ length: 150 }, () => merchant.newSession()));
    await Promise.all(
      sessions.map(async ({ id }) => must(200, await merchant.test.post(`/checkout-sessions/${id}/expire`, {}))),
    );
    const events = await merchant.events();
    for (const { id } of events) await untilAttempted(first, merchant, id, 1);
    const arrived = receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { id: string }).id);
    assert.deepEqual(arrived.toSorted(), events.map(({ id }) => id).toSorted());
  });

  it('take over the deliveries of a dead one when its lease has ended, and not before', async (t) => {
    const paydesk = await startPaydesk(t, postgres, { settings: loopbackAllowed });
    const merchant = await paydesk.newMerchant();
    const receiver = await startWebhookReceiver(t);
    const endpoint = await anEndpoint(paydesk, merchant, receiver.url);
    const eventId = await anExpiry(merchant);
    await untilAttempted(paydesk, merchant, eventId, 1);
    const [event] = await merchant.events();
    assert.ok(event !== undefined);
    const resendDueIn = async (dueInMs: number): Promise<string> => {
      const now = paydesk.clock.now();
      const delivery = resend(event, endpoint.id, aMoment(now));
      await mustCommit(paydesk.store, { deliveries: [{ ...delivery, dueAt: now + dueInMs }] });
      return delivery.id;
    };
    const isDelivered = async (id: string): Promise<boolean> =>
      (await deliveriesOf(paydesk, merchant, eventId)).some((one) => one.id === id && one.status === 'delivered');

    // As a claim leaves it: due when the lease ends.
    const orphaned = await resendDueIn(leaseMs);
    paydesk.clock.advance(leaseMs - 1);
    const other = await resendDueIn(0);
    await until('the endpoint was served', () => isDelivered(other));
    assert.equal(await isDelivered(orphaned), false);
    assert.equal(receiver.requests.length, 2);
    paydesk.clock.advance(1);
    await until('it was taken over', () => isDelivered(orphaned));
    assert.equal(receiver.requests.length, 3);
  });
});
