// Finds mistakes that JSON would hide, before anything is sent: JSON omits `undefined` and turns NaN into null, so a
// refund with an unset amount would become a full refund.

import { misuse } from './errors.ts';

/** Omitting one of these means everything, so it must be omitted on purpose, not by an undefined value. */
export const leftOutOnPurpose: Readonly<Record<string, string>> = {
  amount: 'an integer in the smallest currency unit',
  amount_to_capture: 'an integer in the smallest currency unit',
  endpoint: 'the id of a webhook endpoint',
  payment_intent: 'the id of a payment intent',
};

export function checkParams(params: unknown): void {
  if (params === undefined) return;
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    const rule = 'The parameters of a call must be an object, such as `{ amount: 500 }`';
    throw misuse('parameter_invalid', 'params', `${rule}, not ${shown(params)}.`);
  }
  for (const [name, value] of Object.entries(params)) {
    const expected = Object.hasOwn(leftOutOnPurpose, name) ? leftOutOnPurpose[name] : undefined;
    if (expected !== undefined && (value === undefined || value === null || value === '')) {
      const rule = `\`${name}\` is ${shown(value)}. Pass ${expected}, or omit the key`;
      throw misuse('parameter_invalid', name, `${rule}: \`{ ${name}: undefined }\` does not mean \`{}\`.`);
    }
    checkNumbers(value, name);
  }
}

function checkNumbers(value: unknown, name: string): void {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    throw misuse('parameter_invalid', name, `\`${name}\` must be a finite number, not ${shown(value)}.`);
  if (typeof value !== 'object' || value === null) return;
  for (const inside of Object.values(value)) checkNumbers(inside, name);
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
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
