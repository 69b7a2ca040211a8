// Lists: newest first, a page at a time, by status; the same for sessions and payment intents.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ApiClient, assertRefused, entriesOf, type Fields, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type Paydesk, paydeskForSuite, type TestMerchant } from '../support/paydesk.ts';

const resources = [
  { path: '/checkout-sessions', idField: 'id', statuses: ['open', 'expired'] },
  { path: '/payment-intents', idField: 'payment_intent', statuses: ['requires_payment_method', 'expired'] },
] as const;

/** Creates sessions a millisecond apart, so that their order is certain; returns them newest first, as listed. */
async function sessionsInOrder(paydesk: Paydesk, { newSession }: TestMerchant, count: number): Promise<Fields[]> {
  const sessions: Fields[] = [];
  for (let index = 0; index < count; index += 1) {
    paydesk.clock.advance(1);
    sessions.unshift(await newSession());
  }
  return sessions;
}

async function readPages(api: ApiClient, path: string, query: string, beforeNext?: () => Promise<unknown>) {
  const ids: unknown[][] = [];
  let cursor = '';
  for (let page = 0; page < 20; page += 1) {
    const response = await api.get(`${path}?${query}${cursor}`);
    ids.push(entriesOf(response).map(({ id }) => id));
    assert.equal(response.body.next_cursor === null, response.body.has_more === false);
    if (response.body.has_more === false) return ids;
    cursor = `&cursor=${response.body.next_cursor}`;
    await beforeNext?.();
  }
  return assert.fail('the pages do not end');
}

describeOnEachEngine('A list', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('is empty for a new merchant', async () => {
    const { test } = await paydesk().newMerchant();
    for (const { path } of resources) {
      assert.deepEqual(must(200, await test.get(path)), { data: [], has_more: false, next_cursor: null });
    }
  });

  it('has 20 entries by default, newest first, each as GET returns it', async () => {
    const merchant = await paydesk().newMerchant();
    const sessions = await sessionsInOrder(paydesk(), merchant, 21);
    for (const { path, idField } of resources) {
      const response = await merchant.test.get(path);
      const entries = entriesOf(response);
      assert.deepEqual(
        entries.map(({ id }) => id),
        sessions.slice(0, 20).map((session) => session[idField]),
      );
      assert.equal(response.body.has_more, true);
      assert.deepEqual(entries[0], must(200, await merchant.test.get(`${path}/${entries[0]?.id}`)));
    }
  });

  it('continues where the previous page ended, even while entries are added', async () => {
    const merchant = await paydesk().newMerchant();
    const sessions = await sessionsInOrder(paydesk(), merchant, 7);
    for (const { path, idField } of resources) {
      const expected = (await readPages(merchant.test, path, 'limit=100')).flat().slice(-7);
      assert.deepEqual(
        expected,
        sessions.map((session) => session[idField]),
      );
    }
    for (const { path, idField } of resources) {
      const newest = await readPages(merchant.test, path, 'limit=1');
      assert.ok(newest.every((page) => page.length === 1));
      const pages = await readPages(merchant.test, path, 'limit=3', () => sessionsInOrder(paydesk(), merchant, 1));
      assert.deepEqual(
        pages.flat().slice(-7),
        sessions.map((session) => session[idField]),
      );
      assert.equal(new Set(pages.flat()).size, pages.flat().length);
    }
  });

  it('ends a page early if its entries are large, and continues on the next', async () => {
    const merchant = await paydesk().newMerchant();
    const item = { name: '☕'.repeat(200), quantity: 1, unit_amount: 1, description: '☕'.repeat(500) };
    const large = { amount: 100, currency: 'EUR', line_items: Array<typeof item>(100).fill(item) };
    const ids: unknown[] = [];
    for (let index = 0; index < 45; index += 1) {
      paydesk().clock.advance(1);
      const fields = index % 45 < 18 ? large : { amount: 100, currency: 'EUR' };
      ids.unshift(must(201, await merchant.test.post('/checkout-sessions', fields)).id);
    }
    const pages = await readPages(merchant.test, '/checkout-sessions', 'limit=100');
    assert.deepEqual(pages.flat(), ids);
    assert.ok(pages.length > 1 && pages.every((page) => page.length > 0));
    const sizes = await Promise.all(
      pages.map(async (_, at) => {
        const cursor = pages[at - 1]?.at(-1);
        const query = cursor === undefined ? '' : `&cursor=${cursor}`;
        return (await merchant.test.get(`/checkout-sessions?limit=100${query}`)).text.length;
      }),
    );
    assert.ok(Math.max(...sizes) < 1_500_000, `${sizes}`);
  });

  it('can be filtered by status, across pages too', async () => {
    const merchant = await paydesk().newMerchant();
    const sessions = await sessionsInOrder(paydesk(), merchant, 6);
    for (const session of sessions.slice(0, 4)) {
      must(200, await merchant.test.post(`/checkout-sessions/${session.id}/expire`));
    }
    for (const { path, idField, statuses } of resources) {
      const [early, late] = statuses;
      const ids = sessions.map((session) => session[idField]);
      assert.deepEqual(await readPages(merchant.test, path, `limit=3&status=${late}`), [
        ids.slice(0, 3),
        ids.slice(3, 4),
      ]);
      assert.deepEqual(await readPages(merchant.test, path, `limit=1&status=${early}`), [
        ids.slice(4, 5),
        ids.slice(5),
      ]);
    }
    assert.deepEqual(entriesOf(await merchant.test.get('/checkout-sessions?status=completed')), []);
    assert.deepEqual(entriesOf(await merchant.test.get('/payment-intents?status=succeeded')), []);
  });

  it('rejects invalid limits, cursors, statuses and parameters', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const session = await newSession();
    for (const { path } of resources) {
      const other = path === '/payment-intents' ? session.id : session.payment_intent;
      const refused: [string, string, string][] = [
        ['limit=0', 'parameter_invalid', 'limit'],
        ['limit=101', 'parameter_invalid', 'limit'],
        ['limit=-1', 'parameter_invalid', 'limit'],
        ...[
          '0x10',
          '1e1',
          '%205',
          '5%20',
          '+5',
          '%2B5',
          '5.0',
          '5.',
          '0b1',
          '1_0',
          'Infinity',
          '%EF%BC%95',
          'true',
          '',
        ].map((limit) => [`limit=${limit}`, 'parameter_invalid', 'limit'] as [string, string, string]),
        ['limit=1.5', 'parameter_invalid', 'limit'],
        ['limit=ten', 'parameter_invalid', 'limit'],
        ['limit=', 'parameter_invalid', 'limit'],
        ['limit=1&limit=2', 'parameter_invalid', 'limit'],
        ['cursor=nonsense', 'parameter_invalid', 'cursor'],
        ['cursor=', 'parameter_invalid', 'cursor'],
        ['cursor=%00', 'parameter_invalid', 'cursor'],
        [`cursor=${other}`, 'parameter_invalid', 'cursor'],
        [`cursor=${'x'.repeat(5_000)}`, 'parameter_invalid', 'cursor'],
        ['status=paid', 'parameter_invalid', 'status'],
        ['status=OPEN', 'parameter_invalid', 'status'],
        ['state=open', 'parameter_unknown', 'state'],
        ['__proto__=x', 'parameter_unknown', '__proto__'],
      ];
      for (const [query, code, param] of refused) {
        assertRefused(await test.get(`${path}?${query}`), { status: 400, code, param });
      }
    }
  });

  it('accepts the cursor of another merchant without revealing anything', async () => {
    const one = await paydesk().newMerchant();
    const other = await paydesk().newMerchant();
    const [theirs] = await sessionsInOrder(paydesk(), one, 1);
    const [newer] = await sessionsInOrder(paydesk(), other, 1);
    assert.deepEqual(entriesOf(await other.test.get(`/checkout-sessions?cursor=${theirs?.id}`)), []);
    assert.deepEqual(
      entriesOf(await other.test.get('/checkout-sessions')).map(({ id }) => id),
      [newer?.id],
    );
  });
});
