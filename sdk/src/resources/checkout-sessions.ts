// Checkout Sessions: the pages that customers are redirected to.

import type {
  CreateCheckoutSessionParams,
  ListCheckoutSessionsParams,
  UpdateCheckoutSessionParams,
} from '../api/params.ts';
import type { CheckoutSession } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

/** Only an embedded session has no URL. */
type HostedParams = CreateCheckoutSessionParams & { readonly ui_mode?: 'hosted' | undefined };
type HostedSession = CheckoutSession & { readonly url: string };

export class CheckoutSessions {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Creates a session and its payment intent. Redirect the customer to the returned `url`, or pass the `client_secret` of
   * an embedded session to your page.
   */
  create(params: HostedParams, options?: CallOptions): Promise<HostedSession>;
  create(params: CreateCheckoutSessionParams, options?: CallOptions): Promise<CheckoutSession>;
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

  /** Updates an open session and its payment intent, as a merge patch: omitted fields stay, null clears. */
  update(id: string, params: UpdateCheckoutSessionParams, options?: CallOptions): Promise<CheckoutSession> {
    return this.#call('updateCheckoutSession', { id, params }, options);
  }

  /** Expires an open session immediately: the customer can no longer pay. */
  expire(id: string, options?: CallOptions): Promise<CheckoutSession> {
    return this.#call('expireCheckoutSession', { id }, options);
  }
}
