// Limits on declines hold however many attempts come at once, in however many processes, and however slow the acquirer
// is; and they turn no good customer away who comes with many others.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { momentAt } from '../../src/domain/moment.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import type { MoneyOutcome, Processor } from '../../src/processors/processor.ts';
import type { Store } from '../../src/storage/store.ts';
import { completeAction } from '../../src/usecases/complete-action.ts';
import { type PayDeps, type PayResult, pay } from '../../src/usecases/pay.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { customerAt, textOfPage } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine, freshStore } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { secretKey, startPaydesk } from '../support/paydesk.ts';
import { aPayment, aScope, plainLook } from '../support/records.ts';

const atOnce = 300;
const times = <T>(make: (turn: number) => T): T[] => Array.from({ length: atOnce }, (_, turn) => make(turn));
const limits = { windowMs: 3_600_000, perSession: 10, perAddress: 100, perCard: 50 };
const declined: MoneyOutcome = { outcome: 'declined', code: 'generic_decline' };
const done: MoneyOutcome = { outcome: 'done' };

/** Answers each call only when told to, or at once after that. Notes who is told to authorise. */
function slowAcquirer(outcome: MoneyOutcome, begins: 'authorise' | 'action') {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  let slow = true;
  const processor: Processor = {
    begin: async () => (begins === 'action' ? { next: 'action', url: 'https://bank.example' } : { next: 'authorise' }),
    actionOf: async () => 'passed',
    async authorise(reference) {
      asked.push(reference);
      if (slow) await new Promise<void>((resolve) => waiting.push(resolve));
      return outcome;
    },
    capture: async () => done,
    void: async () => done,
    refund: async () => done,
    inquire: async () => outcome,
    onNotification: () => {},
  };
  return {
    processor,
    asked,
    answer() {
      slow = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

/** As many sessions as there are customers, all of one merchant, paid in turns through each of the stores. */
async function scene(t: CleansUp, engine: Engine, processor: Processor) {
  const { store, openAnother } = await freshStore(t, engine);
  const stores: Store[] = engine.name === 'postgres' ? [store, await openAnother()] : [store];
  const clock = fakeClock();
  const moment = () => momentAt(clock.now(), randomBytes);
  const scope = aScope();
  const payments = times(() => aPayment({ scope }));
  await mustCommit(store, changesOf(...payments));
  /** Nobody waits for the clock on the wall: a pause is over when the acquirer has answered. */
  const waits: (() => void)[] = [];
  const depsOf = (turn: number): PayDeps => ({
    ...{ store: stores[turn % stores.length] ?? store, moment, processor, declineLimits: limits },
    secretBox: secretBox(secretKey, randomBytes),
    onUnsettled: (_operation, error) => {
      throw error;
    },
    pause: () => new Promise((resolve) => waits.push(resolve)),
  });
  const operations = times(() => moment().newId('op'));
  return {
    store,
    scope,
    depsOf,
    operations,
    waits,
    attempt: (turn: number, card: { number: string; address: string }) =>
      pay(depsOf(turn), scope, {
        ...{ sessionId: payments[turn]?.session.id ?? '', operationId: operations[turn] ?? '', amount: 1250 },
        ...{ method: 'card', address: card.address, returnUrl: 'https://pay.test.example/return', ...plainLook },
        card: { number: card.number, brand: 'visa', expMonth: 12, expYear: 2034, cvc: '123', name: '' },
      }),
    /** Until all attempts have come to where they wait: for the acquirer, or for room. */
    async untilAllWait(isThere: () => boolean): Promise<void> {
      while (!isThere()) await pause(5);
    },
    /** Lets those that wait look again, until all is over. */
    async untilOver<T>(all: Promise<T>): Promise<T> {
      let over = false;
      const ended = all.finally(() => {
        over = true;
      });
      while (!over) {
        for (const resolve of waits.splice(0)) resolve();
        await pause(5);
      }
      return ended;
    },
  };
}

const countOf = (results: readonly PayResult[], kind: PayResult['kind']): number =>
  results.filter((result) => result.kind === kind).length;

describeOnEachEngine(`${atOnce} attempts at once`, (engine) => {
  it('with one card reach a slow acquirer as often as the limit says, and no more when it has declined', async (t) => {
    const bank = slowAcquirer(declined, 'authorise');
    const { attempt, waits, untilAllWait, untilOver } = await scene(t, engine, bank.processor);
    const all = Promise.all(
      times((turn) => attempt(turn, { number: '4000000000000002', address: `192.0.2.${turn % 200}` })),
    );
    await untilAllWait(() => bank.asked.length + waits.length === atOnce);
    assert.equal(bank.asked.length, limits.perCard);
    bank.answer();
    const results = await untilOver(all);
    assert.equal(bank.asked.length, limits.perCard);
    assert.deepEqual([countOf(results, 'moved'), countOf(results, 'too_many_attempts')], [50, 250]);
  });

  it('from one address hold its limit, with a card each', async (t) => {
    const bank = slowAcquirer(declined, 'authorise');
    const { attempt, waits, untilAllWait, untilOver } = await scene(t, engine, bank.processor);
    const all = Promise.all(times((turn) => attempt(turn, { number: `4${turn}`, address: '203.0.113.7' })));
    await untilAllWait(() => bank.asked.length + waits.length === atOnce);
    bank.answer();
    const results = await untilOver(all);
    assert.equal(bank.asked.length, limits.perAddress);
    assert.deepEqual([countOf(results, 'moved'), countOf(results, 'too_many_attempts')], [100, 200]);
  });

  it('with good cards from one address all pay: those that find no room wait for the others', async (t) => {
    const bank = slowAcquirer(done, 'authorise');
    const { attempt, waits, untilAllWait, untilOver, store, scope } = await scene(t, engine, bank.processor);
    const all = Promise.all(times((turn) => attempt(turn, { number: `4${turn}`, address: '203.0.113.7' })));
    await untilAllWait(() => bank.asked.length + waits.length === atOnce);
    assert.equal(bank.asked.length, limits.perAddress);
    bank.answer();
    const results = await untilOver(all);
    assert.equal(countOf(results, 'moved'), atOnce);
    assert.equal(
      (await store.list('paymentIntents', { scope: scope, limit: 1000, where: { status: 'succeeded' } })).length,
      atOnce,
    );
  });

  it('whose challenges were passed hold the limit, too; the others fail and may try again', async (t) => {
    const bank = slowAcquirer(declined, 'action');
    const { attempt, depsOf, operations, waits, untilAllWait, untilOver, store, scope } = await scene(
      t,
      engine,
      bank.processor,
    );
    const begun = await Promise.all(
      times((turn) => attempt(turn, { number: '4000008400001629', address: `192.0.2.${turn % 200}` })),
    );
    assert.equal(countOf(begun, 'action'), atOnce);
    const all = Promise.all(times((turn) => completeAction(depsOf(turn), operations[turn] ?? '')));
    await untilAllWait(() => bank.asked.length + waits.length === atOnce);
    bank.answer();
    await untilOver(all);
    assert.equal(bank.asked.length, limits.perCard);
    const failed = await store.list('paymentIntents', {
      scope: scope,
      limit: 1000,
      where: { status: 'requires_payment_method' },
    });
    const codes = Object.groupBy(failed, ({ lastPaymentError }) => lastPaymentError?.code ?? '');
    assert.deepEqual([codes.card_declined?.length, codes.processing_error?.length], [50, 250]);
  });

  it('on the page: one declining card is declined as often as the limit says, in two processes', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings: { PAYDESK_DECLINES_PER_ADDRESS: '100000' } });
    const urls = [paydesk.url, ...(engine.name === 'postgres' ? [(await paydesk.startAnother()).url] : [])];
    const merchant = await paydesk.newMerchant();
    const sessions = await Promise.all(times(() => merchant.newSession()));
    const pages = await Promise.all(
      sessions.map(({ id }, turn) => customerAt(urls[turn % urls.length] ?? '').payByCard(id, '4000000000000002')),
    );
    const texts = pages.map(textOfPage);
    const events = (await merchant.events()).filter(({ type }) => type === 'payment_intent.payment_failed');
    assert.ok(events.length <= 50, `${events.length} reached the acquirer`);
    const held = texts.filter((text) => /No more attempts are possible|Please wait a moment/.test(text));
    assert.equal(events.length + held.length, atOnce);
  });

  it('on the page: one good card pays from one address each time', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const sessions = await Promise.all(times(() => merchant.newSession()));
    const customer = customerAt(paydesk.url);
    const pages = await Promise.all(sessions.map(({ id }) => customer.payByCard(id, '4242424242424242')));
    assert.deepEqual([...new Set(pages.map(({ status }) => status))], [303]);
  });
});
