// Decline limits hold however many attempts run at once, in however many processes, and however slow the acquirer is;
// and they turn away no good customer among many others.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Acquirer, AcquirerSilent, type Answer } from '../../src/acquirers/acquirer.ts';
import type { DeclineLimits } from '../../src/domain/decline-limits.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { turns } from '../../src/domain/turns.ts';
import type { Store } from '../../src/storage/store.ts';
import { completeAction } from '../../src/usecases/complete-action.ts';
import { type PayDeps, type PayResult, pay } from '../../src/usecases/pay.ts';
import { changesOf, mustCommit, mustFindPayment } from '../support/committing.ts';
import { customerAt, textOfPage } from '../support/customer.ts';
import { type CleansUp, describeOnEachEngine, type Engine, freshStore } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { secretKey, startPaydesk } from '../support/paydesk.ts';
import { aPayment, aScope, plainLook } from '../support/records.ts';
import { onlyAt, scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

const attemptCount = 300;
const formCount = 20;
const times = <T>(make: (turn: number) => T): T[] => Array.from({ length: attemptCount }, (_, turn) => make(turn));
const limits = { windowMs: 3_600_000, perSession: 10, perAddress: 100, perCard: 50 };
const declined: Answer = { outcome: { kind: 'declined', decline: { code: 'generic_decline' } } };
const done: Answer = { outcome: { kind: 'done' } };

/** Holds each call until released, and responds at once after that. Records the authorisations that are requested. */
function slowAcquirer(answer: Answer, begins: 'authorise' | 'action') {
  const requested: string[] = [];
  const waiting: (() => void)[] = [];
  let slow = true;
  const acquirer: Acquirer = {
    begin: async () => (begins === 'action' ? { next: 'action', url: 'https://bank.example' } : { next: 'authorise' }),
    async authorise({ id }) {
      requested.push(id);
      if (slow) await new Promise<void>((resolve) => waiting.push(resolve));
      return answer;
    },
    capture: async () => done,
    void: async () => done,
    refund: async () => done,
    inquire: async () => ({ outcome: { kind: 'ready' } }),
    close: async () => ({ outcome: { kind: 'not_made' } }),
  };
  return {
    acquirer,
    requested,
    release() {
      slow = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

/** One session per customer, all of one merchant, paid through each of the stores in turn. */
async function scene(t: CleansUp, engine: Engine, acquirer: Acquirer, declineLimits: DeclineLimits = limits) {
  const { store, openAnother } = await freshStore(t, engine);
  const stores: Store[] = engine.name === 'postgres' ? [store, await openAnother()] : [store];
  const clock = fakeClock();
  const moment = () => momentAt(clock.now(), randomBytes);
  const scope = aScope();
  const payments = times(() => aPayment({ scope }));
  await mustCommit(store, changesOf(...payments));
  /** Nothing waits for the wall clock: a pause ends when the acquirer has responded. */
  const waits: (() => void)[] = [];
  const depsOf = (turn: number): PayDeps => ({
    ...{ store: stores[turn % stores.length] ?? store, moment, acquirers: onlyAt(acquirer), declineLimits },
    secretBox: secretBox(secretKey, randomBytes),
    // As if each attempt were made in a process of its own.
    attemptsInTurn: turns(),
    sendsMail: false,
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
    attempt: async (turn: number, card: { number: string; address: string }, operationId = operations[turn] ?? '') =>
      pay(depsOf(turn), await mustFindPayment(store, scope, payments[turn]?.session.id ?? ''), {
        ...{ sessionId: payments[turn]?.session.id ?? '', operationId, amount: 1250 },
        ...{ method: 'card', address: card.address, returnUrl: 'https://pay.test.example/return', ...plainLook },
        card: { number: card.number, brand: 'visa', expMonth: 12, expYear: 2034, cvc: '123', name: '' },
      }),
    /** Waits until every attempt is waiting: for the acquirer, or for capacity. */
    async untilAllWait(allWait: () => boolean): Promise<void> {
      while (!allWait()) await pause(5);
    },
    /** Lets the waiting attempts check again, until all are done. */
    async untilDone<T>(all: Promise<T>): Promise<T> {
      let isDone = false;
      const ended = all.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        for (const resolve of waits.splice(0)) resolve();
        await pause(5);
      }
      return ended;
    },
  };
}

const countOf = (results: readonly PayResult[], kind: PayResult['kind']): number =>
  results.filter((result) => result.kind === kind).length;

describeOnEachEngine('Two attempts at one session', (engine) => {
  it('stay within its limit, even if the first is declined while the second begins', async (t) => {
    const bank = slowAcquirer(declined, 'authorise');
    bank.release();
    const secondBegins = Promise.withResolvers<void>();
    const firstIsDeclined = Promise.withResolvers<void>();
    const acquirer: Acquirer = {
      ...bank.acquirer,
      async begin(terms) {
        if (terms.id === 'op_second') {
          secondBegins.resolve();
          await firstIsDeclined.promise;
        }
        return bank.acquirer.begin(terms);
      },
    };
    const { attempt, untilDone } = await scene(t, engine, acquirer, { ...limits, perSession: 1 });
    const second = attempt(0, { number: '4002', address: '192.0.2.2' }, 'op_second');
    await secondBegins.promise;
    assert.deepEqual((await attempt(0, { number: '4001', address: '192.0.2.1' }, 'op_first')).kind, 'moved');
    firstIsDeclined.resolve();
    assert.deepEqual(await untilDone(second), { kind: 'too_many_declines' });
    assert.deepEqual(bank.requested, ['op_first']);
  });
});

describeOnEachEngine(`${formCount} forms of one session at once`, (engine) => {
  it('begin one payment at the provider', async (t) => {
    const bank = scriptedAcquirer({ begin: [{ next: 'action', url: 'https://bank.example' }] });
    const { pay, intent } = await scriptedScene(t, engine, bank);
    const results = await Promise.all(Array.from({ length: formCount }, () => pay(undefined, { method: 'ideal' })));
    assert.equal(bank.begun.length, 1);
    assert.deepEqual([countOf(results, 'action'), countOf(results, 'moved')], [1, formCount - 1]);
    assert.equal((await intent()).status, 'requires_action');
  });

  it('begin another one only if the first did not respond, one after the other', async (t) => {
    const bank = scriptedAcquirer({ begin: [new AcquirerSilent('no response'), { next: 'authorise' }] });
    bank.authorise = async () => ({ outcome: { kind: 'done' } });
    const { pay, intent } = await scriptedScene(t, engine, bank);
    const results = await Promise.all(Array.from({ length: formCount }, () => pay(undefined, { method: 'ideal' })));
    assert.equal(bank.begun.length, 2);
    assert.deepEqual([countOf(results, 'unavailable'), countOf(results, 'moved')], [1, formCount - 1]);
    assert.equal((await intent()).status, 'succeeded');
  });

  it('are told to wait if the first takes too long', async (t) => {
    const bank = scriptedAcquirer({});
    const { deps, scope, sessionId } = await scriptedScene(t, engine, bank);
    const payment = await mustFindPayment(deps.store, scope, sessionId);
    const result = await pay({ ...deps, attemptsInTurn: (_session, work) => work('too_long') }, payment, {
      ...{ sessionId, operationId: 'op_1', amount: 1250, method: 'ideal', address: '192.0.2.1' },
      ...{ returnUrl: 'https://pay.test.example/return', ...plainLook },
    });
    assert.deepEqual(result, { kind: 'slow_down', seconds: 5 });
    assert.deepEqual(bank.begun, []);
  });
});

describeOnEachEngine(`${attemptCount} attempts at once`, (engine) => {
  it('with one card reach a slow acquirer up to the limit, and no more once it has declined', async (t) => {
    const bank = slowAcquirer(declined, 'authorise');
    const { attempt, waits, untilAllWait, untilDone } = await scene(t, engine, bank.acquirer);
    const all = Promise.all(
      times((turn) => attempt(turn, { number: '4000000000000002', address: `192.0.2.${turn % 200}` })),
    );
    await untilAllWait(() => bank.requested.length + waits.length === attemptCount);
    assert.equal(bank.requested.length, limits.perCard);
    bank.release();
    const results = await untilDone(all);
    assert.equal(bank.requested.length, limits.perCard);
    assert.deepEqual([countOf(results, 'moved'), countOf(results, 'too_many_declines')], [50, 250]);
  });

  it('from one address stay within its limit, even with a card each', async (t) => {
    const bank = slowAcquirer(declined, 'authorise');
    const { attempt, waits, untilAllWait, untilDone } = await scene(t, engine, bank.acquirer);
    const all = Promise.all(times((turn) => attempt(turn, { number: `4${turn}`, address: '203.0.113.7' })));
    await untilAllWait(() => bank.requested.length + waits.length === attemptCount);
    bank.release();
    const results = await untilDone(all);
    assert.equal(bank.requested.length, limits.perAddress);
    assert.deepEqual([countOf(results, 'moved'), countOf(results, 'too_many_declines')], [100, 200]);
  });

  it('with good cards from one address all pay: those above the limit wait for the others', async (t) => {
    const bank = slowAcquirer(done, 'authorise');
    const { attempt, waits, untilAllWait, untilDone, store, scope } = await scene(t, engine, bank.acquirer);
    const all = Promise.all(times((turn) => attempt(turn, { number: `4${turn}`, address: '203.0.113.7' })));
    await untilAllWait(() => bank.requested.length + waits.length === attemptCount);
    assert.equal(bank.requested.length, limits.perAddress);
    bank.release();
    const results = await untilDone(all);
    assert.equal(countOf(results, 'moved'), attemptCount);
    assert.equal(
      (await store.list('paymentIntents', { scope: scope, limit: 1000, where: { status: 'succeeded' } })).length,
      attemptCount,
    );
  });

  it('whose challenges were passed stay within the limit, too; the others fail and may try again', async (t) => {
    const bank = slowAcquirer(declined, 'action');
    const { attempt, depsOf, operations, waits, untilAllWait, untilDone, store, scope } = await scene(
      t,
      engine,
      bank.acquirer,
    );
    const begun = await Promise.all(
      times((turn) => attempt(turn, { number: '4000008400001629', address: `192.0.2.${turn % 200}` })),
    );
    assert.equal(countOf(begun, 'action'), attemptCount);
    const all = Promise.all(times((turn) => completeAction(depsOf(turn), operations[turn] ?? '')));
    await untilAllWait(() => bank.requested.length + waits.length === attemptCount);
    bank.release();
    await untilDone(all);
    assert.equal(bank.requested.length, limits.perCard);
    const failed = await store.list('paymentIntents', {
      scope: scope,
      limit: 1000,
      where: { status: 'requires_payment_method' },
    });
    const codes = Object.groupBy(failed, ({ lastPaymentError }) => lastPaymentError?.code ?? '');
    assert.deepEqual([codes.card_declined?.length, codes.processing_error?.length], [50, 250]);
  });

  it('on the page with one bad card are declined up to the limit, across two processes', async (t) => {
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
    const limited = texts.filter((text) => /No more attempts by card are possible|Please wait a moment/.test(text));
    assert.equal(events.length + limited.length, attemptCount);
  });

  it('on the page with one good card from one address all pay', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const sessions = await Promise.all(times(() => merchant.newSession()));
    const customer = customerAt(paydesk.url);
    const pages = await Promise.all(sessions.map(({ id }) => customer.payByCard(id, '4242424242424242')));
    assert.deepEqual([...new Set(pages.map(({ status }) => status))], [303]);
  });
});
