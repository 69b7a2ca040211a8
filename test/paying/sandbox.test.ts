// The sandbox keeps an acquirer's promises: one reference moves money once, and a reported outcome is final.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { BeginRequest, FollowUp } from '../../src/acquirers/acquirer.ts';
import type { SandboxBooks } from '../../src/acquirers/sandbox/books.ts';
import { type Sandbox, sandbox } from '../../src/acquirers/sandbox/sandbox.ts';
import { customerAt, formOf, operationOf } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine, freshStore } from '../support/engines.ts';
import { fakeClock, startOfTests } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment, plainLook } from '../support/records.ts';
import { sandboxBooks, sandboxPayment } from '../support/sandbox-books.ts';
import { paid, paymentState } from './scene.ts';

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const publicUrl = 'https://pay.test.example';

function request(id: string, changes: Partial<BeginRequest> & { number?: string } = {}): BeginRequest {
  const { number = '4242424242424242', ...others } = changes;
  return {
    id,
    amount: 1250,
    currency: 'EUR',
    captureMethod: 'manual',
    method: 'card',
    card: { kind: 'details', number, expMonth: 12, expYear: 2034, cvc: '123', name: '' },
    returnUrl: `${publicUrl}/return`,
    notificationUrl: `${publicUrl}/notifications`,
    description: null,
    customerEmail: null,
    ids: { paymentIntent: aMoment().newId('pi'), checkoutSession: aMoment().newId('cs') },
    ...plainLook,
    ...others,
  };
}

const paymentWith = (id: string) => ({
  ...{ id, amount: 1250, currency: 'EUR', reference: null, state: null, createdAt: startOfTests },
});

function followUpOf(kind: FollowUp['kind'], id: string, payment: string): FollowUp {
  return { ...paymentWith(id), amount: 400, kind, payment: paymentWith(payment) };
}

async function openSandbox(t: CleansUp, engine: Engine): Promise<Sandbox> {
  const { store } = await freshStore(t, engine);
  return sandbox({ books: sandboxBooks(store), clock: fakeClock(), publicUrl });
}

const newReference = () => aMoment().newId('op');

describeOnEachEngine('The sandbox acquirer', (engine) => {
  it('authorises a reference once, and closes one that is inquired about first', async (t) => {
    const bank = await openSandbox(t, engine);
    for (const turn of times(10)) {
      const reference = newReference();
      await bank.begin(request(reference));
      const calls = times(6).map((call) =>
        (call + turn) % 2 === 0 ? bank.authorise(paymentWith(reference)) : bank.close(paymentWith(reference)),
      );
      const outcomes = new Set((await Promise.all(calls)).map(({ outcome }) => outcome.kind));
      assert.equal(outcomes.size, 1, `one outcome, not ${[...outcomes]}`);
      const { outcome } = await bank.close(paymentWith(reference));
      assert.ok(outcomes.has(outcome.kind));
      assert.equal((await bank.payment(reference))?.status, outcome.kind === 'authorised' ? 'authorised' : 'closed');
    }
  });

  it('does not authorise what another process closed, or what only another process knows', async (t) => {
    const { store } = await freshStore(t, engine);
    const deps = { books: sandboxBooks(store), clock: fakeClock(), publicUrl };
    const [one, other] = [sandbox(deps), sandbox(deps)];
    for (const end of ['close', 'authorise'] as const) {
      const payment = newReference();
      assert.deepEqual(await one.begin(request(payment)), { next: 'authorise' });
      assert.deepEqual((await other[end](paymentWith(payment))).outcome, { kind: 'not_made' });
      assert.deepEqual((await one.authorise(paymentWith(payment))).outcome, { kind: 'not_made' });
      assert.equal((await one.payment(payment))?.status, 'closed');
    }
  });

  it('captures or refunds a reference once, or never if it was inquired about first', async (t) => {
    const bank = await openSandbox(t, engine);
    for (const turn of times(20)) {
      const [payment, reference] = [newReference(), newReference()];
      await bank.begin(request(payment, turn % 2 === 0 ? {} : { captureMethod: 'automatic' }));
      await bank.authorise(paymentWith(payment));
      const follow = followUpOf(turn % 2 === 0 ? 'capture' : 'refund', reference, payment);
      const act = () => (turn % 2 === 0 ? bank.capture(follow) : bank.refund(follow));
      const calls = times(6).map((call) => ((call + turn) % 3 === 0 ? bank.close(follow) : act()));
      const outcomes = new Set((await Promise.all(calls)).map(({ outcome }) => outcome.kind));
      assert.equal(outcomes.size, 1, `one outcome, not ${[...outcomes]}`);
      const found = await bank.payment(payment);
      const moved = turn % 2 === 0 ? found?.amountCaptured : found?.amountRefunded;
      assert.equal(moved, outcomes.has('done') ? 400 : 0);
    }
  });

  it('gives a request that two processes send at the same time one outcome', async (t) => {
    const { store } = await freshStore(t, engine);
    const books = sandboxBooks(store);
    const bank = sandbox({ books, clock: fakeClock(), publicUrl });
    for (const kind of ['capture', 'refund'] as const) {
      const payment = newReference();
      await bank.begin(request(payment, { captureMethod: kind === 'capture' ? 'manual' : 'automatic' }));
      await bank.authorise(paymentWith(payment));
      const whole = { ...followUpOf(kind, newReference(), payment), amount: 1250 };
      const { promise: isUnknown, resolve: found } = Promise.withResolvers<void>();
      const overtaken: SandboxBooks = {
        ...books,
        async findBy(source, field, value) {
          if (source === 'followUps') {
            const record = await books.findBy(source, field, value);
            found();
            return record;
          }
          await isUnknown;
          await bank[kind](whole);
          return books.findBy(source, field, value);
        },
      };
      const other = sandbox({ books: overtaken, clock: fakeClock(), publicUrl });
      assert.deepEqual((await other[kind](whole)).outcome, { kind: 'done' });
    }
  });

  it('gives the same outcome to concurrent inquiries about an unknown reference', async (t) => {
    const bank = await openSandbox(t, engine);
    const reference = newReference();
    const outcomes = await Promise.all(times(10).map(() => bank.close(paymentWith(reference))));
    assert.deepEqual(
      outcomes,
      times(10).map(() => ({ outcome: { kind: 'not_made' } })),
    );
  });

  it('refuses a reference that was begun with other data, and keeps the first', async (t) => {
    const bank = await openSandbox(t, engine);
    const reference = newReference();
    assert.deepEqual(await bank.begin(request(reference)), { next: 'authorise' });
    assert.deepEqual(await bank.begin(request(reference)), { next: 'authorise' });
    for (const other of [{ amount: 1251 }, { number: '5555555555554444' }, { number: '4000000000003220' }]) {
      assert.deepEqual(await bank.begin(request(reference, other)), { next: 'refused' });
    }
    await bank.authorise(paymentWith(reference));
    const { amount, cardLast4 } = (await bank.payment(reference)) ?? {};
    assert.deepEqual([amount, cardLast4], [1250, '4242']);
  });

  it('takes another card on a form whose process died after handing over the first', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const session = await merchant.newSession();
    const form = formOf(await customer.open(session.id));
    const died = sandbox({ books: sandboxBooks(paydesk.store), clock: paydesk.clock, publicUrl });
    await died.begin(request(operationOf(form), { captureMethod: 'automatic' }));
    await customer.payForm(form, '5555555555554444');
    assert.deepEqual((await paymentState({ merchant }, session)).events, paid);
    const { amountCaptured, cardLast4 } = (await sandboxPayment(paydesk.store, operationOf(form))) ?? {};
    assert.deepEqual([amountCaptured, cardLast4], [1250, '4444']);
  });
});
