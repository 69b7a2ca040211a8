// Events, as sent to webhook endpoints and returned by the API: a type, and the data that belongs to it.
// Generated from the OpenAPI document by `node test/support/write-sdk-types.ts`.

import type {
  CheckoutSessionStatus,
  DisputeStatus,
  PaymentError,
  PaymentIntentStatus,
  RefundStatus,
} from './resources.ts';
import type { SubscribableEventType } from './webhook-endpoints.ts';

export interface PaymentIntentEvent {
  /** The same in every delivery of this event. Use it to skip events that you have already processed. */
  readonly id: string;
  /** The type of the event. */
  readonly type: 'payment_intent.succeeded' | 'payment_intent.canceled';
  /** When the event happened. */
  readonly created_at: string;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** The object that the event is about, as it was at that time. */
  readonly data: {
    readonly id: string;
    readonly object: 'payment_intent';
    /** The status of the payment. `succeeded`, `canceled` and `expired` are final. */
    readonly status: PaymentIntentStatus;
    /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
    readonly amount: number;
    /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
    readonly currency: string;
    /**
     * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to
     * 500 characters.
     */
    readonly metadata: Readonly<Record<string, string>>;
  };
}

export interface PaymentFailedEvent {
  /** The same in every delivery of this event. Use it to skip events that you have already processed. */
  readonly id: string;
  /** The type of the event. */
  readonly type: 'payment_intent.payment_failed';
  /** When the event happened. */
  readonly created_at: string;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** The object that the event is about, as it was at that time. */
  readonly data: {
    readonly id: string;
    readonly object: 'payment_intent';
    /** The status of the payment. `succeeded`, `canceled` and `expired` are final. */
    readonly status: PaymentIntentStatus;
    /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
    readonly amount: number;
    /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
    readonly currency: string;
    /**
     * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to
     * 500 characters.
     */
    readonly metadata: Readonly<Record<string, string>>;
    /** Why the last payment attempt failed. */
    readonly last_payment_error: PaymentError | null;
  };
}

export interface CheckoutSessionEvent {
  /** The same in every delivery of this event. Use it to skip events that you have already processed. */
  readonly id: string;
  /** The type of the event. */
  readonly type: 'checkout_session.completed' | 'checkout_session.expired';
  /** When the event happened. */
  readonly created_at: string;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** The object that the event is about, as it was at that time. */
  readonly data: {
    readonly id: string;
    readonly object: 'checkout_session';
    readonly status: CheckoutSessionStatus;
    /** An integer in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000. */
    readonly amount: number;
    /** An ISO 4217 code, or XCG. Lower case is accepted; upper case is returned. */
    readonly currency: string;
    /**
     * Your own key/value pairs, returned unchanged. Up to 50 keys of up to 40 characters, with string values of up to
     * 500 characters.
     */
    readonly metadata: Readonly<Record<string, string>>;
    /** The payment intent of the session. */
    readonly payment_intent: string;
    /** When the session expires or expired. */
    readonly expires_at: string;
  };
}

export interface RefundEvent {
  /** The same in every delivery of this event. Use it to skip events that you have already processed. */
  readonly id: string;
  /** The type of the event. */
  readonly type: 'refund.created' | 'refund.failed';
  /** When the event happened. */
  readonly created_at: string;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** The object that the event is about, as it was at that time. */
  readonly data: {
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
  };
}

export interface DisputeEvent {
  /** The same in every delivery of this event. Use it to skip events that you have already processed. */
  readonly id: string;
  /** The type of the event. */
  readonly type: 'dispute.created' | 'dispute.updated' | 'dispute.closed';
  /** When the event happened. */
  readonly created_at: string;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** The object that the event is about, as it was at that time. */
  readonly data: {
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
     * `needs_response`: give evidence in the provider’s dashboard. `under_review`: the bank decides. `won` and `lost`:
     * it has decided. `warning`: the bank only asks, and no money was taken.
     */
    readonly status: DisputeStatus;
    /** Until when evidence can be given; null if none can. */
    readonly evidence_due_by: string | null;
  };
}

export interface WebhookEndpointTestEvent {
  /** The same in every delivery of this event. Use it to skip events that you have already processed. */
  readonly id: string;
  /** The type of the event. */
  readonly type: 'webhook_endpoint.test';
  /** When the event happened. */
  readonly created_at: string;
  /** `false` in test mode. */
  readonly livemode: boolean;
  /** The object that the event is about, as it was at that time. */
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
  | DisputeEvent
  | WebhookEndpointTestEvent;
