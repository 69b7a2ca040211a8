// What an acquirer account may consist of, and the commit that changes one: the merchant, which knows its enabled
// accounts, changes with it.

import type { Credentials, Provider } from '../acquirers/provider.ts';
import { type AcquirerAccount, servingAccounts } from '../domain/acquirer-account.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import { closestWord } from '../domain/closest-word.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Store } from '../storage/store.ts';

export interface AccountDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly secretBox: SecretBox;
  readonly actor: string;
}

export const maxNameLength = 200;

export function refuseName(name: string): Refusal | null {
  if (name !== '' && name.length <= maxNameLength) return null;
  return refuse('parameter_invalid', `the name must have 1 to ${maxNameLength} characters`, 'name');
}

/** The methods that the account is to serve. */
export function readMethods(provider: Provider, methods: readonly string[]): readonly PaymentMethodType[] | Refusal {
  const unknown = methods.find((method) => !provider.methods.some((known) => known === method));
  if (unknown !== undefined || methods.length === 0) {
    const meant = unknown === undefined ? null : closestWord(unknown, provider.methods);
    const wrong =
      unknown === undefined
        ? 'specify at least one method'
        : `${provider.name} does not serve "${unknown}"${meant === null ? '' : `, but ${meant}`}`;
    return refuse('parameter_invalid', `${wrong}; use one or more of ${provider.methods.join(', ')}`, 'methods');
  }
  return provider.methods.filter((method) => methods.includes(method));
}

/** All fields, and only those. The messages never contain a value. */
export function refuseCredentials(provider: Provider, credentials: Credentials, livemode: boolean): Refusal | null {
  const names = provider.credentials.map(({ name }) => name);
  const missing = names.filter((name) => (credentials[name] ?? '') === '');
  const unknown = Object.keys(credentials).filter((name) => !names.includes(name));
  if (missing.length > 0 || unknown.length > 0) {
    const meant = unknown.flatMap((name) => closestWord(name, missing) ?? []);
    const hint = meant.length > 0 ? ` (a field is misspelt: ${meant.join(', ')}?)` : '';
    const wrong = missing.length > 0 ? `${missing.join(', ')} missing${hint}` : 'a field is unknown';
    return refuse('parameter_invalid', `${wrong}; ${provider.name} needs ${names.join(', ')}`, 'credentials');
  }
  const reason = provider.refuseCredentials(credentials, livemode);
  return reason === null ? null : refuse('parameter_invalid', reason, 'credentials');
}

/** The accounts of a merchant, of both modes, as they are once this one is stored. */
export async function accountChanges(
  store: Store,
  merchant: Merchant,
  account: AcquirerAccount,
  audit: AuditEntry,
): Promise<ChangeSet> {
  const others = (await accountsOf(store, merchant.id)).filter(({ id }) => id !== account.id);
  const acquirers = servingAccounts([...others, account]);
  return {
    merchants: [{ ...merchant, acquirers }],
    acquirerAccounts: [account],
    auditEntries: [audit],
  };
}

const moreThanAny = 1_000;

/** Oldest first within each mode; test mode first. */
export async function accountsOf(store: Store, merchantId: string): Promise<readonly AcquirerAccount[]> {
  const [test, live] = await Promise.all(
    [false, true].map((livemode) =>
      store.list('acquirerAccounts', { scope: { merchantId, livemode }, limit: moreThanAny }),
    ),
  );
  return [...(test ?? []), ...(live ?? [])];
}
