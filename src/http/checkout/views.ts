// What the pages of the hosted checkout show, as plain values. The routes fill these in; `pages/` turns them into HTML.

import type { CardFields, PageSources } from '../../acquirers/provider.ts';
import type { CollectableDetail } from '../../domain/customer-details.ts';
import type { LateMoney } from '../../domain/late-money.ts';
import type { LineItem } from '../../domain/money.ts';
import type { PaymentMethodType } from '../../domain/payment-methods.ts';
import type { DetailField, DetailProblems } from '../../domain/read-customer-details.ts';

export const languages = ['en', 'es', 'nl', 'de', 'fr', 'pt', 'it', 'pl', 'ja', 'ar'] as const;
export type Language = (typeof languages)[number];

/** What all pages of a session have in common. */
export interface Frame {
  readonly language: Language;
  /** For money and dates: the customer's language tag, such as `de-AT`, or the language. */
  readonly locale: string;
  readonly testMode: boolean;
  readonly merchant: {
    readonly name: string;
    readonly logoUrl: string | null;
    /** `#rrggbb`. */
    readonly accentColor: string | null;
  };
}

export interface Order {
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly lineItems: readonly LineItem[] | null;
}

/** Why the customer sees the form again. */
export type PayProblem =
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** The merchant has changed the amount since the page was shown; nothing was charged. */
  | { readonly kind: 'amount_changed' }
  /** The form was too old or already used; nothing was charged. */
  | { readonly kind: 'form_expired' }
  /** The form was posted from a different origin; nothing was charged. */
  | { readonly kind: 'sent_from_elsewhere' }
  /** Too many declined attempts: wait this many seconds. */
  | { readonly kind: 'slow_down'; readonly seconds: number }
  /** Too many declined cards: only other methods are allowed. Without any, the form is not shown again. */
  | { readonly kind: 'too_many_declines' }
  /** Too many attempts by any method: no more are allowed. The form is not shown again. */
  | { readonly kind: 'too_many_attempts' }
  /** The provider of this method did not answer; nothing was charged. */
  | { readonly kind: 'method_unavailable'; readonly method: PaymentMethodType }
  /** A card was not entered in the provider's fields, so it was not read; nothing was charged. */
  | { readonly kind: 'card_not_accepted' }
  /** The payment link was paid as often as it can be; nothing was charged. The form is not shown again. */
  | { readonly kind: 'link_used_up' }
  /** The customer's input is not valid. */
  | { readonly kind: 'invalid'; readonly fields: FieldProblems };

export const declineReasons = [
  'generic_decline',
  'insufficient_funds',
  'lost_card',
  'stolen_card',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
  'authentication_failed',
  'bank_declined',
  'customer_canceled',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

export type CardField = 'number' | 'expiry' | 'cvc' | 'name';
export type FormField = CardField | DetailField;
export const fieldProblems = ['missing', 'invalid', 'past'] as const;
export type FieldProblem = (typeof fieldProblems)[number];
export type FieldProblems = Readonly<Partial<Record<CardField, FieldProblem>>> & Readonly<DetailProblems>;

/** What the customer is asked for besides the payment. */
export interface DetailsForm {
  readonly asked: readonly CollectableDetail[];
  /** As they were entered in an earlier attempt. */
  readonly values: Readonly<Partial<Record<DetailField, string>>>;
  /** The billing address is the shipping address. */
  readonly sameAddress: boolean;
}

/** Where a card is entered: in our own fields (the sandbox), on the provider's page, or in its fields on our page. */
export type CardEntry = 'own_fields' | 'redirect' | CardFields;

/** Why a method is shown but cannot be chosen. */
export type Unavailability = 'provider_down' | 'too_many_declines';

export interface PayView extends Frame {
  readonly page: 'pay';
  readonly order: Order;
  /**
   * Where the form is posted. Fields: attempt, amount, method, name, and number, expiry, cvc or card_token; those of
   * `details`.
   */
  readonly action: string;
  /** The single-use token of this form. */
  readonly attempt: string;
  readonly methods: readonly PaymentMethodType[];
  readonly unavailable: ReadonlyMap<PaymentMethodType, Unavailability>;
  readonly cardEntry: CardEntry;
  /** `chosen` and `name` are remembered from an earlier attempt; card number, expiry and CVC never are. */
  readonly chosen: PaymentMethodType;
  readonly name: string;
  readonly email: string | null;
  /** Null: nothing. */
  readonly details: DetailsForm | null;
  readonly problem: PayProblem | null;
  readonly cancelUrl: string | null;
  readonly secondsLeft: number;
  /** The page's own URL, without a problem in the query. */
  readonly pageUrl: string;
}

/** The sandbox's 3DS page. Form field `result`: `pass`, `fail` or `cancel`. */
export interface ChallengeView extends Frame {
  readonly page: 'challenge';
  readonly order: Order;
  readonly action: string;
  readonly cardLast4: string;
}

/** The sandbox's bank page. Form field `result`: `pass`, `fail`, `fail_later` or `cancel`. */
export interface BankView extends Frame {
  readonly page: 'bank';
  readonly order: Order;
  readonly action: string;
  readonly method: PaymentMethodType;
  readonly settlesLater: boolean;
}

/**
 * Polls for the outcome: by script at `statusUrl` (JSON `{"done": boolean, "location": string}`), otherwise by reload.
 */
export interface ProcessingView extends Frame {
  readonly page: 'processing';
  readonly order: Order;
  readonly statusUrl: string;
  /** Where customers continue who have returned too early; null: they are done. */
  readonly continueUrl: string | null;
}

export interface ReceiptView extends Frame {
  readonly page: 'receipt';
  readonly order: Order;
  /**
   * `authorised`: charged later, by the merchant. `refunded`: all of it. `pending`: the customer is done, and the money
   * arrives later. `failed`: it did not arrive.
   */
  readonly outcome: 'paid' | 'authorised' | 'refunded' | 'pending' | 'failed';
  /** `charged`: or to be charged; it may be less than the order. */
  readonly amounts: { readonly charged: number; readonly refunded: number };
  /** Where a customer whose payment failed can start again. */
  readonly shopUrl: string | null;
  readonly paidAt: number;
  readonly reference: string;
  readonly method: {
    readonly type: PaymentMethodType;
    readonly cardBrand?: string;
    readonly cardLast4?: string;
  } | null;
}

/** Redirects to another site automatically, with a link in case that does not work. */
export interface RedirectingView extends Frame {
  readonly page: 'redirecting';
  readonly url: string;
  /** `action` leads to where the payment is confirmed, the others back to the shop. */
  readonly reason: 'paid' | 'authorised' | 'pending' | 'unpaid' | 'action';
}

/** The session has expired, or the payment was canceled. */
export interface EndedView extends Frame {
  readonly page: 'expired' | 'cancelled';
  readonly lateMoney: LateMoney;
  readonly cancelUrl: string | null;
}

/** The page of a payment link. Form fields: visitor, amount. */
export interface LinkView extends Frame {
  readonly page: 'link';
  /** `amount` is null if the customer enters it. */
  readonly order: Omit<Order, 'amount'> & { readonly amount: number | null };
  readonly action: string;
  /** Stands for the session that this visitor will get. */
  readonly visitor: string;
  /** Null: the amount is fixed. */
  readonly entry: AmountEntry | null;
}

export interface AmountEntry {
  readonly typed: string;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly problem:
    | { readonly kind: 'missing' | 'invalid' | 'other_currency' | 'refused' }
    | { readonly kind: 'too_small' | 'too_large'; readonly limit: number }
    | { readonly kind: 'ambiguous'; readonly readings: readonly number[] }
    | null;
}

/** A payment link that cannot be paid. */
export interface LinkEndedView extends Frame {
  readonly page: 'link_ended';
  /**
   * `taken`: as many as can pay are paying. `unavailable`: no session can be created. The last two are about this request
   * only.
   */
  readonly reason: 'completed' | 'inactive' | 'expired' | 'taken' | 'unavailable' | 'too_many' | 'sent_from_elsewhere';
  /** How long to wait, for `too_many`. */
  readonly seconds?: number;
  /** Where the customer can try again. Absent: no link. */
  readonly pageUrl?: string;
}

/** There is no such session, so no merchant to name. */
export interface NotFoundView {
  readonly page: 'not_found';
  readonly language: Language;
}

/** Something went wrong on our side; nothing was charged by this request. */
export interface FaultView {
  readonly page: 'fault';
  readonly language: Language;
  readonly requestId: string;
  /** Where the customer can try again. Absent: no link. */
  readonly pageUrl?: string;
  /** The customer may have been charged before the failure, so the page does not claim that nothing was charged. */
  readonly paying?: boolean;
}

export type View =
  | PayView
  | ChallengeView
  | BankView
  | ProcessingView
  | ReceiptView
  | RedirectingView
  | EndedView
  | LinkView
  | LinkEndedView
  | NotFoundView
  | FaultView;

export interface RenderedPage {
  /** In UTF-8. */
  readonly html: Uint8Array;
  /** For the CSP header: `'sha256-…'` of each inline script and style in `html`. */
  readonly scriptHashes: readonly string[];
  readonly styleHashes: readonly string[];
  /** What a provider's fields on this page need; null: the page has none. */
  readonly providerSources: PageSources | null;
}
