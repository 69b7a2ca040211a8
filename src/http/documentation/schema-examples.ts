// Examples made from schemas: what stands in the reference is what the API really takes and gives.

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

/** What an answer looks like: every field. Throws where a schema does not tell, so that no reader meets `"string"`. */
export function answerExample(given: Schema, schemas: Schemas, path = ''): unknown {
  const schema = resolved(given, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.examples !== undefined) return schema.examples[0];
  const [first] = schema.oneOf ?? [];
  if (first !== undefined) return answerExample(first, schemas, path);
  const types = typesOf(schema);
  if (types.includes('object') && schema.properties !== undefined) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([name, field]) => [name, answerExample(field, schemas, `${path}.${name}`)]));
  }
  if (types.includes('array') && schema.items !== undefined) return [answerExample(schema.items, schemas, `${path}[]`)];
  if (types.includes('null')) return null;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (types.includes('boolean')) return false;
  throw new Error(`${path || 'a schema'} has no example`);
}

/** What a request looks like: the fields that must be there, and those that have an example. */
export function requestExample(given: Schema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => schema.required?.includes(name) === true || field.examples !== undefined,
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, answerExample(field, schemas, name)]));
}
