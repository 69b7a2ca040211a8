// What users need to look after acquirer accounts in the dashboard: providers, questions to them, and the condition of
// accounts.

import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { isLoopbackUrl } from '../domain/webhook-address.ts';
import type { Accounts } from './accounts.ts';
import { askAboutAccount, askAboutCredentials } from './ask-provider.ts';
import type { ConnectingDeps } from './connect-account.ts';
import type { LastErrors } from './last-errors.ts';
import type { Credentials, Provider } from './provider.ts';
import { loadProvider } from './providers.ts';

export interface AccountSetupDeps extends ConnectingDeps {
  readonly secretBox: SecretBox;
  readonly accounts: Pick<Accounts, 'availability' | 'notificationUrl'>;
  readonly errors: Pick<LastErrors, 'of'>;
  readonly publicUrl: string;
}

export function accountSetup(deps: AccountSetupDeps) {
  const { providers, secretBox, accounts, errors, publicUrl } = deps;
  const findProvider = (name: string): Promise<Provider | null> => loadProvider(providers, name);
  return {
    ask: {
      aboutCredentials: (
        provider: Provider,
        given: { readonly livemode: boolean; readonly credentials: Credentials },
      ) => askAboutCredentials(deps, provider, given),
      aboutAccount: (account: AcquirerAccount) => askAboutAccount(deps, secretBox, account),
    },
    findProvider,
    allProviders: () => Promise.all(Object.values(providers).map((load) => load())),
    conditionOf: (account: AcquirerAccount) => ({
      isAvailable: accounts.availability(account.id) === 'available',
      lastError: errors.of(account),
    }),
    notificationUrl: accounts.notificationUrl,
    refuseLive: (): string | null =>
      publicUrl.startsWith('http:') && !isLoopbackUrl(publicUrl)
        ? `live payments need https, but customers reach this service at ${publicUrl}`
        : null,
  };
}
