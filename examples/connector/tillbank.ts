// A connector to Tillbank: the worked example of docs/write-a-connector.md.

import type { AcquirerOperation, Answer, BeginRequest, FollowUp } from '../../src/acquirers/acquirer.ts';
import type { ConnectedAccount, Provider, ProviderAccount } from '../../src/acquirers/provider.ts';
import { checkAccount, payForTest } from './account.ts';
import { type Json, tillbankApi } from './api.ts';
import { readNotification, resolveNotice } from './notifications.ts';
import { answerOf, nonsense } from './operations.ts';

export const tillbank: Provider = {
  name: 'tillbank',
  apiUrl: 'https://api.tillbank.example',
  credentials: [
    { name: 'api_key', isSecret: true },
    { name: 'signing_secret', isSecret: true },
  ],
  methods: ['card', 'ideal'],
  refuseCredentials({ api_key: key = '' }, livemode) {
    if (!/^tb_(test|live)_\w+$/.test(key)) return '`api_key` must begin with `tb_test_` or `tb_live_`.';
    if (key.startsWith('tb_live_') === livemode) return null;
    return livemode ? '`api_key` is a test key. Omit `--live`.' : '`api_key` is a live key. Add `--live`.';
  },
  refuseAmount(_method, currency, amount) {
    if (currency !== 'EUR')
      return { code: 'currency_not_supported', message: `Tillbank does not support ${currency}.` };
    if (amount < 50) return { code: 'parameter_invalid', message: "Tillbank's minimum is 0.50 EUR." };
    return null;
  },
  connect,
};

function connect({ credentials, door, apiUrl, now, livemode }: ConnectedAccount): ProviderAccount {
  const { api_key: apiKey = '', signing_secret: secret = '' } = credentials;
  const api = tillbankApi(door, apiUrl, apiKey);

  async function send(operation: AcquirerOperation, request: Json): Promise<Answer> {
    // The id is the idempotency key: Tillbank answers a repeated request with what has become of the first one.
    const found = await api.post('/operations', { ...request, operation: operation.id });
    if (found === null) throw nonsense();
    return answerOf(found, operation);
  }

  function follow({ kind, payment, amount, currency, ...operation }: FollowUp): Promise<Answer> {
    const money = { amount, currency };
    return send({ ...operation, ...money }, { ...money, kind, payment: payment.reference });
  }

  const account: ProviderAccount = {
    // Tillbank has no step before money. The request is stored with the operation, so that a repeat is the same.
    begin: async (request) => ({ next: 'authorise', state: { request: requestOf(request) } }),
    authorise: (payment) => send(payment, payment.state?.request as Json),
    capture: follow,
    void: follow,
    refund: follow,
    async inquire(operation) {
      const found = await api.get(`/operations/${operation.id}`);
      // The request may still be on its way: only `close` makes this final.
      if (found === null) return { outcome: { kind: 'pending', customerDone: false } };
      return answerOf(found, operation);
    },
    async close(operation) {
      // Tillbank remembers the id even if it has never seen it, and refuses a request that arrives later.
      const { amount, currency } = operation;
      const found = await api.post(`/operations/${operation.id}/close`, { amount, currency });
      if (found === null) throw nonsense();
      return answerOf(found, operation);
    },
    check: () => checkAccount(api, now),
    readNotification: (request) => readNotification(request, secret),
    resolveNotice: (notice) => resolveNotice(api, notice),
    payForTest(request) {
      if (livemode) throw new Error('a test payment is never made with live keys');
      return payForTest(account, request, now);
    },
    cardFields: null,
  };
  return account;
}

function requestOf(request: BeginRequest): Json {
  const { method, amount, currency, captureMethod, returnUrl, notificationUrl, description, merchant } = request;
  return {
    kind: 'payment',
    ...{ method, amount, currency },
    capture: captureMethod,
    return_url: returnUrl,
    notification_url: notificationUrl,
    description: description ?? merchant.name,
  };
}
