// Payments at Mollie: every status that a payment can end in, and every way in which a response can get lost.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AcquirerSilent } from '../../../src/acquirers/acquirer.ts';
import { until } from '../../support/until.ts';
import { beginRequest, hour, mollieAccount } from './mollie-account.ts';

describe('a payment at Mollie', () => {
  it('is not created before the customer is sent there', async (test) => {
    const { simulator, begun } = await mollieAccount(test);
    const payment = await begun();
    assert.equal(payment.reference, null);
    assert.deepEqual(simulator.requests, []);
  });

  it('is created with an exact amount, our ids and nothing of the customer', async (test) => {
    const { simulator, sent } = await mollieAccount(test);
    const { payment, checkoutUrl } = await sent({ amount: 5 });
    const [made] = simulator.books.payments;
    assert.equal(made?.id, payment.reference);
    assert.match(checkoutUrl, /\/checkout\/tr_/);
    assert.equal(made?.amount, 5);
    assert.equal(made?.method, 'ideal');
    assert.equal(made?.locale, 'de_AT');
    assert.equal(made?.redirectUrl, 'https://shop.example/return');
    assert.deepEqual(made?.metadata, { operation: payment.id, payment_intent: 'pi_1', checkout_session: 'cs_1' });
    assert.doesNotMatch(JSON.stringify(made), /ada@example/);
  });

  it('is done when the customer has paid', async (test) => {
    const { account, simulator, sent } = await mollieAccount(test);
    const { payment, checkoutUrl } = await sent();
    assert.deepEqual((await account.inquire(payment)).outcome, { kind: 'action', url: checkoutUrl });
    assert.equal(await simulator.choose(checkoutUrl, 'paid'), 'https://shop.example/return');
    assert.deepEqual(await account.inquire(payment), { outcome: { kind: 'done' }, reference: payment.reference });
    assert.deepEqual((await account.authorise(payment)).outcome, { kind: 'done' });
    assert.equal(simulator.books.payments.length, 1);
  });

  for (const [choice, outcome] of [
    ['pending', { kind: 'pending', customerDone: true }],
    ['canceled', { kind: 'abandoned', reason: 'canceled' }],
    ['expired', { kind: 'abandoned', reason: 'failed' }],
    ['failed', { kind: 'declined', decline: { code: 'bank_declined' } }],
  ] as const) {
    it(`is ${outcome.kind} if Mollie says ${choice}`, async (test) => {
      const { account, simulator, sent } = await mollieAccount(test);
      const { payment, checkoutUrl } = await sent();
      await simulator.choose(checkoutUrl, choice);
      assert.deepEqual((await account.inquire(payment)).outcome, outcome);
    });
  }

  for (const [reason, code] of [
    ['insufficient_funds', 'insufficient_funds'],
    ['card_expired', 'expired_card'],
    ['invalid_cvv', 'incorrect_cvc'],
    ['possible_fraud', 'generic_decline'],
    ['something_new', 'generic_decline'],
  ] as const) {
    it(`is declined as ${code} for a card with ${reason}`, async (test) => {
      const { account, simulator, sent } = await mollieAccount(test);
      const { payment, checkoutUrl } = await sent({ method: 'card' });
      await simulator.choose(checkoutUrl, 'failed', reason);
      const decline = { code, providerCode: reason };
      assert.deepEqual((await account.inquire(payment)).outcome, { kind: 'declined', decline });
    });
  }

  it('is authorised until the time that Mollie tells, if capture is manual', async (test) => {
    const { account, clock, paid } = await mollieAccount(test);
    const payment = await paid({ method: 'card', captureMethod: 'manual' });
    const captureBefore = clock.now + 7 * 24 * hour;
    assert.deepEqual((await account.inquire(payment)).outcome, { kind: 'authorised', captureBefore });
  });

  it('is refused before anything is sent if the method has no manual capture', async (test) => {
    const { account } = await mollieAccount(test);
    const begun = await account.begin({ ...beginRequest('op_1'), captureMethod: 'manual' });
    assert.equal(begun.next, 'declined');
  });

  it('is declined with the field that Mollie refuses', async (test) => {
    const { account, simulator, begun } = await mollieAccount(test);
    simulator.enableMethods(['creditcard']);
    const { outcome } = await account.authorise(await begun());
    const decline = { code: 'processing_error', providerCode: 'unprocessable_entity.method' };
    assert.deepEqual(outcome, { kind: 'declined', decline });
  });

  it('is unknown if Mollie reports another amount', async (test) => {
    const { account, paid } = await mollieAccount(test);
    const payment = await paid();
    await assert.rejects(account.inquire({ ...payment, amount: 1251 }), AcquirerSilent);
  });

  it('is unknown if Mollie does not know the reference', async (test) => {
    const { account, sent } = await mollieAccount(test);
    const { payment } = await sent();
    await assert.rejects(account.inquire({ ...payment, reference: 'tr_other' }), AcquirerSilent);
  });
});

describe('closing a payment at Mollie', () => {
  it('cancels it where Mollie can', async (test) => {
    const { account, simulator, sent } = await mollieAccount(test);
    simulator.books.behaviour.cancelableWhileOpen = ['ideal'];
    const { payment } = await sent();
    assert.deepEqual((await account.close(payment)).outcome, { kind: 'abandoned', reason: 'canceled' });
    assert.equal(simulator.books.payments[0]?.status, 'canceled');
  });

  it('leaves it open where Mollie cannot, until it expires there', async (test) => {
    const { account, clock, sent } = await mollieAccount(test);
    const { payment, checkoutUrl } = await sent();
    assert.deepEqual((await account.close(payment)).outcome, { kind: 'action', url: checkoutUrl });
    clock.now += hour;
    assert.deepEqual((await account.close(payment)).outcome, { kind: 'abandoned', reason: 'failed' });
  });

  it('finds it paid if the customer was faster', async (test) => {
    const { account, simulator, sent } = await mollieAccount(test);
    simulator.books.behaviour.cancelableWhileOpen = ['ideal'];
    const { payment, checkoutUrl } = await sent();
    const paying = Promise.withResolvers<void>();
    simulator.faults.add({ method: 'DELETE', when: 'before', until: paying.promise });
    const closing = account.close(payment);
    await until('the cancellation is sent', () => simulator.requests.some((request) => request.startsWith('DELETE')));
    await simulator.choose(checkoutUrl, 'paid');
    paying.resolve();
    assert.deepEqual((await closing).outcome, { kind: 'done' });
  });

  it('does not cancel what the customer has completed, even if Mollie can', async (test) => {
    const { account, simulator, sent } = await mollieAccount(test);
    simulator.books.behaviour.cancelableWhilePending = ['ideal'];
    const { payment, checkoutUrl } = await sent();
    await simulator.choose(checkoutUrl, 'pending');
    assert.deepEqual((await account.close(payment)).outcome, { kind: 'pending', customerDone: true });
    assert.equal(simulator.books.payments[0]?.status, 'pending');
  });

  it('does not cancel an authorised payment', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    simulator.books.behaviour.cancelableWhenAuthorized = true;
    const payment = await paid({ method: 'card', captureMethod: 'manual' });
    assert.equal((await account.close(payment)).outcome.kind, 'authorised');
  });

  it('is not made if no request was ever prepared', async (test) => {
    const { account, begun } = await mollieAccount(test);
    const payment = { ...(await begun()), state: null };
    assert.deepEqual(await account.close(payment), { outcome: { kind: 'not_made' } });
  });
});

const creation = { method: 'POST', path: /^\/v2\/payments$/ } as const;

describe('a payment whose response was lost', () => {
  for (const how of ['reset', 'truncated', 'garbage', 'nonsense', 500, 503] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`is created once after ${how} ${when} the effect`, async (test) => {
        const { account, simulator, begun } = await mollieAccount(test);
        const payment = await begun();
        simulator.faults.add({ method: 'POST', when, how });
        await assert.rejects(account.authorise(payment), AcquirerSilent);
        assert.equal((await account.inquire(payment)).outcome.kind, 'ready');
        const { outcome, reference } = await account.authorise(payment);
        assert.equal(outcome.kind, 'action');
        assert.equal(simulator.books.payments.length, 1);
        assert.equal(simulator.books.payments[0]?.id, reference);
      });
    }
  }

  it('is unknown while Mollie is silent', async (test) => {
    const { account, simulator, begun, giveUp } = await mollieAccount(test);
    const payment = await begun();
    simulator.faults.add({ method: 'POST', when: 'after', how: 'silence' });
    const authorising = account.authorise(payment);
    await until('the payment exists', () => simulator.books.payments.length === 1);
    giveUp();
    await assert.rejects(authorising, AcquirerSilent);
    assert.equal((await account.authorise(payment)).reference, simulator.books.payments[0]?.id);
    assert.equal(simulator.books.payments.length, 1);
  });

  it('is unknown while another process has the same request under way', async (test) => {
    const { account, simulator, begun } = await mollieAccount(test);
    const payment = await begun();
    const slow = Promise.withResolvers<void>();
    simulator.faults.add({ method: 'POST', when: 'during', until: slow.promise });
    const first = account.authorise(payment);
    await until('the first request arrives', () => simulator.requests.length === 1);
    await assert.rejects(account.authorise(payment), AcquirerSilent);
    slow.resolve();
    assert.equal((await first).outcome.kind, 'action');
    assert.equal(simulator.books.payments.length, 1);
  });

  it('is found by our id after Mollie has forgotten the key', async (test) => {
    const { account, simulator, clock, begun } = await mollieAccount(test);
    const payment = await begun();
    simulator.faults.add({ method: 'POST', when: 'after', how: 'reset' });
    await assert.rejects(account.authorise(payment), AcquirerSilent);
    const made = simulator.books.payments[0];
    assert.ok(made);
    simulator.books.choose(made.id, 'paid');
    clock.now += 2 * hour;
    for (const ask of [account.authorise, account.inquire, account.close]) {
      assert.deepEqual(await ask(payment), { outcome: { kind: 'done' }, reference: made.id });
    }
    assert.equal(simulator.books.payments.length, 1);
  });

  it('is never sent again after 45 minutes, and not made after an hour', async (test) => {
    const { account, simulator, clock, begun } = await mollieAccount(test);
    const payment = await begun();
    simulator.faults.add({ method: 'POST', when: 'before', how: 'reset' });
    await assert.rejects(account.authorise(payment), AcquirerSilent);
    clock.now += 45 * 60_000;
    for (const ask of [account.authorise, account.inquire, account.close]) {
      assert.deepEqual(await ask(payment), { outcome: { kind: 'pending', customerDone: false } });
    }
    clock.now += 15 * 60_000;
    for (const ask of [account.authorise, account.inquire, account.close]) {
      assert.deepEqual(await ask(payment), { outcome: { kind: 'not_made' } });
    }
    assert.equal(simulator.books.payments.length, 0);
  });

  it('is closed by making it under its key, so that a late request changes nothing', async (test) => {
    const { account, simulator, begun } = await mollieAccount(test);
    simulator.books.behaviour.cancelableWhileOpen = ['ideal'];
    const payment = await begun();
    assert.deepEqual((await account.close(payment)).outcome, { kind: 'abandoned', reason: 'canceled' });
    assert.deepEqual((await account.authorise(payment)).outcome, { kind: 'abandoned', reason: 'canceled' });
    assert.deepEqual(
      simulator.books.payments.map(({ status }) => status),
      ['canceled'],
    );
  });

  it('waits as long as Mollie asks after 429', async (test) => {
    const { account, simulator, begun } = await mollieAccount(test);
    simulator.faults.add({ when: 'before', how: 429, retryAfterSeconds: 7 });
    await assert.rejects(account.authorise(await begun()), (error) => {
      assert.ok(error instanceof AcquirerSilent);
      assert.equal(error.retryAfterMs, 7000);
      return true;
    });
  });

  it('is not made if Mollie refuses the first request of it', async (test) => {
    const { account, simulator, begun } = await mollieAccount(test);
    for (const status of [400, 401, 403, 404, 410, 415]) {
      simulator.faults.add({ ...creation, when: 'before', how: status });
      const { outcome, reference, unavailable } = await account.authorise(await begun());
      assert.deepEqual(outcome, {
        kind: 'declined',
        decline: { code: 'processing_error', providerCode: `status_${status}` },
      });
      assert.equal(reference, undefined);
      // Other payments would be refused too.
      assert.equal(unavailable !== undefined, [401, 403, 410, 415].includes(status), String(status));
    }
    assert.deepEqual(simulator.books.payments, []);
  });

  it('is unknown after a status that decides nothing', async (test) => {
    const { account, simulator, begun } = await mollieAccount(test);
    for (const status of [408, 409, 425, 429, 500, 503]) {
      simulator.faults.add({ ...creation, when: 'before', how: status });
      await assert.rejects(account.authorise(await begun()), AcquirerSilent, String(status));
    }
  });

  it('stays unknown if the key is no longer accepted after a first request without a response', async (test) => {
    const { account, simulator, begun } = await mollieAccount(test);
    const payment = await begun();
    simulator.faults.add({ ...creation, when: 'after', how: 'reset' });
    await assert.rejects(account.authorise(payment), AcquirerSilent);
    const { state = null } = await account.inquire(payment);
    for (const ask of [account.authorise, account.close]) {
      simulator.faults.add({ ...creation, when: 'before', how: 401 });
      await assert.rejects(ask({ ...payment, state }), (error) => {
        assert.ok(error instanceof AcquirerSilent);
        assert.match(error.message, /does not accept the API key/);
        return true;
      });
    }
    const { outcome, reference } = await account.authorise({ ...payment, state });
    assert.deepEqual([outcome.kind, reference], ['action', simulator.books.payments[0]?.id]);
  });

  it('does not repeat a key that is not accepted', async (test) => {
    const { account, begun } = await mollieAccount(test, { apiKey: 'test_revoked' });
    const { unavailable = '' } = await account.authorise(await begun());
    assert.match(unavailable, /does not accept the API key/);
    assert.doesNotMatch(unavailable, /test_revoked/);
  });
});
