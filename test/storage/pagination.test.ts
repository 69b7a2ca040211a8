// Lists: newest first, page by page, unmoved by what is added meanwhile.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Payment } from '../../src/domain/life-cycle.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { aMerchant, aMoment, anEvent, aPayment, aScope } from '../support/records.ts';

const maxPages = 50;

interface Wanted {
  readonly limit: number;
  readonly after?: string;
}

interface Listed {
  readonly id: string;
}

/** Every page to the end. `between` happens after each. */
async function walk<R extends Listed>(
  list: (page: Wanted) => Promise<readonly R[]>,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  for (let pages = 0; pages < maxPages; pages += 1) {
    const before = seen.at(-1);
    const page = await list(before === undefined ? { limit } : { limit, after: before });
    assert.ok(page.length <= limit);
    seen.push(...page.map(({ id }) => id));
    if (page.length < limit) return seen;
    await between();
  }
  return assert.fail('the list does not end');
}

function paymentsOverTime(scope: Scope, count: number, start: number = startOfTests): Payment[] {
  return Array.from({ length: count }, (_, index) => aPayment({ scope, moment: aMoment(start + index) }));
}

const newestFirst = (rows: readonly Listed[]): string[] => rows.map(({ id }) => id).toReversed();

describeOnEachStore('A list', (engine) => {
  const lists: [string, (store: Store, scope: Scope) => (page: Wanted) => Promise<readonly Listed[]>][] = [
    ['payment intents', (store, scope) => (page) => store.list('paymentIntents', { scope: scope, ...page })],
    ['checkout sessions', (store, scope) => (page) => store.list('checkoutSessions', { scope: scope, ...page })],
    ['events', (store, scope) => (page) => store.list('events', { scope: scope, ...page })],
  ];

  for (const [what, list] of lists) {
    it(`of ${what} is newest first, and every page starts where the previous one ended`, async (t) => {
      const { store } = await freshStore(t, engine);
      const scope = aScope();
      const payments = paymentsOverTime(scope, 11);
      const events = payments.map(({ intent }, index) => anEvent(intent, aMoment(startOfTests + index)));
      // Stored in another order than that of their time.
      const shuffled = payments.toSorted((a, b) => (a.intent.id.slice(-5) < b.intent.id.slice(-5) ? -1 : 1));
      await mustCommit(store, { ...changesOf(...shuffled), events: events.toReversed() });
      const rows = {
        'payment intents': payments.map(({ intent }) => intent),
        'checkout sessions': payments.map(({ session }) => session),
        events,
      }[what];
      assert.ok(rows !== undefined);
      for (const limit of [1, 4, 11, 100]) {
        assert.deepEqual(await walk(list(store, scope), limit), newestFirst(rows));
      }
      assert.deepEqual(await walk(list(store, aScope()), 10), []);
    });
  }

  it('of merchants is newest first, and every page starts where the previous one ended', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchants = Array.from({ length: 7 }, (_, index) =>
      aMerchant({ id: aMoment(startOfTests + index).newId('acct') }),
    );
    await mustCommit(store, { merchants });
    for (const limit of [1, 3, 100]) {
      assert.deepEqual(await walk((page) => store.list('merchants', { ...page }), limit), newestFirst(merchants));
    }
  });

  it('contains each row once, even if newer ones are added between pages', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const payments = paymentsOverTime(scope, 10);
    await mustCommit(store, changesOf(...payments));
    let later = startOfTests + 1_000;
    const seen = await walk(
      (page) => store.list('checkoutSessions', { scope: scope, ...page }),
      3,
      async () => {
        later += 10;
        await mustCommit(store, changesOf(...paymentsOverTime(scope, 2, later)));
      },
    );
    assert.deepEqual(seen, newestFirst(payments.map(({ session }) => session)));
    assert.equal((await store.list('checkoutSessions', { scope: scope, limit: 100 })).length, 16);
  });

  it('can be filtered by status, as a whole or page by page', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const payments = paymentsOverTime(scope, 9).map(({ intent, session }, index): Payment => {
      if (index % 3 === 0) return { intent, session };
      return { intent: { ...intent, status: 'expired' }, session: { ...session, status: 'expired' } };
    });
    await mustCommit(store, changesOf(...payments));
    const ofStatus = (status: string) => payments.filter(({ session }) => session.status === status);
    for (const limit of [2, 100]) {
      const open = await walk(
        (page) => store.list('checkoutSessions', { scope: scope, ...page, where: { status: 'open' } }),
        limit,
      );
      assert.deepEqual(open, newestFirst(ofStatus('open').map(({ session }) => session)));
      const expired = await walk(
        (page) => store.list('paymentIntents', { scope: scope, ...page, where: { status: 'expired' } }),
        limit,
      );
      assert.deepEqual(expired, newestFirst(ofStatus('expired').map(({ intent }) => intent)));
    }
    assert.deepEqual(
      await store.list('checkoutSessions', { scope: scope, limit: 100, where: { status: 'completed' } }),
      [],
    );
    const all = await walk((page) => store.list('checkoutSessions', { scope: scope, ...page }), 2);
    assert.deepEqual(all, newestFirst(payments.map(({ session }) => session)));
  });
});
