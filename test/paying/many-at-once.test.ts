// Hundreds of refunds, or captures and cancels, of one payment at the same time: what was committed is answered, the books
// of the acquirer agree, and nothing ends in an error of ours.

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
  type Shop,
  standing,
} from './scene.ts';
import { settles, unreliable } from './unreliable.ts';

/** The longest that there is: how quick this machine is must not decide. */
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
    it(`${count} refunds at once ${keys ? 'with keys' : 'without keys'} are made while something is left, and told so`, async () => {
      const shop = await openShop(paydesk());
      const session = await paidSession(shop, { amount: count * 10 - 45 });
      const answers = await Promise.all(
        times(count).map(() =>
          shop.merchant.test.post(intentPath(session, '/refund'), { amount: 10 }, keys ? keyed() : {}),
        ),
      );
      const made = answers.filter(({ status }) => status === 201);
      for (const { status, text } of answers) assert.ok(status === 201 || status === 400, text);
      assert.equal(made.length, count - 5, 'all that fit');
      const stored = await refundsOf(shop, session);
      assert.deepEqual(
        new Set(stored.map(({ id }) => id)),
        new Set(made.map(({ body }) => body.id)),
        'those that were told are those that were made',
      );
      for (const { status } of stored) assert.equal(status, 'succeeded');
      assert.equal((await standing(shop, session)).intent.amount_refunded, made.length * 10);
      assert.equal((await atAcquirer(shop, session)).amountRefunded, made.length * 10);
    });
  }

  it('40 refunds at once that the acquirer refuses are told so, and nothing of them is left', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000005126');
    const refund = () => shop.merchant.test.post(intentPath(session, '/refund'), { amount: 20 }, keyed());
    const answers = await Promise.all(times(40).map(refund));
    for (const { status, body, text } of answers) assert.deepEqual([status, body.status], [201, 'failed'], text);
    assert.equal((await standing(shop, session)).intent.amount_refunded, 0);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 0);
  });

  it('one of 60 captures and 60 cancels at once is made, and the others are refused', async () => {
    const shop = await openShop(paydesk());
    for (const keys of [false, true]) {
      const session = await authorisedSession(shop);
      const answers = await Promise.all(
        times(120).map((turn) =>
          shop.merchant.test.post(
            intentPath(session, turn % 2 === 0 ? '/capture' : '/cancel'),
            {},
            keys ? keyed() : {},
          ),
        ),
      );
      for (const { status, text } of answers) assert.ok(status === 200 || status === 409, text);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      const { intent, events } = await standing(shop, session);
      const { status, amountCaptured } = await atAcquirer(shop, session);
      assert.equal(intent.status, status === 'captured' ? 'succeeded' : 'canceled');
      assert.equal(intent.amount_captured, amountCaptured);
      assert.equal(events.length, 2);
    }
  });
});

describe('Of one payment,', () => {
  it('200 refunds at once through two processes are made while something is left, and told so', async (t) => {
    const paydesk = await startPaydesk(t, postgres, { settings });
    const shop = await openShop(paydesk);
    const other = apiClient({ ...shop.merchant.test, url: (await paydesk.startAnother()).url });
    const session = await paidSession(shop, { amount: 1_500 });
    const answers = await Promise.all(
      times(200).map((turn) =>
        (turn % 2 === 0 ? shop.merchant.test : other).post(intentPath(session, '/refund'), { amount: 10 }),
      ),
    );
    for (const { status, text } of answers) assert.ok([201, 400, 409].includes(status), text);
    assert.equal(answers.filter(({ status }) => status === 201).length, 150);
    assert.equal((await standing(shop, session)).intent.amount_refunded, 1_500);
    assert.equal((await atAcquirer(shop, session)).amountRefunded, 1_500);
  });
});

describeOnEachEngine('A committed operation', (engine) => {
  it('is answered when storage cannot be reached for its outcome, and gets that later', async (t) => {
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
      const answer = await shop.merchant.test.post(intentPath(session, call), {});
      assert.deepEqual([answer.status, answer.error.code], [409, 'payment_in_progress']);
    }
    assert.ok(
      paydesk.logLines().some(({ msg }) => String(msg).includes('could not be settled')),
      'the operator is told',
    );
    faults.failsToCommit = () => false;
    assert.equal((await standing(shop, paid)).intent.amount_refunded, 300);
  });
});
