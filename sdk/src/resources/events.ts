// Events and their deliveries.

import type { Event } from '../api/events.ts';
import type { ListDeliveriesParams, ListEventsParams, ResendEventParams } from '../api/params.ts';
import type { Page } from '../api/resources.ts';
import type { Delivery } from '../api/webhook-endpoints.ts';
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

  /** Newest first, including events that were not sent to any endpoint. */
  list(params: ListEventsParams = {}, options?: CallOptions): List<Event> {
    return listOf((cursor) =>
      this.#call('listEvents', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }

  /** Resends an event to one `endpoint`, or to all that now subscribe to its type. Returns all new deliveries. */
  resend(id: string, params: ResendEventParams = {}, options?: CallOptions): Promise<Page<Delivery>> {
    return this.#call('resendEvent', { id, params }, options);
  }

  /** Newest first: one delivery for each endpoint and each resend, with all of its attempts. */
  deliveries(id: string, params: ListDeliveriesParams = {}, options?: CallOptions): List<Delivery> {
    return listOf((cursor) =>
      this.#call('listDeliveries', { id, params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }
}
