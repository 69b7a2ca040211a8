// Builds examples from schemas, so that the reference shows what the API really accepts and returns.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

export const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

/** An example response with every field. Throws if a schema has no example, so that no reader sees `"string"`. */
export function responseExample(schemaOrRef: Schema, schemas: Schemas, path = ''): unknown {
  const schema = resolved(schemaOrRef, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.examples !== undefined) return schema.examples[0];
  const [first] = schema.oneOf ?? [];
  if (first !== undefined) return responseExample(first, schemas, path);
  const types = typesOf(schema);
  if (types.includes('object') && schema.properties !== undefined) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(
      fields.map(([name, field]) => [name, responseExample(field, schemas, `${path}.${name}`)]),
    );
  }
  if (types.includes('array') && schema.items !== undefined)
    return [responseExample(schema.items, schemas, `${path}[]`)];
  if (types.includes('null')) return null;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (types.includes('boolean')) return false;
  throw new Error(`${path || 'a schema'} has no example`);
}

/** An example request with the required fields and those that have an example. */
export function requestExample(schemaOrRef: Schema, schemas: Schemas): unknown {
  const schema = resolved(schemaOrRef, schemas);
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => schema.required?.includes(name) === true || field.examples !== undefined,
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, responseExample(field, schemas, name)]));
}
