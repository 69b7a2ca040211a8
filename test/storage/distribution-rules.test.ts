// Checks the statements for a distributed database against the rules of Citus, without a cluster. `npm run test:citus` runs
// other tests on one.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import type { SandboxPayment } from '../../src/acquirers/sandbox/sandbox-payment.ts';
import { auditEntry } from '../../src/domain/audit-entry.ts';
import { newSession } from '../../src/domain/dashboard-session.ts';
import { newMail } from '../../src/domain/mail-message.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { newLink } from '../../src/domain/one-time-link.ts';
import { newOperation } from '../../src/domain/operation.ts';
import { noTotals } from '../../src/domain/payment-totals.ts';
import { indexedWords } from '../../src/domain/payment-word.ts';
import { newRollUp, type RollUp } from '../../src/domain/roll-up.ts';
import { counted } from '../../src/domain/sign-in-counter.ts';
import { newMembership, newUser } from '../../src/domain/user.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import { rootOf } from '../../src/storage/selection.ts';
import type { Store } from '../../src/storage/store.ts';
import { isView, type Source } from '../../src/storage/table.ts';
import { sources, tables } from '../../src/storage/tables.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { problemOf, type SentStatement, schemaProblems } from '../support/distribution-rules.ts';
import { freshDatabase, freshStore, type OpenedStore, postgres, postgresByMerchant } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { withClient } from '../support/postgres-admin.ts';
import {
  aDelivery,
  aDispute,
  aMerchant,
  aMoment,
  anAcquirerNotice,
  anApiKey,
  anEvent,
  anIdempotencyRecord,
  aPayment,
  aPaymentLink,
  aRequestRecord,
  aScope,
  aWebhookEndpoint,
  plainLook,
} from '../support/records.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';

const anAuditEntry = (at: number) =>
  auditEntry(aMoment(at), {
    ...{ actor: 'a', action: 'merchant.created', subject: 'acct_1', merchantId: null, details: {} },
  } as const);
/** With a session, a link and a counter that have ended. */
function aUserWithSession(merchantId: string) {
  const moment = aMoment(now - 100 * 86_400_000);
  const user = newUser(`${merchantId}@staff.example`, null, moment);
  const { link } = newLink({ purpose: 'invite', userId: user.id, merchantId }, moment, randomBytes);
  const origin = { ip: '127.0.0.1', userAgent: '' };
  const { session } = newSession(user, { merchantId, livemode: false }, origin, moment, randomBytes);
  return {
    users: [user],
    memberships: [newMembership({ merchantId, userId: user.id, role: 'owner' }, link.id, moment)],
    dashboardSessions: [session],
    oneTimeLinks: [link],
    signInCounters: [{ ...counted(null, `account ${merchantId}`, moment.now) }],
  };
}
const claim = { now, leaseMs: 1_000, limit: 100 };

/** Records every statement that this process sends from now on. */
function recordStatements(t: TestContext): SentStatement[] {
  const sent: SentStatement[] = [];
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [SentStatement | string];
    sent.push(typeof config === 'string' ? { text: config } : config);
    return send.apply(this, args);
  });
  return sent;
}

/** Records which functions are used. */
function recordUses<T extends object>(functions: T, called: Set<string>, prefix = ''): T {
  return new Proxy(functions, {
    get(target, name) {
      const found = Reflect.get(target, name) as unknown;
      if (typeof found !== 'function') return found;
      called.add(`${prefix}${String(name)}`);
      return found;
    },
  });
}

/** Calls every function of a store, with rows of several merchants to claim, end, prune and erase. */
async function useAll(opened: Store): Promise<{ readonly uncalled: string[] }> {
  const called = new Set<string>();
  const queue = recordUses(opened.deliveryQueue, called, 'deliveryQueue.');
  const replica = recordUses(opened.replica, called, 'replica.');
  const payments = recordUses(opened.payments, called, 'payments.');
  const store = recordUses({ ...opened, deliveryQueue: queue, replica, payments }, called);
  const scopes = [aScope(), aScope()];
  for (const scope of scopes) await commitAll(store, scope);
  await readAll(store);
  await claimAll(store);
  await pruneAll(store, scopes);
  const functions = [
    ...Object.keys(opened),
    ...Object.keys(opened.deliveryQueue).map((name) => `deliveryQueue.${name}`),
    ...Object.keys(opened.payments).map((name) => `payments.${name}`),
    ...['list', 'count'].map((name) => `replica.${name}`),
  ];
  const ignored = new Set(['deliveryQueue', 'replica', 'payments', 'close', 'onCommittedElsewhere']);
  return { uncalled: functions.filter((name) => !ignored.has(name) && !called.has(name)) };
}

/** Inserts into every table, and updates every table that can be updated, with both modes in one commit. */
async function commitAll(store: Store, scope: Scope): Promise<void> {
  const merchant = aMerchant({ id: scope.merchantId });
  const live = { ...scope, livemode: true };
  const payments = [scope, live].map((each) => aPayment({ scope: each, moment: aMoment(now - 3_600_000) }));
  const lapsing = payments.map(({ intent, session }) => ({ session, intent: { ...intent, captureBefore: now - 1 } }));
  const endpoint = aWebhookEndpoint(scope);
  const [old, recent] = lapsing.flatMap(({ intent }) => [anEvent(intent, aMoment(now - 9)), anEvent(intent)]);
  assert.ok(old !== undefined && recent !== undefined);
  const about = { kind: 'refund', paymentIntentId: 'pi_1', checkoutSessionId: 'cs_1', amount: 1 } as const;
  const attempt = { keys: { session: 's', address: 'a', card: 'c' }, slot: now };
  const operation = { ...newOperation(aMoment().newId('op'), scope, about, aMoment(now - 9)), dueAt: now, attempt };
  const waiting = { ...operation, id: aMoment().newId('op'), dueAt: now + 86_400_000 };
  const refund = { ...scope, id: aMoment().newId('re'), version: 0, paymentIntentId: 'pi_1', amount: 1 };
  const mail = { kind: 'receipt', paymentIntentId: 'pi_1', refundId: null, locale: 'en' } as const;
  const slots = { [now]: [1, 0] } as const;
  const changes = {
    merchants: [merchant],
    apiKeys: [anApiKey({ merchantId: merchant.id })],
    ...aUserWithSession(merchant.id),
    idempotencyRecords: [anIdempotencyRecord({ ...scope, createdAt: now - 9 })],
    ...changesOf(...lapsing),
    operations: [operation, waiting],
    refunds: [{ ...refund, currency: 'EUR', status: 'pending', reason: null, createdAt: now } as const],
    disputes: [aDispute({ ...scope, paymentIntentId: 'pi_1' })],
    webhookEndpoints: [endpoint],
    mailMessages: [newMail(scope, mail, aMoment(now - 9))],
  };
  await mustCommit(store, {
    ...changes,
    events: [old, recent],
    deliveries: [
      aDelivery(endpoint, recent),
      { ...aDelivery(endpoint, recent), status: 'delivered', dueAt: null, createdAt: now - 9 },
      { ...aDelivery(endpoint, recent), dueAt: now + 86_400_000 },
    ],
    auditEntries: [anAuditEntry(now - 9)],
    attemptCounts: [{ key: `k ${merchant.id}`, slots, lastDeclinedAt: 0, eraseAt: now, atMost: 5, since: now - 9 }],
  });
  const stored = Object.entries(changes).map(([name, rows]) => [name, rows.map((row) => ({ ...row, version: 1 }))]);
  await mustCommit(store, Object.fromEntries(stored));
  await mustCommit(store, { acquirerNotices: [anAcquirerNotice({ ...scope, dueAt: null, createdAt: now - 9 })] });
  const links = [scope, live].map((each) => aPaymentLink({ ...each, expiresAt: now }));
  await mustCommit(store, { paymentLinks: links });
  await mustCommit(store, { paymentLinks: links.map((link) => ({ ...link, version: 1 })) });
  // One of several waiting commits has a conflict.
  const repeated = changesOf(aPayment({ scope }));
  await Promise.all([store.commit(repeated), store.commit(repeated), store.commit(changesOf(aPayment({ scope })))]);
  const ended = aPayment({ scope, moment: aMoment(now - 3_600_000) });
  const status = 'expired';
  await mustCommit(store, changesOf({ intent: { ...ended.intent, status }, session: { ...ended.session, status } }));
  await rollUpAll(store, [scope, live]);
  await store.commit({ facts: [{ name: 'write_probe', value: '1' }] });
}

/** Totals and the index, which are written twice: as new rows and as changed ones. */
async function rollUpAll(store: Store, scopes: readonly Scope[]): Promise<void> {
  const passed = (rollUp: RollUp): RollUp => ({ ...rollUp, position: 1_000 });
  const rows = scopes.flatMap((scope) => [passed(newRollUp(scope, 'totals')), newRollUp(scope, 'search')]);
  const totals = scopes.flatMap((scope) => ['2026-01-01T00:00Z', '2026-01-01T00:30Z'].map((id) => noTotals(scope, id)));
  const words = scopes.flatMap((scope) => indexedWords(aPayment({ scope })));
  await mustCommit(store, { rollUps: rows, paymentTotals: totals, paymentWords: words });
  const asStored = <R extends object>(records: readonly R[]) => records.map((record) => ({ ...record, version: 1 }));
  await mustCommit(store, { rollUps: asStored(rows), paymentTotals: asStored(totals), paymentWords: words });
  const [scope] = scopes;
  assert.ok(scope !== undefined);
  await mustCommit(store, { requestRecords: [aRequestRecord(scope)] });
  await store.payments.eraseWords(words.filter(({ livemode }) => livemode === scope.livemode));
  const range = { scope, filter: { status: 'succeeded', currency: 'EUR', method: 'card' }, before: 'pi_2' } as const;
  await store.payments.ids({ ...range, containing: ['a'], amounts: [1], atLeast: 'pi_1' }, 10);
  await store.payments.count(range, 10);
  const disputed = { ...range, filter: { ...range.filter, status: 'disputed', paymentLinkId: 'plink_1' } } as const;
  await store.payments.ids(disputed, 10);
  await store.payments.count(disputed, 10);
  await store.payments.disputed(scope, ['pi_1', 'pi_2']);
  await store.payments.byWords(scope, [1], undefined, 10);
  await store.payments.oldest(scope, '', 'pi_2', 10);
}

async function readAll(store: Store): Promise<void> {
  const scope = aScope();
  const anything = store as unknown as {
    [method in 'find' | 'findBy' | 'list' | 'count' | 'walk']: (...args: unknown[]) => Promise<unknown>;
  };
  for (const [name, source] of Object.entries(sources) as [string, Source][]) {
    const { key, scoped, filters } = rootOf(source);
    if (scoped && key.length === 3) await anything.find(name, scope, 'x');
    for (const { field } of source.foundBy) await anything.findBy(name, field, 'x');
    if (isView(source)) continue;
    const where = Object.fromEntries(filters.map(({ field }) => [field, 'x']));
    for (const which of [{}, { where }]) {
      const page = { ...which, ...(scoped ? { scope } : {}) };
      await anything.list(name, { ...page, limit: 1 });
      await anything.count(name, page, 1);
    }
    const [first] = (await anything.walk(name, null, 1)) as [unknown];
    if (first !== undefined) await anything.walk(name, first, 1);
  }
  await store.replica.list('merchants', { limit: 1 });
  await store.replica.count('merchants', {}, 1);
  await store.eventCursor(scope, null);
  await store.attemptCounters(['x']);
  await store.markKeysUsed([{ id: 'x', usedAt: now }]);
  await store.markSessionsOpened([1, 2].map((at) => ({ ...aScope(), id: `cs_${at}`, openedAt: now })));
  await store.recordAccountErrors([{ ...scope, id: 'acq_1', at: now, message: 'no response' }]);
  await store.moveFact('write_probe', '1', '2');
  await store.moveFact('write_probe', '2', '1', anAuditEntry(now));
  await store.rewriteEvent({ ...anEvent(), ...scope });
  await store.unfinished(now);
  await store.time();
  await store.check();
}

async function claimAll(store: Store): Promise<void> {
  assert.equal((await store.claim('checkoutSessions', 'expired', claim)).length, 4);
  assert.equal((await store.claim('checkoutSessions', 'withCustomer', claim)).length, 0);
  assert.equal((await store.claim('paymentIntents', 'lapsed', claim)).length, 4);
  assert.equal((await store.claim('operations', 'due', claim)).length, 2);
  assert.equal((await store.claim('mailMessages', 'due', claim)).length, 2);
  assert.equal((await store.claim('paymentLinks', 'expired', claim)).length, 4);
  const { due } = await store.deliveryQueue.endpointsWithDue(now, '', 10);
  assert.equal(due.length, 2);
  const wanted = due.map((endpointId) => ({ endpointId, limit: 10 }));
  const claimed = (await store.deliveryQueue.claim({ now, leaseMs: 1_000, wanted })).flatMap((one) => one.claimed);
  assert.equal(claimed.length, 2);
  await store.deliveryQueue.record(claimed.map(({ delivery }) => ({ claimed: delivery, delivery })));
  await store.deliveryQueue.failed(aScope(), 'we_x', now, 10);
  await store.deliveryQueue.recent(aScope(), now, 10);
  await store.deliveryQueue.countDue(now);
  await store.deliveryQueue.countWaiting(aScope(), 10);
  await store.deliveryQueue.countByStatus(aScope(), now, 10);
  const books = sandboxBooks(store);
  await books.commit({ payments: [settling], followUps: [] });
  assert.equal((await books.claim('payments', 'settling', claim)).length, 1);
  assert.equal((await books.claim('payments', 'disputing', claim)).length, 0);
}

async function pruneAll(store: Store, scopes: readonly Scope[]): Promise<void> {
  const waits = { now, operationMs: [1], firstAttemptMs: 1, retryMs: 1, limit: 100 };
  assert.equal(await store.endImpossibleWaits(waits), false);
  assert.equal(await store.eraseAttempts(now, now, 100), 4);
  assert.equal(await store.deliveryQueue.prune(now, 100), 2);
  for (const [name, { prunedBy }] of Object.entries(tables)) {
    if (prunedBy !== null) assert.equal(await store.prune(name as keyof typeof tables, now, 100), 2, name);
  }
  for (const scope of scopes) {
    const old = { scope, sessionStatus: 'expired', before: now, after: '', limit: 100 } as const;
    assert.equal((await store.prunePayments(old)).erased, 1);
  }
}

const settling: SandboxPayment = {
  id: aMoment().newId('op'),
  version: 0,
  amount: 1,
  currency: 'EUR',
  captureMethod: 'automatic',
  method: 'card',
  cardLast4: null,
  action: 'none',
  actionStatus: 'none',
  returnUrl: 'https://shop.example',
  ...plainLook,
  result: 'approved',
  settlesLater: true,
  silent: false,
  status: 'pending',
  settleAt: now,
  disputeStatus: null,
  disputedAt: null,
  disputeDueAt: null,
  amountCaptured: 0,
  amountRefunded: 0,
  createdAt: now,
} as SandboxPayment;

function problemsIn(sent: readonly SentStatement[]): string[] {
  const found = sent.flatMap((statement) => {
    const problem = problemOf(statement);
    return problem === null ? [] : [`${problem}: ${statement.text.trim().replace(/\s+/g, ' ').slice(0, 200)}`];
  });
  return [...new Set(found)];
}

async function onDatabase<T>({ address }: Pick<OpenedStore, 'address'>, work: (client: pg.Client) => Promise<T>) {
  return withClient(urlOf(address), work);
}

function urlOf(address: DatabaseAddress): string {
  return address.engine === 'postgres' ? address.url : '';
}

describe('On a database that is distributed by merchant', () => {
  it('every statement that locks or changes rows, or is recursive, names one merchant', async (t) => {
    const { store } = await freshStore(t, postgresByMerchant);
    const sent = recordStatements(t);
    const { uncalled } = await useAll(store);
    assert.deepEqual(uncalled, [], 'every function of the store is called');
    assert.deepEqual(problemsIn(sent), []);
  });

  it('the rules reject statements that only work on a single server', async (t) => {
    const { store } = await freshStore(t, postgres);
    const sent = recordStatements(t);
    await useAll(store);
    const problems = problemsIn(sent);
    for (const expected of [
      /^inserts into payment_intents what it selects/,
      /^names no merchant for checkout_sessions, checkout_sessions: WITH locked/,
      /^names no merchant for deliveries, deliveries, deliveries: WITH RECURSIVE/,
      /^names no merchant for deliveries: UPDATE/,
    ])
      assert.ok(
        problems.some((problem) => expected.test(problem)),
        `${expected} in\n${problems.join('\n')}`,
      );
  });

  it('every unique index includes the merchant, and every table of merchants has a placement', async (t) => {
    const opened = await freshStore(t, postgres);
    await onDatabase(opened, async (client) => {
      assert.deepEqual(await schemaProblems(client), []);
      await client.query(`
        CREATE UNIQUE INDEX refunds_by_id ON refunds (id);
        CREATE TABLE gift_cards (merchant_id TEXT NOT NULL, livemode BOOLEAN NOT NULL)`);
      assert.deepEqual(await schemaProblems(client), [
        'the unique index refunds_by_id of refunds does not include the merchant',
        'gift_cards belongs to merchants, but has no placement',
      ]);
    });
  });

  it('three unique indexes lack the merchant before the migration for distribution', async (t) => {
    const address = await freshDatabase(t, postgres);
    await onDatabase({ address }, async (client) => {
      const { migrationsFor } = await import('../../src/storage/migrations.ts');
      for (const { name, sql } of migrationsFor('postgres')) if (name !== 'distribution') await client.query(sql);
      assert.equal((await schemaProblems(client)).length, 3);
    });
  });
});
