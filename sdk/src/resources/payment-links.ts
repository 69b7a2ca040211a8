// Payment Links: pages that customers can pay without the merchant's server.

import type { CreatePaymentLinkParams, ListPaymentLinksParams, UpdatePaymentLinkParams } from '../api/params.ts';
import type { PaymentLink } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

export class PaymentLinks {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Creates a link. Send its `url` to your customers, or print its `qr_code_url`. */
  create(params: CreatePaymentLinkParams, options?: CallOptions): Promise<PaymentLink> {
    return this.#call('createPaymentLink', { params }, options);
  }

  get(id: string, options?: CallOptions): Promise<PaymentLink> {
    return this.#call('getPaymentLink', { id }, options);
  }

  /** Newest first. */
  list(params: ListPaymentLinksParams = {}, options?: CallOptions): List<PaymentLink> {
    return listOf((cursor) =>
      this.#call('listPaymentLinks', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }

  /** Updates a link as a merge patch: omitted fields stay, null clears. `active: false` deactivates it. */
  update(id: string, params: UpdatePaymentLinkParams, options?: CallOptions): Promise<PaymentLink> {
    return this.#call('updatePaymentLink', { id, params }, options);
  }
}
