// The Checkout Session: what the customer is asked to pay, where they are sent afterwards, and how long it stays open.

import type { CollectableDetail, CustomerDetails } from './customer-details.ts';
import { type Refusal, refuse } from './errors.ts';
import type { Scope } from './merchant.ts';
import type { Metadata } from './metadata.ts';
import type { Moment } from './moment.ts';
import type { LineItem } from './money.ts';
import type { CaptureMethod, PaymentIntent } from './payment-intent.ts';
import type { PaymentMethodType } from './payment-methods.ts';
import { readWebUrl } from './web-url.ts';

export const checkoutSessionStatuses = ['open', 'completed', 'expired'] as const;
export type CheckoutSessionStatus = (typeof checkoutSessionStatuses)[number];

/** Where the customer pays: on our own page, or in a frame of the shop's page. */
export const uiModes = ['hosted', 'embedded'] as const;
export type UiMode = (typeof uiModes)[number];

export const minExpiresInSeconds = 300;
export const maxExpiresInSeconds = 86_400;
export const defaultExpiresInSeconds = 1_800;

export interface CheckoutSession {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  /** The version it was read at; 0 if not stored yet. */
  readonly version: number;
  readonly status: CheckoutSessionStatus;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly paymentIntentId: string;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly captureMethod: CaptureMethod;
  readonly paymentMethodTypes: readonly PaymentMethodType[];
  readonly description: string | null;
  readonly customerEmail: string | null;
  /** What the page asks the customer for, unless the merchant has passed it. */
  readonly collect: readonly CollectableDetail[];
  /** What the customer entered; null: nothing yet. */
  readonly customerDetails: CustomerDetails | null;
  readonly locale: string;
  readonly lineItems: readonly LineItem[] | null;
  readonly expiresAt: number;
  readonly completedAt: number | null;
  /** When a customer first opened its page, to within some seconds; null: not yet, or not known. */
  readonly openedAt: number | null;
  /** The link that it was started from. */
  readonly paymentLinkId: string | null;
  readonly uiMode: UiMode;
  readonly createdAt: number;
}

/** A session is no longer open once its time is up, even before the job has expired it. */
export function isOpen(session: CheckoutSession, now: number): boolean {
  return session.status === 'open' && session.expiresAt > now;
}

/** The parts of a session that its creator chooses. */
export type SessionTerms = Pick<
  CheckoutSession,
  | 'amount'
  | 'currency'
  | 'metadata'
  | 'returnUrl'
  | 'cancelUrl'
  | 'captureMethod'
  | 'paymentMethodTypes'
  | 'description'
  | 'customerEmail'
  | 'collect'
  | 'locale'
  | 'lineItems'
  | 'uiMode'
>;

export function newPayment(
  scope: Scope,
  terms: SessionTerms,
  expiresInSeconds: number,
  moment: Moment,
  /** The link that a customer started from. */
  paymentLinkId: string | null = null,
): { session: CheckoutSession; intent: PaymentIntent } {
  const sessionId = moment.newId('cs');
  const intentId = moment.newId('pi');
  const { merchantId, livemode } = scope;
  const session: CheckoutSession = {
    ...terms,
    id: sessionId,
    merchantId,
    livemode,
    version: 0,
    status: 'open',
    paymentIntentId: intentId,
    customerDetails: null,
    expiresAt: moment.now + expiresInSeconds * 1000,
    completedAt: null,
    openedAt: null,
    paymentLinkId,
    createdAt: moment.now,
  };
  const intent: PaymentIntent = {
    id: intentId,
    merchantId,
    livemode,
    version: 0,
    status: 'requires_payment_method',
    amount: terms.amount,
    currency: terms.currency,
    metadata: terms.metadata,
    captureMethod: terms.captureMethod,
    amountCaptured: 0,
    amountRefunded: 0,
    checkoutSessionId: sessionId,
    paymentMethod: null,
    lastPaymentError: null,
    canceledAt: null,
    cancellationReason: null,
    operationId: null,
    pendingOperationId: null,
    captureBefore: null,
    acquirer: null,
    paymentLinkId,
    linkUse: null,
    customerDetails: null,
    createdAt: moment.now,
  };
  return { session, intent };
}

/** A new expiry, counted from now; a session can stay open for at most 24 hours after its creation. */
export function extendedExpiry(session: CheckoutSession, expiresInSeconds: number, now: number): number | Refusal {
  const expiresAt = now + expiresInSeconds * 1000;
  const latest = session.createdAt + maxExpiresInSeconds * 1000;
  if (expiresAt > latest) {
    const secondsLeft = Math.floor((latest - now) / 1000);
    return refuse(
      'parameter_invalid',
      secondsLeft >= minExpiresInSeconds
        ? `A session can stay open for 24 hours at most: \`expires_in\` can be at most ${secondsLeft} for this one.`
        : 'A session can stay open for 24 hours at most, and this one has reached that limit. Create a new session.',
      'expires_in',
    );
  }
  return expiresAt;
}

/**
 * Return and cancel URLs as they are stored: absolute, `https` in live mode, with no scheme that a browser would
 * execute.
 */
export function normaliseUrl(param: 'return_url' | 'cancel_url', text: string, livemode: boolean): string | Refusal {
  const example = `https://shop.example/${param === 'return_url' ? 'thanks?session={CHECKOUT_SESSION_ID}' : 'cart'}`;
  const bad = (why: string): Refusal =>
    refuse('parameter_invalid', `\`${param}\` ${why}. Use a URL such as ${example}`, param);
  const read = readWebUrl(text);
  if ('wrong' in read) return bad(read.wrong);
  return livemode && read.url.startsWith('http:') ? bad('must use https in live mode') : read.url;
}
