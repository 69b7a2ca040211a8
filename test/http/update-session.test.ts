// PATCH /checkout-sessions/{id}: a JSON Merge Patch, while the session is open.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, type Fields, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

const full = {
  amount: 1000,
  metadata: { order: '1', coupon: 'SPRING' },
  return_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/cart',
  line_items: [{ name: 'Tea', quantity: 2, unit_amount: 500, description: null }],
};

describeOnEachEngine('Updating a checkout session', (engine) => {
  const paydesk = paydeskForSuite(engine);

  async function openSession(fields: Fields = {}) {
    const merchant = await paydesk().newMerchant();
    const session = await merchant.newSession({ ...full, ...fields });
    const path = `/checkout-sessions/${session.id}`;
    return {
      ...merchant,
      session,
      patch: (body: unknown) => merchant.test.patch(path, body),
      stored: async () => must(200, await merchant.test.get(path)),
      intent: async () => must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`)),
    };
  }

  it('changes the given fields and nothing else, with no event', async () => {
    const changes: [Fields, Fields][] = [
      [{ return_url: 'http://localhost/thanks' }, { return_url: 'http://localhost/thanks' }],
      [{ return_url: null }, { return_url: null }],
      [{ cancel_url: 'https://shop.example/elsewhere' }, { cancel_url: 'https://shop.example/elsewhere' }],
      [{ cancel_url: null }, { cancel_url: null }],
      [{ metadata: { order: '2' } }, { metadata: { order: '2', coupon: 'SPRING' } }],
      [{ metadata: { coupon: null, note: 'n' } }, { metadata: { order: '1', note: 'n' } }],
      [{ metadata: { not_there: null } }, { metadata: full.metadata }],
      [{ metadata: {} }, { metadata: full.metadata }],
      [{ metadata: null }, { metadata: {} }],
      [{ line_items: null }, { line_items: null }],
      [
        { line_items: null, amount: 7 },
        { line_items: null, amount: 7 },
      ],
      [
        { line_items: [{ name: 'Mug', quantity: 1, unit_amount: 30 }] },
        { line_items: [{ name: 'Mug', quantity: 1, unit_amount: 30, description: null }], amount: 30 },
      ],
      [{}, {}],
    ];
    for (const [body, changed] of changes) {
      const { patch, session, stored, intent, events } = await openSession();
      const expected = { ...session, ...changed };
      assert.deepEqual(must(200, await patch(body)), expected, JSON.stringify(body));
      assert.deepEqual(await stored(), expected);
      const { amount, metadata, status } = await intent();
      assert.deepEqual({ amount, metadata }, { amount: expected.amount, metadata: expected.metadata });
      assert.equal(status, 'requires_payment_method');
      assert.deepEqual(await events(), []);
    }
  });

  it('accepts application/merge-patch+json as well', async () => {
    const { test, session } = await openSession();
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const response = await test.patch(`/checkout-sessions/${session.id}`, { metadata: { order: null } }, { headers });
    assert.deepEqual(must(200, response).metadata, { coupon: 'SPRING' });
  });

  it('changes the amount of the payment intent along with its own', async () => {
    const { patch, intent } = await openSession({ line_items: undefined });
    assert.equal(must(200, await patch({ amount: 4321 })).amount, 4321);
    assert.equal((await intent()).amount, 4321);
  });

  it('rejects an amount that the line items do not add up to, and changes nothing', async () => {
    const { patch, session, stored, intent } = await openSession();
    const mismatch = { status: 400, code: 'parameter_invalid', param: 'amount' };
    assertRefused(await patch({ amount: 999, metadata: { order: '9' } }), mismatch);
    assertRefused(
      await patch({ amount: 999, line_items: [{ name: 'Tea', quantity: 1, unit_amount: 1000 }] }),
      mismatch,
    );
    assert.deepEqual(await stored(), session);
    assert.equal((await intent()).amount, 1000);
  });

  it('keeps metadata under any name, even names that have a meaning in the code', async () => {
    const { patch, stored, intent } = await openSession({ metadata: {} });
    const names = ['refused', 'done', 'answeredBefore', 'constructor', 'toString', 'hasOwnProperty', 'message'];
    const metadata = Object.fromEntries(names.map((name) => [name, 'internal_error']));
    assert.deepEqual(must(200, await patch({ metadata })).metadata, metadata);
    assert.deepEqual(must(200, await patch({ amount: 1000 })).metadata, metadata);
    assert.deepEqual((await stored()).metadata, metadata);
    assert.deepEqual((await intent()).metadata, metadata);
  });

  it('enforces the limit of 50 metadata keys on old and new keys together', async () => {
    const keys = (from: number, to: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`key${from + at}`, 'v']));
    const { patch, stored } = await openSession({ metadata: keys(0, 50) });
    assertRefused(await patch({ metadata: { one: 'more' } }), {
      status: 400,
      code: 'parameter_invalid',
      param: 'metadata',
    });
    assert.deepEqual((await stored()).metadata, keys(0, 50));
    const swapped = must(200, await patch({ metadata: { key0: null, one: 'more' } }));
    assert.deepEqual(swapped.metadata, { ...keys(1, 50), one: 'more' });
  });

  it('counts a new expires_in from now, within 24 hours of creation', async () => {
    const { patch, session, stored } = await openSession({ expires_in: 86_400 });
    const created = Date.parse(String(session.created_at));
    const { clock } = paydesk();
    clock.set(created + hourMs);
    assert.equal(
      must(200, await patch({ expires_in: 300 })).expires_at,
      new Date(created + hourMs + 300_000).toISOString(),
    );
    assertRefused(await patch({ expires_in: 86_400 }), { status: 400, code: 'parameter_invalid', param: 'expires_in' });
    assertRefused(await patch({ expires_in: 82_801 }), { status: 400, code: 'parameter_invalid', param: 'expires_in' });
    assert.equal((await stored()).expires_at, new Date(created + hourMs + 300_000).toISOString());
    assert.equal(must(200, await patch({ expires_in: 82_800 })).expires_at, new Date(created + dayMs).toISOString());
  });

  it('rejects null for required fields, and any change to fixed fields', async () => {
    const { patch, session, stored } = await openSession();
    for (const param of ['amount', 'expires_in']) {
      assertRefused(await patch({ [param]: null }), { status: 400, code: 'parameter_invalid', param });
    }
    for (const param of ['currency', 'status', 'capture_method', 'payment_method_types', 'id', 'description']) {
      assertRefused(await patch({ [param]: session[param] }), { status: 400, code: 'parameter_unknown', param });
    }
    assert.deepEqual(await stored(), session);
  });

  it('is refused for a session that is not open, whatever ended it', async () => {
    const ended: Record<string, (merchant: Awaited<ReturnType<typeof openSession>>) => Promise<unknown>> = {
      'by the merchant': ({ test, session }) => test.post(`/checkout-sessions/${session.id}/expire`),
      'by canceling the payment': ({ test, session }) => test.post(`/payment-intents/${session.payment_intent}/cancel`),
      'by payment': ({ moveOn, session }) => moveOn(session.id, 'pay', 'captured'),
      'by expiry, to the millisecond': async ({ session }) =>
        paydesk().clock.set(Date.parse(String(session.expires_at))),
    };
    for (const [how, end] of Object.entries(ended)) {
      const opened = await openSession();
      await end(opened);
      const before = await opened.intent();
      const response = await opened.patch({ amount: 5, line_items: null });
      assert.equal(response.status, 409, how);
      assert.equal(response.error.code, 'session_not_open', how);
      assert.equal((await opened.intent()).amount, before.amount, how);
    }
  });

  it('does not change the amount while the customer is paying, but allows other changes', async () => {
    for (const triggers of [['action_needed'], ['pay'], ['action_needed', 'action_passed']] as const) {
      const { patch, session, intent, moveOn } = await openSession();
      await moveOn(session.id, ...triggers);
      for (const body of [{ amount: 1000 }, { line_items: null }, { line_items: full.line_items, metadata: {} }]) {
        assertRefused(await patch(body), { status: 409, code: 'payment_in_progress' });
      }
      const patched = must(200, await patch({ metadata: { order: '2' }, return_url: null, expires_in: 3_600 }));
      assert.equal(patched.return_url, null);
      assert.deepEqual((await intent()).metadata, { order: '2', coupon: 'SPRING' });
      assert.equal((await intent()).amount, 1000);
    }
  });

  it('allows a new amount once a payment has failed', async () => {
    const { patch, session, intent, moveOn } = await openSession({ line_items: undefined });
    await moveOn(session.id, 'pay', 'declined');
    assert.equal(must(200, await patch({ amount: 900 })).amount, 900);
    assert.equal((await intent()).amount, 900);
  });

  it('loses none of many concurrent changes', async () => {
    const { patch, stored, intent } = await openSession({ metadata: {} });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch({ metadata: { [`key${index}`]: String(index) } })),
    );
    for (const response of responses) must(200, response);
    const expected = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, String(index)]));
    assert.deepEqual((await stored()).metadata, expected);
    assert.deepEqual((await intent()).metadata, expected);
  });
});
