// Webhook endpoints, and the deliveries of events to them.
// Generated from the OpenAPI document by `node test/support/write-sdk-types.ts`.

export type SubscribableEventType =
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'checkout_session.completed'
  | 'checkout_session.expired'
  | 'payment_intent.canceled'
  | 'refund.created'
  | 'refund.failed'
  | 'dispute.created'
  | 'dispute.updated'
  | 'dispute.closed';

export interface WebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  /** The URL that events are sent to: a public http or https address, https in live mode. */
  readonly url: string;
  /** Your own description of the endpoint. */
  readonly description: string | null;
  /**
   * The event types to send to this endpoint. By default, the four of hosted checkout; the others must be listed
   * explicitly.
   */
  readonly enabled_events: readonly SubscribableEventType[];
  /** No events are sent to a disabled endpoint or queued for it. */
  readonly disabled: boolean;
  /** `by_request`: you disabled it. `gone`: it responded with 410, so nothing is sent until you enable it again. */
  readonly disabled_reason: 'by_request' | 'gone' | null;
  /** When the new secret starts signing; null if no rotation is pending. */
  readonly next_secret_activates_at: string | null;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** When the endpoint was created. */
  readonly created_at: string;
}

export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** The signing key: use the whole string, including its prefix. Store it now; it is not shown again. */
  readonly secret: string;
}

export interface DeletedWebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  readonly deleted: true;
}

export interface Resent {
  /** The number of events resent. */
  readonly resent: number;
  /** Whether more failed events are left. If so, call again. */
  readonly has_more: boolean;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface DeliveryAttempt {
  /** When the attempt was made. */
  readonly at: string;
  /** The HTTP status that your endpoint returned; null if it did not respond. */
  readonly status_code: number | null;
  /** Why there was no response, or why the response did not count as a success. */
  readonly error: string | null;
  /** The duration of the attempt in milliseconds. */
  readonly duration_ms: number;
  /** The beginning of the response body. */
  readonly response_excerpt: string | null;
}

export interface Delivery {
  readonly id: string;
  /** The event being delivered. */
  readonly event: string;
  /** The endpoint it is delivered to. */
  readonly endpoint: string;
  /** `failed` means that no attempts are left. */
  readonly status: DeliveryStatus;
  /** When the next attempt is due; null once the delivery has ended. */
  readonly next_attempt_at: string | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}
