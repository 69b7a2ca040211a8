// Stripe as a provider: cards, with Stripe's own fields in our page and challenges by redirect.

import type { FollowUp } from '../acquirer.ts';
import type { ChargeRefusal, ConnectedAccount, Provider, ProviderAccount } from '../provider.ts';
import { toStripe } from './amounts.ts';
import { cardFields } from './card-fields.ts';
import { checkAccount, payForTest, pingAccount } from './check.ts';
import { createClient } from './client.ts';
import { credentialFields, refuseCredentials } from './credentials.ts';
import { resolveNotice } from './facts.ts';
import { stripeFollowUps } from './follow-ups.ts';
import { readNotification } from './notifications.ts';
import { stripePayments } from './payments.ts';

export const stripe: Provider = {
  name: 'stripe',
  apiUrl: 'https://api.stripe.com',
  credentials: credentialFields,
  methods: ['card'],
  refuseCredentials,
  refuseCharge: ({ currency, amount }) => refuseAmount(currency, amount),
  refusePart: refuseAmount,
  connect,
};

function refuseAmount(currency: string, amount: number): ChargeRefusal | null {
  const units = toStripe(currency, amount);
  return typeof units === 'number' ? null : units;
}

function connect({ livemode, credentials, door, apiUrl, now }: ConnectedAccount): ProviderAccount {
  const reason = refuseCredentials(credentials, livemode);
  const { secret_key: secretKey, publishable_key: publishableKey, webhook_secret: webhookSecret } = credentials;
  if (reason !== null || secretKey === undefined || publishableKey === undefined || webhookSecret === undefined)
    throw new TypeError(reason ?? 'the credentials are incomplete');
  const client = createClient({ door, apiUrl, secretKey });
  const payments = stripePayments(client, now);
  const followUps = stripeFollowUps(client, now);
  const isFollowUp = (operation: object): operation is FollowUp => 'payment' in operation;

  const account: ProviderAccount = {
    begin: payments.begin,
    authorise: payments.authorise,
    capture: followUps.send,
    void: followUps.send,
    refund: followUps.send,
    inquire: (operation) => (isFollowUp(operation) ? followUps.inquire(operation) : payments.inquire(operation)),
    close: (operation) => (isFollowUp(operation) ? followUps.close(operation) : payments.close(operation)),
    check: () => checkAccount(client, now),
    ping: () => pingAccount(client),
    readNotification: (request) => readNotification(request, webhookSecret),
    resolveNotice: (notice) => resolveNotice(client, notice),
    payForTest(request) {
      if (livemode) throw new TypeError('a test payment is never made with live keys');
      return payForTest(account, request, now);
    },
    cardFields: (page) => cardFields(page, publishableKey, apiUrl),
  };
  return account;
}
