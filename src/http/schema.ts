// Builds the JSON Schemas of requests and responses. Of TypeBox, which derives TypeScript types from them, only the types
// are used: loading its 370 modules would be a quarter of the CPU time that a start takes.

import type { TProperties, TSchema, Type as TypeBox } from 'typebox';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

type Options = Readonly<Record<string, unknown>>;

type Builders = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object' | 'Optional' | 'Record' | 'String'
> &
  Pick<typeof TypeBox, 'Union' | 'Unknown' | 'Unsafe'>;

/** A copy of such a schema, which stands elsewhere, is required there. */
const optional = new WeakSet<TSchema>();

const ofType =
  (type: string) =>
  (options: Options = {}): TSchema => ({ type, ...options });

function object(properties: TProperties, options: Options = {}): TSchema {
  const names = Object.entries(properties).flatMap(([name, schema]) => (optional.has(schema) ? [] : [name]));
  return { type: 'object', ...(names.length > 0 ? { required: names } : {}), properties, ...options };
}

function optionally(schema: TSchema): TSchema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

const builders: Readonly<Record<keyof Builders, unknown>> = {
  Array: (items: TSchema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Integer: ofType('integer'),
  Literal: (value: string | number | boolean, options: Options = {}) => ({
    ...{ type: typeof value, const: value },
    ...options,
  }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: object,
  Optional: optionally,
  /** With any string as key. */
  Record: (_key: TSchema, value: TSchema, options: Options = {}) => ({
    ...{ type: 'object', patternProperties: { '^.*$': value } },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: readonly TSchema[], options: Options = {}) => ({ anyOf, ...options }),
  Unknown: (options: Options = {}) => ({ ...options }),
  Unsafe: (schema: TSchema) => ({ ...schema }),
};

/** As in TypeBox. Its types also describe markers that exist only for its own checks. */
export const Type: Builders = builders as Builders;
