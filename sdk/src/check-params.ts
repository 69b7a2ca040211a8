// Finds mistakes that JSON would hide, before anything is sent: JSON omits `undefined` and functions, turns NaN into null,
// and writes a promise or a Map as `{}`, so a refund with an unset amount would become a full refund.

import { misuse } from './errors.ts';

/** Omitting one of these means everything, so it must be omitted on purpose, not by an undefined value. */
export const mustNotBeUndefined: Readonly<Record<string, string>> = {
  amount: 'an integer in the smallest currency unit',
  amount_to_capture: 'an integer in the smallest currency unit',
  endpoint: 'the id of a webhook endpoint',
  payment_intent: 'the id of a payment intent',
  payment_link: 'the id of a payment link',
};

export function checkParams(params: unknown): void {
  if (params === undefined) return;
  if (!isPlainObject(params)) {
    const rule = 'The parameters of a call must be a plain object, such as `{ amount: 500 }`';
    throw misuse('parameter_invalid', 'params', `${rule}, not ${shown(params)}.`);
  }
  for (const [name, value] of Object.entries(params)) {
    const expected = Object.hasOwn(mustNotBeUndefined, name) ? mustNotBeUndefined[name] : undefined;
    if (expected !== undefined && (!isSerializable(value) || value === '')) {
      const rule = `\`${name}\` is ${shown(value)}. Pass ${expected}, or omit the key`;
      throw misuse('parameter_invalid', name, `${rule}: \`{ ${name}: undefined }\` does not mean \`{}\`.`);
    }
    checkValue(value, name);
  }
}

/** All its data is in its own fields; JSON would drop what a class, a Map or a promise stores elsewhere. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The root prototype of another realm, such as a test runner's, is fine too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isSerializable(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/**
 * At any depth, and of an object with `toJSON` what it returns, as JSON does. A promise, a Map or a Set has no fields of its
 * own, so JSON would empty it.
 */
function checkValue(given: unknown, name: string): void {
  const hasOwnForm = hasToJson(given);
  const value = hasOwnForm ? given.toJSON() : given;
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    throw misuse('parameter_invalid', name, `\`${name}\` must be a finite number, not ${shown(value)}.`);
  if (typeof value !== 'object' || value === null) return;
  const fields = Object.values(value);
  if (!hasOwnForm && fields.length === 0 && !Array.isArray(value) && !isPlainObject(value)) {
    const rule = `\`${name}\` must consist of plain objects, arrays and simple values`;
    throw misuse('parameter_invalid', name, `${rule}, not ${shown(value)}.`);
  }
  for (const nested of fields) checkValue(nested, name);
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Validates an id for a path: an empty or invalid one must not result in another path. */
export function checkedId(id: unknown): string {
  if (typeof id === 'string' && /^[a-z]+_\w+$/.test(id)) return id;
  throw misuse('parameter_invalid', 'id', `Expected an id such as \`pi_…\` or \`cs_…\`, not ${shown(id)}.`);
}

/** A string may be a secret passed by mistake. */
function shown(value: unknown): string {
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return value === 'undefined' || value === 'null' ? `"${value}"` : 'some other text';
  if (typeof value === 'bigint') return 'a bigint';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (value instanceof Promise) return 'a promise (is an `await` missing?)';
  return typeof value === 'object' && value !== null ? 'some other object' : String(value);
}
