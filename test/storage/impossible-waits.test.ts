// Work whose time comes from a clock that was ahead: it is due now, and what can wait so long goes on waiting.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { settleAfterMs } from '../../src/acquirers/sandbox/books.ts';
import type { SandboxPayment } from '../../src/acquirers/sandbox/sandbox-payment.ts';
import { longestNoticeDelayMs } from '../../src/domain/acquirer-notice.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import { newOperation } from '../../src/domain/operation.ts';
import type { LongestWaits } from '../../src/storage/store.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import {
  aDelivery,
  aMoment,
  anAcquirerNotice,
  anEvent,
  aPayment,
  aScope,
  aWebhookEndpoint,
  plainLook,
} from '../support/records.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';

const longest: LongestWaits = {
  now,
  operationMs: [1_000, 2_000, 5_000],
  firstAttemptMs: 3_000,
  retryMs: 60_000,
  limit: 100,
};
const claim = { now, leaseMs: 500, limit: 100 };

describeOnEachStore('Work that waits longer than it could have been delayed', (engine) => {
  it('is due now if it is an operation, depending on the number of inquiries', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const waiting = (dueAt: number, inquiries: number) => ({
      ...newOperation(
        aMoment().newId('op'),
        scope,
        { kind: 'payment', paymentIntentId: 'pi_1', checkoutSessionId: 'cs_1', amount: 1 },
        aMoment(),
      ),
      dueAt,
      inquiries,
    });
    const possible = [
      waiting(now + 1_000, 0),
      waiting(now + 2_000, 1),
      waiting(now + 5_000, 2),
      waiting(now + 5_000, 9),
    ];
    const impossible = [waiting(now + 1_001, 0), waiting(now + 3_600_000, 1), waiting(now + 5_001, 9)];
    await mustCommit(store, { operations: [...possible, ...impossible] });
    assert.equal(await store.endImpossibleWaits(longest), false);
    const due = await store.claim('operations', 'due', claim);
    assert.deepEqual(due.map(({ id }) => id).toSorted(), impossible.map(({ id }) => id).toSorted());
    assert.equal((await store.findBy('operations', 'id', possible[2]?.id ?? ''))?.dueAt, now + 5_000);
  });

  it('is due now if it is a delivery, depending on whether it was attempted', async (t) => {
    const { store } = await freshStore(t, engine);
    const endpoint = aWebhookEndpoint();
    const { intent, session } = aPayment({ scope: endpoint });
    const event = anEvent(intent);
    const attempt = { at: now, statusCode: 500, error: null, durationMs: 1, responseExcerpt: null };
    const waiting = (dueAt: number | null, attempts: Delivery['attempts']): Delivery => ({
      ...aDelivery(endpoint, event),
      dueAt,
      attempts,
    });
    const possible = [waiting(now + 3_000, []), waiting(now + 60_000, [attempt]), waiting(null, [attempt])];
    const impossible = [waiting(now + 3_001, []), waiting(now + 60_001, [attempt]), waiting(now + 86_400_000, [])];
    await mustCommit(store, {
      ...changesOf({ intent, session }),
      webhookEndpoints: [endpoint],
      events: [event],
      deliveries: [...possible, ...impossible],
    });
    assert.equal(await store.endImpossibleWaits({ ...longest, limit: 2 }), true, 'there may be more');
    assert.equal(await store.endImpossibleWaits({ ...longest, limit: 2 }), false);
    const wanted = [{ endpointId: endpoint.id, limit: 10 }];
    const [claimed] = await store.deliveryQueue.claim({ now, leaseMs: 500, wanted });
    const ids = claimed?.claimed.map(({ delivery }) => delivery.id) ?? [];
    assert.deepEqual(ids.toSorted(), impossible.map(({ id }) => id).toSorted());
  });

  it('is due now if the sandbox should settle it', async (t) => {
    const { store } = await freshStore(t, engine);
    const settling = (settleAt: number): SandboxPayment => ({
      ...{ id: aMoment().newId('op'), version: 0, amount: 1, currency: 'EUR', captureMethod: 'automatic' },
      ...{ method: 'card', cardLast4: '0077', action: 'none', actionStatus: 'none', returnUrl: '', ...plainLook },
      ...{ result: 'approved', settlesLater: true, silent: false, status: 'pending', settleAt },
      ...{ disputeStatus: null, disputedAt: null, disputeDueAt: null },
      ...{ amountCaptured: 0, amountRefunded: 0, createdAt: now },
    });
    const [possible, impossible] = [settling(now + settleAfterMs), settling(now + settleAfterMs + 1)];
    const books = sandboxBooks(store);
    assert.deepEqual(await books.commit({ payments: [possible, impossible] }), { committed: true });
    assert.deepEqual(await books.claim('payments', 'settling', claim), [{ id: impossible.id }]);
  });

  it('is claimed after what is due', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const waiting = (dueAt: number) => anAcquirerNotice({ ...scope, noticeId: String(dueAt), dueAt });
    const [first, second] = [longestNoticeDelayMs + 1, longestNoticeDelayMs + 2];
    const times = [now + second, now - 1, now + longestNoticeDelayMs, now + first, now, now + 1];
    const notices = times.map(waiting);
    await mustCommit(store, { acquirerNotices: notices });
    const claimed = async (limit: number): Promise<(number | null | undefined)[]> =>
      (await store.claim('acquirerNotices', 'due', { ...claim, limit })).map(
        ({ id }) => notices.find((notice) => notice.id === id)?.dueAt,
      );
    assert.deepEqual((await claimed(3)).toSorted(), [now - 1, now, now + first]);
    assert.deepEqual(await claimed(3), [now + second]);
  });

  it('can be claimed again if it was leased', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent, session } = aPayment();
    const lapsing = aPayment();
    await mustCommit(
      store,
      changesOf(
        { intent, session: { ...session, expiresAt: now - 1 } },
        { ...lapsing, intent: { ...lapsing.intent, status: 'requires_capture', captureBefore: now - 1 } },
      ),
    );
    const ahead = { ...claim, now: now + 600_000 };
    assert.equal((await store.claim('checkoutSessions', 'expired', ahead)).length, 1);
    assert.equal((await store.claim('paymentIntents', 'lapsed', ahead)).length, 1);
    assert.deepEqual(
      (await store.claim('checkoutSessions', 'expired', claim)).map(({ id }) => id),
      [session.id],
    );
    assert.deepEqual(
      (await store.claim('paymentIntents', 'lapsed', claim)).map(({ id }) => id),
      [lapsing.intent.id],
    );
    assert.deepEqual(
      await store.claim('checkoutSessions', 'expired', { ...claim, now: now - 499 }),
      [],
      'clocks may differ by a lease',
    );
  });
});
