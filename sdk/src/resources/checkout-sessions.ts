// Checkout Sessions: what the customer is sent to.

import type {
  CreateCheckoutSessionParams,
  ListCheckoutSessionsParams,
  UpdateCheckoutSessionParams,
} from '../api/params.ts';
import type { CheckoutSession } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

export class CheckoutSessions {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Opens a session and its payment intent. Redirect the customer to the `url` that comes back. */
  create(params: CreateCheckoutSessionParams, options?: CallOptions): Promise<CheckoutSession> {
    return this.#call('createCheckoutSession', { params }, options);
  }

  get(id: string, options?: CallOptions): Promise<CheckoutSession> {
    return this.#call('getCheckoutSession', { id }, options);
  }

  /** Newest first. */
  list(params: ListCheckoutSessionsParams = {}, options?: CallOptions): List<CheckoutSession> {
    return listOf((cursor) =>
      this.#call('listCheckoutSessions', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }

  /** Changes an open session, as a merge patch: what is not named stays, null clears. The payment intent follows. */
  update(id: string, params: UpdateCheckoutSessionParams, options?: CallOptions): Promise<CheckoutSession> {
    return this.#call('updateCheckoutSession', { id, params }, options);
  }

  /** Ends an open session now: the customer can no longer pay. */
  expire(id: string, options?: CallOptions): Promise<CheckoutSession> {
    return this.#call('expireCheckoutSession', { id }, options);
  }
}
