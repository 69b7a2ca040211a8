// A handler's types follow from its route's schemas. The type checker verifies most of this: if a wrong field
// compiled, the `@ts-expect-error` above it would be an error.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiRoute } from '../../src/http/api/route.ts';
import { nullable, stringEnum } from '../../src/http/api/schemas.ts';
import { Type } from '../../src/http/schema.ts';

const described = {
  method: 'POST',
  path: '/things',
  operationId: 'createThing',
  tag: 'Things',
  summary: 'Create a thing',
  description: 'Creates a thing.',
  success: { status: 201, description: 'The thing.', body: Type.Object({}) },
  errors: [],
} as const;

describe('A route of the API', () => {
  test('passes its handler the fields of its schemas, and no others', () => {
    const route = apiRoute({
      ...described,
      query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
      body: Type.Object({ size: stringEnum(['small', 'large']), note: nullable(Type.String()) }),
      handle: async ({ query, body }) => {
        const limit: number | undefined = query.limit;
        const size: 'small' | 'large' = body.size;
        const note: string | null = body.note;
        // @ts-expect-error: the schema has no such field.
        const wrong: unknown = body.weight;
        // @ts-expect-error: the schema has other values.
        const medium: boolean = body.size === 'medium';
        return { status: 201, body: { limit, size, note, wrong, medium } };
      },
    });
    assert.equal(route.path, '/things');
  });

  test('passes nothing to a handler without schemas', () => {
    const route = apiRoute({
      ...described,
      handle: async ({ query, body }) => {
        // @ts-expect-error: the route takes no query parameters.
        const limit: unknown = query.limit;
        // @ts-expect-error: the route takes no body.
        const amount: unknown = body.amount;
        return { status: 201, body: { limit, amount } };
      },
    });
    assert.equal(route.body, undefined);
  });

  test('describes a nullable enumeration with null among its values', () => {
    const { type, enum: values } = nullable(stringEnum(['by_request', 'gone'])) as { type?: unknown; enum?: unknown };
    assert.deepEqual(type, ['string', 'null']);
    assert.deepEqual(values, ['by_request', 'gone', null]);
  });
});
