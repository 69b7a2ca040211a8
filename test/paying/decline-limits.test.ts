// Card testing: repeated declines in one session, from one address or with one card make customers wait, then refuse
// their cards until the window has passed. The limits are settings. Attempts of a session are limited whatever the method.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Fields } from '../support/api-client.ts';
import { type Customer, customerAt, formOf, operationOf, type PageResponse, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine, type Engine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';
import { paymentState, untilStatus } from './scene.ts';

const good = '4242424242424242';
const declined = '4000000000000002';
const many = '1000000';
const windowMs = 600_000;

const slowed = (page: PageResponse): boolean => textOfPage(page).includes('Please wait a moment');
const refused = (page: PageResponse): boolean => textOfPage(page).includes('No more attempts by card are possible');

async function shopWithLimits(
  t: { after(work: () => Promise<void>): void },
  engine: Engine,
  limits: { session?: string; address?: string; card?: string },
) {
  const clock = fakeClock();
  const settings = {
    PAYDESK_DECLINE_WINDOW: String(windowMs / 1000),
    PAYDESK_DECLINES_PER_SESSION: limits.session ?? many,
    PAYDESK_DECLINES_PER_ADDRESS: limits.address ?? many,
    PAYDESK_DECLINES_PER_CARD: limits.card ?? many,
    PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8',
  };
  const paydesk = await startPaydesk(t, engine, { settings, runningClock: clock });
  // Every process counts the declines of the others.
  const urls = [paydesk.url, ...(engine.name === 'postgres' ? [(await paydesk.startAnother()).url] : [])];
  const merchant = await paydesk.newMerchant();
  let turn = 0;
  return {
    paydesk,
    clock,
    merchant,
    newSession: () => merchant.newSession({ expires_in: 86_400 }),
    /** A customer at that address, each time at the next process. */
    from: (address: string): Customer => customerAt(urls[turn++ % urls.length] ?? '', { 'X-Forwarded-For': address }),
  };
}

describeOnEachEngine('Repeated attempts', (engine) => {
  const furtherAttempts = 50;

  it('by any method are refused after fifty further ones, before anything reaches the acquirer', async (t) => {
    const { from, clock, merchant, paydesk } = await shopWithLimits(t, engine, { session: '10' });
    const methods = { payment_method_types: ['ideal', 'card'], expires_in: 86_400 };
    const session = await merchant.newSession(methods);
    const customer = from('203.0.113.7');
    for (let turn = 0; turn <= furtherAttempts; turn += 1)
      await customer.choose(await customer.payBy(session.id, 'ideal'), turn % 2 === 0 ? 'cancel' : 'fail');
    const eventCount = (await merchant.events()).length;
    for (const method of ['ideal', 'card']) {
      const form = formOf(await customer.open(session.id));
      const page =
        method === 'card'
          ? await customer.payForm(form, good)
          : await customer.post(form.action, { ...form.fields, method });
      assert.match(textOfPage(page), /No more attempts are possible/);
      assert.ok(!page.html.includes('name="attempt"'), 'there is no form');
      assert.equal(await paydesk.store.findBy('operations', 'id', operationOf(form)), null);
      assert.equal(await sandboxPayment(paydesk.store, operationOf(form)), null);
    }
    assert.equal((await merchant.events()).length, eventCount);
    assert.equal((await from('203.0.113.7').payBy((await merchant.newSession(methods)).id, 'ideal')).status, 303);
    clock.advance(windowMs);
    assert.match((await customer.payBy(session.id, 'ideal')).location ?? '', /sandbox/);
  });

  it('are not limited before the declines that are allowed, however many those are', async (t) => {
    const { from, clock, newSession } = await shopWithLimits(t, engine, { session: '1000' });
    const session = await newSession();
    for (let turn = 0; turn <= furtherAttempts + 1; turn += 1) {
      const page = await from('203.0.113.7').payByCard(session.id, declined);
      assert.match(textOfPage(page), /Your card was declined/);
      clock.advance(1);
    }
  });
});

describeOnEachEngine('Repeated declines', (engine) => {
  it('in one session make the customer wait ever longer, and then refuse until the window has passed', async (t) => {
    const { from, clock, merchant, newSession, paydesk } = await shopWithLimits(t, engine, { session: '4' });
    const session = await newSession();
    const pay = (card: string, turn: number) => from(`203.0.113.${turn}`).payByCard(session.id, card);
    for (const turn of [1, 2]) assert.ok(textOfPage(await pay(declined, turn)).includes('Your card was declined'));

    // After two declines of four: a second to wait; then two.
    for (const waitMs of [1_000, 2_000]) {
      clock.advance(waitMs - 1);
      const customer = from('203.0.113.50');
      const form = formOf(await customer.open(session.id));
      const page = await customer.payForm(form, { number: good, name: 'Ada' });
      assert.ok(slowed(page), textOfPage(page));
      assert.equal(formOf(page).fields.name, 'Ada');
      assert.equal(await paydesk.store.findBy('operations', 'id', operationOf(form)), null);
      assert.equal(await sandboxPayment(paydesk.store, operationOf(form)), null, 'nothing reached the acquirer');
      clock.advance(1);
      assert.ok(textOfPage(await pay(declined, 3)).includes('Your card was declined'));
    }
    clock.advance(60_000);
    const page = await pay(good, 9);
    assert.ok(refused(page), textOfPage(page));
    assert.ok(textOfPage(page).includes('Please choose another payment method'));
    const { intent, events } = await paymentState({ merchant }, session);
    assert.equal(intent.status, 'requires_payment_method');
    assert.equal(events.length, 4);
    assert.equal((await from('203.0.113.9').payByCard((await newSession()).id, good)).status, 303, 'others pay');

    clock.advance(windowMs);
    assert.equal((await pay(good, 9)).location, `/checkout/${session.id}`);
    assert.equal((await paymentState({ merchant }, session)).intent.status, 'succeeded');
  });

  it('block only the card if other methods are offered, and otherwise the payment', async (t) => {
    const { from, clock, merchant } = await shopWithLimits(t, engine, { session: '2', address: '2' });
    const pay = (session: Fields, card: string) => from('203.0.113.7').payByCard(session.id, card);
    const session = await merchant.newSession({ payment_method_types: ['card', 'ideal'], expires_in: 86_400 });
    for (const _ of [1, 2]) {
      await pay(session, declined);
      clock.advance(60_000);
    }
    const page = await pay(session, good);
    assert.ok(refused(page), textOfPage(page));
    const radios = [...page.html.matchAll(/<input type="radio"[^>]*>/g)].join(' ');
    assert.match(radios, /value="card" disabled/);
    assert.match(radios, /value="ideal" checked/);
    const customer = from('203.0.113.7');
    await customer.choose(await customer.post(formOf(page).action, formOf(page).fields), 'pass');
    assert.equal((await paymentState({ merchant }, session)).intent.status, 'succeeded');

    const cardOnly = await merchant.newSession({ payment_method_types: ['card'] });
    const blocked = await pay(cardOnly, good);
    assert.match(textOfPage(blocked), /No more attempts are possible .* Please contact Shop of Tests/);
    assert.ok(!blocked.html.includes('name="attempt"'), 'there is no form');
  });

  it('do not slow down or block local methods of others at the address', async (t) => {
    const { from, clock, newSession } = await shopWithLimits(t, engine, { address: '2' });
    const payByCard = async (card: string) => from('203.0.113.7').payByCard((await newSession()).id, card);
    const payByIdeal = async () => from('203.0.113.7').payBy((await newSession()).id, 'ideal');
    await payByCard(declined);
    assert.ok(slowed(await payByCard(good)));
    assert.equal((await payByIdeal()).status, 303);
    clock.advance(60_000);
    await payByCard(declined);
    assert.ok(refused(await payByCard(good)));
    assert.equal((await payByIdeal()).status, 303);
  });

  it('from one address are limited, whatever the session and card', async (t) => {
    const { from, clock, newSession } = await shopWithLimits(t, engine, { address: '4' });
    const cards = [declined, '4000000000009995', '4000000000009987', '4000000000000127'];
    const pay = async (address: string, card: string) => from(address).payByCard((await newSession()).id, card);
    for (const card of cards) {
      assert.ok(!refused(await pay('203.0.113.7', card)));
      clock.advance(10_000);
    }
    assert.ok(refused(await pay('203.0.113.7', good)));
    assert.equal((await pay('203.0.113.8', good)).status, 303, 'another address pays');
    assert.ok(refused(await pay('203.0.113.7', good)));
    clock.advance(windowMs);
    assert.equal((await pay('203.0.113.7', good)).status, 303);
  });

  it('with one card are limited, whatever the session and address; other cards pay', async (t) => {
    const { from, clock, newSession } = await shopWithLimits(t, engine, { card: '4' });
    const pay = async (turn: number, card: string) =>
      from(`203.0.113.${turn}`).payByCard((await newSession()).id, card);
    for (const turn of [1, 2, 3, 4]) {
      assert.ok(!refused(await pay(turn, turn % 2 === 0 ? declined : '4000 0000 0000 0002')));
      clock.advance(10_000);
    }
    assert.ok(refused(await pay(5, declined)));
    assert.equal((await pay(5, good)).status, 303);
    clock.advance(windowMs);
    assert.ok(textOfPage(await pay(6, declined)).includes('Your card was declined'));
  });

  it('from one address do not affect customers of another merchant', async (t) => {
    const { from, clock, newSession, paydesk } = await shopWithLimits(t, engine, { address: '4' });
    for (const card of [declined, declined, declined, declined]) {
      await from('203.0.113.7').payByCard((await newSession()).id, card);
      clock.advance(10_000);
    }
    assert.ok(refused(await from('203.0.113.7').payByCard((await newSession()).id, good)));
    const other = await paydesk.newMerchant();
    const page = await from('203.0.113.7').payByCard((await other.newSession()).id, good);
    assert.equal(page.status, 303, textOfPage(page));
  });

  it('in challenges count for the card and the session, but not for the address', async (t) => {
    const { from, clock, newSession } = await shopWithLimits(t, engine, { session: '2', card: '3', address: '2' });
    const challenged = '4000000000003220';
    const session = await newSession();
    const customer = from('203.0.113.7');
    for (const _ of [1, 2]) {
      await customer.choose(await customer.payByCard(session.id, challenged), 'fail');
      clock.advance(5_000);
    }
    assert.ok(refused(await customer.payByCard(session.id, good)), 'in this session');
    assert.equal((await from('203.0.113.7').payByCard((await newSession()).id, good)).status, 303, 'others pay');
    await customer.choose(await customer.payByCard((await newSession()).id, challenged), 'fail');
    clock.advance(60_000);
    assert.ok(refused(await from('203.0.113.9').payByCard((await newSession()).id, challenged)), 'with this card');
  });

  it('do not include customers who left a challenge or a bank page, or declined at the bank', async (t) => {
    const { from, clock, merchant, newSession, paydesk } = await shopWithLimits(t, engine, {
      session: '1',
      card: '1',
      address: '1',
    });
    const challenged = '4000000000003220';
    const expiring = await merchant.newSession({ expires_in: 300 });
    const left = await from('203.0.113.7').payByCard(expiring.id, challenged);
    assert.ok(left.location?.includes('/sandbox-challenge/'));
    for (const method of ['ideal', 'sepa_debit']) await from('203.0.113.7').payBy((await newSession()).id, method);
    const session = await newSession();
    const customer = from('203.0.113.7');
    await customer.choose(await customer.payBy(session.id, 'ideal'), 'fail');
    assert.equal(
      (await customer.payByCard(session.id, good)).status,
      303,
      'in the same session, while the others are abandoned',
    );

    clock.advance(301_000);
    await untilStatus({ merchant }, expiring, 'expired');
    const { operationId } =
      (await paydesk.store.find('paymentIntents', merchant.scope, String(expiring.payment_intent))) ?? {};
    const isClosed = async () => {
      clock.advance(3_600_000);
      return (await paydesk.store.findBy('operations', 'id', operationId ?? ''))?.status === 'failed';
    };
    await until('the attempt has ended', isClosed);
    clock.set(clock.now() - 1);
    const again = await from('203.0.113.7').payByCard((await newSession()).id, challenged);
    assert.ok(again.location?.includes('/sandbox-challenge/'), textOfPage(again));
  });

  it('do not include payments that the acquirer could not process', async (t) => {
    const { from, newSession } = await shopWithLimits(t, engine, { session: '1', card: '1', address: '1' });
    const session = await newSession();
    for (const _ of [1, 2]) {
      const page = await from('203.0.113.7').payByCard(session.id, '4000000000000119');
      assert.ok(!refused(page) && !slowed(page), textOfPage(page));
    }
  });
});
