// Parameters of the API: bodies and queries, by operation.
// Generated from the OpenAPI document by `node test/support/write-sdk-types.ts`.

import type {
  CaptureMethod,
  CheckoutSessionStatus,
  CustomerDetail,
  DisputeStatus,
  EventType,
  LineItem,
  PaymentIntentStatus,
  PaymentLinkStatus,
  PaymentLinkType,
  PaymentMethodType,
} from './resources.ts';
import type { SubscribableEventType } from './webhook-endpoints.ts';

export interface CreateCheckoutSessionParams {
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount?: number;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
  readonly currency: string;
  /** Always `payment`. */
  readonly mode?: 'payment' | undefined;
  /**
   * Where the customer is sent after paying. An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}` is replaced
   * with the session id. Returned percent-encoded, as a browser would write it.
   */
  readonly return_url?: string | null | undefined;
  /**
   * Where the customer is sent when they choose "Cancel". An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}`
   * is replaced with the session id. Returned percent-encoded, as a browser would write it.
   */
  readonly cancel_url?: string | null | undefined;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** How long the session stays open, in seconds: 300 to 86400. */
  readonly expires_in?: number | undefined;
  /** `automatic` captures the payment immediately; `manual` only authorises it, to be captured within 7 days. */
  readonly capture_method?: CaptureMethod | undefined;
  /**
   * The payment methods offered to the customer. By default, every method that is enabled for the account and supports
   * the currency.
   */
  readonly payment_method_types?: readonly PaymentMethodType[] | undefined;
  /** Shown on the checkout page. */
  readonly description?: string | null | undefined;
  /** The customer's email address. If the installation sends e-mail, receipts and refund notices go there. */
  readonly customer_email?: string | null | undefined;
  /**
   * What the checkout page asks the customer for. An address comes with a name. The email address is not asked for if
   * you pass `customer_email`.
   */
  readonly collect?: readonly CustomerDetail[] | undefined;
  /** The language of the checkout page, such as `de` or `pt-BR`. `auto` follows the browser. */
  readonly locale?: string | undefined;
  /** The items the customer is buying, shown on the checkout page: at most 100. Their total must equal `amount`. */
  readonly line_items?: readonly LineItem[] | undefined;
  /**
   * Where the customer pays: on the `hosted` page, or `embedded` in your own page. An embedded session that offers
   * methods with a redirect needs a `return_url`.
   */
  readonly ui_mode?: 'hosted' | 'embedded' | undefined;
}

export interface ListCheckoutSessionsParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only objects with this status. */
  readonly status?: CheckoutSessionStatus | undefined;
  /** Only those that were started from this payment link. */
  readonly payment_link?: string;
}

export interface UpdateCheckoutSessionParams {
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount?: number;
  /**
   * The items the customer is buying, shown on the checkout page: at most 100. Their total must equal `amount`. Null
   * removes the items and keeps the amount.
   */
  readonly line_items?: readonly LineItem[] | null | undefined;
  /**
   * Merged into the existing metadata: a string sets a key, null removes it. Up to 50 keys of up to 40 characters, with
   * string values of up to 500 characters.
   */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
  /**
   * Where the customer is sent after paying. An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}` is replaced
   * with the session id. Returned percent-encoded, as a browser would write it.
   */
  readonly return_url?: string | null | undefined;
  /**
   * Where the customer is sent when they choose "Cancel". An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}`
   * is replaced with the session id. Returned percent-encoded, as a browser would write it.
   */
  readonly cancel_url?: string | null | undefined;
  /**
   * How long the session stays open, in seconds: 300 to 86400. Counted from now; the session never stays open longer
   * than 24 hours after its creation.
   */
  readonly expires_in?: number | undefined;
}

export interface ListPaymentIntentsParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only objects with this status. */
  readonly status?: PaymentIntentStatus | undefined;
  /** Only those that were started from this payment link. */
  readonly payment_link?: string;
}

export interface CapturePaymentIntentParams {
  /** The amount to capture, in the smallest currency unit. By default, the full authorised amount. */
  readonly amount_to_capture?: number;
}

export interface CancelPaymentIntentParams {
  /** Your reason for canceling. */
  readonly cancellation_reason?: string | undefined;
}

export interface CreatePaymentLinkParams {
  /** `fixed`: the amount is yours. `open`: the customer enters the amount. */
  readonly type?: PaymentLinkType | undefined;
  /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
  readonly amount?: number | null;
  /** The smallest amount that the customer can enter, in the smallest currency unit. Only for `type: "open"`. */
  readonly minimum_amount?: number | null | undefined;
  /** The largest amount that the customer can enter, in the smallest currency unit. Only for `type: "open"`. */
  readonly maximum_amount?: number | null | undefined;
  /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
  readonly currency: string;
  /** Shown on the page, and on the checkout page. */
  readonly description?: string | null | undefined;
  /** The items the customer is buying, shown on the checkout page: at most 100. Their total must equal `amount`. */
  readonly line_items?: readonly LineItem[] | undefined;
  /**
   * The payment methods offered to the customer. By default, every method that is enabled for the account when the
   * customer pays, and supports the currency.
   */
  readonly payment_method_types?: readonly PaymentMethodType[] | undefined;
  /** `automatic` captures the payment immediately; `manual` only authorises it, to be captured within 7 days. */
  readonly capture_method?: CaptureMethod | undefined;
  /**
   * Where the customer is sent after paying. An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}` is replaced
   * with the session id. Without it, the customer sees a receipt.
   */
  readonly redirect_url?: string | null | undefined;
  /**
   * What the checkout page asks the customer for. An address comes with a name. The email address is not asked for if
   * you pass `customer_email`.
   */
  readonly collect?: readonly CustomerDetail[] | undefined;
  /** How often the link can be paid. `null`: any number of times. */
  readonly max_uses?: number | null | undefined;
  /**
   * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to 500
   * characters.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /**
   * When the link can no longer be opened: a time with its time zone, in the future. `null`: never. A checkout that was
   * started before can still be paid, until its session expires.
   */
  readonly expires_at?: string | null | undefined;
}

export interface ListPaymentLinksParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only objects with this status. */
  readonly status?: PaymentLinkStatus | undefined;
}

export interface UpdatePaymentLinkParams {
  /** `false` deactivates the link: its page says so. `true` activates it again. */
  readonly active?: boolean | undefined;
  /** Shown on the page, and on the checkout page. */
  readonly description?: string | null | undefined;
  /**
   * Merged into the existing metadata: a string sets a key, null removes it. Up to 50 keys of up to 40 characters, with
   * string values of up to 500 characters.
   */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
  /**
   * Where the customer is sent after paying. An absolute URL, https in live mode. `{CHECKOUT_SESSION_ID}` is replaced
   * with the session id. Without it, the customer sees a receipt.
   */
  readonly redirect_url?: string | null | undefined;
  /**
   * How often the link can be paid. `null`: any number of times. At least the number of payments that were made or are
   * in progress.
   */
  readonly max_uses?: number | null | undefined;
  /**
   * When the link can no longer be opened: a time with its time zone, in the future. `null`: never. A checkout that was
   * started before can still be paid, until its session expires.
   */
  readonly expires_at?: string | null | undefined;
}

export interface RefundPaymentIntentParams {
  /** The amount to refund, in the smallest currency unit. By default, everything not yet refunded. */
  readonly amount?: number;
  /** Your reason for the refund. */
  readonly reason?: string | undefined;
}

export interface ListRefundsParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only refunds of this payment. */
  readonly payment_intent?: string;
}

export interface ListDisputesParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only objects with this status. */
  readonly status?: DisputeStatus | undefined;
  /** Only disputes of this payment. */
  readonly payment_intent?: string;
}

export interface CreateWebhookEndpointParams {
  /** The URL that events are sent to: a public http or https address, https in live mode. */
  readonly url: string;
  /**
   * The event types to send to this endpoint. By default, the four of hosted checkout; the others must be listed
   * explicitly.
   */
  readonly enabled_events?: readonly SubscribableEventType[] | undefined;
  /** Your own description of the endpoint. */
  readonly description?: string | null | undefined;
  /** No events are sent to a disabled endpoint or queued for it. */
  readonly disabled?: boolean | undefined;
}

export interface ListWebhookEndpointsParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface UpdateWebhookEndpointParams {
  /** The URL that events are sent to: a public http or https address, https in live mode. */
  readonly url?: string | undefined;
  /**
   * The event types to send to this endpoint. By default, the four of hosted checkout; the others must be listed
   * explicitly.
   */
  readonly enabled_events?: readonly SubscribableEventType[] | undefined;
  /** Your own description of the endpoint. Null clears it. */
  readonly description?: string | null | undefined;
  /** `false` enables the endpoint again, for whatever reason it was disabled. */
  readonly disabled?: boolean | undefined;
}

export interface RotateWebhookSecretParams {
  /** Seconds until the new secret starts signing, at most 604800; 0 means immediately. */
  readonly activates_in?: number | undefined;
}

export interface ResendFailedDeliveriesParams {
  /** An ISO 8601 time with a time zone. Deliveries created at that time or later are included. */
  readonly since: string;
}

export interface ListEventsParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only events of this type. */
  readonly type?: EventType | undefined;
}

export interface ResendEventParams {
  /** The endpoint to send the event to. By default, every endpoint that subscribes to its type. */
  readonly endpoint?: string;
}

export interface ListDeliveriesParams {
  /** The number of objects to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}
