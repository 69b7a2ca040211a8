// Uses every function of a store, and with every table all that its description offers: finding, lists, claims, pruning.

import assert from 'node:assert/strict';
import type { SandboxPayment } from '../../src/acquirers/sandbox/sandbox-payment.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { idWithinScope, rootOf } from '../../src/storage/selection.ts';
import type { Store } from '../../src/storage/store.ts';
import { type Column, type ColumnKind, isView, type Source, type Table } from '../../src/storage/table.ts';
import { sources, tables } from '../../src/storage/tables.ts';
import { changesOf, mustCommit } from './committing.ts';
import { startOfTests as now } from './fake-clock.ts';
import { aMoment, anEvent, aPayment, aScope, plainLook } from './records.ts';
import { anAuditEntry, type RowsOfTables, rowsOfTables } from './rows-of-tables.ts';
import { sandboxBooks } from './sandbox-books.ts';

/** The functions that take the name of a table or view. */
type ByName = {
  [method in 'find' | 'findBy' | 'list' | 'count' | 'walk' | 'claim' | 'prune']: (
    name: string,
    ...args: unknown[]
  ) => Promise<unknown>;
};

const everyTable = Object.entries(tables) as [keyof RowsOfTables, Table<unknown>][];
const everySource = Object.entries(sources) as [string, Source][];
const claim = { now, leaseMs: 1_000, limit: 100 };
/** A value of each kind of column, to filter by. */
const values: Record<ColumnKind, unknown> = { text: 'x', integer: 1, boolean: true, json: {}, bytes: Uint8Array.of(1) };

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

/** With rows of several merchants to claim, end, prune and erase. Fails with the name of a table that lacks such rows. */
export async function useAll(opened: Store): Promise<{ readonly uncalled: string[] }> {
  const called = new Set<string>();
  const queue = recordUses(opened.deliveryQueue, called, 'deliveryQueue.');
  const replica = recordUses(opened.replica, called, 'replica.');
  const payments = recordUses(opened.payments, called, 'payments.');
  const store = recordUses({ ...opened, deliveryQueue: queue, replica, payments }, called);
  const scopes = [aScope(), aScope()];
  for (const scope of scopes) {
    const rows = rowsOfTables(scope.merchantId);
    await commitAll(store, rows);
    await commitOthers(store, scope);
    await readPayments(store, scope, rows);
  }
  await readAll(store);
  await useOthers(store);
  await claimAll(store, scopes);
  await useQueue(store);
  await pruneAll(store, scopes);
  const functions = [
    ...Object.keys(opened),
    ...Object.keys(opened.deliveryQueue).map((name) => `deliveryQueue.${name}`),
    ...Object.keys(opened.payments).map((name) => `payments.${name}`),
    ...['find', 'list', 'count'].map((name) => `replica.${name}`),
  ];
  const ignored = new Set(['deliveryQueue', 'replica', 'payments', 'close', 'onCommittedElsewhere']);
  return { uncalled: functions.filter((name) => !ignored.has(name) && !called.has(name)) };
}

/** Inserts into every table, and updates all whose rows change: one row, which has its own statement, then all rows. */
async function commitAll(store: Store, rows: RowsOfTables): Promise<void> {
  for (const [name] of everyTable) assert.ok(rows[name]?.length > 0, `${name}: there is no row to insert`);
  const { facts, ...others } = rows;
  // Facts are not a merchant's: they exist when the second merchant is added.
  await store.commit({ facts });
  await mustCommit(store, others);
  const changing = everyTable.filter(([, { versioned }]) => versioned);
  const first = changing.map(([name]) => [name, rows[name].slice(0, 1).map((row) => ({ ...row, version: 1 }))]);
  await mustCommit(store, Object.fromEntries(first));
  const all = changing.map(([name]) => [name, rows[name].map((row, at) => ({ ...row, version: at === 0 ? 2 : 1 }))]);
  await mustCommit(store, Object.fromEntries(all));
}

async function commitOthers(store: Store, scope: Scope): Promise<void> {
  const count = { key: `k ${scope.merchantId}`, slots: { [now]: [1, 0] }, lastDeclinedAt: 0 } as const;
  const attemptCounts = [{ ...count, eraseAt: now, atMost: 5, since: now - 9 }];
  await mustCommit(store, { ...changesOf(aPayment({ scope })), attemptCounts });
  // One of several waiting commits has a conflict.
  const repeated = changesOf(aPayment({ scope }));
  await Promise.all([store.commit(repeated), store.commit(repeated), store.commit(changesOf(aPayment({ scope })))]);
}

async function readPayments(store: Store, scope: Scope, { paymentWords }: RowsOfTables): Promise<void> {
  await store.payments.eraseWords(paymentWords.filter(({ livemode }) => livemode === scope.livemode));
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

/** By the key, by each field that finds a record, and lists without a filter, with each of them and with all. */
async function readAll(store: Store): Promise<void> {
  const scope = aScope();
  const byName = store as unknown as ByName;
  for (const [name, source] of everySource) {
    if (idWithinScope(rootOf(source)) !== null) await byName.find(name, scope, 'x');
    for (const { field } of source.foundBy) await byName.findBy(name, field, 'x');
    if (isView(source)) continue;
    const { filters, scoped } = source;
    for (const chosen of [[], ...filters.map((filter) => [filter]), filters]) {
      const which = { where: valuesOf(chosen), ...(scoped ? { scope } : {}) };
      await byName.list(name, { ...which, limit: 1 });
      await byName.count(name, which, 1);
    }
    const [first] = (await byName.walk(name, null, 1)) as [unknown];
    if (first !== undefined) await byName.walk(name, first, 1);
  }
}

function valuesOf(columns: readonly Column[]): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ field, kind }) => [field, values[kind]]));
}

async function useOthers(store: Store): Promise<void> {
  const scope = aScope();
  await store.replica.find('paymentIntents', scope, 'pi_1');
  await store.replica.list('merchants', { limit: 1 });
  await store.replica.count('merchants', {}, 1);
  await store.eventCursor(scope, null);
  await store.attemptCounters(['x']);
  await store.markKeysUsed([{ id: 'x', usedAt: now }]);
  await store.markSessionsOpened([1, 2].map((at) => ({ ...aScope(), id: `cs_${at}`, openedAt: now })));
  await store.recordAccountErrors([{ ...scope, id: 'acq_1', at: now, message: 'no response' }]);
  assert.equal(await store.moveFact('write_probe', '1', '2'), true);
  assert.equal(await store.moveFact('write_probe', '2', '1', anAuditEntry(now)), true);
  await store.rewriteEvent({ ...anEvent(), ...scope });
  await store.unfinished(now);
  await store.time();
  await store.check();
}

/** The statement that locks rows is only sent if there are some to claim. */
async function claimAll(store: Store, scopes: readonly Scope[]): Promise<void> {
  const byName = store as unknown as ByName;
  for (const [name, { claims }] of everyTable) {
    for (const work of Object.keys(claims)) {
      const claimed = (await byName.claim(name, work, claim)) as readonly unknown[];
      assert.ok(claimed.length >= scopes.length, `${name}: there are no rows for the claim ${work}`);
    }
  }
  const books = sandboxBooks(store);
  await books.commit({ payments: [settling], followUps: [] });
  assert.equal((await books.claim('payments', 'settling', claim)).length, 1);
  assert.equal((await books.claim('payments', 'disputing', claim)).length, 0);
}

async function useQueue({ deliveryQueue: queue }: Store): Promise<void> {
  const { due } = await queue.endpointsWithDue(now, '', 10);
  assert.equal(due.length, 4);
  const wanted = due.map((endpointId) => ({ endpointId, limit: 10 }));
  const claimed = (await queue.claim({ now, leaseMs: 1_000, wanted })).flatMap((one) => one.claimed);
  assert.equal(claimed.length, 4);
  await queue.record(claimed.map(({ delivery }) => ({ claimed: delivery, delivery })));
  await queue.failed(aScope(), 'we_x', now, 10);
  await queue.recent(aScope(), now, 10);
  await queue.countDue(now);
  await queue.countWaiting(aScope(), 10);
  await queue.countByStatus(aScope(), now, 10);
}

/** The statement that deletes rows is only sent if there are old ones. */
async function pruneAll(store: Store, scopes: readonly Scope[]): Promise<void> {
  const byName = store as unknown as ByName;
  const waits = { now, operationMs: [1], firstAttemptMs: 1, retryMs: 1, limit: 100 };
  assert.equal(await store.endImpossibleWaits(waits), false);
  assert.equal(await store.eraseAttempts(now, now, 100), 8);
  assert.equal(await store.deliveryQueue.prune(now, 100), 4);
  for (const [name, { prunedBy }] of everyTable) {
    if (prunedBy === null) continue;
    const pruned = (await byName.prune(name, now, 100)) as number;
    assert.ok(pruned >= scopes.length, `${name}: there are no old rows to prune`);
  }
  for (const scope of scopes) {
    const old = { scope, kind: 'abandoned', before: now, after: '', limit: 100 } as const;
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
