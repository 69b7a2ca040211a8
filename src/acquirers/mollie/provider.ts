// Mollie as a provider: what it needs, what it can charge, and the connector for an account.

import type { AcquirerOperation, Answer, FollowUp } from '../acquirer.ts';
import type { ConnectedAccount, Credentials, Provider, ProviderAccount } from '../provider.ts';
import { checkAccount, pingAccount } from './account-check.ts';
import { mollieMethods, refuseCharge } from './amounts.ts';
import { mollieApi } from './api.ts';
import { closePart, inquirePart, makePart, type PartOperation } from './captures-and-refunds.ts';
import { readMollieNotification, resolveMollieNotice } from './notifications.ts';
import { authorisePayment, beginPayment, closePayment, inquirePayment, type MollieContext } from './payments.ts';
import { payForTest } from './test-payment.ts';
import { inquireVoid, makeVoid } from './voids.ts';

export const mollie: Provider = {
  name: 'mollie',
  apiUrl: 'https://api.mollie.com',
  credentials: [{ name: 'api_key', isSecret: true }],
  methods: mollieMethods,
  refuseCredentials,
  refuseCharge,
  connect,
};

function refuseCredentials({ api_key: key = '' }: Credentials, livemode: boolean): string | null {
  if (key.startsWith('access_')) {
    return '`api_key` is an organization access token. Use an API key of a website profile, which starts with `test_` or `live_`.';
  }
  if (!/^(test|live)_[A-Za-z0-9]+$/.test(key)) return '`api_key` must be an API key of Mollie: `test_…` or `live_…`.';
  if (livemode && key.startsWith('test_')) return '`api_key` is a test key. Use the live key, or omit `--live`.';
  if (!livemode && key.startsWith('live_')) return '`api_key` is a live key. Use the test key, or add `--live`.';
  return null;
}

function connect({ credentials, door, apiUrl, now, livemode }: ConnectedAccount): ProviderAccount {
  const { api_key: apiKey = '' } = credentials;
  const context: MollieContext = { api: mollieApi({ door, apiUrl, apiKey, now }), apiUrl, now };
  return {
    begin: async (request) => beginPayment(context, request),
    authorise: (payment) => authorisePayment(context, payment),
    capture: (capture) => makePart(context, { ...capture, kind: 'capture' }),
    refund: (refund) => makePart(context, { ...refund, kind: 'refund' }),
    void: (release) => makeVoid(context, release),
    inquire: (operation) => inquire(context, operation),
    close: (operation) => close(context, operation),
    check: () => checkAccount(context),
    ping: () => pingAccount(context),
    readNotification: readMollieNotification,
    resolveNotice: (notice) => resolveMollieNotice(context, notice),
    payForTest(request) {
      if (livemode) throw new Error('test payments need a test key');
      return payForTest(context, request);
    },
    cardFields: null,
  };
}

function inquire(context: MollieContext, operation: AcquirerOperation | FollowUp): Promise<Answer> {
  if (!('kind' in operation)) return inquirePayment(context, operation);
  return isPart(operation) ? inquirePart(context, operation) : inquireVoid(context, operation);
}

function close(context: MollieContext, operation: AcquirerOperation | FollowUp): Promise<Answer> {
  if (!('kind' in operation)) return closePayment(context, operation);
  return isPart(operation) ? closePart(context, operation) : makeVoid(context, operation);
}

function isPart(operation: FollowUp): operation is PartOperation {
  return operation.kind !== 'void';
}
