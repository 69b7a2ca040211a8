// The list of payments in the dashboard: every filter, search and count, on both engines.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CheckoutSession } from '../../src/domain/checkout-session.ts';
import type { Payment } from '../../src/domain/life-cycle.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import {
  type PaymentCountsBody,
  type PaymentList,
  paymentListRoutes,
} from '../../src/http/dashboard/payment-list-routes.ts';
import type { Store } from '../../src/storage/store.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aDispute, aMoment, aPayment, aScope, type PaymentOptions } from '../support/records.ts';
import { bodyOf, call } from './calling.ts';

interface Wanted extends PaymentOptions {
  readonly at?: number;
  readonly intent?: Partial<PaymentIntent>;
  readonly session?: Partial<CheckoutSession>;
}

const entered = { phone: null, name: null, billing_address: null, shipping_address: null };

async function store(opened: Store, scope: Scope, wanted: Wanted = {}): Promise<Payment> {
  const { at = now, intent = {}, session = {}, ...options } = wanted;
  const payment = aPayment({ scope, moment: aMoment(at), ...options });
  const stored = { intent: { ...payment.intent, ...intent }, session: { ...payment.session, ...session } };
  await mustCommit(opened, changesOf(stored));
  return stored;
}

const routesOf = (opened: Store, time: number = now) => paymentListRoutes({ store: opened, now: () => time });

const card = { type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 } } as const;
const captured = { status: 'succeeded', paymentMethod: card, amountCaptured: 1250 } as const;

async function listed(
  opened: Store,
  scope: Scope,
  query: Readonly<Record<string, string>> = {},
  time = now,
): Promise<string[]> {
  const { data } = await bodyOf<PaymentList>(call(routesOf(opened, time), scope, '/payments', query));
  return data.map(({ id }) => id);
}

const counts = (opened: Store, scope: Scope, query: Readonly<Record<string, string>> = {}, time = now) =>
  bodyOf<PaymentCountsBody>(call(routesOf(opened, time), scope, '/payments/counts', query));

describeOnEachStore('The list of payments', (engine) => {
  it('is newest first, page by page, and shows nothing of another merchant or mode', async (t) => {
    const { store: opened } = await freshStore(t, engine);
    const scope = aScope();
    const ids: string[] = [];
    for (let at = 0; at < 7; at++) ids.unshift((await store(opened, scope, { at: now + at })).intent.id);
    await store(opened, aScope());
    await store(opened, { ...scope, livemode: true });
    const routes = routesOf(opened);
    const first = await bodyOf<PaymentList>(call(routes, scope, '/payments', { limit: '5' }));
    assert.deepEqual([first.data.map(({ id }) => id), first.has_more], [ids.slice(0, 5), true]);
    const rest = await bodyOf<PaymentList>(
      call(routes, scope, '/payments', { limit: '5', cursor: String(first.next_cursor) }),
    );
    assert.deepEqual([rest.data.map(({ id }) => id), rest.has_more, rest.next_cursor], [ids.slice(5), false, null]);
  });

  it('has the e-mail address and description of the session', async (t) => {
    const { store: opened } = await freshStore(t, engine);
    const scope = aScope();
    await store(opened, scope, { terms: { customerEmail: 'ada@example.org', description: 'Two bags of coffee' } });
    const { data } = await bodyOf<PaymentList>(call(routesOf(opened), scope, '/payments'));
    assert.deepEqual(
      data.map(({ customer_email, description }) => [customer_email, description]),
      [['ada@example.org', 'Two bags of coffee']],
    );
  });

  it('has the e-mail address that the customer entered on the page', async (t) => {
    const { store: opened } = await freshStore(t, engine);
    const scope = aScope();
    await store(opened, scope, { session: { customerDetails: { ...entered, email: 'ada@example.org' } } });
    const { data } = await bodyOf<PaymentList>(call(routesOf(opened), scope, '/payments'));
    assert.equal(data[0]?.customer_email, 'ada@example.org');
  });

  it('is filtered by status, time, amount, currency, method and link, and by all of them together', async (t) => {
    const { store: opened } = await freshStore(t, engine);
    const scope = aScope();
    const open = await store(opened, scope);
    const paid = await store(opened, scope, { at: now + 1_000, intent: captured });
    const refunded = await store(opened, scope, { at: now + 2_000, intent: { ...captured, amountRefunded: 50 } });
    const paymentLinkId = aMoment().newId('plink');
    const dollars = await store(opened, scope, {
      ...{ at: now + 3_000, terms: { amount: 900, currency: 'USD' }, intent: { paymentLinkId } },
    });
    await mustCommit(opened, { disputes: [aDispute({ ...scope, paymentIntentId: paid.intent.id })] });
    const [a, b, c, d] = [open, paid, refunded, dollars].map(({ intent }) => intent.id);
    const iso = (time: number): string => new Date(time).toISOString();
    const expected: [Readonly<Record<string, string>>, (string | undefined)[]][] = [
      [{ status: 'requires_payment_method' }, [d, a]],
      [{ status: 'succeeded' }, [c, b]],
      [{ status: 'refunded' }, [c]],
      [{ status: 'disputed' }, [b]],
      [{ status: 'canceled' }, []],
      [{ from: iso(now + 1_000), to: iso(now + 3_000) }, [c, b]],
      [{ min: '901' }, [c, b, a]],
      [{ max: '900' }, [d]],
      [{ min: '900', max: '900' }, [d]],
      [{ currency: 'usd' }, [d]],
      [{ method: 'card' }, [c, b]],
      [{ method: 'ideal' }, []],
      [{ payment_link: paymentLinkId }, [d]],
      [{ status: 'succeeded', currency: 'EUR', method: 'card', from: iso(now + 1_500), min: '1250' }, [c]],
      [{ status: 'disputed', to: iso(now) }, []],
    ];
    for (const [query, ids] of expected)
      assert.deepEqual(await listed(opened, scope, query), ids, JSON.stringify(query));
  });

  it('counts the payments of each status, with the other filters', async (t) => {
    const { store: opened } = await freshStore(t, engine);
    const scope = aScope();
    await store(opened, scope);
    const paid = await store(opened, scope, { intent: captured });
    await store(opened, scope, { intent: { ...captured, amountRefunded: 50 }, terms: { currency: 'USD' } });
    await store(opened, scope, { intent: { status: 'expired' } });
    await mustCommit(opened, { disputes: [aDispute({ ...scope, paymentIntentId: paid.intent.id })] });
    const none = {
      requires_action: 0,
      processing: 0,
      requires_capture: 0,
      canceled: 0,
      capped: false,
      capped_counts: [],
    };
    const all = { all: 4, requires_payment_method: 1, succeeded: 2, expired: 1, refunded: 1, disputed: 1, ...none };
    assert.deepEqual(await counts(opened, scope), all);
    assert.deepEqual(await counts(opened, scope, { status: 'succeeded' }), all);
    const dollars = { ...all, all: 1, requires_payment_method: 0, succeeded: 1, expired: 0, disputed: 0 };
    assert.deepEqual(await counts(opened, scope, { currency: 'USD' }), dollars);
    assert.deepEqual(await counts(opened, aScope()), {
      ...{ ...all, all: 0, requires_payment_method: 0, succeeded: 0, expired: 0, refunded: 0, disputed: 0 },
    });
  });

  for (const [when, time] of [
    ['before it is indexed', now],
    ['by the index', now + 60_000],
  ] as const) {
    it(`finds a payment by what staff know of it, ${when}`, async (t) => {
      const { store: opened } = await freshStore(t, engine);
      const scope = aScope();
      const { intent, session } = await store(opened, scope, {
        terms: { amount: 123_450, customerEmail: 'Ada@Example.org', metadata: { order: 'A-"6735"\\', shop: 'Näht' } },
        intent: { paymentMethod: card, acquirer: { provider: 'stripe', reference: 'pi_3PqR2s' } },
      });
      await store(opened, scope, { terms: { amount: 99, metadata: { order: 'A-6736' } } });
      await store(opened, aScope(), { terms: { customerEmail: 'ada@example.org' } });
      const found = [intent.id, session.id, 'ada@example.org', ' ADA@example.org ', '4242', '1234.50', '1.234,50 EUR'];
      for (const q of [...found, '€ 1234.5', 'EUR 1,234.50', 'a-"6735"\\', 'näht', 'pi_3PqR2s'])
        assert.deepEqual(await listed(opened, scope, { q }, time), [intent.id], q);
      for (const q of ['1234.50 USD', 'bob@example.org', '6735', aMoment().newId('pi'), '%', '_'])
        assert.deepEqual(await listed(opened, scope, { q }, time), [], q);
    });

    it(`finds a payment by the e-mail address that the customer entered, ${when}`, async (t) => {
      const { store: opened } = await freshStore(t, engine);
      const scope = aScope();
      const customerDetails = { ...entered, email: 'Ada@Example.org' };
      const { intent } = await store(opened, scope, { intent: { customerDetails }, session: { customerDetails } });
      await store(opened, scope, { intent: { customerDetails: { ...entered, email: 'bob@example.org' } } });
      assert.deepEqual(await listed(opened, scope, { q: 'ada@example.org' }, time), [intent.id]);
    });

    it(`combines a search with filters, and counts what it finds, ${when}`, async (t) => {
      const { store: opened } = await freshStore(t, engine);
      const scope = aScope();
      const terms = { customerEmail: 'ada@example.org' };
      const open = await store(opened, scope, { terms });
      const paid = await store(opened, scope, { terms, at: now + 1, intent: captured });
      await mustCommit(opened, { disputes: [aDispute({ ...scope, paymentIntentId: paid.intent.id })] });
      const q = 'ada@example.org';
      assert.deepEqual(await listed(opened, scope, { q }, time), [paid.intent.id, open.intent.id]);
      assert.deepEqual(await listed(opened, scope, { q, status: 'succeeded' }, time), [paid.intent.id]);
      assert.deepEqual(await listed(opened, scope, { q, status: 'disputed' }, time), [paid.intent.id]);
      const { all, succeeded, requires_payment_method, disputed, capped } = await counts(opened, scope, { q }, time);
      assert.deepEqual([all, succeeded, requires_payment_method, disputed, capped], [2, 1, 1, 1, false]);
    });

    it(`has pages of search results, ${when}`, async (t) => {
      const { store: opened } = await freshStore(t, engine);
      const scope = aScope();
      const ids: string[] = [];
      for (let at = 0; at < 5; at++) ids.unshift((await store(opened, scope, { at: now + at })).intent.id);
      const routes = routesOf(opened, time);
      const seen: string[] = [];
      for (let cursor = {}; ; ) {
        const page = await bodyOf<PaymentList>(call(routes, scope, '/payments', { q: '1001', limit: '2', ...cursor }));
        seen.push(...page.data.map(({ id }) => id));
        if (page.next_cursor === null) break;
        cursor = { cursor: page.next_cursor };
      }
      assert.deepEqual(seen, ids);
    });
  }
});
