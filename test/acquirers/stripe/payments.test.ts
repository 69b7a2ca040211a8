// Card payments at Stripe: from an unconfirmed PaymentIntent to every outcome, and after every kind of silence.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CredentialsRefused } from '../../../src/acquirers/provider.ts';
import { failed, paid } from '../../paying/scene.ts';
import { scriptedScene } from '../../paying/scripted-scene.ts';
import { describeOnEachEngine } from '../../support/engines.ts';
import { patienceMs, until } from '../../support/until.ts';
import type { Fault } from '../stripe-simulator/faults.ts';
import { answerChallenge, assertOutcome, assertSilent, committed, openScene, returnUrl } from './scene.ts';

const hour = 3_600_000;

describe('Beginning a payment', () => {
  it('creates an unconfirmed PaymentIntent with our ids, and describes the card', async (t) => {
    const { begin, simulator } = await openScene(t);
    const begun = await begin('pm_card_visa');
    assert.ok(begun.next === 'authorise');
    const [intent] = simulator.books.intents.values();
    assert.equal(begun.reference, intent?.id);
    assert.equal(intent?.status, 'requires_confirmation');
    assert.equal(intent.confirmationMethod, 'manual');
    assert.equal(intent.amount, 1_999);
    assert.deepEqual(intent.metadata, {
      paydesk_operation: 'op_1',
      paydesk_payment_intent: 'pi_ours',
      paydesk_checkout_session: 'cs_ours',
    });
    assert.deepEqual(begun.card, { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 });
    assert.equal(simulator.books.charges.size, 0);
    assert.equal(simulator.calls[0]?.idempotencyKey, 'op_1-create');
    assert.equal(simulator.calls[0]?.apiVersion, '2026-08-26.dahlia');
  });

  it('sends amounts in the units of Stripe', async (t) => {
    const { begin, simulator } = await openScene(t);
    await begin('pm_card_visa', { currency: 'ISK', amount: 500 });
    await begin('pm_card_visa', { currency: 'JPY', amount: 500 });
    await begin('pm_card_visa', { currency: 'KWD', amount: 5_120 });
    await begin('pm_card_visa', { currency: 'MGA', amount: 50_000 });
    const sent = [...simulator.books.intents.values()].map(({ currency, amount }) => `${amount} ${currency}`);
    assert.deepEqual(sent, ['50000 isk', '500 jpy', '5120 kwd', '500 mga']);
  });

  it('returns the same PaymentIntent for the same operation, and refuses another card', async (t) => {
    const { begin, simulator } = await openScene(t);
    const first = await begin('pm_card_visa', { id: 'op_a' });
    const again = await begin('pm_card_visa', { id: 'op_a' });
    assert.deepEqual(again, first);
    assert.deepEqual(await begin('pm_card_mastercard', { id: 'op_a' }), { next: 'refused' });
    assert.equal(simulator.books.intents.size, 1);
  });

  it('refuses what is not a token, without asking Stripe', async (t) => {
    const { begin, simulator } = await openScene(t);
    for (const token of ['4242424242424242', 'tok_visa', 'pm_', 'pm_x/../y', `pm_${'x'.repeat(300)}`])
      assert.equal((await begin(token)).next, 'refused');
    assert.equal(simulator.calls.length, 0);
  });

  it('declines a token that Stripe does not know, with the code of Stripe', async (t) => {
    const { begin } = await openScene(t);
    const decline = { code: 'processing_error', providerCode: 'resource_missing' };
    assert.deepEqual(await begin('pm_unknown'), { next: 'declined', decline });
  });

  for (const fault of ['silent_before', 'reset_after', '500_before', '503_before', '429', 'garbage_after'] as const) {
    it(`is unavailable after ${fault}, and charges nothing`, async (t) => {
      const { begin, simulator } = await openScene(t);
      simulator.faults.inject('payment_intents.create', fault);
      const begun = await begin('pm_card_visa');
      assert.ok(begun.next === 'unavailable' && begun.reason !== undefined);
      assert.equal(simulator.books.charges.size, 0);
    });
  }

  it('is unavailable if the key was revoked, and says so without repeating it', async (t) => {
    const { begin } = await openScene(t, { givenKey: 'sk_test_revoked' });
    const begun = await begin('pm_card_visa');
    assert.ok(begun.next === 'unavailable');
    assert.match(begun.reason ?? '', /does not accept the secret key/);
    assert.doesNotMatch(begun.reason ?? '', /revoked$|sk_test/);
  });
});

describe('Authorising a payment', () => {
  it('charges once, however often it is repeated', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_visa');
    for (let i = 0; i < 3; i += 1) assertOutcome(await account.authorise(payment), { kind: 'done' });
    assert.deepEqual(simulator.totals(), { captured: 1_999, held: 0, refunded: 0 });
    assert.equal(simulator.books.charges.size, 1);
  });

  it('holds the money if capture is manual, until the time that Stripe names', async (t) => {
    const { begun, account, simulator, clock } = await openScene(t);
    const payment = await begun('pm_card_visa', { captureMethod: 'manual' });
    const captureBefore = Math.floor(clock.now() / 1_000) * 1_000 + 7 * 24 * hour;
    assertOutcome(await account.authorise(payment), { kind: 'authorised', captureBefore });
    assertOutcome(await account.inquire(payment), { kind: 'authorised', captureBefore });
    assert.deepEqual(simulator.totals(), { captured: 0, held: 1_999, refunded: 0 });
  });

  it('uses a confirmation token with the confirmation', async (t) => {
    const { begin, begun, account, simulator } = await openScene(t);
    const shown = await begin('ctoken_card_mastercard');
    assert.equal(shown.next === 'authorise' && shown.card?.last4, '4444');
    const payment = await begun('ctoken_card_visa');
    assertOutcome(await account.inquire(payment), { kind: 'ready' });
    assertOutcome(await account.authorise(payment), { kind: 'done' });
    assert.equal(simulator.totals().captured, 1_999);
  });

  it('does not need to see the card of a confirmation token', async (t) => {
    const { begin, simulator } = await openScene(t);
    simulator.faults.inject('confirmation_tokens.retrieve', '500_before');
    const shown = await begin('ctoken_card_mastercard');
    assert.equal(shown.next === 'authorise' && shown.card, undefined);
  });

  it('waits for the card of a confirmation token for a second only', { timeout: patienceMs }, async (t) => {
    const { begin, simulator } = await openScene(t);
    simulator.faults.inject('confirmation_tokens.retrieve', 'hold');
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const beginning = begin('ctoken_card_mastercard');
    while (simulator.faults.held() === 0) await new Promise(setImmediate);
    t.mock.timers.tick(1_000);
    const begun = await beginning;
    assert.equal(begun.next, 'authorise');
    assert.equal(begun.next === 'authorise' && begun.card, undefined);
    simulator.faults.release();
  });

  const declines = {
    pm_card_visa_chargeDeclined: { code: 'generic_decline', providerCode: 'generic_decline' },
    pm_card_visa_chargeDeclinedInsufficientFunds: { code: 'insufficient_funds', providerCode: 'insufficient_funds' },
    pm_card_visa_chargeDeclinedLostCard: { code: 'lost_card', providerCode: 'lost_card' },
    pm_card_visa_chargeDeclinedStolenCard: { code: 'stolen_card', providerCode: 'stolen_card' },
    pm_card_visa_chargeDeclinedFraudulent: { code: 'generic_decline', providerCode: 'fraudulent' },
    pm_card_chargeDeclinedExpiredCard: { code: 'expired_card', providerCode: 'expired_card' },
    pm_card_chargeDeclinedIncorrectCvc: { code: 'incorrect_cvc', providerCode: 'incorrect_cvc' },
    pm_card_chargeDeclinedProcessingError: { code: 'processing_error', providerCode: 'processing_error' },
  } as const;
  for (const [card, decline] of Object.entries(declines)) {
    it(`declines ${card} as ${decline.code}, also when asked later`, async (t) => {
      const { begun, account, simulator } = await openScene(t);
      const payment = await begun(card);
      assertOutcome(await account.authorise(payment), { kind: 'declined', decline });
      assertOutcome(await account.inquire(payment), { kind: 'declined', decline });
      assertOutcome(await account.close(payment), { kind: 'declined', decline });
      assert.deepEqual(simulator.totals(), { captured: 0, held: 0, refunded: 0 });
      assert.deepEqual(
        [...simulator.books.intents.values()].map(({ status }) => status),
        ['canceled'],
      );
    });
  }

  it('is a processing error if Stripe refuses the request as invalid', async (t) => {
    const { begun, account } = await openScene(t);
    const payment = await begun('ctoken_unknown');
    const decline = { code: 'processing_error', providerCode: 'resource_missing' } as const;
    assertOutcome(await account.authorise(payment), { kind: 'declined', decline });
  });

  it('respects how long Stripe asks to wait', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_visa');
    simulator.faults.inject('payment_intents.confirm', '429');
    assert.equal((await assertSilent(account.authorise(payment))).retryAfterMs, 7_000);
    assertOutcome(await account.authorise(payment), { kind: 'done' });
  });

  it('is unknown if the key was revoked, with the reason as cause', async (t) => {
    const first = await openScene(t);
    const payment = await first.begun('pm_card_visa');
    const { account } = await openScene(t, { givenKey: 'sk_test_revoked' });
    const error = await assertSilent(account.authorise(payment), /does not accept the secret key/);
    assert.ok(error.cause instanceof CredentialsRefused);
  });

  it('is unknown while the same request is still being executed', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_visa');
    simulator.faults.inject('payment_intents.confirm', 'hold');
    const first = account.authorise(payment);
    await until('the first request has arrived', () => simulator.faults.held() === 1);
    await assertSilent(account.authorise(payment), /still executing/);
    simulator.faults.release();
    assertOutcome(await first, { kind: 'done' });
    assert.equal(simulator.books.charges.size, 1);
  });

  it('is unknown if the response is about another payment or another amount', async (t) => {
    const { begun, account } = await openScene(t);
    const payment = await begun('pm_card_visa');
    await assertSilent(account.authorise({ ...payment, amount: 2_000 }), /another amount/);
    await assertSilent(account.inquire({ ...payment, currency: 'USD' }), /another amount/);
  });
});

describe('After silence', () => {
  const before: readonly Fault[] = ['silent_before', 'reset_before', '500_before', '503_before', 'garbage_before'];
  const after: readonly Fault[] = ['silent_after', 'reset_after', '500_after', 'garbage_after'];

  for (const fault of before) {
    it(`before the effect (${fault}), the payment can be repeated or closed`, async (t) => {
      const { begun, account, simulator } = await openScene(t);
      simulator.faults.inject('payment_intents.confirm', fault, 2);
      const repeated = await begun('pm_card_visa');
      await assertSilent(account.authorise(repeated));
      assertOutcome(await account.inquire(repeated), { kind: 'ready' });
      const closed = await begun('pm_card_visa');
      await assertSilent(account.authorise(closed));
      assertOutcome(await account.authorise(repeated), { kind: 'done' });
      assertOutcome(await account.close(closed), { kind: 'not_made' });
      // A request that still arrives is refused.
      assertOutcome(await account.authorise(closed), { kind: 'not_made' });
      assert.deepEqual(simulator.totals(), { captured: 1_999, held: 0, refunded: 0 });
    });
  }

  for (const fault of after) {
    it(`after the effect (${fault}), the payment is found, and nothing is charged twice`, async (t) => {
      const { begun, account, simulator } = await openScene(t);
      simulator.faults.inject('payment_intents.confirm', fault, 3);
      const paid = await begun('pm_card_visa');
      await assertSilent(account.authorise(paid));
      assertOutcome(await account.inquire(paid), { kind: 'done' });
      assertOutcome(await account.close(paid), { kind: 'done' });
      const held = await begun('pm_card_visa', { captureMethod: 'manual' });
      await assertSilent(account.authorise(held));
      assert.equal((await account.close(held)).outcome.kind, 'authorised');
      const declined = await begun('pm_card_visa_chargeDeclined');
      await assertSilent(account.authorise(declined));
      assert.equal((await account.inquire(declined)).outcome.kind, 'declined');
      assert.deepEqual(simulator.totals(), { captured: 1_999, held: 1_999, refunded: 0 });
    });
  }

  it('for longer than Stripe keeps keys, only look-ups are made', async (t) => {
    const { begun, account, simulator, clock } = await openScene(t);
    simulator.faults.inject('payment_intents.confirm', 'silent_before');
    const payment = await begun('pm_card_visa');
    await assertSilent(account.authorise(payment));
    clock.advance(23 * hour);
    assertOutcome(await account.inquire(payment), { kind: 'pending', customerDone: false });
    assert.equal(simulator.calls.at(-1)?.endpoint, 'payment_intents.retrieve');
    assertOutcome(await account.close(payment), { kind: 'not_made' });
  });

  it('a confirmation that is repeated after its key was forgotten charges nothing', async (t) => {
    const { paid, account, simulator, clock } = await openScene(t);
    const payment = await paid();
    clock.advance(30 * hour);
    assertOutcome(await account.authorise(payment), { kind: 'done' });
    assert.equal(simulator.books.charges.size, 1);
  });

  it('on look-ups and on closing, the outcome stays unknown', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_visa');
    simulator.faults.inject('payment_intents.retrieve', '500_before');
    await assertSilent(account.inquire(payment));
    simulator.faults.inject('payment_intents.retrieve', 'garbage_before');
    await assertSilent(account.close(payment));
    simulator.faults.inject('payment_intents.cancel', 'reset_after');
    await assertSilent(account.close(payment));
    assertOutcome(await account.close(payment), { kind: 'not_made' });
  });

  it('a payment whose reference was never stored was not made', async (t) => {
    const { begun, account } = await openScene(t);
    const payment = { ...(await begun('pm_card_visa')), reference: null };
    assertOutcome(await account.inquire(payment), { kind: 'not_made' });
    assertOutcome(await account.close(payment), { kind: 'not_made' });
  });

  it('a payment that Stripe does not know stays unknown: the key may be of another account', async (t) => {
    const { begun, account } = await openScene(t);
    const payment = { ...(await begun('pm_card_visa')), reference: 'pi_elsewhere' };
    await assertSilent(account.inquire(payment), /resource_missing/);
    await assertSilent(account.close(payment), /resource_missing/);
  });
});

describe('A challenge', () => {
  it('is a redirect; once it is passed, the payment is confirmed again under another key', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    let payment = await begun('pm_card_threeDSecure2Required');
    const asked = await account.authorise(payment);
    assert.ok(asked.outcome.kind === 'action');
    payment = committed(payment, asked);
    // The customer comes back without having done anything.
    assertOutcome(await account.inquire(payment), asked.outcome);
    const back = await answerChallenge(asked.outcome.url, 'pass');
    assert.ok(back.startsWith(`${returnUrl}?`));
    assert.equal(simulator.totals().captured, 0);
    assertOutcome(await account.inquire(payment), { kind: 'ready' });
    assertOutcome(await account.authorise(payment), { kind: 'done' });
    assertOutcome(await account.authorise(payment), { kind: 'done' });
    assert.equal(simulator.totals().captured, 1_999);
    const keys = simulator.calls.filter(({ endpoint }) => endpoint.endsWith('confirm'));
    assert.deepEqual(
      keys.map(({ idempotencyKey }) => idempotencyKey),
      ['op_1-confirm', 'op_1-confirm-after-challenge-1', 'op_1-confirm-after-challenge-1'],
    );
  });

  it('that fails abandons the payment', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    let payment = await begun('pm_card_threeDSecure2Required', { captureMethod: 'manual' });
    const asked = await account.authorise(payment);
    assert.ok(asked.outcome.kind === 'action');
    payment = committed(payment, asked);
    await answerChallenge(asked.outcome.url, 'fail');
    assertOutcome(await account.inquire(payment), { kind: 'abandoned', reason: 'failed' });
    assertOutcome(await account.close(payment), { kind: 'abandoned', reason: 'failed' });
    assert.equal(simulator.totals().held, 0);
  });

  it('may be passed with a card that is declined afterwards', async (t) => {
    const { begun, account } = await openScene(t);
    let payment = await begun('pm_card_threeDSecureRequiredChargeDeclined');
    const asked = await account.authorise(payment);
    assert.ok(asked.outcome.kind === 'action');
    payment = committed(payment, asked);
    await answerChallenge(asked.outcome.url, 'pass');
    assert.equal((await account.authorise(payment)).outcome.kind, 'declined');
  });

  it('may be asked for twice', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    let payment = await begun('pm_card_threeDSecure2Required');
    for (let i = 0; i < 2; i += 1) {
      const asked = await account.authorise(payment);
      assert.ok(asked.outcome.kind === 'action');
      payment = committed(payment, asked);
      await answerChallenge(asked.outcome.url, 'pass');
      assertOutcome(await account.inquire(payment), { kind: 'ready' });
      // The bank wants to see the customer again.
      if (i === 0) simulator.books.intent(payment.reference ?? '').authenticated = false;
    }
    assertOutcome(await account.authorise(payment), { kind: 'done' });
    assert.equal(simulator.books.charges.size, 1);
  });

  it('works with a confirmation token, which is sent only once', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    let payment = await begun('ctoken_card_threeDSecure2Required');
    const asked = await account.authorise(payment);
    assert.ok(asked.outcome.kind === 'action');
    payment = committed(payment, asked);
    await answerChallenge(asked.outcome.url, 'pass');
    assertOutcome(await account.authorise(payment), { kind: 'done' });
    assert.equal(simulator.calls.filter(({ body }) => body.includes('ctoken_')).length, 1);
  });

  it('is found again if the response that asked for it was lost', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    let payment = await begun('pm_card_threeDSecure2Required');
    simulator.faults.inject('payment_intents.confirm', 'reset_after');
    await assertSilent(account.authorise(payment));
    const found = await account.inquire(payment);
    assert.ok(found.outcome.kind === 'action');
    payment = committed(payment, found);
    await answerChallenge(found.outcome.url, 'pass');
    assertOutcome(await account.inquire(payment), { kind: 'ready' });
    assertOutcome(await account.authorise(payment), { kind: 'done' });
  });

  it('cannot be passed any more once the payment is closed', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_threeDSecure2Required');
    const asked = await account.authorise(payment);
    assert.ok(asked.outcome.kind === 'action');
    assertOutcome(await account.close(committed(payment, asked)), { kind: 'not_made' });
    await answerChallenge(asked.outcome.url, 'pass');
    assertOutcome(await account.inquire(committed(payment, asked)), { kind: 'not_made' });
    assert.equal(simulator.totals().captured, 0);
  });
});

describe('Closing a payment', () => {
  it('waits for a payment that Stripe is processing, and then ends it', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_visa');
    simulator.dashboard.setStatus(payment.reference ?? '', 'processing');
    assertOutcome(await account.close(payment), { kind: 'pending', customerDone: true });
    assertOutcome(await account.inquire(payment), { kind: 'pending', customerDone: true });
    simulator.dashboard.setStatus(payment.reference ?? '', 'requires_confirmation');
    assertOutcome(await account.close(payment), { kind: 'not_made' });
    assertOutcome(await account.close(payment), { kind: 'not_made' });
  });

  it('is not held up by a refusal that Stripe keeps from an earlier state', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_visa');
    const reference = payment.reference ?? '';
    simulator.faults.inject('payment_intents.cancel', 'hold');
    const closing = account.close(payment);
    await until('the cancellation is under way', () => simulator.faults.held() === 1);
    simulator.dashboard.setStatus(reference, 'processing');
    simulator.faults.release();
    assertOutcome(await closing, { kind: 'pending', customerDone: true });
    simulator.dashboard.setStatus(reference, 'requires_action');
    assertOutcome(await account.close(payment), { kind: 'not_made' });
  });

  it('races with the confirmation: both sides agree on one outcome', async (t) => {
    const { begun, account, simulator } = await openScene(t);
    const payment = await begun('pm_card_visa');
    simulator.faults.inject('payment_intents.cancel', 'hold');
    const closing = account.close(payment);
    await until('the cancellation is under way', () => simulator.faults.held() === 1);
    assertOutcome(await account.authorise(payment), { kind: 'done' });
    simulator.faults.release();
    assertOutcome(await closing, { kind: 'done' });
    assert.equal(simulator.totals().captured, 1_999);
  });
});

describeOnEachEngine('A payment whose confirmation has not arrived for longer than Stripe keeps keys', (engine) => {
  it('is closed, and the customer can pay again', async (t) => {
    const { account, simulator, clock } = await openScene(t);
    const card = { kind: 'token', token: 'pm_card_visa' } as const;
    const shop = await scriptedScene(t, engine, {
      ...account,
      begin: (request) => account.begin({ ...request, card }),
    });
    simulator.faults.inject('payment_intents.confirm', 'silent_before');
    await shop.pay();
    assert.equal((await shop.intent()).status, 'processing');
    clock.advance(23 * hour);
    await shop.reconcileAfter(23 * hour);
    assert.deepEqual(await shop.events(), failed);
    assert.equal((await shop.session()).status, 'open');
    shop.clock.advance(1);
    await shop.pay();
    assert.equal((await shop.intent()).status, 'succeeded');
    assert.deepEqual(await shop.events(), [...failed, ...paid]);
    assert.deepEqual(simulator.totals(), { captured: 1_250, held: 0, refunded: 0 });
  });
});
