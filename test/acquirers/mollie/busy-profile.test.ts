// A payment whose response was lost, in a profile with any number of other payments, also of other systems.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AcquirerOperation, AcquirerSilent, type Answer } from '../../../src/acquirers/acquirer.ts';
import { hour, mollieAccount, type TestAccount } from './mollie-account.ts';

const list = { method: 'GET', path: /^\/v2\/payments$/ } as const;

/** `when`: the request got lost before or after its effect. */
async function lostPayment({ account, simulator, begun }: TestAccount, when: 'before' | 'after') {
  const payment = await begun();
  simulator.faults.add({ method: 'POST', when, how: 'reset' });
  await assert.rejects(account.authorise(payment), AcquirerSilent);
  return payment;
}

function addOthers({ simulator: { books } }: TestAccount, count: number, metadata: unknown = null): void {
  const redirectUrl = 'https://other.example';
  const about = { amount: 100, currency: 'EUR', method: 'ideal', description: 'of another system', redirectUrl };
  const request = { ...about, metadata, captureMode: 'automatic', webhookUrl: null, locale: null } as const;
  for (let other = 0; other < count; other += 1) books.create(request, 'test');
}

/** Asks until the outcome is known, and stores what each answer returns. */
async function askUntilKnown(
  { simulator }: TestAccount,
  payment: AcquirerOperation,
  ask: (payment: AcquirerOperation) => Promise<Answer>,
): Promise<{ answer: Answer; calls: number; mostRequests: number }> {
  let stored = payment;
  let mostRequests = 0;
  for (let calls = 1; calls < 100; calls += 1) {
    const before = simulator.requests.length;
    const answer = await ask(stored);
    mostRequests = Math.max(mostRequests, simulator.requests.length - before);
    const { outcome, state = stored.state } = answer;
    if (outcome.kind !== 'pending') return { answer, calls, mostRequests };
    assert.equal(outcome.isSearching, true);
    stored = { ...stored, state };
  }
  return assert.fail('the search does not end');
}

const posts = ({ simulator }: TestAccount): number =>
  simulator.requests.filter((request) => request.startsWith('POST')).length;

describe('a payment whose response was lost in a busy profile', () => {
  for (const when of ['before', 'after'] as const) {
    it(`goes on under its key without a look at the others, if the request got lost ${when} the effect`, async (test) => {
      const at = await mollieAccount(test);
      const payment = await lostPayment(at, when);
      at.simulator.faults.add({ ...list, when: 'before', how: 500, times: 1_000 });
      const known = await at.account.inquire(payment);
      assert.deepEqual([known.outcome, known.notAsked], [{ kind: 'ready' }, true]);
      const { state = null } = known;
      // A second look has nothing to store.
      const again = await at.account.inquire({ ...payment, state });
      assert.deepEqual(again, { outcome: { kind: 'ready' }, notAsked: true });
      const { outcome, reference } = await at.account.authorise({ ...payment, state });
      assert.equal(outcome.kind, 'action');
      assert.deepEqual(
        at.simulator.books.payments.map(({ id }) => id),
        [reference],
      );
    });

    it(`is closed without a look at the others, if the request got lost ${when} the effect`, async (test) => {
      const at = await mollieAccount(test);
      at.simulator.books.behaviour.cancelableWhileOpen = ['ideal'];
      const payment = await lostPayment(at, when);
      at.simulator.faults.add({ ...list, when: 'before', how: 500, times: 1_000 });
      assert.deepEqual((await at.account.close(payment)).outcome, { kind: 'abandoned', reason: 'canceled' });
      assert.equal(at.simulator.books.payments.length, 1);
    });
  }

  for (const call of ['authorise', 'inquire', 'close'] as const) {
    it(`is found by ${call} over several calls once the key may be forgotten`, async (test) => {
      const at = await mollieAccount(test);
      const payment = await lostPayment(at, 'after');
      const [made] = at.simulator.books.payments;
      addOthers(at, 1_234);
      at.clock.now += 2 * hour;
      const { answer, calls, mostRequests } = await askUntilKnown(at, payment, at.account[call]);
      assert.equal(answer.reference, made?.id);
      assert.equal(answer.outcome.kind, 'abandoned');
      assert.equal(calls, 3);
      assert.ok(mostRequests <= 12, `${mostRequests} requests in one call`);
      assert.equal(posts(at), 1);
    });

    it(`counts as not made by ${call} only after all others were looked at, and is never made`, async (test) => {
      const at = await mollieAccount(test);
      addOthers(at, 10);
      at.clock.now += hour;
      const payment = await lostPayment(at, 'before');
      addOthers(at, 1_234);
      at.clock.now += 2 * hour;
      const { answer, calls } = await askUntilKnown(at, payment, at.account[call]);
      assert.deepEqual(answer.outcome, { kind: 'not_made' });
      assert.equal(calls, 3);
      assert.equal(posts(at), 1);
    });
  }

  it('is looked for from the newest one again while its request may still arrive', async (test) => {
    const at = await mollieAccount(test);
    const payment = await lostPayment(at, 'before');
    addOthers(at, 600);
    at.clock.now += 50 * 60_000;
    assert.deepEqual(await at.account.inquire(payment), { outcome: { kind: 'pending', customerDone: false } });
  });

  it('is found behind payments of other systems in currencies that we do not know', async (test) => {
    const at = await mollieAccount(test);
    const payment = await lostPayment(at, 'after');
    const [made] = at.simulator.books.payments;
    addOthers(at, 1);
    const [, other] = at.simulator.books.payments;
    assert.ok(other !== undefined);
    Object.assign(other, { currency: 'XXX' });
    at.clock.now += 2 * hour;
    assert.equal((await at.account.inquire(payment)).reference, made?.id);
  });

  it('is searched in pages that stay far below a mebibyte', async (test) => {
    const at = await mollieAccount(test);
    const payment = await lostPayment(at, 'after');
    addOthers(at, 300, { lines: 'x'.repeat(10_000) });
    at.clock.now += 2 * hour;
    assert.equal((await askUntilKnown(at, payment, at.account.inquire)).answer.outcome.kind, 'abandoned');
    assert.ok(Math.max(...at.responseBytes()) < 786_432);
  });
});
