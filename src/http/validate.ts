// Checks what a request carries against its schema, and says in the contract's words what is wrong with it. Messages hold
// an example where one helps, and never a description: that tells what a field is for, not what is wrong.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type TSchema, Type } from 'typebox';
import { type ErrorCode, type Refusal, refuse } from '../domain/errors.ts';

export type Check = (value: unknown) => Refusal | null;

const options = { verbose: true, strict: false, validateFormats: false } as const;
const bodies = new Ajv2020(options);
const queries = new Ajv2020(options);

export function bodyCheck(schema: TSchema): Check {
  return check(bodies.compile(withoutIds(schema)));
}

/** A route without a query schema takes no query parameters. */
export function queryCheck(schema: TSchema | undefined): Check {
  const known = withoutIds(schema ?? Type.Object({}, { additionalProperties: false }));
  const checked = check(queries.compile(known));
  const properties = Object.entries((known as { properties?: Record<string, { type?: string }> }).properties ?? {});
  const integers = properties.filter(([, { type }]) => type === 'integer').map(([name]) => name);
  return (query) => {
    readIntegers(query as Record<string, unknown>, integers);
    return checked(query);
  };
}

/** Query parameters are text. An integer is digits and nothing else: `0x10`, `1e1` and ` 5` are typing errors. */
function readIntegers(query: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const text = query[name];
    if (typeof text === 'string' && /^\d+$/.test(text)) query[name] = Number(text);
  }
}

/** Ajv would register an `$id` once and refuse it the second time. */
function withoutIds(schema: TSchema): TSchema {
  return structuredClone(JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value))));
}

function check(validate: ValidateFunction): Check {
  return (value) => {
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    return error === undefined ? refuse('parameter_invalid', 'The request is not valid.') : explain(error);
  };
}

function explain(error: ErrorObject): Refusal {
  const place = placeOf(error.instancePath);
  const within = (name: string): string => (place === '' ? name : `${place}.${name}`);
  const no = (code: ErrorCode, param: string, problem: string): Refusal => refuse(code, problem, param || undefined);

  if (error.keyword === 'required') {
    const param = within(String(error.params.missingProperty));
    const properties = (error.parentSchema?.properties ?? {}) as Record<string, Described>;
    const example = exampleFrom(properties[String(error.params.missingProperty)]);
    return no('parameter_missing', param, `\`${param}\` is missing${example}.`);
  }
  if (error.keyword === 'additionalProperties') {
    const param = within(String(error.params.additionalProperty));
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    const hint = known.length === 0 ? 'None are taken.' : `Known: ${known.join(', ')}.`;
    return no('parameter_unknown', shorten(param), `\`${shorten(param)}\` is not a parameter here. ${hint}`);
  }
  if (error.propertyName !== undefined || error.keyword === 'propertyNames') {
    return no(
      'parameter_invalid',
      place,
      `\`${place}\` has a key of the wrong length: 1 to 40 characters are allowed.`,
    );
  }
  return no('parameter_invalid', place, `\`${place || 'The body'}\` ${problemOf(error)}${exampleFor(error)}.`);
}

interface Described {
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly [keyword: string]: unknown;
}

/** A limit says it all; what form a value has is easier seen than told. */
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
      return 'must not name the same thing twice';
    default:
      return message ?? 'is not valid';
  }
}

/** `/line_items/0/name` is `line_items[0].name`. */
function placeOf(instancePath: string): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return shorten(
    parts.reduce((place, part) => (/^\d+$/.test(part) ? `${place}[${part}]` : place ? `${place}.${part}` : part), ''),
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
