// The sandbox acquirer's record of a payment. It plays an external party: these rows are in tables of its own, and
// nothing else reads them. They never contain a card number, only the behaviour that the number selects.

import type { MerchantLook } from '../../domain/merchant.ts';
import type { CaptureMethod } from '../../domain/payment-intent.ts';
import type { PaymentMethodType } from '../../domain/payment-methods.ts';

export interface SandboxPayment {
  /** The operation id that we sent as the reference. */
  readonly id: string;
  readonly version: number;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  readonly method: PaymentMethodType;
  readonly cardLast4: string | null;
  /** What the customer must do first, and its result. */
  readonly action: 'none' | 'challenge' | 'bank';
  readonly actionStatus: 'none' | 'waiting' | 'passed' | 'failed' | 'canceled';
  readonly returnUrl: string;
  /** The merchant shown on its pages, and their language. Null: created by a version that did not send them. */
  readonly merchant: MerchantLook | null;
  readonly locale: string | null;
  /** The result of authorising. */
  readonly result: string;
  readonly settlesLater: boolean;
  readonly silent: boolean;
  readonly status: 'begun' | 'pending' | 'authorised' | 'captured' | 'declined' | 'voided' | 'closed';
  /** When a pending payment gets its result. */
  readonly settleAt: number | null;
  /** What the customer's bank has done about it; null: nothing. */
  readonly disputeStatus: 'needs_response' | 'under_review' | 'lost' | 'won' | null;
  readonly disputedAt: number | null;
  /** When the bank does something next, or we are notified of what it has done. */
  readonly disputeDueAt: number | null;
  readonly amountCaptured: number;
  readonly amountRefunded: number;
  readonly createdAt: number;
}

/** A capture, void or refund that was made, so that repeating the reference has no second effect. */
export interface SandboxFollowUp {
  readonly id: string;
  readonly payment: string;
  readonly kind: 'capture' | 'void' | 'refund' | 'closed';
  readonly amount: number;
  readonly createdAt: number;
}
