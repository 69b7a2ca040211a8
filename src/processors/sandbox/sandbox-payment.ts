// What the sandbox acquirer keeps of a payment. It plays an outside party: these rows are its own, in its own tables, and
// nothing else reads them. Never a card number: only what its number decides.

import type { MerchantLook } from '../../domain/merchant.ts';
import type { CaptureMethod } from '../../domain/payment-intent.ts';
import type { PaymentMethodType } from '../../domain/payment-methods.ts';

export interface SandboxPayment {
  /** Our reference. */
  readonly id: string;
  readonly version: number;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  readonly method: PaymentMethodType;
  readonly cardLast4: string | null;
  /** What the customer must do first, and how that went. */
  readonly action: 'none' | 'challenge' | 'bank';
  readonly actionStatus: 'none' | 'waiting' | 'passed' | 'failed' | 'canceled';
  readonly returnUrl: string;
  /** Whom its pages name, and in which language. Null: begun by a version that did not tell. */
  readonly merchant: MerchantLook | null;
  readonly locale: string | null;
  /** What authorising comes to. */
  readonly result: string;
  readonly settlesLater: boolean;
  readonly silent: boolean;
  readonly status: 'begun' | 'pending' | 'authorised' | 'captured' | 'declined' | 'voided' | 'closed';
  /** When a pending one gets its result. */
  readonly settleAt: number | null;
  readonly amountCaptured: number;
  readonly amountRefunded: number;
  readonly createdAt: number;
}

/** A capture, void or refund that it has done, so that the same reference does nothing twice. */
export interface SandboxFollowUp {
  readonly id: string;
  readonly payment: string;
  readonly kind: 'capture' | 'void' | 'refund' | 'closed';
  readonly amount: number;
  readonly createdAt: number;
}
