// The customer races against themself, the merchant and the clock: the money moves once or not at all, and the merchant
// gets exactly the right events. On PostgreSQL, two apps share the database.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertRefused, type Fields } from '../support/api-client.ts';
import { type Customer, customerAt, formOf, operationOf, pathOf, textOfPage } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { shortAcquirerTimeout, startPaydesk } from '../support/paydesk.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';
import { atAcquirer, failed, manyDeclines, paid, paymentState, type Shop, untilStatus } from './scene.ts';

const good = '4242424242424242';
const challenged = '4000000000003220';
const slow = '4000000000000077';

interface Scene extends Shop {
  /** One at each app. */
  readonly customers: readonly Customer[];
  /** The customer of this turn. */
  nth(turn: number): Customer;
  readonly clock: ReturnType<typeof fakeClock>;
}

async function scene(t: CleansUp, engine: Engine, settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const clock = fakeClock();
  const options = { settings: { ...manyDeclines, ...settings }, runningClock: clock };
  const paydesk = await startPaydesk(t, engine, options);
  const urls = [paydesk.url, ...(engine.name === 'postgres' ? [(await paydesk.startAnother()).url] : [])];
  const customers = urls.map((url) => customerAt(url));
  const [customer = customerAt(paydesk.url)] = customers;
  const nth = (turn: number): Customer => customers[turn % customers.length] ?? customer;
  return { paydesk, merchant: await paydesk.newMerchant(), customer, customers, nth, clock };
}

/** Waits until the jobs have run: until a session that is due at once has expired. */
async function untilJobsHaveRun({ merchant, clock }: Scene): Promise<void> {
  const probe = await merchant.newSession({ expires_in: 300 });
  clock.advance(300_000);
  await untilStatus({ merchant }, probe, 'expired');
}

/** Runs both at once, the first a little later each turn: it wins in the first turn and loses in the last. */
async function race<A, B>(turn: number, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  if (turn === 0) return [await first(), await second()];
  const other = second();
  if (turn === lastTurn) await other;
  return Promise.all([pause(turn * 2).then(first), other]);
}
const lastTurn = 20;

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function assertPaidOnce(shop: Scene, session: Fields, operations: readonly string[]): Promise<void> {
  const after = await paymentState(shop, session);
  assert.equal(after.intent.status, 'succeeded');
  assert.equal(after.intent.amount_captured, 1250);
  assert.deepEqual(after.events, paid);
  const payments = await Promise.all(operations.map((id) => sandboxPayment(shop.paydesk.store, id)));
  assert.deepEqual(
    payments.flatMap((payment) => (payment !== null && payment.amountCaptured > 0 ? [payment.amountCaptured] : [])),
    [1250],
    'the acquirer took the money once',
  );
}

describeOnEachEngine('At the same time,', (engine) => {
  it('one form submitted twenty times pays once, and every response redirects to the session', async (t) => {
    const shop = await scene(t, engine);
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    const responses = await Promise.all(times(20).map((turn) => shop.nth(turn).payForm(form, good)));
    for (const response of responses) assert.equal(response.location, `/checkout/${session.id}`, response.html);
    await assertPaidOnce(shop, session, [operationOf(form)]);
  });

  it('one form submitted twenty times with a bad card is declined once', async (t) => {
    const shop = await scene(t, engine);
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    await Promise.all(times(20).map((turn) => shop.nth(turn).payForm(form, '4000000000000002')));
    const after = await paymentState(shop, session);
    assert.deepEqual([after.intent.status, after.events], ['requires_payment_method', failed]);
  });

  it('ten tabs that pay one session with different cards pay once', async (t) => {
    const shop = await scene(t, engine);
    for (const round of times(3)) {
      const session = await shop.merchant.newSession();
      const forms = await Promise.all(times(10).map(async (turn) => formOf(await shop.nth(turn).open(session.id))));
      const cards = [good, '5555555555554444', '378282246310005', '6011111111111117'];
      const pay = (turn: number) =>
        shop.nth(turn + round).payForm(forms[turn] ?? assert.fail(), cards[turn % 4] ?? good);
      const responses = await Promise.all(times(10).map(pay));
      for (const response of responses) assert.equal(response.location, `/checkout/${session.id}`, response.html);
      await assertPaidOnce(shop, session, forms.map(operationOf));
      const { cardLast4 } = await atAcquirer(shop, session);
      const method = (await paymentState(shop, session)).intent.payment_method as { card: Fields };
      assert.equal(method.card.last4, cardLast4, 'the card shown is the one that was charged');
    }
  });

  it('one form submitted with different cards charges the card that is shown', async (t) => {
    const shop = await scene(t, engine);
    const cards = [good, '5555555555554444', '378282246310005', '6011111111111117'];
    for (const round of times(3)) {
      const session = await shop.merchant.newSession();
      const form = formOf(await shop.customer.open(session.id));
      await Promise.all(times(8).map((turn) => shop.nth(turn + round).payForm(form, cards[turn % 4] ?? good)));
      await untilStatus(shop, session, 'succeeded');
      await assertPaidOnce(shop, session, [operationOf(form)]);
      const { cardLast4 } = await atAcquirer(shop, session);
      const method = (await paymentState(shop, session)).intent.payment_method as { card: Fields };
      assert.equal(method.card.last4, cardLast4);
    }
  });

  it('a new amount and a payment: the old amount is never charged once the new one is stored', async (t) => {
    const shop = await scene(t, engine);
    const outcomes = await Promise.all(
      times(21).map(async (turn) => {
        const session = await shop.merchant.newSession();
        const form = formOf(await shop.nth(turn).open(session.id));
        const [patched, page] = await race(
          turn,
          () => shop.merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 2000 }),
          () => shop.nth(turn).payForm(form, good),
        );
        const after = await paymentState(shop, session);
        if (patched.status === 200) {
          assert.deepEqual([after.intent.status, after.intent.amount], ['requires_payment_method', 2000]);
          assert.deepEqual(after.events, []);
          assert.ok(textOfPage(page).includes('The amount is now €20.00'), textOfPage(page));
          assert.equal(await shop.paydesk.store.findBy('operations', 'id', operationOf(form)), null);
          return 'patched';
        }
        assert.equal(patched.status, 409, patched.text);
        await assertPaidOnce(shop, session, [operationOf(form)]);
        return 'paid';
      }),
    );
    assert.deepEqual(new Set(outcomes), new Set(['patched', 'paid']));
    t.diagnostic(outcomes.join(' '));
  });

  it('a form with an outdated amount does not pay, even if it is altered', async (t) => {
    const shop = await scene(t, engine);
    for (const turn of times(5)) {
      const session = await shop.merchant.newSession();
      const form = formOf(await shop.nth(turn).open(session.id));
      await Promise.all([
        shop.merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 2000 }),
        shop.nth(turn).payForm(form, good),
      ]);
      await shop.nth(turn).payForm({ ...form, fields: { ...form.fields, amount: '2000' } }, good);
      const { intent } = await paymentState(shop, session);
      const acquirerPayment = await sandboxPayment(shop.paydesk.store, operationOf(form));
      assert.equal(acquirerPayment?.amountCaptured ?? 0, intent.amount_captured);
    }
  });

  it('a cancel and a payment: exactly one of them happens', async (t) => {
    const shop = await scene(t, engine);
    const outcomes = await Promise.all(
      times(21).map(async (turn) => {
        const session = await shop.merchant.newSession(turn % 2 === 0 ? {} : { capture_method: 'manual' });
        const form = formOf(await shop.nth(turn).open(session.id));
        const [canceled] = await race(
          turn,
          () => shop.merchant.test.post(`/payment-intents/${session.payment_intent}/cancel`, {}),
          () => shop.nth(turn).payForm(form, good),
        );
        const { intent, events } = await paymentState(shop, session);
        const acquirerPayment = await sandboxPayment(shop.paydesk.store, operationOf(form));
        assert.equal(acquirerPayment?.amountCaptured ?? 0, intent.amount_captured);
        if (canceled.status === 200) {
          assert.equal(intent.status, 'canceled');
          assert.notEqual(acquirerPayment?.status, 'captured');
          assert.notEqual(acquirerPayment?.status, 'authorised', 'no hold is left');
          const voided = acquirerPayment?.status === 'voided';
          assert.deepEqual(
            events.toSorted(),
            voided
              ? ['checkout_session.completed', 'payment_intent.canceled']
              : ['checkout_session.expired', 'payment_intent.canceled'],
          );
          return 'canceled';
        }
        assert.equal(canceled.status, 409, canceled.text);
        assert.equal(intent.status, turn % 2 === 0 ? 'succeeded' : 'requires_capture');
        assert.deepEqual(events, turn % 2 === 0 ? paid : ['checkout_session.completed']);
        return 'paid';
      }),
    );
    assert.deepEqual(new Set(outcomes), new Set(['canceled', 'paid']));
    t.diagnostic(outcomes.join(' '));
  });

  it('a challenge that is passed, failed and returned from many times has one outcome, reported once', async (t) => {
    const shop = await scene(t, engine);
    for (const round of times(4)) {
      const session = await shop.merchant.newSession();
      const redirected = await shop.customer.payByCard(session.id, challenged);
      const path = pathOf(redirected);
      await Promise.all(
        times(12).flatMap((turn) => [
          shop.nth(turn).post(path, { result: (turn + round) % 3 === 0 ? 'fail' : 'pass' }),
          shop.nth(turn + 1).get(`/checkout/${session.id}/return`),
        ]),
      );
      await shop.customer.get(`/checkout/${session.id}/return`);
      await until('it has an outcome', async () =>
        ['succeeded', 'requires_payment_method'].includes(String((await paymentState(shop, session)).intent.status)),
      );
      const { intent, events } = await paymentState(shop, session);
      const { actionStatus, amountCaptured } = await atAcquirer(shop, session);
      assert.equal(intent.status, actionStatus === 'passed' ? 'succeeded' : 'requires_payment_method');
      assert.equal(amountCaptured, intent.amount_captured);
      assert.deepEqual(events, actionStatus === 'passed' ? paid : failed);
    }
  });

  it('expiry while a challenge is open: passing it afterwards charges nothing', async (t) => {
    const shop = await scene(t, engine);
    const byTime = await shop.merchant.newSession({ expires_in: 300 });
    const byMerchant = await shop.merchant.newSession();
    const redirected = await shop.customer.payByCard(byTime.id, challenged);
    const alsoRedirected = await shop.customer.payByCard(byMerchant.id, challenged);
    await shop.merchant.test.post(`/checkout-sessions/${byMerchant.id}/expire`, {});
    shop.clock.advance(300_000);
    await untilStatus(shop, byTime, 'expired');
    for (const [session, challenge] of [
      [byTime, redirected],
      [byMerchant, alsoRedirected],
    ] as const) {
      const page = await shop.customer.choose(challenge, 'pass');
      assert.equal(page.status, 410);
      assert.ok(textOfPage(page).includes('This payment page has expired'), textOfPage(page));
      const after = await paymentState(shop, session);
      assert.deepEqual([after.intent.status, after.session.status], ['expired', 'expired']);
      assert.deepEqual(after.events, ['checkout_session.expired']);
      assert.equal((await atAcquirer(shop, session)).amountCaptured, 0);
    }
  });

  it('expiry while processing: the payment wins; one that is declined then expires', async (t) => {
    const shop = await scene(t, engine, shortAcquirerTimeout);
    const session = await shop.merchant.newSession({ expires_in: 300 });
    const declined = await shop.merchant.newSession({ expires_in: 300 });
    shop.clock.advance(299_999);
    await Promise.all([
      shop.customer.payByCard(session.id, slow),
      shop.customer.payByCard(declined.id, '4000000000000010'),
    ]);
    shop.clock.advance(1);
    assertRefused(await shop.merchant.test.post(`/checkout-sessions/${session.id}/expire`, {}), {
      status: 409,
      code: 'session_not_open',
    });
    const early = await paymentState(shop, session);
    assert.deepEqual([early.intent.status, early.session.status, early.events], ['processing', 'open', []]);

    await untilJobsHaveRun(shop);
    const after = await untilStatus(shop, session, 'succeeded');
    assert.deepEqual([after.session.status, after.events], ['completed', paid]);
    const other = await untilStatus(shop, declined, 'expired');
    assert.deepEqual([other.session.status, other.events], ['expired', [...failed, 'checkout_session.expired']]);
  });
});
