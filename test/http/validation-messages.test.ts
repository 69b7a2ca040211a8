// Validation messages say what is wrong, with an example where it helps, and never quote the description of the field.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBody, patchBody } from '../../src/http/api/checkout-session-schema.ts';
import { pageQuery } from '../../src/http/api/list.ts';
import { createBody as createEndpointBody } from '../../src/http/api/webhook-endpoint-schema.ts';
import { Type } from '../../src/http/schema.ts';
import { bodyCheck, queryCheck } from '../../src/http/validate.ts';

const good = { amount: 1250, currency: 'EUR' };
const item = { name: 'Tea', quantity: 1, unit_amount: 1250 };
const create = bodyCheck(createBody);

const cases: readonly (readonly [fields: Record<string, unknown>, message: string])[] = [
  [{ currency: undefined }, '`currency` is missing: for example "EUR".'],
  [{ currency: 'EURO' }, '`currency` must have exactly 3 characters: for example "EUR".'],
  [{ currency: '' }, '`currency` must have exactly 3 characters: for example "EUR".'],
  [{ amount: 12.5 }, '`amount` must be an integer, not a fraction: for example 1250.'],
  [{ amount: '1250' }, '`amount` must be an integer, not a string: for example 1250.'],
  [{ amount: 0 }, '`amount` must be at least 1.'],
  [{ line_items: [{ ...item, name: 'x'.repeat(201) }] }, '`line_items[0].name` must have at most 200 characters.'],
  [{ line_items: [{ ...item, name: '' }] }, '`line_items[0].name` must not be empty.'],
  [{ line_items: [{ ...item, quantity: undefined }] }, '`line_items[0].quantity` is missing: for example 2.'],
  [{ line_items: [] }, '`line_items` must not be empty.'],
  [{ line_items: 'tea' }, '`line_items` must be an array, not a string.'],
  [{ customer_email: 'ada' }, '`customer_email` does not have the right form: for example "ada@example.com".'],
  [{ locale: 'german!' }, '`locale` does not have the right form: for example "auto".'],
  [{ metadata: { order: 7 } }, '`metadata.order` must be a string, not an integer.'],
  [{ metadata: 'order=1' }, '`metadata` must be an object, not a string: for example {"order":"6735"}.'],
  [{ capture_method: 'later' }, '`capture_method` must be one of automatic, manual.'],
  [{ mode: 'subscription' }, '`mode` must be "payment".'],
];

describe('The message of a refused request', () => {
  it('says what is wrong, with an example where it helps', () => {
    for (const [fields, message] of cases) {
      const body = JSON.parse(JSON.stringify({ ...good, ...fields })) as unknown;
      assert.equal(create(body)?.message, message);
    }
    assert.equal(
      bodyCheck(createEndpointBody)({})?.message,
      '`url` is missing: for example "https://shop.example/webhooks".',
    );
    const query = queryCheck(Type.Object(pageQuery, { additionalProperties: false }));
    assert.equal(query({ limit: '500' })?.message, '`limit` must be at most 100.');
  });

  it('never quotes a description from the schema', () => {
    const descriptions = [createBody, patchBody, createEndpointBody].flatMap((schema) =>
      [...JSON.stringify(schema).matchAll(/"description":"((?:\\.|[^"])*)"/g)].map(([, text = '']) => text),
    );
    assert.ok(descriptions.length > 10);
    for (const [fields] of cases) {
      const message = create(JSON.parse(JSON.stringify({ ...good, ...fields })))?.message ?? '';
      for (const text of descriptions) assert.ok(!message.includes(text), message);
    }
  });
});
