// The permissions that a restricted key needs, under the names that Stripe's dashboard has for them.

import { AcquirerSilent } from '../acquirer.ts';
import { CredentialsRefused, PermissionMissing } from '../provider.ts';
import type { StripeClient } from './client.ts';
import type { FormFields } from './form.ts';

interface Permission {
  readonly name: string;
  readonly paths: RegExp;
  /** The cheapest request that Stripe refuses without it. That something is not found is an answer. */
  readonly reads: readonly [path: string, fields?: FormFields];
  /** Without it, the account cannot be used at all. */
  readonly isEssential: boolean;
}

const account: Permission = {
  name: 'Account (read)',
  paths: /^(?:account|country_specs)\b/,
  reads: ['account'],
  isEssential: true,
};

const permissions: readonly Permission[] = [
  {
    name: 'PaymentIntents (write)',
    paths: /^payment_intents\b/,
    reads: ['payment_intents', { limit: 1 }],
    isEssential: true,
  },
  {
    name: 'Charges and refunds (write)',
    paths: /^(?:charges|refunds)\b/,
    reads: ['refunds', { limit: 1 }],
    isEssential: false,
  },
  {
    name: 'Confirmation tokens (read)',
    paths: /^confirmation_tokens\b/,
    reads: ['confirmation_tokens/ctoken_permission_check'],
    isEssential: false,
  },
  { name: 'Disputes (read)', paths: /^disputes\b/, reads: ['disputes', { limit: 1 }], isEssential: false },
  account,
];

/** For a request to this path, which Stripe has refused. */
export function permissionMissing(path: string): PermissionMissing {
  const { name } = permissions.find(({ paths }) => paths.test(path)) ?? account;
  return lackOf([name]);
}

/**
 * The names of those that the key does not have. Throws if the account cannot be used without one of them. That a key may
 * read, but should write, only shows when it does.
 */
export async function missingPermissions(client: StripeClient): Promise<string[]> {
  const permitted = await Promise.all(permissions.map(({ reads }) => isPermitted(client, reads)));
  const missing = permissions.filter((_permission, at) => permitted[at] === false);
  const names = missing.map(({ name }) => name);
  if (missing.some(({ isEssential }) => isEssential)) throw lackOf(names);
  return names;
}

function lackOf(names: readonly string[]): PermissionMissing {
  return new PermissionMissing(
    `The restricted key does not have all permissions that are needed: ${names.join(', ')}.`,
  );
}

/** Whether Stripe responds at all is not decided here. */
async function isPermitted(client: StripeClient, [path, fields]: Permission['reads']): Promise<boolean> {
  try {
    await client.get(path, fields);
  } catch (error) {
    if (!(error instanceof AcquirerSilent)) throw error;
    if (error.cause instanceof PermissionMissing) return false;
    if (error.cause instanceof CredentialsRefused) throw error;
  }
  return true;
}
