// Checks credentials before they are stored: their form, then at the provider. If the provider cannot be asked, they are
// stored nevertheless, and whoever adds them is told.

import type { Credentials, Provider, ProviderVerdict } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import { refuseCredentials } from './acquirer-account-rules.ts';

/** Harmless calls to providers. */
export interface ProviderQuestions {
  aboutCredentials(
    provider: Provider,
    given: { readonly livemode: boolean; readonly credentials: Credentials },
  ): Promise<ProviderVerdict>;
  aboutAccount(account: AcquirerAccount): Promise<ProviderVerdict>;
}

export interface NewCredentials {
  readonly provider: Provider;
  readonly livemode: boolean;
  readonly credentials: Credentials;
  /** The account whose credentials they replace; null for a new account. */
  readonly account: AcquirerAccount | null;
}

export async function checkNewCredentials(
  ask: ProviderQuestions,
  { provider, livemode, credentials, account }: NewCredentials,
): Promise<ProviderVerdict | Refusal> {
  const malformed = refuseCredentials(provider, credentials, livemode);
  if (malformed !== null) return malformed;
  const given = await ask.aboutCredentials(provider, { livemode, credentials });
  if (given.verdict === 'refused')
    return refuse('parameter_invalid', `these credentials are wrong: ${given.reason}`, 'credentials');
  if (account === null || given.verdict !== 'accepted') return given;
  // Without an answer for the old ones, nothing can be compared: they may be replaced because they no longer work.
  const own = await ask.aboutAccount(account);
  if (own.verdict !== 'accepted' || own.facts.account === given.facts.account) return given;
  return refuse(
    'parameter_invalid',
    `these credentials are of ${given.facts.account}, but this account is ${own.facts.account}: its payments could no longer be refunded. Add another account instead`,
    'credentials',
  );
}
