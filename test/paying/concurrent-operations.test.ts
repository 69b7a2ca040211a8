// Hundreds of refunds, or captures and cancels, of one payment at the same time: the responses match what was
// committed and what the acquirer has, and none is a server error.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { apiClient, entriesOf, type Fields } from '../support/api-client.ts';
import { describeOnEachEngine, postgres } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import {
  atAcquirer,
  authorisedSession,
  intentPath,
  manyDeclines,
  openShop,
  paidSession,
  paymentState,
  type Shop,
} from './scene.ts';
import { settles, unreliable } from './unreliable.ts';

/** The maximum, so that the speed of this machine does not matter. */
const settings = { ...manyDeclines, PAYDESK_ACQUIRER_TIMEOUT: '10' };
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const keyed = () => ({ headers: { 'Idempotency-Key': randomUUID() } });

async function refundsOf({ merchant }: Shop, session: Fields): Promise<Fields[]> {
  const all: Fields[] = [];
  for (let cursor = ''; ; ) {
    const path = `/refunds?payment_intent=${session.payment_intent}&limit=100`;
    const page = await merchant.test.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
    all.push(...entriesOf(page));
    if (page.body.has_more !== true) return all;
    cursor = String(page.body.next_cursor);
  }
}

describeOnEachEngine('Of one payment,', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings });

  for (const [count, keys] of [
    [100, true],
    [300, false],
  ] as const) {
    it(`${count} refunds at once ${keys ? 'with keys' : 'without keys'} succeed while something is left, and the responses say so`, async () => {
      const shop = await openShop(paydesk());
      const session = await paidSession(shop, { amount: count * 10 - 45 });
      const responses = await Promise.all(
        times(count).map(() =>
          shop.merchant.test.post(intentPath(session, '/refund'), { amount: 10 }, keys ? keyed() : {}),
        ),
      );
      const succeeded = responses.filter(({ status }) => status === 201);
      for (const { status, text } of responses) assert.ok(status === 201 || status === 400, text);
      assert.equal(succeeded.length, count - 5, 'all that fit');
      const stored = await refundsOf(shop, session);
      assert.deepEqual(
        new Set(stored.map(({ id }) => id)),
        new Set(succeeded.map(({ body }) => body.id)),
        'the responses match the stored refunds',
      );
      for (const { status } of stored) assert.equal(status, 'succeeded');
      assert.equal((await paymentState(shop, session)).intent.amount_refunded, succeeded.length * 10);
      assert.equal((await atAcquirer(shop, session)).amountRefunded, succeeded.length * 10);
    });
  }

  it('40 refunds at once that the acquirer refuses fail, and leave nothing behind', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000005126');
    const refund = () => shop.merchant.test.post(intentPath(session, '/refund'), { amount: 20 }, keyed());
    const responses = await Promise.all(times(40).map(refund));
    for (const { status, body, text } of responses) assert.deepEqual([status, body.status], [201, 'failed'], text);
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 0);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 0);
  });

  it('one of 60 captures and 60 cancels at once succeeds, and the others are refused', async () => {
    const shop = await openShop(paydesk());
    for (const keys of [false, true]) {
      const session = await authorisedSession(shop);
      const responses = await Promise.all(
        times(120).map((turn) =>
          shop.merchant.test.post(
            intentPath(session, turn % 2 === 0 ? '/capture' : '/cancel'),
            {},
            keys ? keyed() : {},
          ),
        ),
      );
      for (const { status, text } of responses) assert.ok(status === 200 || status === 409, text);
      assert.equal(responses.filter(({ status }) => status === 200).length, 1);
      const { intent, events } = await paymentState(shop, session);
      const { status, amountCaptured } = await atAcquirer(shop, session);
      assert.equal(intent.status, status === 'captured' ? 'succeeded' : 'canceled');
      assert.equal(intent.amount_captured, amountCaptured);
      assert.equal(events.length, 2);
    }
  });
});

describe('Of one payment,', () => {
  it('200 refunds at once through two processes succeed while something is left, and the responses say so', async (t) => {
    const paydesk = await startPaydesk(t, postgres, { settings });
    const shop = await openShop(paydesk);
    const other = apiClient({ ...shop.merchant.test, url: (await paydesk.startAnother()).url });
    const session = await paidSession(shop, { amount: 1_500 });
    const responses = await Promise.all(
      times(200).map((turn) =>
        (turn % 2 === 0 ? shop.merchant.test : other).post(intentPath(session, '/refund'), { amount: 10 }),
      ),
    );
    for (const { status, text } of responses) assert.ok([201, 400, 409].includes(status), text);
    assert.equal(responses.filter(({ status }) => status === 201).length, 150);
    assert.equal((await paymentState(shop, session)).intent.amount_refunded, 1_500);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 1_500);
  });
});

describeOnEachEngine('A committed operation', (engine) => {
  it('gets a response if storage is unavailable for its outcome, which is stored later', async (t) => {
    const { faults, storage } = unreliable();
    const paydesk = await startPaydesk(t, engine, { settings, storage });
    const shop = await openShop(paydesk);
    const [paid, captured, canceled] = [
      await paidSession(shop),
      await authorisedSession(shop),
      await authorisedSession(shop),
    ];
    faults.failsToCommit = (changes) => settles(changes) || 'followUps' in changes;
    const refund = await shop.merchant.test.post(intentPath(paid, '/refund'), { amount: 300 });
    assert.deepEqual([refund.status, refund.body.status, refund.body.amount], [201, 'pending', 300]);
    for (const [session, call] of [
      [captured, '/capture'],
      [canceled, '/cancel'],
    ] as const) {
      const response = await shop.merchant.test.post(intentPath(session, call), {});
      assert.deepEqual([response.status, response.error.code], [409, 'payment_in_progress']);
    }
    assert.ok(
      paydesk.logLines().some(({ msg }) => String(msg).includes('could not be settled')),
      'the operator is notified',
    );
    faults.failsToCommit = () => false;
    assert.equal((await paymentState(shop, paid)).intent.amount_refunded, 300);
  });
});
