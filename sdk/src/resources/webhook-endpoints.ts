// Webhook endpoints: where events are sent.

import type { Event } from '../api/events.ts';
import type {
  CreateWebhookEndpointParams,
  ListWebhookEndpointsParams,
  ResendFailedDeliveriesParams,
  RotateWebhookSecretParams,
  UpdateWebhookEndpointParams,
} from '../api/params.ts';
import type { DeletedWebhookEndpoint, Resent, WebhookEndpoint, WebhookEndpointWithSecret } from '../api/resources.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

export class WebhookEndpoints {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Events are sent there from now on. Keep the `secret` that comes back: it is not shown again. */
  create(params: CreateWebhookEndpointParams, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#call('createWebhookEndpoint', { params }, options);
  }

  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('getWebhookEndpoint', { id }, options);
  }

  /** Newest first, without their secrets. */
  list(params: ListWebhookEndpointsParams = {}, options?: CallOptions): List<WebhookEndpoint> {
    return listOf((cursor) =>
      this.#call('listWebhookEndpoints', { params: { ...params, cursor: cursor ?? params.cursor } }, options),
    );
  }

  /** A merge patch: what is not named stays, null clears. */
  update(id: string, params: UpdateWebhookEndpointParams, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('updateWebhookEndpoint', { id, params }, options);
  }

  /**
   * Nothing more is sent there. If the answer to the first attempt is lost, the retry finds nothing and this throws
   * `webhook_endpoint_not_found`: the endpoint is gone all the same.
   */
  delete(id: string, options?: CallOptions): Promise<DeletedWebhookEndpoint> {
    return this.#call('deleteWebhookEndpoint', { id }, options);
  }

  /** The next secret comes back at once and signs after `activates_in` seconds, a day unless told. Accept both meanwhile. */
  rotateSecret(
    id: string,
    params: RotateWebhookSecretParams = {},
    options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.#call('rotateWebhookSecret', { id, params }, options);
  }

  /** Sends an event of type `webhook_endpoint.test` there. `events.deliveries` tells how it went. */
  test(id: string, options?: CallOptions): Promise<Event> {
    return this.#call('testWebhookEndpoint', { id }, options);
  }

  /** Sends what failed since a time again, up to 1000 events a call: call again while `has_more` is true. */
  resendFailed(id: string, params: ResendFailedDeliveriesParams, options?: CallOptions): Promise<Resent> {
    return this.#call('resendFailedDeliveries', { id, params }, options);
  }
}
