// The port to acquirers, which move the money. An acquirer is an external party: it may respond late, twice or never.
// Every call therefore carries our reference, and the same reference never moves money twice.

import type { MerchantLook } from '../domain/merchant.ts';
import type { CaptureMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';

export interface Processor {
  /**
   * Submits the customer's payment details: the only call that sees a card. No money moves. The acquirer keeps the
   * details under the reference until `authorise`, or discards them.
   */
  begin(request: BeginRequest): Promise<Begun>;
  /** The result of the challenge or redirect that `begin` required. */
  actionOf(reference: string, livemode: boolean): Promise<ActionOutcome>;
  /** Authorises a payment that was begun, and captures it too unless capture is manual. */
  authorise(reference: string, livemode: boolean): Promise<MoneyOutcome>;
  capture(request: FollowUp): Promise<MoneyOutcome>;
  void(request: FollowUp): Promise<MoneyOutcome>;
  refund(request: FollowUp): Promise<MoneyOutcome>;
  /** The outcome of a reference so far. It only reads: `pending` while the request may still arrive. */
  inquire(reference: string, livemode: boolean): Promise<MoneyOutcome>;
  /**
   * Closes a reference that was not acted on: if the request still arrives, it is refused. Otherwise returns the
   * outcome. This makes `not_made` final, like every other outcome except `pending`.
   */
  close(reference: string, livemode: boolean): Promise<MoneyOutcome>;
  /** Called at least once when something happens to a reference: a reason to inquire, never the truth itself. */
  onNotification(listener: (reference: string) => void): void;
}

export interface BeginRequest {
  readonly reference: string;
  /** Part of every call: an acquirer for one mode does nothing for the other, whoever the caller is. */
  readonly livemode: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  readonly method: PaymentMethodType;
  /** For `card` only. Lives in memory, for this one call. */
  readonly card?: CardDetails;
  /** Where the customer returns after a challenge or a bank's page. */
  readonly returnUrl: string;
  /** The merchant to show on the pages of a challenge or a bank. */
  readonly merchant: MerchantLook;
  /** The language of those pages: a tag such as `de-AT`. */
  readonly locale: string;
}

export interface CardDetails {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cvc: string;
  readonly name: string;
}

export type Begun =
  | { readonly next: 'authorise' }
  /** The customer must complete a step at `url` first. */
  | { readonly next: 'action'; readonly url: string }
  /** The reference was already begun with a different amount, method or card: the first request stands. */
  | { readonly next: 'refused' }
  /** The acquirer does not accept payments in this mode. */
  | { readonly next: 'not_served' };

/** `canceled`: the customer went back to choose another method, which says nothing about the card. */
export type ActionOutcome = 'waiting' | 'passed' | 'failed' | 'canceled';

export type MoneyOutcome =
  /** For an authorisation: authorised and captured. For the others: done. */
  | { readonly outcome: 'done' }
  /** Authorised, not yet captured. */
  | { readonly outcome: 'authorised' }
  | { readonly outcome: 'declined'; readonly code: DeclineCode }
  /** The network has not decided yet. `customerDone`: the customer has nothing more to do. */
  | { readonly outcome: 'pending'; readonly customerDone: boolean }
  /** The acquirer never acted on this reference, and never will. */
  | { readonly outcome: 'not_made' };

export type DeclineCode =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'bank_declined';

/** A call about an earlier authorisation. */
export interface FollowUp {
  readonly reference: string;
  /** The reference of the authorisation. */
  readonly payment: string;
  readonly livemode: boolean;
  readonly amount: number;
}

/** The acquirer did not respond in time: the outcome is unknown until an inquiry. */
export class ProcessorSilent extends Error {
  override readonly name = 'ProcessorSilent';
}
