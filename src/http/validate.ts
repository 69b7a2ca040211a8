// Validates requests against their schemas and explains what is wrong. Messages include an example where one helps, and
// never the field's description, which explains what the field is for and not what is wrong.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type ErrorCode, type Refusal, refuse } from '../domain/errors.ts';
import { type TSchema, Type } from './schema.ts';

export type Check = (value: unknown) => Refusal | null;

const ajv = new Ajv2020({ verbose: true, strict: false, validateFormats: false });

export function bodyCheck(schema: TSchema): Check {
  return check(schema);
}

const nothing = Type.Object({}, { additionalProperties: false });

/** A route without a query schema accepts no query parameters. */
export function queryCheck(schema: TSchema | undefined): Check {
  const known = schema ?? nothing;
  const checked = check(known);
  const properties = Object.entries((known as { properties?: Record<string, { type?: string }> }).properties ?? {});
  const integers = properties.filter(([, { type }]) => type === 'integer').map(([name]) => name);
  return (query) => {
    readIntegers(query as Record<string, unknown>, integers);
    return checked(query) ?? refuseNul(query as Record<string, unknown>);
  };
}

/** Query parameters are strings. An integer consists of digits only: `0x10`, `1e1` and ` 5` are mistakes. */
function readIntegers(query: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const text = query[name];
    if (typeof text === 'string' && /^\d+$/.test(text)) query[name] = Number(text);
  }
}

/** PostgreSQL accepts none in texts. Bodies are checked before they are parsed. */
function refuseNul(query: Record<string, unknown>): Refusal | null {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && value.includes('\0'))
      return refuse('parameter_invalid', `\`${name}\` contains a NUL character. Remove it.`, name);
  }
  return null;
}

/** Ajv registers every `$id` and rejects it the second time, for example in a schema that contains this one. */
function withoutIds(schema: TSchema): TSchema {
  return structuredClone(JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value))));
}

const compiled = new WeakMap<TSchema, ValidateFunction>();

function validatorOf(schema: TSchema): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(withoutIds(schema));
  compiled.set(schema, validate);
  return validate;
}

/** A schema is compiled for its first request: compiling all of them would double the time that a start takes. */
function check(schema: TSchema): Check {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= validatorOf(schema);
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    return error === undefined ? refuse('parameter_invalid', 'The request is not valid.') : explain(error);
  };
}

function explain(error: ErrorObject): Refusal {
  const path = paramPath(error.instancePath);
  const within = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const reject = (code: ErrorCode, param: string, problem: string): Refusal =>
    refuse(code, problem, param || undefined);

  if (error.keyword === 'required') {
    const param = within(String(error.params.missingProperty));
    const properties = (error.parentSchema?.properties ?? {}) as Record<string, Described>;
    const example = exampleFrom(properties[String(error.params.missingProperty)]);
    return reject('parameter_missing', param, `\`${param}\` is missing${example}.`);
  }
  if (error.keyword === 'additionalProperties') {
    const param = within(String(error.params.additionalProperty));
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    const hint = known.length === 0 ? 'No parameters are accepted.' : `Known: ${known.join(', ')}.`;
    return reject('parameter_unknown', shorten(param), `\`${shorten(param)}\` is not a parameter here. ${hint}`);
  }
  if (error.propertyName !== undefined || error.keyword === 'propertyNames') {
    return reject(
      'parameter_invalid',
      path,
      `\`${path}\` has a key of the wrong length: 1 to 40 characters are allowed.`,
    );
  }
  return reject('parameter_invalid', path, `\`${path || 'The body'}\` ${problemOf(error)}${exampleFor(error)}.`);
}

interface Described {
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly [keyword: string]: unknown;
}

/** A limit needs no example; the form of a value is easier to show than to describe. */
function exampleFor({ keyword, parentSchema }: ErrorObject): string {
  const helps = keyword === 'type' || keyword === 'pattern' || (/Length$/.test(keyword) && isOfOneLength(parentSchema));
  return helps ? exampleFrom(parentSchema) : '';
}

function exampleFrom(schema: Described | undefined): string {
  const example = schema?.examples?.[0] ?? schema?.default;
  return example === undefined ? '' : `: for example ${JSON.stringify(example)}`;
}

const isOfOneLength = (schema: Described | undefined): boolean =>
  schema?.minLength !== undefined && schema.minLength === schema.maxLength;

function problemOf({ keyword, params, message, data, parentSchema }: ErrorObject): string {
  if (/Length$/.test(keyword) && isOfOneLength(parentSchema)) return `must have exactly ${params.limit} characters`;
  if (/^min(?:Length|Items)$/.test(keyword) && params.limit === 1) return 'must not be empty';
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(withArticle).join(' or ')}, not ${withArticle(typeOf(data))}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
    case 'const':
      return `must be "${params.allowedValue}"`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minLength':
      return `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minItems':
      return `must have at least ${params.limit} entries`;
    case 'maxItems':
      return `must have at most ${params.limit} entries`;
    case 'maxProperties':
      return `must have at most ${params.limit} keys`;
    case 'pattern':
      return 'does not have the right form';
    case 'uniqueItems':
      return 'must not contain duplicates';
    default:
      return message ?? 'is not valid';
  }
}

/** Turns `/line_items/0/name` into `line_items[0].name`. */
function paramPath(instancePath: string): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return shorten(
    parts.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), ''),
  );
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value;
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
