// Events, as webhooks carry them and the API gives them: a type, and the data that belongs to it.
// Made by `node test/support/write-sdk-types.ts` out of the OpenAPI document.

import type {
  CheckoutSessionStatus,
  PaymentError,
  PaymentIntentStatus,
  RefundStatus,
  SubscribableEventType,
} from './resources.ts';

export interface PaymentIntentEvent {
  /** The same in every delivery of this event: skip what you have seen. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.succeeded' | 'payment_intent.canceled';
  /** When it happened. */
  readonly created_at: string;
  /** False in test mode. */
  readonly livemode: boolean;
  /** What it happened to, as it was then. */
  readonly data: {
    readonly id: string;
    readonly object: 'payment_intent';
    /** How far the payment has come. `succeeded`, `canceled` and `expired` are final. */
    readonly status: PaymentIntentStatus;
    /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
    readonly amount: number;
    /** An ISO 4217 code, or XCG. Lower case is accepted; upper case comes back. */
    readonly currency: string;
    /**
     * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to
     * 500 characters.
     */
    readonly metadata: Readonly<Record<string, string>>;
  };
}

export interface PaymentFailedEvent {
  /** The same in every delivery of this event: skip what you have seen. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.payment_failed';
  /** When it happened. */
  readonly created_at: string;
  /** False in test mode. */
  readonly livemode: boolean;
  /** What it happened to, as it was then. */
  readonly data: {
    readonly id: string;
    readonly object: 'payment_intent';
    /** How far the payment has come. `succeeded`, `canceled` and `expired` are final. */
    readonly status: PaymentIntentStatus;
    /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
    readonly amount: number;
    /** An ISO 4217 code, or XCG. Lower case is accepted; upper case comes back. */
    readonly currency: string;
    /**
     * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to
     * 500 characters.
     */
    readonly metadata: Readonly<Record<string, string>>;
    /** Why the last attempt failed. */
    readonly last_payment_error: PaymentError | null;
  };
}

export interface CheckoutSessionEvent {
  /** The same in every delivery of this event: skip what you have seen. */
  readonly id: string;
  /** What happened. */
  readonly type: 'checkout_session.completed' | 'checkout_session.expired';
  /** When it happened. */
  readonly created_at: string;
  /** False in test mode. */
  readonly livemode: boolean;
  /** What it happened to, as it was then. */
  readonly data: {
    readonly id: string;
    readonly object: 'checkout_session';
    readonly status: CheckoutSessionStatus;
    /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
    readonly amount: number;
    /** An ISO 4217 code, or XCG. Lower case is accepted; upper case comes back. */
    readonly currency: string;
    /**
     * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to
     * 500 characters.
     */
    readonly metadata: Readonly<Record<string, string>>;
    /** The payment intent of the session. */
    readonly payment_intent: string;
    /** When it expires, or expired. */
    readonly expires_at: string;
  };
}

export interface RefundEvent {
  /** The same in every delivery of this event: skip what you have seen. */
  readonly id: string;
  /** What happened. */
  readonly type: 'refund.created' | 'refund.failed';
  /** When it happened. */
  readonly created_at: string;
  /** False in test mode. */
  readonly livemode: boolean;
  /** What it happened to, as it was then. */
  readonly data: {
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
  };
}

export interface WebhookEndpointTestEvent {
  /** The same in every delivery of this event: skip what you have seen. */
  readonly id: string;
  /** What happened. */
  readonly type: 'webhook_endpoint.test';
  /** When it happened. */
  readonly created_at: string;
  /** False in test mode. */
  readonly livemode: boolean;
  /** What it happened to, as it was then. */
  readonly data: {
    readonly id: string;
    readonly object: 'webhook_endpoint';
    readonly url: string;
    readonly enabled_events: readonly SubscribableEventType[];
  };
}

export type Event =
  | PaymentIntentEvent
  | PaymentFailedEvent
  | CheckoutSessionEvent
  | RefundEvent
  | WebhookEndpointTestEvent;
