// The harmless call behind `acquirer check`, and the payment behind `--pay`.

import { currencyExponent, isCurrency } from '../../domain/currencies.ts';
import { AcquirerSilent, type Answer, type MoneyOutcome } from '../acquirer.ts';
import {
  type AccountFacts,
  CredentialsRefused,
  type ProviderAccount,
  type TestPayment,
  type TestStep,
} from '../provider.ts';
import type { Reply, StripeClient } from './client.ts';
import { type Json, objectIn, textIn } from './json.ts';
import { nonsense } from './objects.ts';
import { missingPermissions } from './permissions.ts';

export function checkAccount(client: StripeClient, now: () => number): Promise<AccountFacts> {
  return orRefusal(readAccount(client, now));
}

export async function pingAccount(client: StripeClient): Promise<void> {
  await orRefusal(client.get('account'));
}

async function readAccount(client: StripeClient, now: () => number): Promise<AccountFacts> {
  const lacking = await missingPermissions(client);
  const reply = await client.get('account');
  const receivedAt = now();
  if (!reply.ok) throw nonsense('no account');
  const account = textIn(reply.body, 'id');
  if (account === null) throw nonsense('no account');
  const country = textIn(reply.body, 'country');
  const currencies = await paymentCurrencies(client, country, textIn(reply.body, 'default_currency'));
  const methods = acceptsCards(reply.body) ? (['card'] as const) : [];
  const clockAheadMs = clockAhead(reply, receivedAt);
  return { account, country, currencies, methods, missingPermissions: lacking, clockAheadMs };
}

async function orRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AcquirerSilent && error.cause instanceof CredentialsRefused) throw error.cause;
    throw error;
  }
}

function acceptsCards(account: Json): boolean {
  const capabilities = objectIn(account, 'capabilities');
  const cards = capabilities === null ? null : textIn(capabilities, 'card_payments');
  return account.charges_enabled !== false && (cards === null || cards === 'active');
}

/** What the account's country can charge; a restricted key may not be allowed to see more than the account itself. */
async function paymentCurrencies(client: StripeClient, country: string | null, own: string | null): Promise<string[]> {
  const known = (codes: readonly unknown[]) => codes.map((code) => String(code).toUpperCase()).filter(isCurrency);
  const fallback = own === null ? [] : known([own]);
  if (country === null) return fallback;
  try {
    const reply = await client.get(`country_specs/${encodeURIComponent(country)}`);
    const listed: unknown = reply.ok ? reply.body.supported_payment_currencies : null;
    return Array.isArray(listed) ? known(listed).sort() : fallback;
  } catch (error) {
    if (error instanceof AcquirerSilent && error.cause instanceof CredentialsRefused) return fallback;
    throw error;
  }
}

/** The header has whole seconds, so half a second is the best guess of what it leaves out. */
function clockAhead(reply: Reply, receivedAt: number): number | null {
  const sentAt = reply.ok && reply.dateHeader !== null ? Date.parse(reply.dateHeader) : Number.NaN;
  return Number.isNaN(sentAt) ? null : Math.round(receivedAt - sentAt - 500);
}

/** Currencies in which 1000 units are worth less than Stripe's minimum of about half a dollar. */
const weakCurrencies = 'BIF COP GNF IDR KHR KRW LAK LBP MGA MMK MNT PYG RWF TZS UGX UZS VND'.split(' ');

function testAmount(currency: string): number {
  return (weakCurrencies.includes(currency) ? 50_000 : 1_000) * 10 ** currencyExponent(currency);
}

/** Goes the way of every payment, with Stripe's test card. Stops at the first step that fails. */
export async function* payForTest(
  account: Pick<ProviderAccount, 'begin' | 'authorise' | 'capture' | 'refund'>,
  { id, currency, returnUrl, notificationUrl }: TestPayment,
  now: () => number,
): AsyncGenerator<TestStep> {
  const money = { amount: testAmount(currency), currency };
  const begun = await account.begin({
    id: `${id}-payment`,
    ...money,
    captureMethod: 'manual',
    method: 'card',
    card: { kind: 'token', token: 'pm_card_visa' },
    returnUrl,
    notificationUrl,
    description: 'Paydesk test payment',
    merchant: { name: 'Paydesk', logoUrl: null, accentColor: null },
    locale: 'en',
    customerEmail: null,
    ids: { paymentIntent: `${id}-payment`, checkoutSession: `${id}-payment` },
  });
  if (begun.next !== 'authorise' || begun.reference === undefined) {
    const reason = begun.next === 'declined' ? (begun.decline.providerCode ?? begun.decline.code) : begun.next;
    yield { name: 'payment', ok: false, reference: null, message: `The payment could not be created: ${reason}.` };
    return;
  }
  const { reference, state = null } = begun;
  const createdAt = now();
  const payment = { id: `${id}-payment`, ...money, reference, state, createdAt };
  const authorised = await account.authorise(payment);
  yield step('payment', authorised, 'authorised', reference);
  if (authorised.outcome.kind !== 'authorised') return;
  const followUp = { ...money, reference: null, state: null, createdAt, payment };
  const captured = await account.capture({ ...followUp, id: `${id}-capture`, kind: 'capture' });
  yield step('capture', captured, 'done', reference);
  if (captured.outcome.kind !== 'done') return;
  const refunded = await account.refund({ ...followUp, id: `${id}-refund`, kind: 'refund' });
  yield step('refund', refunded, 'done', refunded.reference ?? null);
}

function step(
  name: TestStep['name'],
  { outcome }: Answer,
  expected: MoneyOutcome['kind'],
  reference: string | null,
): TestStep {
  const ok = outcome.kind === expected;
  const reason = outcome.kind === 'declined' ? (outcome.decline.providerCode ?? outcome.decline.code) : outcome.kind;
  return { name, ok, reference, message: ok ? `The ${name} succeeded.` : `The ${name} did not succeed: ${reason}.` };
}
