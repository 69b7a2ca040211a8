// Asks a provider about credentials: before they are stored, and about those of an account.

import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { AcquirerSilent } from './acquirer.ts';
import {
  AccountUnusable,
  type ConnectingDeps,
  type Connection,
  connectAccount,
  connectWith,
} from './connect-account.ts';
import { type Credentials, CredentialsRefused, type Provider, type ProviderVerdict } from './provider.ts';

export function askAboutCredentials(
  deps: ConnectingDeps,
  provider: Provider,
  given: { readonly livemode: boolean; readonly credentials: Credentials },
): Promise<ProviderVerdict> {
  return verdictOf(async () => connectWith(deps, provider, given));
}

export function askAboutAccount(
  deps: ConnectingDeps,
  box: SecretBox,
  account: AcquirerAccount,
): Promise<ProviderVerdict> {
  return verdictOf(() => connectAccount(deps, box, account));
}

async function verdictOf(connect: () => Promise<Connection>): Promise<ProviderVerdict> {
  try {
    const connection = await connect();
    const facts = await connection.account.check().finally(() => connection.close());
    return { verdict: 'accepted', facts };
  } catch (error) {
    if (error instanceof CredentialsRefused) return { verdict: 'refused', reason: error.message };
    if (error instanceof AcquirerSilent) return { verdict: 'silent', reason: error.message };
    if (error instanceof AccountUnusable) return { verdict: 'unusable', reason: error.message };
    throw error;
  }
}
