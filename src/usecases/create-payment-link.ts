// Creates a payment link, with the checks of a checkout session: what could not be paid later is refused now.

import type { Acquirers } from '../acquirers/acquirers.ts';
import { currencyExponent, upperCaseCode } from '../domain/currencies.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import { agreeOnAmount } from '../domain/money.ts';
import {
  type LinkTerms,
  newPaymentLink,
  normaliseRedirectUrl,
  type PaymentLink,
  refuseLimits,
} from '../domain/payment-link.ts';
import type { Store } from '../storage/store.ts';
import { checkCurrency } from './create-checkout-session.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { methodsFor } from './served-methods.ts';

export interface PaymentLinkDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly acquirers: Pick<Acquirers, 'refuseCharge' | 'cardFields'>;
}

export interface LinkOwner {
  readonly merchant: Merchant;
  readonly livemode: boolean;
}

export function createPaymentLink(
  deps: PaymentLinkDeps,
  owner: LinkOwner,
  request: LinkTerms,
  receipt?: Receipt<PaymentLink>,
): Promise<Outcome<PaymentLink>> {
  return decideAndCommit(deps.store, async () => decide(deps, owner, request), receipt);
}

async function decide(
  { moment, acquirers }: PaymentLinkDeps,
  owner: LinkOwner,
  request: LinkTerms,
): Promise<Decision<PaymentLink> | Refusal> {
  const { merchant, livemode } = owner;
  const at = moment();
  const currency = upperCaseCode(request.currency);
  const badCurrency = checkCurrency(currency, merchant);
  if (badCurrency !== null) return badCurrency;
  const badLimits = refuseLimits(request.type, request.minimumAmount, request.maximumAmount);
  if (badLimits !== null) return badLimits;
  const amount = amountOf(request);
  if (isRefusal(amount)) return amount;
  const redirectUrl = request.redirectUrl === null ? null : normaliseRedirectUrl(request.redirectUrl, livemode);
  if (isRefusal(redirectUrl)) return redirectUrl;
  const badExpiry = refuseExpiry(request.expiresAt, at.now);
  if (badExpiry !== null) return badExpiry;
  for (const [param, charged] of amountsToCheck({ ...request, currency, amount })) {
    const requested = request.paymentMethodTypes ?? undefined;
    const charge = { livemode, currency, amount: charged, captureMethod: request.captureMethod };
    const methods = await methodsFor(acquirers, merchant, requested, charge);
    if (isRefusal(methods))
      return methods.param === 'amount' ? refuse(methods.refused, methods.message, param) : methods;
  }
  const terms = { ...request, currency, amount, redirectUrl };
  const link = newPaymentLink({ merchantId: merchant.id, livemode }, terms, at);
  return { changes: { paymentLinks: [link] }, result: link };
}

/** Null for an open link. */
function amountOf({ type, amount, lineItems }: LinkTerms): number | null | Refusal {
  if (type === 'fixed') return agreeOnAmount(amount ?? undefined, lineItems);
  const [param, given] = amount === null ? ['line_items', lineItems] : ['amount', amount];
  if (given === null) return null;
  return refuse(
    'parameter_invalid',
    `\`${param}\` cannot be used with \`type: "open"\`, because the customer enters the amount. Use \`minimum_amount\` and \`maximum_amount\` to limit it.`,
    param,
  );
}

/** The amounts that the provider must accept, by the parameter that names them. */
function amountsToCheck({ amount, minimumAmount, maximumAmount, currency }: LinkTerms): [string, number][] {
  if (amount !== null) return [['amount', amount]];
  const limits = [
    ['minimum_amount', minimumAmount],
    ['maximum_amount', maximumAmount],
  ].filter((limit): limit is [string, number] => limit[1] !== null);
  // Any usual amount shows whether somebody can be paid at all.
  return limits.length > 0 ? limits : [['currency', 10 ** (currencyExponent(currency) + 1)]];
}

export function refuseExpiry(expiresAt: number | null, now: number): Refusal | null {
  if (expiresAt === null || expiresAt > now) return null;
  return refuse(
    'parameter_invalid',
    '`expires_at` must be in the future. Leave it out for a link without an end.',
    'expires_at',
  );
}
