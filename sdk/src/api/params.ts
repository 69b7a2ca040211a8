// What the API takes: bodies and queries, by operation.
// Made by `node test/support/write-sdk-types.ts` out of the OpenAPI document.

import type {
  CaptureMethod,
  CheckoutSessionStatus,
  EventType,
  LineItem,
  PaymentIntentStatus,
  PaymentMethodType,
  SubscribableEventType,
} from './resources.ts';

export interface CreateCheckoutSessionParams {
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount?: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case comes back. */
  readonly currency: string;
  /** Only `payment`. */
  readonly mode?: 'payment' | undefined;
  /**
   * Where the customer goes after paying. Absolute, with https in live mode; `{CHECKOUT_SESSION_ID}` is replaced. Comes
   * back percent-encoded, as a browser would write it.
   */
  readonly return_url?: string | null | undefined;
  /**
   * Where the customer goes on "Cancel". Absolute, with https in live mode; `{CHECKOUT_SESSION_ID}` is replaced. Comes
   * back percent-encoded, as a browser would write it.
   */
  readonly cancel_url?: string | null | undefined;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Seconds that the session stays open: 300 to 86400. */
  readonly expires_in?: number | undefined;
  /** `automatic` captures at once; `manual` only authorises, to be captured within 7 days. */
  readonly capture_method?: CaptureMethod | undefined;
  /** What the customer may choose from; by default all that the account and the currency allow. */
  readonly payment_method_types?: readonly PaymentMethodType[] | undefined;
  /** Shown on the page. */
  readonly description?: string | null | undefined;
  /** The customer's e-mail address. */
  readonly customer_email?: string | null | undefined;
  /** The language of the page, such as `de` or `pt-BR`; `auto` goes by the browser. */
  readonly locale?: string | undefined;
  /** What the customer buys, shown on the page; at most 100. They must add up to `amount`. */
  readonly line_items?: readonly LineItem[] | undefined;
}

export interface ListCheckoutSessionsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before, to go on from there. */
  readonly cursor?: string | undefined;
  /** Only those with this status. */
  readonly status?: CheckoutSessionStatus | undefined;
}

export interface UpdateCheckoutSessionParams {
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount?: number;
  /**
   * What the customer buys, shown on the page; at most 100. They must add up to `amount`. Null removes them and keeps
   * the amount.
   */
  readonly line_items?: readonly LineItem[] | null | undefined;
  /**
   * Merged into what is there: a string sets a key, null removes it. Up to 50 keys of up to 40 characters, with string
   * values of up to 500 characters.
   */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
  /**
   * Where the customer goes after paying. Absolute, with https in live mode; `{CHECKOUT_SESSION_ID}` is replaced. Comes
   * back percent-encoded, as a browser would write it.
   */
  readonly return_url?: string | null | undefined;
  /**
   * Where the customer goes on "Cancel". Absolute, with https in live mode; `{CHECKOUT_SESSION_ID}` is replaced. Comes
   * back percent-encoded, as a browser would write it.
   */
  readonly cancel_url?: string | null | undefined;
  /** Seconds that the session stays open: 300 to 86400. From now, and within 24 h of creation. */
  readonly expires_in?: number | undefined;
}

export interface ListPaymentIntentsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before, to go on from there. */
  readonly cursor?: string | undefined;
  /** Only those with this status. */
  readonly status?: PaymentIntentStatus | undefined;
}

export interface CapturePaymentIntentParams {
  /** What to take, in the smallest currency unit; by default all that is authorised. */
  readonly amount_to_capture?: number;
}

export interface CancelPaymentIntentParams {
  /** Why, in your words. */
  readonly cancellation_reason?: string | undefined;
}

export interface RefundPaymentIntentParams {
  /** What to give back; by default all that is left. */
  readonly amount?: number;
  /** Why, in your words. */
  readonly reason?: string | undefined;
}

export interface ListRefundsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before, to go on from there. */
  readonly cursor?: string | undefined;
  /** Only those of this payment. */
  readonly payment_intent?: string;
}

export interface CreateWebhookEndpointParams {
  /** Where events are sent: a public http or https address, https in live mode. */
  readonly url: string;
  /**
   * The types of events that are sent, by name. By default the four of hosted checkout; the others must be asked for.
   */
  readonly enabled_events?: readonly SubscribableEventType[] | undefined;
  /** What it is for, in your words. */
  readonly description?: string | null | undefined;
  /** Nothing is sent to a disabled endpoint, and nothing is queued for it. */
  readonly disabled?: boolean | undefined;
}

export interface ListWebhookEndpointsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before, to go on from there. */
  readonly cursor?: string | undefined;
}

export interface UpdateWebhookEndpointParams {
  /** Where events are sent: a public http or https address, https in live mode. */
  readonly url?: string | undefined;
  /**
   * The types of events that are sent, by name. By default the four of hosted checkout; the others must be asked for.
   */
  readonly enabled_events?: readonly SubscribableEventType[] | undefined;
  /** What it is for, in your words. Null clears. */
  readonly description?: string | null | undefined;
  /** `false` enables it again, whatever it was disabled for. */
  readonly disabled?: boolean | undefined;
}

export interface RotateWebhookSecretParams {
  /** Seconds until the new secret signs, at most 604800; 0: at once. */
  readonly activates_in?: number | undefined;
}

export interface ResendFailedDeliveriesParams {
  /** From when on: an ISO 8601 time with its zone. Deliveries made at that time or later count. */
  readonly since: string;
}

export interface ListEventsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before, to go on from there. */
  readonly cursor?: string | undefined;
  /** Only those of this type. */
  readonly type?: EventType | undefined;
}

export interface ResendEventParams {
  /** The endpoint to send it to; by default all that subscribe to its type. */
  readonly endpoint?: string;
}

export interface ListDeliveriesParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before, to go on from there. */
  readonly cursor?: string | undefined;
}
