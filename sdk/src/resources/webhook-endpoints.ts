// Webhook endpoints: where events are sent.

import type { Event } from '../api/events.ts';
import type {
  CreateWebhookEndpointParams,
  ListWebhookEndpointsParams,
  ResendFailedDeliveriesParams,
  RotateWebhookSecretParams,
  UpdateWebhookEndpointParams,
} from '../api/params.ts';
import type {
  DeletedWebhookEndpoint,
  Resent,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../api/webhook-endpoints.ts';
import { type List, listOf } from '../list.ts';
import type { Call, CallOptions } from '../sender.ts';

export class WebhookEndpoints {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Creates an endpoint for new events. Store the returned `secret`: it is not shown again. */
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

  /** Takes a merge patch: omitted fields stay, null clears. */
  update(id: string, params: UpdateWebhookEndpointParams, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('updateWebhookEndpoint', { id, params }, options);
  }

  /**
   * Deletes an endpoint: no more events are sent to it. If the response to the first attempt is lost, the retry throws
   * `webhook_endpoint_not_found`, although the endpoint was deleted.
   */
  delete(id: string, options?: CallOptions): Promise<DeletedWebhookEndpoint> {
    return this.#call('deleteWebhookEndpoint', { id }, options);
  }

  /** Returns a new secret, which starts signing after `activates_in` seconds, by default one day. Accept both until then. */
  rotateSecret(
    id: string,
    params: RotateWebhookSecretParams = {},
    options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.#call('rotateWebhookSecret', { id, params }, options);
  }

  /** Sends an event of type `webhook_endpoint.test` to the endpoint. `events.deliveries` shows the result. */
  test(id: string, options?: CallOptions): Promise<Event> {
    return this.#call('testWebhookEndpoint', { id }, options);
  }

  /** Resends events that failed since a time, up to 1000 per call: call again while `has_more` is true. */
  resendFailed(id: string, params: ResendFailedDeliveriesParams, options?: CallOptions): Promise<Resent> {
    return this.#call('resendFailedDeliveries', { id, params }, options);
  }
}
