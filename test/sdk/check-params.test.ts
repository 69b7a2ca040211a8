// Values that JSON would drop are rejected before sending: a value that was never set must not mean "everything".

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { InvalidRequestError, type Paydesk } from '../../sdk/src/paydesk.ts';
import { json, rejectedWith, scripted } from './scene.ts';

type Given = Readonly<Record<string, unknown>>;

/** Untyped calls, as from plain JavaScript. */
const calls: readonly (readonly [name: string, call: (paydesk: Paydesk, given: Given) => Promise<unknown>])[] = [
  ['amount', (paydesk, given) => paydesk.paymentIntents.refund('pi_1', given)],
  ['amount_to_capture', (paydesk, given) => paydesk.paymentIntents.capture('pi_1', given)],
  ['amount', (paydesk, given) => paydesk.checkoutSessions.create({ currency: 'EUR', ...given })],
  ['amount', (paydesk, given) => paydesk.checkoutSessions.update('cs_1', given)],
  ['endpoint', (paydesk, given) => paydesk.events.resend('evt_1', given)],
  ['payment_intent', (paydesk, given) => paydesk.refunds.list(given)],
  ['payment_intent', (paydesk, given) => paydesk.disputes.list(given)],
  ['payment_link', (paydesk, given) => paydesk.paymentIntents.list(given)],
];

describe('A parameter whose absence means "everything"', () => {
  it('is rejected if it is present without a value', async (test) => {
    const server = await scripted(test, json({}));
    for (const [name, call] of calls) {
      const droppedByJson = [() => 500, Symbol('500'), Promise.resolve(500), { toJSON: () => undefined }];
      for (const value of [undefined, null, '', Number.NaN, ...droppedByJson]) {
        // The service validates the filters of a list.
        if (Number.isNaN(value) && !name.startsWith('amount')) continue;
        const error = await rejectedWith(InvalidRequestError, call(server.client(), { [name]: value }));
        assert.deepEqual([error.code, error.param], ['parameter_invalid', name]);
        assert.ok(error.message.includes(`\`${name}\``), error.message);
      }
    }
    assert.equal(server.requests.length, 0);
  });

  it('can be omitted, or have any JSON value', async (test) => {
    const server = await scripted(test, json({ data: [], has_more: false, next_cursor: null }));
    for (const [name, call] of calls) {
      await call(server.client(), {});
      await call(server.client(), { [name]: name.startsWith('amount') ? 500 : 'we_1' });
    }
    assert.equal(server.requests.length, 2 * calls.length);
    await server.client().paymentIntents.refund('pi_1');
    assert.equal(server.requests.at(-1)?.body.toString(), '{}');
  });

  it('says what to do', async (test) => {
    const server = await scripted(test, json({}));
    const refund = server.client().paymentIntents.refund('pi_1', { amount: undefined } as unknown as object);
    const { message } = await rejectedWith(InvalidRequestError, refund);
    assert.match(message, /is undefined.*smallest currency unit, or omit the key/);
  });
});

describe('The parameters of a call', () => {
  it('must be a plain object that JSON preserves', async (test) => {
    class Refund {
      get amount(): number {
        return 500;
      }
    }
    const server = await scripted(test, json({}));
    const amount = { amount: 500 };
    const elsewhere = [new Map(Object.entries(amount)), new URLSearchParams({ amount: '500' }), Object.create(amount)];
    for (const given of [null, 500, '500', [500], Promise.resolve(amount), new Refund(), ...elsewhere]) {
      const refund = server.client().paymentIntents.refund('pi_1', given as unknown as object);
      const error = await rejectedWith(InvalidRequestError, refund);
      assert.deepEqual([error.code, error.param], ['parameter_invalid', 'params']);
    }
    assert.equal(server.requests.length, 0);
    const ofAnotherRealm: unknown = runInNewContext('({ amount: 500 })');
    for (const given of [Object.assign(Object.create(null), amount), ofAnotherRealm]) {
      await server.client().paymentIntents.refund('pi_1', given as object);
      assert.deepEqual(JSON.parse(String(server.requests.at(-1)?.body)), amount);
    }
  });

  it('are reported as a promise if an await is missing', async (test) => {
    const server = await scripted(test, json({}));
    const refund = server.client().paymentIntents.refund('pi_1', Promise.resolve({ amount: 500 }) as object);
    assert.match((await rejectedWith(InvalidRequestError, refund)).message, /a promise \(is an `await` missing\?\)/);
  });

  it('contain no number that JSON turns into null or cannot serialise, at any depth', async (test) => {
    const server = await scripted(test, json({}));
    const item = { name: 'Tea', quantity: 1, unit_amount: Number.POSITIVE_INFINITY };
    for (const [param, given] of [
      ['line_items', { currency: 'EUR', line_items: [item] }],
      ['expires_in', { currency: 'EUR', amount: 500, expires_in: Number.NaN }],
      ['metadata', { currency: 'EUR', amount: 500, metadata: { weight: { toJSON: () => Number.NaN } } }],
      ['amount', { currency: 'EUR', amount: 500n }],
    ] as const) {
      const created = server.client().checkoutSessions.create(given as unknown as { currency: string });
      const error = await rejectedWith(InvalidRequestError, created);
      assert.deepEqual([error.code, error.param], ['parameter_invalid', param]);
    }
    assert.equal(server.requests.length, 0);
  });

  it('contain no object that JSON would empty, at any depth', async (test) => {
    class Money {
      get amount(): number {
        return 500;
      }
    }
    const server = await scripted(test, json({}));
    const order = new Map([['order', '7']]);
    const missingAwait = /^`metadata` must .*, not a promise \(is an `await` missing\?\)\.$/;
    const otherObject = /^`\w+` must .*, not some other object\.$/;
    const cases: readonly (readonly [param: string, value: unknown, message: RegExp])[] = [
      ['metadata', Promise.resolve({ order: '7' }), missingAwait],
      ['metadata', { order: Promise.resolve('7') }, missingAwait],
      ['metadata', order, otherObject],
      ['metadata', Object.create({ order: '7' }), otherObject],
      ['metadata', new URLSearchParams({ order: '7' }), otherObject],
      ['line_items', new Set([{ name: 'Tea', quantity: 1, unit_amount: 500 }]), otherObject],
      ['line_items', [new Money()], otherObject],
      ['customer', { address: { lines: [order] } }, otherObject],
    ];
    for (const [param, value, message] of cases) {
      const given = { currency: 'EUR', amount: 500, [param]: value };
      const error = await rejectedWith(InvalidRequestError, server.client().checkoutSessions.create(given));
      assert.deepEqual([error.code, error.param], ['parameter_invalid', param]);
      assert.match(error.message, message);
    }
    assert.equal(server.requests.length, 0);
  });

  it('can contain objects of classes that JSON does not empty', async (test) => {
    class Order {
      readonly lines = new Map([['Tea', 1]]);
      toJSON(): string {
        return [...this.lines.keys()].join();
      }
    }
    class Itself {
      readonly name = 'Tea';
      toJSON(): this {
        return this;
      }
    }
    class Line {
      readonly sku = 'T1';
    }
    const server = await scripted(test, json({}));
    const metadata = {
      placed: new Date(0),
      page: new URL('https://shop.example/'),
      order: new Order(),
      item: new Itself(),
      line: new Line(),
      ...Object.assign(Object.create(null), { gift: [runInNewContext('({ wrapped: true })')] }),
    };
    await server.client().checkoutSessions.create({ currency: 'EUR', amount: 500, metadata });
    assert.deepEqual(JSON.parse(String(server.requests[0]?.body)).metadata, {
      placed: '1970-01-01T00:00:00.000Z',
      page: 'https://shop.example/',
      order: 'Tea',
      item: { name: 'Tea' },
      line: { sku: 'T1' },
      gift: [{ wrapped: true }],
    });
  });

  it('can contain undefined where that means the same as omitting it', async (test) => {
    const server = await scripted(test, json({}));
    await server.client().paymentIntents.refund('pi_1', { amount: 500, reason: undefined });
    assert.deepEqual(JSON.parse(String(server.requests[0]?.body)), { amount: 500 });
  });
});
