// Refunds. `paymentIntents.refund` creates one.

import type { ListRefundsParams } from '../api/params.ts';
import type { Refund } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

export class Refunds {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  get(id: string, options?: CallOptions): Promise<Refund> {
    return this.#call('getRefund', { id }, options);
  }

  /** Newest first; `payment_intent` selects the refunds of one payment. */
  list(params: ListRefundsParams = {}, options?: CallOptions): List<Refund> {
    return listOf((cursor) =>
      this.#call('listRefunds', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }
}
