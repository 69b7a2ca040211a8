// Notifications of Stripe: only signed, recent ones are read, and nothing but ids is taken from them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Stripe from 'stripe';
import type { NotificationReading } from '../../../src/acquirers/provider.ts';
import { readNotification } from '../../../src/acquirers/stripe/notifications.ts';
import { startOfTests } from '../../support/fake-clock.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { signatureOf } from '../stripe-simulator/notifications.ts';
import { openScene } from './scene.ts';

const secret = 'whsec_simulated';
const seconds = Math.floor(startOfTests / 1_000);
const oracle = new Stripe('sk_test_oracle').webhooks;

const event = (type: string, object: object): string => JSON.stringify({ id: 'evt_1', type, data: { object } });
const paid = event('payment_intent.succeeded', { object: 'payment_intent', id: 'pi_1' });

function read(body: string | Buffer, header: string | string[] | undefined, now = startOfTests): NotificationReading {
  return readNotification({ headers: { 'stripe-signature': header }, body: Buffer.from(body), now }, secret);
}

function assertRefused(reading: NotificationReading, reason: RegExp): void {
  assert.ok('refused' in reading, JSON.stringify(reading));
  assert.match(reading.refused, reason);
}

const notices = [{ id: 'evt_1', type: 'payment_intent.succeeded', subject: 'pi_1' }];

describe('A notification of Stripe', () => {
  it('is read if its signature is right, as the library of Stripe makes it', () => {
    const header = oracle.generateTestHeaderString({ payload: paid, secret, timestamp: seconds });
    assert.deepEqual(read(paid, header), { notices });
    assert.equal(signatureOf(secret, seconds, paid), header);
  });

  it('is read if any of several signatures is right', () => {
    const [, right] = signatureOf(secret, seconds, paid).split(',');
    const [, other] = signatureOf('whsec_old', seconds, paid).split(',');
    assert.deepEqual(read(paid, `t=${seconds},${other},${right},v0=abc`), { notices });
    assert.deepEqual(read(paid, `t=${seconds}, ${right}, ${other}`), { notices });
  });

  it('is refused without a valid signature, before it is parsed', () => {
    const right = signatureOf(secret, seconds, paid);
    const invalid = /signature is not valid/;
    assertRefused(read(`${paid} `, right), invalid);
    assertRefused(read(paid, signatureOf('whsec_other', seconds, paid)), invalid);
    assertRefused(read(paid, right.replace('v1=', 'v0=')), invalid);
    assertRefused(read(paid, right.replace(/t=\d+/, `t=${seconds + 1}`)), invalid);
    assertRefused(read(paid, right.toUpperCase().replace('T=', 't=').replace('V1=', 'v1=')), invalid);
    assertRefused(read(paid, `t=${seconds},v1=`), invalid);
    assertRefused(read(paid, `t=${seconds}`), invalid);
    assertRefused(read('{', signatureOf('whsec_other', seconds, '{')), invalid);
    assertRefused(read(paid, undefined), /missing/);
    assertRefused(read(paid, [right, right]), /missing/);
    assertRefused(read(paid, right.replace(/t=\d+/, 't=now')), /no valid time/);
    assertRefused(read(paid, ''), /no valid time/);
  });

  it('covers the raw bytes, whatever they are', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x7b]);
    assertRefused(read(bytes, signatureOf(secret, seconds, bytes.toString('latin1'))), /signature is not valid/);
  });

  it('is refused if it was signed more than 300 seconds ago, or ahead', () => {
    const header = signatureOf(secret, seconds, paid);
    const at = (offset: number) => read(paid, header, (seconds + offset) * 1_000);
    assert.deepEqual(at(300), { notices });
    assert.deepEqual(at(-300), { notices });
    assertRefused(at(301), /within the last 300 seconds/);
    assertRefused(at(-301), /within the last 300 seconds/);
  });

  it('is refused if it is signed but no event', () => {
    for (const body of ['', '{', 'null', '[]', '{}', '{"id":"evt_1","type":"payment_intent.succeeded"}'])
      assertRefused(read(body, signatureOf(secret, seconds, body)), /not an event/);
  });

  const subjects: readonly (readonly [type: string, object: object, subject: string | null])[] = [
    ['payment_intent.canceled', { object: 'payment_intent', id: 'pi_1' }, 'pi_1'],
    ['charge.refunded', { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' }, 'pi_1'],
    ['refund.created', { object: 'refund', id: 're_1', payment_intent: 'pi_1', charge: 'ch_1' }, 'pi_1'],
    ['refund.failed', { object: 'refund', id: 're_1', payment_intent: null, charge: null }, 're_1'],
    ['charge.refund.updated', { object: 'refund', id: 're_1', charge: 'ch_1' }, 'ch_1'],
    ['charge.dispute.created', { object: 'dispute', id: 'du_1', payment_intent: { id: 'pi_1' } }, 'pi_1'],
    ['charge.dispute.closed', { object: 'dispute', id: 'du_1', charge: 'ch_1' }, 'ch_1'],
    ['customer.created', { object: 'customer', id: 'cus_1' }, null],
    ['charge.succeeded', { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' }, null],
  ];
  for (const [type, object, subject] of subjects) {
    it(`${type} is about ${subject ?? 'nothing of ours'}`, () => {
      const body = event(type, object);
      const expected = subject === null ? [] : [{ id: 'evt_1', type, subject }];
      assert.deepEqual(read(body, signatureOf(secret, seconds, body)), { notices: expected });
    });
  }

  it('of the simulator is accepted by the library of Stripe and by the account', async (t) => {
    const { simulator, account, paid: pay, clock } = await openScene(t);
    const receiver = await startWebhookReceiver(t);
    simulator.notifications.sendTo(receiver.url, secret);
    const payment = await pay();
    await simulator.notifications.idle();
    const subjectsSeen: string[] = [];
    for (const { headers, body } of receiver.requests) {
      const header = String(headers['stripe-signature']);
      oracle.constructEvent(body, header, secret, 300, undefined, clock.now());
      const reading = account.readNotification({ headers, body, now: clock.now() });
      assert.ok('notices' in reading);
      subjectsSeen.push(...reading.notices.map(({ subject }) => subject));
    }
    assert.deepEqual([...new Set(subjectsSeen)], [payment.reference]);
  });
});
