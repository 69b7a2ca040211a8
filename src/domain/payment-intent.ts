// The Payment Intent: what is to be paid and how far that has come.

import { type Refusal, refuse } from './errors.ts';
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

export interface PaymentIntent {
  readonly id: string;
  readonly merchantId: string;
  readonly livemode: boolean;
  /** The version it was read at; 0 for one that is not stored yet. */
  readonly version: number;
  readonly status: PaymentIntentStatus;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly captureMethod: CaptureMethod;
  readonly amountCaptured: number;
  /** Refunds that are made or under way. */
  readonly amountRefunded: number;
  readonly checkoutSessionId: string;
  readonly paymentMethod: PaymentMethod | null;
  readonly lastPaymentError: PaymentError | null;
  readonly canceledAt: number | null;
  readonly cancellationReason: string | null;
  /** The payment operation that is under way, or went through: what a capture or refund refers to. */
  readonly operationId: string | null;
  /** The capture or void that is under way. */
  readonly pendingOperationId: string | null;
  /** When an authorisation that is not captured lapses. */
  readonly captureBefore: number | null;
  readonly createdAt: number;
}

/** How long an authorisation can be captured. */
export const authorisationLifeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * When a lapsed authorisation that could not be released is to be released again: soon where the request was lost, and
 * rarely where the acquirer refused it. It is still held until then, and can be captured.
 */
export function releaseAgainAt(why: 'lost' | 'refused', now: number): number {
  return now + (why === 'lost' ? 60_000 : 3_600_000);
}

/** What a capture takes: the whole amount, or less, which releases the rest. */
export function amountToCapture(intent: PaymentIntent, asked: number | undefined): number | Refusal {
  if (asked !== undefined && asked > intent.amount) {
    return refuse(
      'parameter_invalid',
      `\`amount_to_capture\` is ${asked}, but only ${intent.amount} is authorised. Capture that much or less.`,
      'amount_to_capture',
    );
  }
  return asked ?? intent.amount;
}
