// Disputes. They are read-only: evidence is given in the provider's dashboard.

import type { ListDisputesParams } from '../api/params.ts';
import type { Dispute } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

export class Disputes {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  get(id: string, options?: CallOptions): Promise<Dispute> {
    return this.#call('getDispute', { id }, options);
  }

  /** Newest first; `payment_intent` selects the disputes of one payment. */
  list(params: ListDisputesParams = {}, options?: CallOptions): List<Dispute> {
    return listOf((cursor) =>
      this.#call('listDisputes', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }
}
