// Retention of payments: abandoned ones and paid ones have a setting each, and none is erased while its money may still
// move.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChangeSet } from '../../src/domain/change-set.ts';
import type { Dispute } from '../../src/domain/dispute.ts';
import type { Payment } from '../../src/domain/life-cycle.ts';
import { newOperation, type Operation } from '../../src/domain/operation.ts';
import type { Refund } from '../../src/domain/refund.ts';
import { paymentPruning } from '../../src/jobs/prune-payments.ts';
import type { Store } from '../../src/storage/store.ts';
import { committed, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore, postgres } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aDispute, aMerchant, aMoment, aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

const dayMs = 86_400_000;
const clock = { now: () => startOfTests };
const daysAgo = (days: number) => aMoment(startOfTests - days * dayMs);
const forever = { abandonedMs: null, paymentsMs: null };

interface Stored {
  readonly payment: Payment;
  readonly operations: readonly Operation[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
}

interface Shop {
  readonly store: Store;
  add(days: number, parts: Parts): Promise<Stored>;
  prune(retention: Partial<typeof forever> | { abandonedMs?: number; paymentsMs?: number }): Promise<void>;
  left(stored: Stored): Promise<string[]>;
}

interface Parts {
  readonly intent?: Partial<Payment['intent']>;
  readonly session?: Partial<Payment['session']>;
  readonly operation?: Partial<Operation>;
  readonly refund?: Partial<Refund>;
  readonly dispute?: Partial<Dispute>;
}

const abandoned: Parts = { session: { status: 'expired' }, intent: { status: 'expired' } };
const paid: Parts = {
  session: { status: 'completed', completedAt: startOfTests },
  intent: { status: 'succeeded', amountCaptured: 1250 },
};
const settled = { status: 'succeeded', dueAt: null } as const;
const returnedLate: Parts = {
  session: { status: 'expired' },
  intent: { status: 'expired', amountCaptured: 1250, amountRefunded: 1250 },
  operation: settled,
  refund: { reason: 'late_payment', amount: 1250 },
};

async function aShop(store: Store, merchant = aMerchant()): Promise<Shop> {
  await mustCommit(store, { merchants: [merchant] });
  const scope = { merchantId: merchant.id, livemode: false };
  return {
    store,
    async add(days, { intent = {}, session = {}, operation, refund, dispute }) {
      const moment = daysAgo(days);
      const made = aPayment({ scope, moment });
      const payment = { intent: { ...made.intent, ...intent }, session: { ...made.session, ...session } };
      const refunds: Refund[] =
        refund === undefined
          ? []
          : [
              {
                ...{ ...scope, id: moment.newId('re'), version: 0, paymentIntentId: made.intent.id, amount: 5 },
                ...{ currency: 'EUR', status: 'succeeded', reason: null, createdAt: moment.now },
                ...refund,
              },
            ];
      const disputed = { ...scope, id: moment.newId('dp'), paymentIntentId: made.intent.id, createdAt: moment.now };
      const disputes = dispute === undefined ? [] : [aDispute({ ...disputed, ...dispute })];
      const fields = { kind: 'payment', paymentIntentId: made.intent.id, checkoutSessionId: made.session.id } as const;
      const operations =
        operation === undefined
          ? []
          : [{ ...newOperation(moment.newId('op'), scope, { ...fields, amount: 1250 }, moment), ...operation }];
      const changes: ChangeSet = {
        ...{ paymentIntents: [payment.intent], checkoutSessions: [payment.session] },
        ...{ operations, refunds, disputes },
      };
      await mustCommit(store, changes);
      return { payment, operations, refunds, disputes };
    },
    async prune(retention) {
      const run = paymentPruning({ store, clock, retention: { ...forever, ...retention }, batch: 7 });
      while (await run());
    },
    async left({ payment, operations, refunds, disputes }) {
      const found = await Promise.all([
        store.find('paymentIntents', scope, payment.intent.id),
        store.find('checkoutSessions', scope, payment.session.id),
        ...operations.map(({ id }) => store.findBy('operations', 'id', id)),
        ...refunds.map(({ id }) => store.find('refunds', scope, id)),
        ...disputes.map(({ id }) => store.find('disputes', scope, id)),
      ]);
      return found.flatMap((record) => (record === null ? [] : [record.id]));
    },
  };
}

const idsOf = ({ payment, operations, refunds, disputes }: Stored): string[] => [
  payment.intent.id,
  payment.session.id,
  ...operations.map(({ id }) => id),
  ...refunds.map(({ id }) => id),
  ...disputes.map(({ id }) => id),
];

describeOnEachEngine('Retention of payments', (engine) => {
  it('keeps every payment forever unless a setting says otherwise', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const old = [await shop.add(9_999, abandoned), await shop.add(9_999, paid)];
    await shop.prune({});
    for (const stored of old) assert.deepEqual(await shop.left(stored), idsOf(stored));
  });

  it('erases abandoned payments with their sessions and operations, and no others', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const declined = { ...abandoned, operation: { status: 'failed', dueAt: null } } as const;
    const canceled: Parts = { session: { status: 'expired' }, intent: { status: 'canceled' } };
    const gone = [await shop.add(31, declined), await shop.add(400, canceled)];
    const kept = [
      await shop.add(29, declined),
      await shop.add(400, { ...paid, operation: settled, refund: {} }),
      await shop.add(400, {}),
    ];
    await shop.prune({ abandonedMs: 30 * dayMs });
    for (const stored of gone) assert.deepEqual(await shop.left(stored), []);
    for (const stored of kept) assert.deepEqual(await shop.left(stored), idsOf(stored));
  });

  it('erases paid payments with their refunds and operations only if configured to', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const gone = [await shop.add(31, { ...paid, operation: settled, refund: {} }), await shop.add(31, paid)];
    const kept = [await shop.add(31, abandoned), await shop.add(29, paid)];
    await shop.prune({ paymentsMs: 30 * dayMs });
    for (const stored of gone) assert.deepEqual(await shop.left(stored), []);
    for (const stored of kept) assert.deepEqual(await shop.left(stored), idsOf(stored));
  });

  it('keeps a payment whose money is unsettled, and one with a recent refund', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const session = { status: 'completed', completedAt: startOfTests } as const;
    const kept = [
      await shop.add(400, { ...paid, refund: { status: 'pending' } }),
      await shop.add(400, { ...paid, refund: { createdAt: startOfTests - dayMs } }),
      await shop.add(400, { ...paid, operation: { ...settled, createdAt: startOfTests - dayMs } }),
      await shop.add(400, { ...paid, operation: { status: 'pending' } }),
      await shop.add(400, { ...abandoned, operation: { status: 'action_needed' } }),
      await shop.add(400, { session, intent: { status: 'processing' } }),
      await shop.add(400, { session, intent: { status: 'requires_capture', captureBefore: startOfTests } }),
      await shop.add(400, { session, intent: { status: 'succeeded', pendingOperationId: 'op_1' } }),
    ];
    const gone = await shop.add(399, paid);
    await shop.prune({ paymentsMs: 30 * dayMs, abandonedMs: 30 * dayMs });
    for (const stored of kept) assert.deepEqual(await shop.left(stored), idsOf(stored));
    assert.deepEqual(await shop.left(gone), []);
  });

  it('counts a payment that was paid too late among those that were paid, also after its refund', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const late = [
      await shop.add(400, returnedLate),
      await shop.add(400, { ...returnedLate, intent: { ...returnedLate.intent, status: 'canceled' } }),
      // Of an attempt before the last one: the amounts of the payment are not changed by it.
      await shop.add(400, { ...abandoned, operation: settled, refund: { reason: 'late_payment', amount: 1250 } }),
    ];
    const disputed = await shop.add(400, { ...abandoned, dispute: { status: 'lost', isClosed: true } });
    const others = [await shop.add(400, abandoned), await shop.add(29, returnedLate)];
    await shop.prune({ abandonedMs: 30 * dayMs });
    for (const stored of [...late, disputed]) assert.deepEqual(await shop.left(stored), idsOf(stored));
    await shop.prune({ paymentsMs: 401 * dayMs });
    for (const stored of late) assert.deepEqual(await shop.left(stored), idsOf(stored));
    await shop.prune({ paymentsMs: 30 * dayMs });
    for (const stored of late) assert.deepEqual(await shop.left(stored), []);
    assert.deepEqual(await Promise.all(others.map((stored) => shop.left(stored).then((ids) => ids.length))), [0, 4]);
  });

  it('keeps a payment while it holds money that should have been returned, however old it is', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const refused = { status: 'failed', reason: 'late_payment', amount: 1250 } as const;
    const held = { status: 'expired', amountCaptured: 1250, amountRefunded: 0 } as const;
    const operation = { status: 'failed', dueAt: null } as const;
    const kept = [
      await shop.add(400, { ...abandoned, intent: held, operation, refund: refused }),
      await shop.add(400, { ...abandoned, intent: { ...held, amountRefunded: 1249 }, operation, refund: refused }),
      await shop.add(400, { ...abandoned, operation, refund: refused }),
      await shop.add(400, { ...paid, intent: { ...held, status: 'canceled' }, operation, refund: refused }),
      await shop.add(400, { ...paid, operation, refund: refused }),
    ];
    await shop.prune({ abandonedMs: 30 * dayMs, paymentsMs: 30 * dayMs });
    for (const stored of kept) assert.deepEqual(await shop.left(stored), idsOf(stored));

    for (const { payment, refunds } of kept) {
      const [refund] = refunds;
      assert.ok(refund);
      const again: Refund = { ...refund, id: daysAgo(399).newId('re'), status: 'succeeded' };
      const { amountCaptured } = payment.intent;
      const isPaid = payment.intent.status === 'succeeded';
      const intent = { ...payment.intent, version: 1, ...(isPaid ? {} : { amountRefunded: amountCaptured }) };
      await mustCommit(store, { refunds: [again], paymentIntents: [intent] });
    }
    await shop.prune({ abandonedMs: 30 * dayMs, paymentsMs: 30 * dayMs });
    for (const stored of kept) assert.deepEqual(await shop.left(stored), []);
  });

  it('erases late payments page by page, without going through abandoned ones that are kept', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const late = await Promise.all(Array.from({ length: 20 }, () => shop.add(400, returnedLate)));
    const kept = await Promise.all(Array.from({ length: 20 }, () => shop.add(400, abandoned)));
    const run = paymentPruning({ store, clock, retention: { ...forever, paymentsMs: 30 * dayMs }, batch: 7 });
    let batches = 0;
    while (await run()) batches++;
    // Per mode: completed ones, of which there are none, and late ones. 20 of them are three batches.
    assert.equal(batches, 2 * 2 + 2);
    for (const stored of late) assert.deepEqual(await shop.left(stored), []);
    for (const stored of kept) assert.deepEqual(await shop.left(stored), idsOf(stored));
  });

  it('keeps a payment while it is disputed and after a recent dispute, and erases closed disputes with it', async (t) => {
    const { store } = await freshStore(t, engine);
    const shop = await aShop(store);
    const kept = [
      await shop.add(400, { ...paid, dispute: { status: 'needs_response' } }),
      await shop.add(400, { ...paid, dispute: { status: 'warning' } }),
      await shop.add(400, { ...paid, dispute: { status: 'lost', isClosed: true, createdAt: startOfTests - dayMs } }),
    ];
    const gone = [
      await shop.add(400, { ...paid, dispute: { status: 'won', isClosed: true } }),
      await shop.add(400, { ...paid, operation: settled, dispute: { status: 'warning', isClosed: true } }),
    ];
    await shop.prune({ paymentsMs: 30 * dayMs });
    for (const stored of kept) assert.deepEqual(await shop.left(stored), idsOf(stored));
    for (const stored of gone) assert.deepEqual(await shop.left(stored), []);
  });

  it('goes through all merchants and both modes, batch by batch', async (t) => {
    const { store } = await freshStore(t, engine);
    const shops = [await aShop(store), await aShop(store), await aShop(store)];
    const gone: [Shop, Stored][] = [];
    for (const shop of shops) for (let n = 0; n < 20; n++) gone.push([shop, await shop.add(31, abandoned)]);
    const live = aPayment({
      scope: { merchantId: gone[0]?.[1].payment.intent.merchantId ?? '', livemode: true },
      moment: daysAgo(31),
    });
    await mustCommit(store, {
      paymentIntents: [{ ...live.intent, status: 'expired' }],
      checkoutSessions: [{ ...live.session, status: 'expired' }],
    });
    await shops[0]?.prune({ abandonedMs: 30 * dayMs });
    for (const [shop, stored] of gone) assert.deepEqual(await shop.left(stored), []);
    assert.equal(await store.find('paymentIntents', live.intent, live.intent.id), null);
  });

  it('never erases a payment that changes at the same time', async (t) => {
    const { store, ...opened } = await freshStore(t, engine);
    const other = engine.name === 'postgres' ? await opened.openAnother() : store;
    const shop = await aShop(store);
    const all = await Promise.all(Array.from({ length: 60 }, () => shop.add(31, paid)));
    const moment = aMoment();
    const refunded = async ({ payment: { intent, session } }: Stored): Promise<boolean> => {
      const operation = newOperation(
        moment.newId('op'),
        intent,
        { kind: 'refund', paymentIntentId: intent.id, checkoutSessionId: session.id, amount: 1 },
        moment,
      );
      const changed = { ...intent, version: 1, amountRefunded: 1 };
      return (await other.commit({ operations: [operation], paymentIntents: [changed] })).committed;
    };
    const [outcomes] = await Promise.all([Promise.all(all.map(refunded)), shop.prune({ paymentsMs: 30 * dayMs })]);
    const left = await Promise.all(all.map((stored) => shop.left(stored)));
    assert.deepEqual(
      left.map((ids) => ids.length === 2),
      outcomes,
      'a payment is either refunded or erased',
    );
    assert.deepEqual(await store.commit({}), committed);
  });
});

describe('Retention of payments on PostgreSQL', () => {
  it('keeps a payment that changes between being examined and being erased', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    assert.ok(address.engine === 'postgres');
    const shop = await aShop(store);
    const stored = await shop.add(31, paid);
    await withClient(address.url, async (client) => {
      await client.query('BEGIN');
      // Allows reads, and blocks the deletion.
      await client.query('LOCK TABLE payment_intents IN EXCLUSIVE MODE');
      const pruned = shop.prune({ paymentsMs: 30 * dayMs });
      await until('the deletion waits for the lock', async () => {
        const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
        return rows.length > 0;
      });
      await client.query('UPDATE payment_intents SET version = version + 1, amount_refunded = 1');
      await client.query('COMMIT');
      await pruned;
    });
    assert.deepEqual(await shop.left(stored), idsOf(stored));
  });
});
