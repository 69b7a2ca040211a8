// Recognises keys that are incomplete, of the other mode, or in the wrong field, before anything is stored.

import type { CredentialField, Credentials } from '../provider.ts';

export const credentialFields: readonly CredentialField[] = [
  { name: 'secret_key', isSecret: true },
  { name: 'publishable_key', isSecret: false },
  { name: 'webhook_secret', isSecret: true },
];

const kinds: readonly (readonly [prefix: RegExp, what: string])[] = [
  [/^(?:sk|rk)_/, 'a secret key'],
  [/^pk_/, 'a publishable key'],
  [/^whsec_/, 'a webhook signing secret'],
];

const expected = {
  secret_key: { shape: /^(?:sk|rk)_(test|live)_[\x21-\x7e]+$/, example: '`sk_test_…` or `rk_test_…`' },
  publishable_key: { shape: /^pk_(test|live)_[\x21-\x7e]+$/, example: '`pk_test_…`' },
  webhook_secret: { shape: /^whsec_[\x21-\x7e]+$/, example: '`whsec_…`' },
} as const;

/** The messages never contain what was given: it may be a secret. */
export function refuseCredentials(credentials: Credentials, livemode: boolean): string | null {
  for (const name of Object.keys(credentials))
    if (!Object.hasOwn(expected, name))
      return `Stripe has no credential \`${name}\`. It needs \`secret_key\`, \`publishable_key\` and \`webhook_secret\`.`;
  for (const [name, { shape, example }] of Object.entries(expected)) {
    const value = credentials[name];
    if (value === undefined || value === '') return `\`${name}\` is missing; it looks like ${example}.`;
    const live = example.replaceAll('test', livemode ? 'live' : 'test');
    const [, mode] = shape.exec(value) ?? [];
    if (!shape.test(value)) return `\`${name}\` must look like ${live}${insteadOf(value)}.`;
    if (mode === 'live' && !livemode)
      return `\`${name}\` is a live key. Add \`--live\` to take real payments, or use the key of a test account.`;
    if (mode === 'test' && livemode)
      return `\`${name}\` is a test key. Live payments need the live key; leave out \`--live\` to test.`;
  }
  return null;
}

function insteadOf(value: string): string {
  const [, what] = kinds.find(([prefix]) => prefix.test(value)) ?? [];
  return what === undefined ? '' : `, but what was given starts like ${what}`;
}
