// Payment Intents: whether and how a session was paid.

import type {
  CancelPaymentIntentParams,
  CapturePaymentIntentParams,
  ListPaymentIntentsParams,
  RefundPaymentIntentParams,
} from '../api/params.ts';
import type { PaymentIntent, Refund } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Runtime } from '../runtime.ts';
import type { Call, CallOptions } from '../sender.ts';
import { type WaitOptions, waitForOutcome } from '../wait-for-outcome.ts';

export class PaymentIntents {
  readonly #call: Call;
  readonly #runtime: Runtime;

  constructor(call: Call, runtime: Runtime) {
    this.#call = call;
    this.#runtime = runtime;
  }

  get(id: string, options?: CallOptions): Promise<PaymentIntent> {
    return this.#call('getPaymentIntent', { id }, options);
  }

  /** Newest first. */
  list(params: ListPaymentIntentsParams = {}, options?: CallOptions): List<PaymentIntent> {
    return listOf((cursor) =>
      this.#call('listPaymentIntents', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }

  /**
   * Captures all or part of a payment authorised with `capture_method: 'manual'`; the rest is released. Omit
   * `amount_to_capture` to capture the full amount: `undefined` is rejected.
   */
  capture(id: string, params: CapturePaymentIntentParams = {}, options?: CallOptions): Promise<PaymentIntent> {
    return this.#call('capturePaymentIntent', { id, params }, options);
  }

  /** Cancels an unpaid payment, whose open session then expires, or an authorised one, whose hold is released. */
  cancel(id: string, params: CancelPaymentIntentParams = {}, options?: CallOptions): Promise<PaymentIntent> {
    return this.#call('cancelPaymentIntent', { id, params }, options);
  }

  /**
   * Refunds all or part of a captured payment, as often as something is left. Omit `amount` to refund everything:
   * `undefined` is rejected.
   */
  refund(id: string, params: RefundPaymentIntentParams = {}, options?: CallOptions): Promise<Refund> {
    return this.#call('refundPaymentIntent', { id, params }, options);
  }

  /**
   * The fallback for a webhook that does not arrive: waits 5 minutes, then polls about once a minute, and resolves when
   * the payment is `succeeded`, `requires_capture`, `canceled` or `expired`, or `requires_payment_method` after a final
   * failure. Abort its `signal` when the webhook arrives.
   */
  waitForOutcome(id: string, options?: WaitOptions): Promise<PaymentIntent> {
    const waiting = {
      id,
      runtime: this.#runtime,
      get: (signal: AbortSignal) => this.get(id, { signal }),
      getSession: (session: string, signal: AbortSignal) =>
        this.#call('getCheckoutSession', { id: session }, { signal }),
    };
    return waitForOutcome(waiting, options);
  }
}
