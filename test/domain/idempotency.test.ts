import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isIdempotencyKey, requestFingerprint } from '../../src/domain/idempotency.ts';

const post = (body: unknown): string => requestFingerprint('POST', '/checkout-sessions', body);

/** The same JSON with the members of every object in reverse order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

const canonical = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('The fingerprint of a request', () => {
  it('does not depend on the order of fields, at any depth', () => {
    assert.equal(post({ amount: 1, metadata: { a: '1', b: '2' } }), post({ metadata: { b: '2', a: '1' }, amount: 1 }));
    fc.assert(fc.property(fc.jsonValue(), (body) => assert.equal(post(body), post(reordered(body)))));
  });

  it('differs for different bodies', () => {
    const bodies = [
      {},
      { amount: 1 },
      { amount: '1' },
      { amount: 2 },
      { amount: null },
      { amounts: 1 },
      { amount: 1, currency: 'EUR' },
      { items: [1, 2] },
      { items: [2, 1] },
      { items: [[1], 2] },
      { items: [1, 2, null] },
      { items: {} },
      { items: [] },
      { a: { b: '1' } },
      { 'a":{"b': '1' },
      { a: '1', b: '' },
      { a: 1, b: 2 },
      { 'a:1,b': 2 },
      { a: '1,"b":""' },
    ];
    assert.equal(new Set(bodies.map(post)).size, bodies.length);
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        fc.pre(one !== null && other !== null);
        let same = true;
        try {
          assert.deepEqual(canonical(one), canonical(other));
        } catch {
          same = false;
        }
        assert.equal(post(one) === post(other), same);
      }),
    );
  });

  it('differs by method and path', () => {
    const prints = [
      requestFingerprint('POST', '/payment-intents/pi_1/capture', {}),
      requestFingerprint('POST', '/payment-intents/pi_2/capture', {}),
      requestFingerprint('POST', '/payment-intents/pi_1/cancel', {}),
      requestFingerprint('PATCH', '/payment-intents/pi_1/capture', {}),
    ];
    assert.equal(new Set(prints).size, prints.length);
  });

  it('treats a missing body like an empty one', () => {
    assert.equal(post(undefined), post({}));
  });
});

describe('An idempotency key', () => {
  it('is a UUID, in either case', () => {
    const uuid = randomUUID();
    for (const valid of [uuid, uuid.toUpperCase(), '00000000-0000-0000-0000-000000000000'])
      assert.ok(isIdempotencyKey(valid));
    for (const invalid of [
      '',
      'order-1001',
      uuid.slice(1),
      `${uuid}0`,
      ` ${uuid}`,
      `${uuid}\n`,
      `{${uuid}}`,
      uuid.replaceAll('-', ''),
    ]) {
      assert.ok(!isIdempotencyKey(invalid), JSON.stringify(invalid));
    }
  });
});
