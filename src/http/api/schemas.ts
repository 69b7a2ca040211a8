// Schemas that several resources share. They validate requests and describe them in OpenAPI; examples also appear in
// error messages. A title is the name of the type in the SDK.

import type { IdPrefix } from '../../domain/ids.ts';
import { maxMetadataKeys } from '../../domain/metadata.ts';
import { maxAmount } from '../../domain/money.ts';
import { captureMethods } from '../../domain/payment-intent.ts';
import { paymentMethodTypes } from '../../domain/payment-methods.ts';
import { type Static, type TSchema, Type } from '../schema.ts';

type Options = Readonly<Record<string, unknown>>;

/** One of these strings. */
export function stringEnum<const Values extends readonly string[]>(values: Values, options: Options = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });
}

/** What the schema describes, or null: as a list of types, which reads better in OpenAPI than a union does. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly string[] };
  const orNull = values === undefined ? {} : { enum: [...values, null] };
  return Type.Unsafe<Static<Schema> | null>({ ...schema, ...orNull, type: [type, 'null'] });
}

/** Exactly one of these. */
export function oneOf<const Schemas extends readonly TSchema[]>(schemas: Schemas, options: Options = {}) {
  return Type.Unsafe<Static<Schemas[number]>>({ ...options, oneOf: schemas });
}

export const exampleId = (prefix: IdPrefix): string => `${prefix}_01kabcd0efghjkmnpqrstvwxyz0123`;

/** The id of a record of that kind. */
export const id = (prefix: IdPrefix, description?: string) =>
  Type.String({ ...(description === undefined ? {} : { description }), examples: [exampleId(prefix)] });

/** The same schema with the example that the reference shows. */
export function withExample<Schema extends TSchema>(schema: Schema, example: Static<Schema>): Schema {
  return { ...schema, examples: [example] };
}

export const nullableString = (options: Options = {}) => nullable(Type.String(options));

export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] });

export const nullableTime = (description: string) => nullable(Type.String({ format: 'date-time', description }));

export const noBody = Type.Object({}, { additionalProperties: false });

export const amount = Type.Integer({
  minimum: 1,
  maximum: maxAmount,
  description: 'An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000.',
  examples: [1250],
});

export const currency = Type.String({
  minLength: 3,
  maxLength: 3,
  description: 'An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned.',
  examples: ['EUR'],
});

export const captureMethod = stringEnum(captureMethods, {
  title: 'Capture method',
  default: 'automatic',
  description:
    '`automatic` captures the payment immediately; `manual` only authorises it, to be captured within 7 days.',
});

export const paymentMethodType = stringEnum(paymentMethodTypes, {
  title: 'Payment method type',
  description: 'A payment method.',
});

const metadataKey = { minLength: 1, maxLength: 40 };
const metadataRule = `Up to ${maxMetadataKeys} keys of up to 40 characters, with string values of up to 500 characters.`;

/** Keys chosen by the merchant, with values that match the schema. */
function keyValues<Value extends TSchema>(value: Value, options: Options) {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    propertyNames: { type: 'string', ...metadataKey },
    additionalProperties: value,
    ...options,
  });
}

const metadataValue = Type.String({ maxLength: 500, description: metadataRule });

export const metadata = keyValues(metadataValue, {
  maxProperties: maxMetadataKeys,
  description: `Your own key/value pairs, returned unchanged. ${metadataRule}`,
  examples: [{ order: '6735' }],
});

export const metadataPatch = nullable(
  keyValues(nullable(metadataValue), {
    maxProperties: 2 * maxMetadataKeys,
    description: `Merged into the existing metadata: a string sets a key, null removes it. ${metadataRule}`,
    examples: [{ order: '6735', coupon: null }],
  }),
);
