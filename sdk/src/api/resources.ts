// What the API answers, in the words of the API.
// Made by `node test/support/write-sdk-types.ts` out of the OpenAPI document.

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

export interface LineItem {
  /** What is bought. */
  readonly name: string;
  /** How many, from 1. */
  readonly quantity: number;
  /** The price of one, in the smallest currency unit. */
  readonly unit_amount: number;
  /** A line below the name. */
  readonly description?: string | null | undefined;
}

export type CheckoutSessionStatus = 'open' | 'completed' | 'expired';

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout_session';
  readonly status: CheckoutSessionStatus;
  readonly mode: 'payment';
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case comes back. */
  readonly currency: string;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata: Readonly<Record<string, string>>;
  /** The payment intent that is paid through this session. */
  readonly payment_intent: string;
  /** Send the customer here. */
  readonly url: string;
  /** For embedded integrations; not needed for hosted checkout. */
  readonly client_secret: string;
  /**
   * Where the customer goes after paying. Absolute, with https in live mode; `{CHECKOUT_SESSION_ID}` is replaced. Comes
   * back percent-encoded, as a browser would write it.
   */
  readonly return_url: string | null;
  /**
   * Where the customer goes on "Cancel". Absolute, with https in live mode; `{CHECKOUT_SESSION_ID}` is replaced. Comes
   * back percent-encoded, as a browser would write it.
   */
  readonly cancel_url: string | null;
  /** `automatic` captures at once; `manual` only authorises, to be captured within 7 days. */
  readonly capture_method: CaptureMethod;
  readonly payment_method_types: readonly PaymentMethodType[];
  readonly description: string | null;
  readonly customer_email: string | null;
  readonly locale: string;
  readonly line_items: readonly LineItem[] | null;
  /** When it expires, or expired. */
  readonly expires_at: string;
  /** When the customer finished. */
  readonly completed_at: string | null;
  /** False in test mode. */
  readonly livemode: boolean;
  /** When it was created. */
  readonly created_at: string;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  /** Whether older ones follow. */
  readonly has_more: boolean;
  /** Send as `cursor` for the next page. */
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

export interface PaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  /** How far the payment has come. `succeeded`, `canceled` and `expired` are final. */
  readonly status: PaymentIntentStatus;
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case comes back. */
  readonly currency: string;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata: Readonly<Record<string, string>>;
  /** False in test mode. */
  readonly livemode: boolean;
  /** When it was created. */
  readonly created_at: string;
  /** `automatic` captures at once; `manual` only authorises, to be captured within 7 days. */
  readonly capture_method: CaptureMethod;
  /** What was taken from the customer. */
  readonly amount_captured: number;
  /** What was given back, or is on its way. */
  readonly amount_refunded: number;
  /** The session that it is paid through. */
  readonly checkout_session: string;
  /** What the customer paid with last. */
  readonly payment_method: PaymentMethod | null;
  /** Why the last attempt failed. */
  readonly last_payment_error: PaymentError | null;
  /** When it was canceled. */
  readonly canceled_at: string | null;
  /** Why, in your words. */
  readonly cancellation_reason: string | null;
}

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  /** The payment that is refunded. */
  readonly payment_intent: string;
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case comes back. */
  readonly currency: string;
  /** A failed refund counts as not made. */
  readonly status: RefundStatus;
  /** Why, in your words. */
  readonly reason: string | null;
  /** False in test mode. */
  readonly livemode: boolean;
  /** When it was made. */
  readonly created_at: string;
}

export type SubscribableEventType =
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'checkout_session.completed'
  | 'checkout_session.expired'
  | 'payment_intent.canceled'
  | 'refund.created'
  | 'refund.failed';

export interface WebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  /** Where events are sent: a public http or https address, https in live mode. */
  readonly url: string;
  /** What it is for, in your words. */
  readonly description: string | null;
  /**
   * The types of events that are sent, by name. By default the four of hosted checkout; the others must be asked for.
   */
  readonly enabled_events: readonly SubscribableEventType[];
  /** Nothing is sent to a disabled endpoint, and nothing is queued for it. */
  readonly disabled: boolean;
  /** `by_request`: you disabled it. `gone`: it answered 410, so nothing more is sent until you enable it. */
  readonly disabled_reason: 'by_request' | 'gone' | null;
  /** When the secret of the last rotation begins to sign; null if none waits. */
  readonly next_secret_activates_at: string | null;
  /** False in test mode. */
  readonly livemode: boolean;
  /** When it was created. */
  readonly created_at: string;
}

export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** The key of the signatures, as it is, with its prefix. Keep it now: it is not shown again. */
  readonly secret: string;
}

export interface DeletedWebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  readonly deleted: true;
}

export interface Resent {
  /** How many events are sent again. */
  readonly resent: number;
  /** Whether some are left: make the same call again. */
  readonly has_more: boolean;
}

export type EventType =
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'checkout_session.completed'
  | 'checkout_session.expired'
  | 'payment_intent.canceled'
  | 'refund.created'
  | 'refund.failed'
  | 'webhook_endpoint.test';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface DeliveryAttempt {
  /** When it was made. */
  readonly at: string;
  /** What your endpoint answered; null where no answer came. */
  readonly status_code: number | null;
  /** Why no answer came, or why it did not count. */
  readonly error: string | null;
  /** How long it took, in milliseconds. */
  readonly duration_ms: number;
  /** The beginning of what your endpoint answered. */
  readonly response_excerpt: string | null;
}

export interface Delivery {
  readonly id: string;
  /** The event that is sent. */
  readonly event: string;
  /** The endpoint that it is sent to. */
  readonly endpoint: string;
  /** `failed`: no attempt is left. */
  readonly status: DeliveryStatus;
  /** When it is tried next; null once it is over. */
  readonly next_attempt_at: string | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface Merchant {
  readonly id: string;
  readonly object: 'merchant';
  readonly name: string;
  /** The mode of the key that asked. */
  readonly livemode: boolean;
  /** The key that asked. */
  readonly api_key: string;
  /** Enabled for this account. */
  readonly currencies: readonly string[];
  /** Enabled for this account. */
  readonly payment_method_types: readonly PaymentMethodType[];
  /** When the account was created. */
  readonly created_at: string;
}
