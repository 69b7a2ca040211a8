// The Payment Intent: an amount to be paid, and the state of its payment.

import type { CustomerDetails } from './customer-details.ts';
import { type Refusal, refuse } from './errors.ts';
import type { LinkUse } from './link-use.ts';
import type { Metadata } from './metadata.ts';
import type { PaymentMethodType } from './payment-methods.ts';

export const paymentIntentStatuses = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'requires_capture',
  'succeeded',
  'canceled',
  'expired',
] as const;
export type PaymentIntentStatus = (typeof paymentIntentStatuses)[number];

export const captureMethods = ['automatic', 'manual'] as const;
export type CaptureMethod = (typeof captureMethods)[number];

export interface PaymentMethod {
  readonly type: PaymentMethodType;
  readonly card?: {
    readonly brand: string;
    readonly last4: string;
    readonly exp_month: number;
    readonly exp_year: number;
  };
}

export interface PaymentError {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
}

export interface PaymentAcquirer {
  readonly provider: string;
  /** The provider's id of the payment; null until it gave one. */
  readonly reference: string | null;
}

export interface PaymentIntent {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  /** The version it was read at; 0 if not stored yet. */
  readonly version: number;
  readonly status: PaymentIntentStatus;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly captureMethod: CaptureMethod;
  readonly amountCaptured: number;
  /** The total of successful and pending refunds. */
  readonly amountRefunded: number;
  readonly checkoutSessionId: string;
  readonly paymentMethod: PaymentMethod | null;
  readonly lastPaymentError: PaymentError | null;
  readonly canceledAt: number | null;
  readonly cancellationReason: string | null;
  /** The payment operation that is in progress or succeeded, in time or too late: captures and refunds refer to it. */
  readonly operationId: string | null;
  /** The capture or void in progress. */
  readonly pendingOperationId: string | null;
  /** When the authorisation lapses unless captured. */
  readonly captureBefore: number | null;
  /** Who made that attempt; null before the first one, and for payments of earlier versions. */
  readonly acquirer: PaymentAcquirer | null;
  /** The link that it was started from. */
  readonly paymentLinkId: string | null;
  /** What it counts as at its link; set by `decide-and-commit`. */
  readonly linkUse: LinkUse | null;
  /** What was known about the customer at the last attempt. */
  readonly customerDetails: CustomerDetails | null;
  readonly createdAt: number;
}

/** How long an authorisation can be captured if the acquirer does not say. */
export const authorisationLifeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * When to try again to release a lapsed authorisation: soon if the request was lost, later if the acquirer refused it.
 * Until then it is still held and can be captured.
 */
export function nextReleaseAt(why: 'lost' | 'refused', now: number): number {
  return now + (why === 'lost' ? 60_000 : 3_600_000);
}

/** The amount to capture: all of it, or less, which releases the rest. */
export function amountToCapture(intent: PaymentIntent, requested: number | undefined): number | Refusal {
  if (requested !== undefined && requested > intent.amount) {
    return refuse(
      'parameter_invalid',
      `\`amount_to_capture\` is ${requested}, but only ${intent.amount} is authorised. Capture that much or less.`,
      'amount_to_capture',
    );
  }
  return requested ?? intent.amount;
}

/** What can be done with a payment now. The use cases decide; this is what is offered. */
export interface PaymentActions {
  readonly refundableAmount: number;
  readonly capturableAmount: number;
  readonly isCancelable: boolean;
}

export function actionsOn(intent: PaymentIntent, now: number): PaymentActions {
  const { status, amount, amountCaptured, amountRefunded, captureBefore, pendingOperationId } = intent;
  const isHeld = status === 'requires_capture' && pendingOperationId === null;
  const isCapturable = isHeld && (captureBefore === null || captureBefore > now);
  return {
    refundableAmount: amountCaptured - amountRefunded,
    capturableAmount: isCapturable ? amount : 0,
    isCancelable: isHeld || status === 'requires_payment_method',
  };
}
