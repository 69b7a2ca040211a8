// Events: what happened, and how telling it went.

import type { Event } from '../api/events.ts';
import type { ListDeliveriesParams, ListEventsParams, ResendEventParams } from '../api/params.ts';
import type { Delivery, Page } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

export class Events {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  get(id: string, options?: CallOptions): Promise<Event> {
    return this.#call('getEvent', { id }, options);
  }

  /** Newest first, whether or not an endpoint was told. */
  list(params: ListEventsParams = {}, options?: CallOptions): List<Event> {
    return listOf((cursor) =>
      this.#call('listEvents', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }

  /** To one `endpoint`, or to all that subscribe to its type now. The new deliveries come back, all of them. */
  resend(id: string, params: ResendEventParams = {}, options?: CallOptions): Promise<Page<Delivery>> {
    return this.#call('resendEvent', { id, params }, options);
  }

  /** One for each endpoint and each time that it was sent again, newest first, with every attempt. */
  deliveries(id: string, params: ListDeliveriesParams = {}, options?: CallOptions): List<Delivery> {
    return listOf((cursor) =>
      this.#call('listDeliveries', { id, params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }
}
