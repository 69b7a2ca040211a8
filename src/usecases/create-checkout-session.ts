// Creates a checkout session and the Payment Intent that belongs to it.

import type { Acquirers } from '../acquirers/acquirers.ts';
import {
  type CheckoutSession,
  defaultExpiresInSeconds,
  newPayment,
  normaliseUrl,
  type UiMode,
} from '../domain/checkout-session.ts';
import { isCurrency, upperCaseCode } from '../domain/currencies.ts';
import type { CollectableDetail } from '../domain/customer-details.ts';
import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Metadata } from '../domain/metadata.ts';
import type { Moment } from '../domain/moment.ts';
import { agreeOnAmount, type LineItem } from '../domain/money.ts';
import type { CaptureMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { Store } from '../storage/store.ts';
import { type Decision, decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { refuseEmbedding } from './refuse-embedding.ts';
import { methodsFor } from './served-methods.ts';

export interface CreateSessionDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly acquirers: Pick<Acquirers, 'refuseCharge' | 'cardFields'>;
}

export interface SessionRequest {
  readonly amount?: number | undefined;
  readonly currency: string;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly metadata: Metadata;
  readonly expiresInSeconds?: number | undefined;
  readonly captureMethod: CaptureMethod;
  readonly paymentMethodTypes?: readonly PaymentMethodType[] | undefined;
  readonly description: string | null;
  readonly customerEmail: string | null;
  readonly collect: readonly CollectableDetail[];
  readonly locale: string;
  readonly lineItems: readonly LineItem[] | null;
  readonly uiMode?: UiMode | undefined;
}

export function createCheckoutSession(
  deps: CreateSessionDeps,
  owner: { merchant: Merchant; livemode: boolean },
  request: SessionRequest,
  receipt?: Receipt<CheckoutSession>,
): Promise<Outcome<CheckoutSession>> {
  return decideAndCommit(deps.store, async () => decideSession(deps, owner, request), receipt);
}

/** The session, or why there can be none. */
export async function decideSession(
  { moment, acquirers }: Pick<CreateSessionDeps, 'moment' | 'acquirers'>,
  { merchant, livemode }: { merchant: Merchant; livemode: boolean },
  request: SessionRequest,
  paymentLinkId: string | null = null,
): Promise<Decision<CheckoutSession> | Refusal> {
  const currency = upperCaseCode(request.currency);
  const badCurrency = checkCurrency(currency, merchant);
  if (badCurrency !== null) return badCurrency;
  const amount = agreeOnAmount(request.amount, request.lineItems);
  if (isRefusal(amount)) return amount;
  const returnUrl = request.returnUrl === null ? null : normaliseUrl('return_url', request.returnUrl, livemode);
  if (isRefusal(returnUrl)) return returnUrl;
  const cancelUrl = request.cancelUrl === null ? null : normaliseUrl('cancel_url', request.cancelUrl, livemode);
  if (isRefusal(cancelUrl)) return cancelUrl;
  const charge = { livemode, currency, amount, captureMethod: request.captureMethod };
  const paymentMethodTypes = await methodsFor(acquirers, merchant, request.paymentMethodTypes, charge);
  if (isRefusal(paymentMethodTypes)) return paymentMethodTypes;
  const { expiresInSeconds = defaultExpiresInSeconds, uiMode = 'hosted', ...others } = request;
  const terms = { ...others, uiMode, amount, currency, returnUrl, cancelUrl, paymentMethodTypes };
  const notEmbeddable = await refuseEmbedding(acquirers, merchant, { ...terms, livemode });
  if (notEmbeddable !== null) return notEmbeddable;
  const { session, intent } = newPayment(
    { merchantId: merchant.id, livemode },
    terms,
    expiresInSeconds,
    moment(),
    paymentLinkId,
  );
  return { changes: { checkoutSessions: [session], paymentIntents: [intent] }, result: session };
}

export function checkCurrency(currency: string, merchant: Pick<Merchant, 'currencies'>): Refusal | null {
  if (!isCurrency(currency)) {
    return refuse(
      'currency_not_supported',
      `\`${currency}\` is not a supported currency. Send an ISO 4217 code such as EUR.`,
      'currency',
    );
  }
  if (!merchant.currencies.includes(currency)) {
    return refuse(
      'currency_not_enabled',
      `${currency} is not enabled for this account. Enable it in the settings of the dashboard or with \`paydesk merchant update --currencies\`.`,
      'currency',
    );
  }
  return null;
}
