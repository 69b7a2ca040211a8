// The port to acquirers, which move the money. One of these is one account at one provider, in one mode. A provider is an
// external party: it may respond late, twice or never. Every call therefore carries the id of our operation, from which
// all idempotency keys are derived, and the same operation never moves money twice.
//
// A call never throws for what the provider decided: that is its outcome. It throws `AcquirerSilent` if the outcome is
// unknown (timeout, broken connection, 5xx, a response that makes no sense): then the operation is inquired about later.

import type { MerchantLook } from '../domain/merchant.ts';
import type { CaptureMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';

export interface Acquirer {
  /**
   * Creates the payment at the provider, if it has such a step; no money moves. It is not committed yet: if this process
   * dies now, the customer starts again, and nothing was charged.
   */
  begin(request: BeginRequest): Promise<Begun>;
  /**
   * Moves the money of a payment that was begun, and captures it too unless capture is manual. If the customer has to act
   * first, the outcome is `action`; after `ready`, it is called again.
   */
  authorise(payment: AcquirerOperation): Promise<Answer>;
  capture(capture: FollowUp): Promise<Answer>;
  void(release: FollowUp): Promise<Answer>;
  refund(refund: FollowUp): Promise<Answer>;
  /** The outcome so far. It only reads: `pending` while the request may still arrive. */
  inquire(operation: AcquirerOperation | FollowUp): Promise<Answer>;
  /**
   * Ends an operation if it can: if its request still arrives, the provider refuses it. Otherwise returns the outcome.
   * This makes `not_made` final, like every outcome except `pending`, `action` and `ready`. Refunds are not closed but sent
   * again, because the merchant was told that they were created.
   */
  close(operation: AcquirerOperation | FollowUp): Promise<Answer>;
}

/**
 * Opaque to everyone but the connector: JSON that is stored with the operation. Never contains credentials or cards. Once
 * the provider has given a reference, a customer's address may be erased from it.
 */
export type AcquirerState = Readonly<Record<string, unknown>>;

/** An operation as a connector sees it. */
export interface AcquirerOperation {
  /** Our id. */
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  /** The provider's id of it; null until the provider gave one. */
  readonly reference: string | null;
  readonly state: AcquirerState | null;
  /**
   * When it was created here, in milliseconds: providers forget idempotency keys after a time. Usually it is sent
   * immediately, and a refund or void that was refused before within half an hour.
   */
  readonly createdAt: number;
}

/** A capture, void or refund of an authorised payment. */
export interface FollowUp extends AcquirerOperation {
  readonly kind: 'capture' | 'void' | 'refund';
  readonly payment: AcquirerOperation;
}

/** What a call returns. A reference or state that is present replaces the stored one with the next commit. */
export interface Answer {
  readonly outcome: MoneyOutcome;
  readonly reference?: string;
  readonly state?: AcquirerState;
  /** It was known without asking the provider, so it does not show whether that responds. */
  readonly notAsked?: true;
  /** Why the provider does nothing for this account, such as refused credentials: the call counts as failed. */
  readonly unavailable?: string;
}

export interface BeginRequest {
  /** Our id of the operation. */
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  readonly method: PaymentMethodType;
  /** How the customer pays, for `card` only; it lives in memory, for this one call. */
  readonly card?: CardSource;
  /** Where the customer returns after a challenge or a page of the provider. */
  readonly returnUrl: string;
  /** Where the provider sends notifications. */
  readonly notificationUrl: string;
  /** Shown to the customer by the provider. */
  readonly description: string | null;
  /** The merchant to show on test pages. */
  readonly merchant: MerchantLook;
  /** The customer's language: a tag such as `de-AT`. */
  readonly locale: string;
  readonly customerEmail: string | null;
  /** Stored at the provider, to recognise the payment there: our ids, and nothing of the customer. */
  readonly ids: { readonly paymentIntent: string; readonly checkoutSession: string };
}

/** Only the sandbox sees numbers; the fields of a provider give a token instead. */
export type CardSource =
  | ({ readonly kind: 'details' } & CardDetails)
  | { readonly kind: 'token'; readonly token: string };

export interface CardDetails {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cvc: string;
  readonly name: string;
}

export type Begun =
  | {
      readonly next: 'authorise';
      readonly reference?: string;
      readonly state?: AcquirerState;
      readonly card?: DescribedCard;
    }
  /** The customer must complete a step at `url` first. */
  | {
      readonly next: 'action';
      readonly url: string;
      readonly reference?: string;
      readonly state?: AcquirerState;
      readonly card?: DescribedCard;
    }
  /** The provider refuses the card before any money was requested. */
  | { readonly next: 'declined'; readonly decline: Decline }
  /** The operation was already begun with a different amount, method or card: the first request stands. */
  | { readonly next: 'refused' }
  /** The provider does not answer or is not reachable: nothing was begun, and another method may work. */
  | {
      readonly next: 'unavailable';
      /** For the log: silence, too many requests, refused credentials. */
      readonly reason?: string;
      /** The provider asked to wait this long. */
      readonly retryAfterMs?: number | null;
    };

/** What may be stored and shown of a card that only the provider has seen. */
export interface DescribedCard {
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}

export type MoneyOutcome =
  /** For a payment: authorised and captured. For the others: done. `captured`: how much, if not all of a payment. */
  | { readonly kind: 'done'; readonly captured?: number }
  /** Authorised, not yet captured. `captureBefore`: what the provider says, in milliseconds; absent: unknown. */
  | { readonly kind: 'authorised'; readonly captureBefore?: number }
  | { readonly kind: 'declined'; readonly decline: Decline }
  /** The customer must complete a step at `url`. */
  | { readonly kind: 'action'; readonly url: string }
  /** The customer has completed the step, and no money has moved: `authorise` moves it. */
  | { readonly kind: 'ready' }
  /** The customer did not complete the step. `canceled`: they left to choose another method. */
  | { readonly kind: 'abandoned'; readonly reason: 'failed' | 'canceled' }
  /**
   * The provider has not decided yet. `customerDone`: the customer has nothing more to do. `isSearching`: it is still
   * being looked for at the provider, which the next call continues, with the returned state, and soon.
   */
  | { readonly kind: 'pending'; readonly customerDone: boolean; readonly isSearching?: true }
  /** The provider never acted on this operation, and never will. */
  | { readonly kind: 'not_made' };

export interface Decline {
  readonly code: DeclineCode;
  /** The provider's own code, where it has one. */
  readonly providerCode?: string;
}

export type DeclineCode =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'bank_declined';

export interface SilenceDetails extends ErrorOptions {
  readonly retryAfterMs?: number | null;
  readonly isOnlyAboutThis?: boolean;
  readonly notSent?: boolean;
}

/** The outcome of a call is unknown until an inquiry. */
export class AcquirerSilent extends Error {
  override readonly name = 'AcquirerSilent';
  /** The provider asked to wait: when it may be called again, in milliseconds from now. */
  readonly retryAfterMs: number | null;
  /** The provider works, and only cannot tell about this operation: no reason to stop calling it. */
  readonly isOnlyAboutThis: boolean;
  /** The provider was not called, because it is down or busy: nothing is known that was not known before. */
  readonly notSent: boolean;

  constructor(message: string, details: SilenceDetails = {}) {
    const { retryAfterMs = null, isOnlyAboutThis = false, notSent = false, ...options } = details;
    super(message, options);
    this.retryAfterMs = retryAfterMs;
    this.isOnlyAboutThis = isOnlyAboutThis;
    this.notSent = notSent;
  }
}
