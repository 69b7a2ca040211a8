// Retention: what is deleted and when, and what is kept despite its age.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditEntry } from '../../src/domain/audit-entry.ts';
import type { Payment } from '../../src/domain/life-cycle.ts';
import { prune } from '../../src/jobs/prune.ts';
import { rollUpTotals } from '../../src/usecases/roll-up-totals.ts';
import { mustCommit, mustStore } from '../support/committing.ts';
import { describeOnEachEngine, freshStore, postgres } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { withClient } from '../support/postgres-admin.ts';
import { aDelivery, aMoment, anEvent, aPayment, aScope, aWebhookEndpoint } from '../support/records.ts';

const dayMs = 86_400_000;
const limits = { windowMs: 3_600_000, perSession: 10, perAddress: 100, perCard: 50 };
const forever = { deliveriesMs: null, eventsMs: null, auditEntriesMs: null, customersMs: null, mailMs: null };
const clock = { now: () => startOfTests };
const batch = 25;
const requestLogDays = 7;
const daysAgo = (days: number) => aMoment(startOfTests - days * dayMs);

describeOnEachEngine('Retention', (engine) => {
  it("deletes old events in batches, except those with deliveries and a merchant's last event", async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { intent } = await mustStore(store, aPayment({ scope }));
    const old = Array.from({ length: 60 }, () => anEvent(intent, daysAgo(11)));
    const delivered = anEvent(intent, daysAgo(11));
    const recent = anEvent(intent, daysAgo(9));
    const last = anEvent({ ...intent, ...aScope() }, daysAgo(500));
    const delivery = aDelivery(aWebhookEndpoint(scope), delivered);
    for (const event of old) await mustCommit(store, { events: [event] });
    await mustCommit(store, { events: [delivered, recent], deliveries: [delivery] });
    await mustCommit(store, { events: [last] });
    while (await rollUpTotals({ store }, scope));

    while (await prune({ store, clock, limits, batch, requestLogDays, retention: forever }));
    assert.equal(await store.count('events', { scope }, 1_000), 62);

    assert.equal(
      await prune({ store, clock, limits, batch, requestLogDays, retention: { ...forever, eventsMs: 10 * dayMs } }),
      true,
    );
    while (
      await prune({ store, clock, limits, batch, requestLogDays, retention: { ...forever, eventsMs: 10 * dayMs } })
    );
    const kept = await store.list('events', { scope, limit: 100 });
    assert.deepEqual(kept.map(({ id }) => id).toSorted(), [delivered.id, recent.id].toSorted());
    assert.equal((await store.find('events', last, last.id))?.id, last.id);
    assert.equal((await store.find('paymentIntents', scope, intent.id))?.id, intent.id);
  });

  it('deletes old events among many that are kept for their deliveries', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { intent } = aPayment({ scope });
    const kept: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const events = Array.from({ length: 20 }, () => anEvent(intent, daysAgo(100 - n)));
      const [, ...delivered] = events;
      const deliveries = delivered.map((event) => aDelivery(aWebhookEndpoint(scope), event));
      await mustCommit(store, { events, deliveries });
      kept.push(...delivered.map(({ id }) => id));
    }
    const last = anEvent(intent);
    await mustCommit(store, { events: [last] });
    while (await rollUpTotals({ store }, scope));
    const retention = { ...forever, eventsMs: dayMs };
    // On PostgreSQL, each call examines only some of them.
    for (let calls = 0; calls < 10; calls += 1)
      await prune({ store, clock, limits, batch: 10, requestLogDays, retention });
    const left = await store.list('events', { scope, limit: 1_000 });
    assert.deepEqual(left.map(({ id }) => id).toSorted(), [...kept, last.id].toSorted());
  });

  it('continues the numbering of events after old ones were deleted', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const { intent } = aPayment({ scope });
    for (let n = 0; n < 3; n++) await mustCommit(store, { events: [anEvent(intent, daysAgo(11))] });
    while (await rollUpTotals({ store }, scope));
    const before = await store.eventCursor(scope, null);
    while (await prune({ store, clock, limits, batch, requestLogDays, retention: { ...forever, eventsMs: dayMs } }));
    await mustCommit(store, { events: [anEvent(intent)] });
    assert.ok((await store.eventCursor(scope, null)).position > before.position);
  });

  it('deletes old audit entries only if configured to', async (t) => {
    const { store } = await freshStore(t, engine);
    const entry = (days: number) =>
      auditEntry(daysAgo(days), {
        ...{ actor: 'cli:someone', action: 'api_key.created', subject: 'key_1', merchantId: null, details: {} },
      });
    const [old, recent] = [entry(11), entry(9)];
    await mustCommit(store, { auditEntries: [old, recent] });
    while (await prune({ store, clock, limits, batch, requestLogDays, retention: forever }));
    assert.equal((await store.list('auditEntries', { limit: 10 })).length, 2);
    while (
      await prune({
        store,
        clock,
        limits,
        batch,
        requestLogDays,
        retention: { ...forever, auditEntriesMs: 10 * dayMs },
      })
    );
    assert.deepEqual(
      (await store.list('auditEntries', { limit: 10 })).map(({ id }) => id),
      [recent.id],
    );
  });

  it('erases customers from old payments that have ended, only if configured to, and keeps the payments', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const details = {
      email: 'ada@example.com',
      phone: null,
      name: 'Ada',
      billing_address: null,
      shipping_address: null,
    };
    const add = async (days: number, session: Partial<Payment['session']>, intent: Partial<Payment['intent']> = {}) => {
      const payment = aPayment({ scope, terms: { customerEmail: 'ada@example.com' }, moment: daysAgo(days) });
      const stored = { customerDetails: details, ...intent };
      await mustStore(store, {
        session: { ...payment.session, ...session },
        intent: { ...payment.intent, status: 'succeeded', ...stored },
      });
      return payment;
    };
    const old = await Promise.all(Array.from({ length: 30 }, () => add(11, { status: 'completed' })));
    const kept = [
      await add(9, { status: 'completed' }),
      await add(11, { status: 'open' }, { status: 'requires_payment_method' }),
      await add(11, { status: 'completed' }, { status: 'processing' }),
      await add(11, { status: 'completed' }, { status: 'requires_capture' }),
    ];
    const known = async ({ session: { id } }: Payment): Promise<unknown[]> => {
      const { session, intent } = (await store.find('paymentsBySession', scope, id)) ?? assert.fail('it was deleted');
      return [session.customerEmail, intent.customerDetails?.email ?? null, intent.amount];
    };
    while (await prune({ store, clock, limits, batch, retention: forever, requestLogDays: 7 }));
    for (const payment of [...old, ...kept])
      assert.deepEqual(await known(payment), [details.email, details.email, 1250]);
    const retention = { ...forever, customersMs: 10 * dayMs };
    assert.equal(await prune({ store, clock, limits, batch, retention, requestLogDays: 7 }), true);
    while (await prune({ store, clock, limits, batch, retention, requestLogDays: 7 }));
    for (const payment of old) assert.deepEqual(await known(payment), [null, null, 1250]);
    for (const payment of kept) assert.deepEqual(await known(payment), [details.email, details.email, 1250]);
  });
});

describe('Retention (postgres)', () => {
  it('deletes the other kinds if one of them cannot be deleted, and reports the failure', async (t) => {
    const { store, address } = await freshStore(t, postgres);
    assert.ok(address.engine === 'postgres');
    const entry = auditEntry(daysAgo(11), {
      ...{ actor: 'cli:someone', action: 'api_key.created', subject: 'key_1', merchantId: null, details: {} },
    });
    await mustCommit(store, { auditEntries: [entry] });
    await withClient(address.url, (client) => client.query('ALTER TABLE events RENAME TO broken'));
    const retention = { ...forever, eventsMs: dayMs, auditEntriesMs: dayMs };
    await assert.rejects(prune({ store, clock, limits, batch, requestLogDays, retention }), /events/);
    assert.deepEqual(await store.list('auditEntries', { limit: 10 }), []);
  });
});
