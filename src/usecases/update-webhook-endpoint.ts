// A merchant changes where it is told, of what, or whether at all.

import type { Refusal } from '../domain/errors.ts';
import type { Scope } from '../domain/merchant.ts';
import { type AddressPolicy, checkWebhookUrl } from '../domain/webhook-address.ts';
import type { DisabledReason, WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { EndpointTerms, WebhookEndpointDeps } from './create-webhook-endpoint.ts';
import { type Decision, decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointNotFound } from './refusals.ts';

/** JSON Merge Patch: what is undefined stays, what is null is removed. */
export type EndpointPatch = { readonly [Field in keyof EndpointTerms]: EndpointTerms[Field] | undefined };

export function updateWebhookEndpoint(
  { store, addressPolicy }: Pick<WebhookEndpointDeps, 'store' | 'addressPolicy'>,
  scope: Scope,
  endpointId: string,
  patch: EndpointPatch,
): Promise<Outcome<WebhookEndpoint>> {
  return decideAndCommit(store, async () => {
    const endpoint = await store.webhookEndpoint(scope, endpointId);
    return endpoint === null ? webhookEndpointNotFound(endpointId) : decide(endpoint, patch, addressPolicy);
  });
}

function decide(
  endpoint: WebhookEndpoint,
  { url, enabledEvents, description, disabled }: EndpointPatch,
  policy: AddressPolicy,
): Decision<WebhookEndpoint> | Refusal {
  const badUrl = url === undefined ? null : checkWebhookUrl(url, { livemode: endpoint.livemode, policy });
  if (badUrl !== null) return badUrl;
  const updated: WebhookEndpoint = {
    ...endpoint,
    url: url ?? endpoint.url,
    enabledEvents: enabledEvents ?? endpoint.enabledEvents,
    description: description === undefined ? endpoint.description : description,
    disabledReason: disabled === undefined ? endpoint.disabledReason : reasonAfter(endpoint, disabled),
  };
  return { changes: { webhookEndpoints: [updated] }, result: updated };
}

/** Disabling what is disabled already does not hide why it was. */
function reasonAfter({ disabledReason }: WebhookEndpoint, disabled: boolean): DisabledReason | null {
  return disabled ? (disabledReason ?? 'by_request') : null;
}
