// The disputed payments of a merchant with thousands of disputes: all of them are listed, filtered and counted.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Payment } from '../../src/domain/life-cycle.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import {
  type PaymentCountsBody,
  type PaymentList,
  paymentListRoutes,
} from '../../src/http/dashboard/payment-list-routes.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aDispute, aMoment, aPayment, aScope } from '../support/records.ts';
import { bodyOf, call } from './calling.ts';

/** More than any statement examines. */
const count = 2_100;
const paymentLinkId = aMoment().newId('plink');

/** Every tenth is not disputed; every seventh of all has another amount, every 500th came from a link. Oldest first. */
async function manyPayments(store: Store, scope: Scope): Promise<Payment[]> {
  const payments = Array.from({ length: count }, (_, at) => {
    const terms = { amount: at % 7 === 0 ? 777 : 1250, customerEmail: at < 20 ? 'ada@example.org' : null };
    const { intent, session } = aPayment({ scope, moment: aMoment(now + at * 1_000), terms });
    return { session, intent: { ...intent, paymentLinkId: at % 500 === 1 ? paymentLinkId : null } };
  });
  for (let from = 0; from < count; from += 300) {
    const some = payments.slice(from, from + 300);
    await mustCommit(store, changesOf(...some));
    const disputes = some.filter(isDisputed).map(({ intent }) => aDispute({ ...scope, paymentIntentId: intent.id }));
    await mustCommit(store, { disputes });
  }
  // A second dispute of the oldest one, in another mode, and of another merchant.
  const [, oldest] = payments;
  assert.ok(oldest !== undefined);
  const paymentIntentId = oldest.intent.id;
  const others = [scope, { ...scope, livemode: !scope.livemode }, aScope()];
  await mustCommit(store, { disputes: others.map((one) => aDispute({ ...one, paymentIntentId })) });
  return payments;
}

const placeOf = ({ intent }: Payment): number => (intent.createdAt - now) / 1_000;
const isDisputed = (payment: Payment): boolean => placeOf(payment) % 10 !== 0;

describeOnEachStore('With thousands of disputes', (engine) => {
  it('every disputed payment is listed once, newest first, with any filter, and counted', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    const payments = await manyPayments(store, scope);
    const routes = paymentListRoutes({ store, now: () => now + 86_400_000 });
    async function listed(query: Readonly<Record<string, string>>): Promise<string[]> {
      const ids: string[] = [];
      for (let cursor = {}; ; ) {
        const given = { status: 'disputed', limit: '100', ...query, ...cursor };
        const page = await bodyOf<PaymentList>(call(routes, scope, '/payments', given));
        ids.push(...page.data.map(({ id }) => id));
        if (page.next_cursor === null) return ids;
        cursor = { cursor: page.next_cursor };
      }
    }
    const iso = (at: number): string => new Date(now + at * 1_000).toISOString();
    const expected: [Readonly<Record<string, string>>, (payment: Payment) => boolean][] = [
      [{}, () => true],
      [{ limit: '7', to: iso(100) }, (payment) => placeOf(payment) < 100],
      [{ from: iso(5), to: iso(1_500) }, (payment) => placeOf(payment) >= 5 && placeOf(payment) < 1_500],
      [{ max: '777' }, ({ intent }) => intent.amount === 777],
      [{ min: '1', max: '1' }, () => false],
      [{ currency: 'USD' }, () => false],
      [{ method: 'card' }, () => false],
      [{ payment_link: paymentLinkId }, ({ intent }) => intent.paymentLinkId !== null],
      [{ q: 'ada@example.org' }, (payment) => placeOf(payment) < 20],
    ];
    for (const [query, passes] of expected) {
      const ids = payments.filter((payment) => isDisputed(payment) && passes(payment)).map(({ intent }) => intent.id);
      assert.deepEqual(await listed(query), ids.toReversed(), JSON.stringify(query));
      const { limit, ...filters } = query;
      const counted = await bodyOf<PaymentCountsBody>(call(routes, scope, '/payments/counts', filters));
      const all = payments.filter(passes).length;
      assert.deepEqual(
        [counted.all, counted.disputed, counted.capped],
        [all, ids.length, false],
        JSON.stringify(query),
      );
    }
  });
});
