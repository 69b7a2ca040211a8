// Resources of the API.
// Generated from the OpenAPI document by `node test/support/write-sdk-types.ts`.

export type CaptureMethod = 'automatic' | 'manual';

export type PaymentMethodType =
  | 'card'
  | 'ideal'
  | 'bancontact'
  | 'eps'
  | 'blik'
  | 'pix'
  | 'promptpay'
  | 'swish'
  | 'twint'
  | 'sepa_debit'
  | 'oxxo';

export type CustomerDetail = 'email' | 'phone' | 'billing_address' | 'shipping_address';

export interface LineItem {
  /** The name of the product or service, shown to the customer. */
  readonly name: string;
  /** The number of units, at least 1. */
  readonly quantity: number;
  /** The price of one unit, in the smallest currency unit. */
  readonly unit_amount: number;
  /** Shown below the name. */
  readonly description?: string | null | undefined;
}

export type CheckoutSessionStatus = 'open' | 'completed' | 'expired';

export interface Address {
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  readonly postal_code: string | null;
  /** The state, province or region. */
  readonly state: string | null;
  /** An ISO 3166-1 code. */
  readonly country: string;
}

export interface CustomerDetails {
  /** Entered by the customer, or passed by you. */
  readonly email: string | null;
  /** As the customer entered it, without spaces: `+33612345678`, or without a country code. */
  readonly phone: string | null;
  readonly name: string | null;
  /** Where the invoice goes. */
  readonly billing_address: Address | null;
  /** Where the order goes. */
  readonly shipping_address: Address | null;
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout_session';
  readonly status: CheckoutSessionStatus;
  readonly mode: 'payment';
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
  readonly currency: string;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata: Readonly<Record<string, string>>;
  /** The payment intent of this session. */
  readonly payment_intent: string;
  /**
   * Where the customer pays: on the `hosted` page, or `embedded` in your own page. An embedded session that offers
   * methods with a redirect needs a `return_url`.
   */
  readonly ui_mode: 'hosted' | 'embedded';
  /** The hosted checkout page. Redirect the customer here. Null for an embedded session. */
  readonly url: string | null;
  /**
   * Opens the session in the embedded checkout, and reads it with `GET /client/checkout-sessions/{id}`. Pass it to the
   * customer's browser, and do not log or store it.
   */
  readonly client_secret: string;
  /**
   * Where the customer is sent after paying. An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}` is replaced
   * with the session id. Returned percent-encoded, as a browser would write it.
   */
  readonly return_url: string | null;
  /**
   * Where the customer is sent when they choose "Cancel". An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}`
   * is replaced with the session id. Returned percent-encoded, as a browser would write it.
   */
  readonly cancel_url: string | null;
  /** `automatic` captures the payment immediately; `manual` only authorises it, to be captured within 7 days. */
  readonly capture_method: CaptureMethod;
  readonly payment_method_types: readonly PaymentMethodType[];
  readonly description: string | null;
  /** What you passed. See `customer_details` for what is known. */
  readonly customer_email: string | null;
  /**
   * What the checkout page asks the customer for. An address comes with a name. The email address is not asked for if
   * you pass `customer_email`.
   */
  readonly collect: readonly CustomerDetail[];
  /** What is known about the customer: see `collect`. `null` if nothing is known, and once it has been erased. */
  readonly customer_details: CustomerDetails | null;
  readonly locale: string;
  readonly line_items: readonly LineItem[] | null;
  /**
   * When the session expires or expired. It can neither be paid nor changed from then on. Its status becomes `expired`
   * within a second, or as soon as the outcome of a payment in progress is known.
   */
  readonly expires_at: string;
  /** When the customer completed the checkout. */
  readonly completed_at: string | null;
  /** The payment link that the customer started from. */
  readonly payment_link: string | null;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** When the session was created. */
  readonly created_at: string;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  /** Whether there are more objects after this page. */
  readonly has_more: boolean;
  /** Send this as `cursor` to get the next page. */
  readonly next_cursor: string | null;
}

export type PaymentIntentStatus =
  | 'requires_payment_method'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled'
  | 'expired';

export interface Card {
  readonly brand: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
}

export interface PaymentMethod {
  /** A payment method. */
  readonly type: PaymentMethodType;
  readonly card?: Card | undefined;
}

export interface PaymentError {
  readonly code: string;
  readonly decline_code?: string | undefined;
  readonly message: string;
}

export interface Acquirer {
  /** `sandbox`, `stripe` or `mollie`. */
  readonly provider: string;
  /** The provider's own id of the payment. */
  readonly reference: string | null;
}

export interface PaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  /** The status of the payment. `succeeded`, `canceled` and `expired` are final. */
  readonly status: PaymentIntentStatus;
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
  readonly currency: string;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata: Readonly<Record<string, string>>;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** When the payment intent was created. */
  readonly created_at: string;
  /** `automatic` captures the payment immediately; `manual` only authorises it, to be captured within 7 days. */
  readonly capture_method: CaptureMethod;
  /** The amount captured. */
  readonly amount_captured: number;
  /** The amount refunded, including pending refunds. */
  readonly amount_refunded: number;
  /** The checkout session of this payment. */
  readonly checkout_session: string;
  /** The payment method used in the last attempt. */
  readonly payment_method: PaymentMethod | null;
  /** Why the last payment attempt failed. */
  readonly last_payment_error: PaymentError | null;
  /** When the payment was canceled. */
  readonly canceled_at: string | null;
  /** Your reason for canceling, or `acquirer` if it was canceled at the provider. */
  readonly cancellation_reason: string | null;
  /** Who made the last attempt; `null` before the first one. */
  readonly acquirer: Acquirer | null;
  /** What is known about the customer: see `collect`. `null` if nothing is known, and once it has been erased. */
  readonly customer_details: CustomerDetails | null;
  /** The payment link that the customer started from. */
  readonly payment_link: string | null;
}

export type PaymentLinkType = 'fixed' | 'open';

export type PaymentLinkStatus = 'active' | 'inactive' | 'expired' | 'completed';

export interface PaymentLink {
  readonly id: string;
  readonly object: 'payment_link';
  /**
   * `completed`: it was paid as often as `max_uses` allows. `inactive`: you deactivated it. `expired`: its time is up.
   */
  readonly status: PaymentLinkStatus;
  /** `fixed`: the amount is yours. `open`: the customer enters the amount. */
  readonly type: PaymentLinkType;
  /** In the smallest currency unit; `null` for `type: "open"`. */
  readonly amount: number | null;
  /** The smallest amount that the customer can enter, in the smallest currency unit. Only for `type: "open"`. */
  readonly minimum_amount: number | null;
  /** The largest amount that the customer can enter, in the smallest currency unit. Only for `type: "open"`. */
  readonly maximum_amount: number | null;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
  readonly currency: string;
  /** Shown on the page, and on the checkout page. */
  readonly description: string | null;
  readonly line_items: readonly LineItem[] | null;
  readonly payment_method_types: readonly PaymentMethodType[];
  /** `automatic` captures the payment immediately; `manual` only authorises it, to be captured within 7 days. */
  readonly capture_method: CaptureMethod;
  /**
   * Where the customer is sent after paying. An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}` is replaced
   * with the session id. Without it, the customer sees a receipt.
   */
  readonly redirect_url: string | null;
  /**
   * What the checkout page asks the customer for. An address comes with a name. The email address is not asked for if
   * you pass `customer_email`.
   */
  readonly collect: readonly CustomerDetail[];
  /** How often the link can be paid. `null`: any number of times. */
  readonly max_uses: number | null;
  /** Whether the link can be paid more than once. */
  readonly recurring: boolean;
  /** How many checkouts were started. */
  readonly times_used: number;
  /** How many of them were paid. */
  readonly times_completed: number;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * When the link can no longer be opened. A checkout that was started before can still be paid, until its session
   * expires.
   */
  readonly expires_at: string | null;
  /** The page of the link. Send it to your customers. */
  readonly url: string;
  /** A QR code of `url`, as an SVG image. */
  readonly qr_code_url: string;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** When the link was created. */
  readonly created_at: string;
}

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  /** The refunded payment. */
  readonly payment_intent: string;
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
  readonly currency: string;
  /** The amount of a `failed` refund can be refunded again. */
  readonly status: RefundStatus;
  /** Your reason for the refund. */
  readonly reason: string | null;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** When the refund was created. */
  readonly created_at: string;
}

export type DisputeStatus = 'needs_response' | 'under_review' | 'won' | 'lost' | 'warning';

export interface DisputeAcquirer {
  /** `sandbox`, `stripe` or `mollie`. */
  readonly provider: string;
  /** The provider's own id of the dispute. */
  readonly reference: string;
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  /** The disputed payment. */
  readonly payment_intent: string;
  /** The disputed amount, which may be less than the payment. */
  readonly amount: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
  readonly currency: string;
  /** The provider's word for the customer's reason. */
  readonly reason: string;
  /**
   * `needs_response`: give evidence in the provider’s dashboard. `under_review`: the bank decides. `won` and `lost`: it
   * has decided. `warning`: the bank only asks, and no money was taken.
   */
  readonly status: DisputeStatus;
  /** Until when evidence can be given; null if none can. */
  readonly evidence_due_by: string | null;
  /** Where evidence is given. */
  readonly acquirer: DisputeAcquirer;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** When the dispute was opened. */
  readonly created_at: string;
}

export type EventType =
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'checkout_session.completed'
  | 'checkout_session.expired'
  | 'payment_intent.canceled'
  | 'refund.created'
  | 'refund.failed'
  | 'dispute.created'
  | 'dispute.updated'
  | 'dispute.closed'
  | 'webhook_endpoint.test';

export interface Merchant {
  readonly id: string;
  readonly object: 'merchant';
  readonly name: string;
  /** The mode of the API key used: `false` in test mode. */
  readonly livemode: boolean;
  /** The id of the API key used. */
  readonly api_key: string;
  /** The currencies enabled for this account. */
  readonly currencies: readonly string[];
  /** The payment methods enabled for this account. */
  readonly payment_method_types: readonly PaymentMethodType[];
  /** Whether customers get receipts and refund notices by e-mail, provided that the installation sends e-mail. */
  readonly receipts: boolean;
  /** The address that replies to these messages go to. */
  readonly reply_to: string | null;
  /** The origins whose pages may embed the checkout. In test mode, `localhost` may too. */
  readonly embed_origins: readonly string[];
  /** When the account was created. */
  readonly created_at: string;
}
