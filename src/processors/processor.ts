// The port to acquirers: whoever moves the money. An acquirer is outside: it may answer late, twice or not at all, so
// every call carries our reference, and the same reference never moves money twice.

import type { MerchantLook } from '../domain/merchant.ts';
import type { CaptureMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';

export interface Processor {
  /**
   * Hands over what the customer pays with: the only call that sees a card. No money moves. The acquirer keeps it under
   * the reference until `authorise`, or forgets it.
   */
  begin(request: BeginRequest): Promise<Begun>;
  /** What came of the challenge or redirect that `begin` asked for. */
  actionOf(reference: string, livemode: boolean): Promise<ActionOutcome>;
  /** Authorises what was begun, and captures it too unless the capture is manual. */
  authorise(reference: string, livemode: boolean): Promise<MoneyOutcome>;
  capture(request: FollowUp): Promise<MoneyOutcome>;
  void(request: FollowUp): Promise<MoneyOutcome>;
  refund(request: FollowUp): Promise<MoneyOutcome>;
  /** What became of a reference, as far as is known now. It only reads: `pending` where the request may still arrive. */
  inquire(reference: string, livemode: boolean): Promise<MoneyOutcome>;
  /**
   * Ends a reference that was not acted on: should the request still arrive, it is refused. Otherwise says what became of
   * it. So `not_made` is final, like every other outcome but `pending`.
   */
  close(reference: string, livemode: boolean): Promise<MoneyOutcome>;
  /** Told, at least once, that something happened to a reference: a reason to ask, never the truth itself. */
  onNotification(listener: (reference: string) => void): void;
}

export interface BeginRequest {
  readonly reference: string;
  /** Every call says so: an acquirer for one mode does nothing for the other, whoever asks. */
  readonly livemode: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  readonly method: PaymentMethodType;
  /** For `card` only. Lives in memory, for this one call. */
  readonly card?: CardDetails;
  /** Where the customer comes back to after a challenge or a bank's page. */
  readonly returnUrl: string;
  /** Whom the customer pays, for the pages of a challenge or a bank. */
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
  /** The customer has something to do at `url` first. */
  | { readonly next: 'action'; readonly url: string }
  /** The reference was begun before, with another amount, method or card: what was begun first stands. */
  | { readonly next: 'refused' }
  /** It takes no payments of this mode. */
  | { readonly next: 'not_served' };

/** `canceled`: the customer went back to choose another method. That tells nothing of the card. */
export type ActionOutcome = 'waiting' | 'passed' | 'failed' | 'canceled';

export type MoneyOutcome =
  /** For an authorisation: authorised and captured. For the others: done. */
  | { readonly outcome: 'done' }
  /** Authorised, to be captured. */
  | { readonly outcome: 'authorised' }
  | { readonly outcome: 'declined'; readonly code: DeclineCode }
  /** The network has not said yet. `customerDone`: the customer has nothing more to do. */
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

/** A call about an authorisation that was made before. */
export interface FollowUp {
  readonly reference: string;
  /** The reference of the authorisation. */
  readonly payment: string;
  readonly livemode: boolean;
  readonly amount: number;
}

/** The acquirer did not answer in time: what it did is not known, and must be asked. */
export class ProcessorSilent extends Error {
  override readonly name = 'ProcessorSilent';
}
