// Mollie keeps idempotency keys for an hour only. The return of a late payment survives refusals and outages all the same.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Operation } from '../../src/domain/operation.ts';
import { mollieAccount } from '../acquirers/mollie/mollie-account.ts';
import type { Fault } from '../acquirers/mollie-simulator/faults.ts';
import { type CleansUp, describeOnEachEngine } from '../support/engines.ts';
import { type SceneTerms, scriptedScene } from './scripted-scene.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const expiresInSeconds = 300;
const refunds = { method: 'POST', path: /\/refunds$/, when: 'before' } as const;
const releases = { method: 'POST', path: /\/release-authorization$/, when: 'before' } as const;

describeOnEachEngine('A payment at Mollie that arrives after its session has expired', (engine) => {
  /** It was paid, and its refund or void is committed and due. */
  async function arrivedLate(t: CleansUp, faults: readonly Fault[], terms: SceneTerms = {}) {
    const mollie = await mollieAccount(t);
    const { books } = mollie.simulator;
    books.behaviour.newRefund = 'refunded';
    const shop = await scriptedScene(t, engine, mollie.account, { expiresInSeconds, ...terms });
    const { store } = shop.deps;
    const advance = (ms: number): void => {
      shop.clock.advance(ms);
      mollie.clock.now = shop.clock.now();
    };
    advance(0);
    await shop.pay(undefined, { method: terms.captureMethod === 'manual' ? 'card' : 'ideal' });
    advance(expiresInSeconds * 1_000);
    await shop.expireAfter(0);
    const [payment] = books.payments;
    assert.ok(payment !== undefined);
    books.choose(payment.id, 'paid');
    const operations = (): Promise<readonly Operation[]> => store.list('operations', { scope: shop.scope, limit: 500 });
    const isDue = ({ dueAt }: Operation): boolean => dueAt !== null;
    /** Everything is done when it is due, until nothing is left or so much time has passed. */
    async function work(forMs: number): Promise<void> {
      for (const end = shop.clock.now() + forMs; ; ) {
        const due = Math.min(...(await operations()).map(({ dueAt }) => dueAt ?? Number.POSITIVE_INFINITY));
        if (due > end) return;
        advance(Math.max(due - shop.clock.now(), 0));
        await shop.reconcileAfter(0);
      }
    }
    while (!(await operations()).some(({ kind }) => kind !== 'payment')) {
      advance(minuteMs);
      await shop.reconcileAfter(0);
    }
    const arrivedAt = shop.clock.now();
    for (const fault of faults) mollie.simulator.faults.add(fault);
    return {
      ...shop,
      payment,
      advance,
      work,
      isDone: async () => !(await operations()).some(isDue),
      /** Requests that returned it, or should have. */
      sent: () => mollie.simulator.requests.filter((line) => /^POST .*\/(refunds|release-authorization)$/.test(line)),
      minutesSince: () => (shop.clock.now() - arrivedAt) / minuteMs,
      statuses: async () => (await shop.refunds()).map(({ status }) => status),
    };
  }

  for (const [what, faults, withinMinutes] of [
    [
      'after a refusal and an error',
      [
        { ...refunds, how: 422 },
        { ...refunds, how: 500 },
      ],
      3,
    ],
    ['after refusals for more than an hour', [{ ...refunds, how: 422, times: 9 }], 180],
    [
      'after refusals for more than an hour and an error',
      [
        { ...refunds, how: 422, times: 9 },
        { ...refunds, how: 500 },
      ],
      180,
    ],
    ['after errors for twenty minutes', [{ ...refunds, how: 500, times: 10 }], 90],
    ['after errors for hours', [{ ...refunds, how: 500, times: 25 }], 6 * 60],
  ] as const) {
    it(`is refunded once ${what}`, async (t) => {
      const shop = await arrivedLate(t, faults);
      await shop.work(withinMinutes * minuteMs);
      assert.deepEqual(await shop.statuses(), ['succeeded']);
      assert.deepEqual(
        shop.payment.refunds.map(({ amount }) => amount),
        [1250],
      );
      assert.ok(await shop.isDone());
      assert.deepEqual(await shop.events(), ['checkout_session.expired', 'refund.created']);
    });
  }

  for (const hours of [0.75, 1, 30]) {
    it(`is refunded once if nothing runs for ${hours} hours before that is sent`, async (t) => {
      const shop = await arrivedLate(t, []);
      shop.advance(hours * hourMs);
      await shop.work(2 * hourMs);
      assert.deepEqual(await shop.statuses(), ['succeeded']);
      assert.equal(shop.sent().length, 1);
      assert.equal(shop.payment.refunds.length, 1);
    });
  }

  it('is released after a refusal and an error', async (t) => {
    const faults = [
      { ...releases, how: 422 },
      { ...releases, how: 500 },
    ];
    const shop = await arrivedLate(t, faults, { captureMethod: 'manual' });
    await shop.work(10 * minuteMs);
    assert.equal(shop.payment.status, 'canceled');
    assert.equal(shop.sent().length, 3);
    assert.ok(await shop.isDone());
  });

  it('is not refunded again by a retry if the first refund was made, and only its response was lost', async (t) => {
    const shop = await arrivedLate(t, [
      { ...refunds, how: 422 },
      { ...refunds, how: 500, when: 'after' },
    ]);
    await shop.work(3 * hourMs);
    assert.deepEqual(await shop.statuses(), ['succeeded']);
    assert.equal(shop.payment.refunds.length, 1);
    assert.equal(shop.sent().length, 2);
  });

  it('whose refund is refused for a day is given up after about fifty requests', async (t) => {
    const shop = await arrivedLate(t, [{ ...refunds, how: 422, times: 1_000 }]);
    await shop.work(48 * hourMs);
    assert.deepEqual(await shop.statuses(), ['failed']);
    assert.ok(shop.sent().length > 40 && shop.sent().length < 60, `${shop.sent().length} requests`);
    assert.ok(shop.minutesSince() >= 24 * 60 && shop.minutesSince() < 25 * 60);
    assert.deepEqual(await shop.events(), ['checkout_session.expired', 'refund.created', 'refund.failed']);
  });
});
