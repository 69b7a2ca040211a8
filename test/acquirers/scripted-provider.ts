// A provider that a test plays: it answers for its accounts as told, and shows which credentials it was given.

import type { Acquirer } from '../../src/acquirers/acquirer.ts';
import {
  type AccountFacts,
  type ChargeRefusal,
  type ConnectedAccount,
  type Credentials,
  CredentialsRefused,
  type Notice,
  type NotificationReading,
  type NotificationRequest,
  type Provider,
  type ProviderFact,
  type TestStep,
} from '../../src/acquirers/provider.ts';
import type { Providers } from '../../src/acquirers/providers.ts';
import type { PaymentMethodType } from '../../src/domain/payment-methods.ts';
import { type ScriptedAcquirer, scriptedAcquirer } from '../paying/scripted-acquirer.ts';

export interface ProviderScript {
  readonly methods?: readonly PaymentMethodType[];
  /** The acquirer behind every account. */
  readonly acquirer?: Acquirer;
  readonly check?: (credentials: Credentials) => Promise<AccountFacts>;
  readonly steps?: readonly TestStep[];
  readonly readNotification?: (request: NotificationRequest) => NotificationReading;
  readonly resolve?: (subject: string, notice: Notice) => ProviderFact | null;
}

export interface ScriptedProvider {
  readonly provider: Provider;
  readonly providers: Providers;
  /** Every account that was connected. */
  readonly connected: ConnectedAccount[];
  readonly acquirer: Acquirer | ScriptedAcquirer;
}

export const testCredentials = { secret_key: 'rk_test_secret1', publishable_key: 'pk_test_public1' };
export const liveCredentials = { secret_key: 'rk_live_secret1', publishable_key: 'pk_live_public1' };

export const facts: AccountFacts = {
  account: 'Acme',
  country: 'NL',
  currencies: ['EUR'],
  methods: ['card', 'ideal'],
  clockAheadMs: 12,
};

function refuseAmount(currency: string, amount: number): ChargeRefusal | null {
  if (currency === 'XCG') return { code: 'currency_not_supported', param: 'currency', message: 'Stripe has no XCG.' };
  if (currency !== 'KWD' || amount % 10 === 0) return null;
  return { code: 'parameter_invalid', param: 'amount', message: 'The last digit of an amount in KWD must be 0.' };
}

/** Called `stripe`. Three-decimal amounts must be divisible by 10. */
export function scriptedProvider(script: ProviderScript = {}): ScriptedProvider {
  const acquirer = script.acquirer ?? scriptedAcquirer({});
  const connected: ConnectedAccount[] = [];
  const provider: Provider = {
    name: 'stripe',
    apiUrl: 'https://api.stripe.com',
    credentials: [
      { name: 'secret_key', isSecret: true },
      { name: 'publishable_key', isSecret: false },
    ],
    methods: script.methods ?? ['card', 'ideal'],
    refuseCredentials({ secret_key: key = '' }, livemode) {
      if (!/^rk_(?:test|live)_/.test(key)) return '`secret_key` must begin with rk_test_ or rk_live_.';
      const isLive = key.startsWith('rk_live_');
      if (isLive === livemode) return null;
      return isLive ? '`secret_key` is a live key: add --live.' : '`secret_key` is a test key: omit --live.';
    },
    refuseCharge: ({ currency, amount }) => refuseAmount(currency, amount),
    refusePart: refuseAmount,
    connect(account) {
      connected.push(account);
      return {
        ...acquirer,
        async check() {
          if (account.credentials.secret_key?.endsWith('wrong')) throw new CredentialsRefused('No such key.');
          return script.check === undefined ? facts : script.check(account.credentials);
        },
        readNotification: script.readNotification ?? (() => ({ refused: 'not expected' })),
        resolveNotice: async (notice) => script.resolve?.(notice.subject, notice) ?? null,
        async *payForTest() {
          yield* script.steps ?? [];
        },
        cardFields: null,
      };
    },
  };
  return { provider, providers: { stripe: async () => provider }, connected, acquirer };
}
