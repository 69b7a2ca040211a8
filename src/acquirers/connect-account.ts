// Connects to a provider with the credentials of an account.

import { type AcquirerAccount, openCredentials } from '../domain/acquirer-account.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Door } from './door.ts';
import type { Credentials, Provider, ProviderAccount } from './provider.ts';
import { loadProvider, type Providers } from './providers.ts';

export interface ConnectingDeps {
  readonly providers: Providers;
  /** Each account has connections of its own. */
  readonly openDoor: () => Door;
  /** The base addresses of APIs that settings name, by provider. */
  readonly apiUrls: Readonly<Record<string, string>>;
  readonly now: () => number;
}

export interface Connection {
  readonly provider: Provider;
  readonly account: ProviderAccount;
  close(): Promise<void>;
}

/** The account cannot be used, whatever the provider does; the message says why. */
export class AccountUnusable extends Error {
  override readonly name = 'AccountUnusable';
}

export async function connectAccount(
  deps: ConnectingDeps,
  secretBox: SecretBox,
  account: AcquirerAccount,
): Promise<Connection> {
  const provider = await loadProvider(deps.providers, account.provider);
  if (provider === null) throw new AccountUnusable(`this version has no connector for ${account.provider}`);
  let credentials: Credentials;
  try {
    credentials = openCredentials(secretBox, account);
  } catch (cause) {
    throw new AccountUnusable(`the credentials of ${account.id} cannot be decrypted`, { cause });
  }
  const { livemode } = account;
  const reason = provider.refuseCredentials(credentials, livemode);
  if (reason !== null) throw new AccountUnusable(`the credentials of ${account.id} cannot be used: ${reason}`);
  return connectWith(deps, provider, { livemode, credentials });
}

/** Before an account is stored. */
export function connectWith(
  { openDoor, apiUrls, now }: ConnectingDeps,
  provider: Provider,
  { livemode, credentials }: { livemode: boolean; credentials: Credentials },
): Connection {
  const door = openDoor();
  const apiUrl = apiUrls[provider.name] ?? provider.apiUrl;
  const account = provider.connect({ livemode, credentials, door, apiUrl, now });
  return { provider, account, close: () => door.close() };
}
