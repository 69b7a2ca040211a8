// An acquirer account: a merchant's account at a provider, in one mode, with its credentials.

import type { Scope } from './merchant.ts';
import type { PaymentMethodType } from './payment-methods.ts';
import type { SecretBox } from './secret-box.ts';
import type { ServingAccount } from './serving-account.ts';

export interface AcquirerAccount extends Scope {
  readonly id: string;
  readonly version: number;
  readonly provider: string;
  /** For people. */
  readonly name: string;
  readonly methods: readonly PaymentMethodType[];
  /** A disabled account gets no new payments; those that it has made are still captured, refunded and inquired about. */
  readonly status: 'enabled' | 'disabled';
  /** Sealed. */
  readonly credentials: Uint8Array;
  /** The key that they are sealed with. */
  readonly secretKeyId: string;
  /** When a call to the account last failed, and why. Stored beside updates of the account; null: not known to have failed. */
  readonly lastErrorAt: number | null;
  readonly lastErrorMessage: string | null;
  readonly createdAt: number;
}

/** A call to an account that failed. */
export interface AccountError extends Scope {
  /** Of the account. */
  readonly id: string;
  readonly at: number;
  /** Without secrets. */
  readonly message: string;
}

/** An error with the same message as the last one is stored again after this time. */
export const sameErrorEveryMs = 60_000;

/** In each mode of a merchant: the enabled ones are stored with the merchant, which is read with every request. */
export const maxAccounts = 20;

export function sealCredentials(
  box: SecretBox,
  accountId: string,
  credentials: Readonly<Record<string, string>>,
): Pick<AcquirerAccount, 'credentials' | 'secretKeyId'> {
  return {
    credentials: box.seal(JSON.stringify(credentials), sealContext(accountId)),
    secretKeyId: box.keyId,
  };
}

/** Throws if they were sealed with another key or for another account. */
export function openCredentials(box: SecretBox, { id, credentials }: AcquirerAccount): Record<string, string> {
  return JSON.parse(box.open(credentials, sealContext(id))) as Record<string, string>;
}

/** The same credentials, sealed with another key. */
export function resealedAccount(account: AcquirerAccount, from: SecretBox, to: SecretBox): AcquirerAccount {
  return { ...account, ...sealCredentials(to, account.id, openCredentials(from, account)) };
}

/** Bound to its account: sealed credentials that are copied to another row cannot be opened. */
function sealContext(accountId: string): string {
  return `credentials of ${accountId}`;
}

/** What is stored with the merchant: the enabled accounts, oldest first. */
export function servingAccounts(accounts: readonly AcquirerAccount[]): readonly ServingAccount[] {
  return accounts
    .filter(({ status }) => status === 'enabled')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, livemode, provider, methods }) => ({ id, livemode, provider, methods }));
}
