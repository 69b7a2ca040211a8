// `acquirer check`, and `acquirer check --pay`.

import { AcquirerSilent, type FollowUp } from '../../src/acquirers/acquirer.ts';
import {
  type AccountFacts,
  CredentialsRefused,
  type ProviderAccount,
  type TestPayment,
  type TestStep,
} from '../../src/acquirers/provider.ts';
import type { TillbankApi } from './api.ts';
import { nonsense, textIn } from './operations.ts';

export async function checkAccount(api: TillbankApi, now: () => number): Promise<AccountFacts> {
  try {
    const account = await api.get('/account');
    if (account === null || typeof account.time !== 'number') throw nonsense();
    const { methods, time } = account;
    const isOn = (method: string): boolean => Array.isArray(methods) && methods.includes(method);
    return {
      account: textIn(account, 'name'),
      country: null,
      currencies: ['EUR'],
      methods: (['card', 'ideal'] as const).filter(isOn),
      clockAheadMs: now() - time,
    };
  } catch (error) {
    // A refused key is an answer here, while it leaves the outcome of a payment unknown.
    if (error instanceof AcquirerSilent && error.cause instanceof CredentialsRefused) throw error.cause;
    throw error;
  }
}

const amount = 100;
const pollEveryMs = 2_000;
const maxPolls = 150;

/** Someone has to pay in a browser; `wait` lets the command wait for them. */
export async function* payForTest(
  account: ProviderAccount,
  { id, currency, returnUrl, notificationUrl, wait }: TestPayment,
  now: () => number,
): AsyncGenerator<TestStep> {
  const money = { amount, currency };
  const begun = await account.begin({
    ...{ id, ...money, captureMethod: 'automatic', method: 'ideal', returnUrl, notificationUrl },
    ...{ description: 'Test payment', merchant: { name: 'Test', logoUrl: null, accentColor: null } },
    ...{ locale: 'en', customerEmail: null, ids: { paymentIntent: id, checkoutSession: id } },
  });
  const state = 'state' in begun ? (begun.state ?? null) : null;
  const payment = { id, ...money, reference: null, state, createdAt: now() };
  let { outcome, reference = null } = await account.authorise(payment);
  if (outcome.kind === 'action')
    yield { name: 'payment', ok: true, reference, message: `Created. Open ${outcome.url} and pay.` };
  for (let polls = 0; outcome.kind === 'action' && wait !== undefined && polls < maxPolls; polls += 1) {
    await wait(pollEveryMs);
    ({ outcome, reference = null } = await account.inquire(payment));
  }
  const isPaid = outcome.kind === 'done';
  yield { name: 'payment', ok: isPaid, reference, message: isPaid ? 'Paid.' : `Not paid: ${outcome.kind}.` };
  if (!isPaid) return;
  const operation = { id: `${id}-refund`, ...money, reference: null, state: null, createdAt: now() };
  const refund: FollowUp = { ...operation, kind: 'refund', payment: { ...payment, reference } };
  const refunded = await account.refund(refund);
  const isMade = refunded.outcome.kind === 'done' || refunded.outcome.kind === 'pending';
  const message = isMade ? 'Refunded.' : `Not refunded: ${refunded.outcome.kind}.`;
  yield { name: 'refund', ok: isMade, reference: refunded.reference ?? null, message };
}
