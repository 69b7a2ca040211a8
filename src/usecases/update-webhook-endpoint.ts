// Updates a webhook endpoint: its URL, its event types, its description, and whether it is disabled.

import { type ApiActor, type AuditDetails, changesBetween, endpointEntry } from '../domain/audit-entry.ts';
import { isRefusal, type Refusal } from '../domain/errors.ts';
import { type AddressPolicy, checkWebhookUrl } from '../domain/webhook-address.ts';
import type { DisabledReason, WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { EndpointTerms, WebhookEndpointDeps } from './create-webhook-endpoint.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { webhookEndpointNotFound } from './refusals.ts';

/** JSON Merge Patch: undefined keeps a field, null removes it. */
export type EndpointPatch = { readonly [Field in keyof EndpointTerms]: EndpointTerms[Field] | undefined };

export function updateWebhookEndpoint(
  { store, moment, addressPolicy }: Pick<WebhookEndpointDeps, 'store' | 'moment' | 'addressPolicy'>,
  scope: ApiActor,
  endpointId: string,
  patch: EndpointPatch,
): Promise<Outcome<WebhookEndpoint>> {
  return decideAndCommit(store, async () => {
    const endpoint = await store.find('webhookEndpoints', scope, endpointId);
    if (endpoint === null) return webhookEndpointNotFound(endpointId);
    const updated = patched(endpoint, patch, addressPolicy);
    if (isRefusal(updated)) return updated;
    const details = changesBetween(endpoint, updated, auditedFields);
    if (details === null) return { changes: {}, result: endpoint };
    const audit = endpointEntry(moment(), scope.keyId, 'webhook_endpoint.updated', {
      endpoint: updated,
      details: withoutTexts(details, endpoint),
    });
    return { changes: { webhookEndpoints: [updated], auditEntries: [audit] }, result: updated };
  });
}

function patched(
  endpoint: WebhookEndpoint,
  { url, enabledEvents, description, disabled }: EndpointPatch,
  policy: AddressPolicy,
): WebhookEndpoint | Refusal {
  const badUrl = url === undefined ? null : checkWebhookUrl(url, { livemode: endpoint.livemode, policy });
  if (badUrl !== null) return badUrl;
  return {
    ...endpoint,
    url: url ?? endpoint.url,
    enabledEvents: enabledEvents ?? endpoint.enabledEvents,
    description: description === undefined ? endpoint.description : description,
    disabledReason: disabled === undefined ? endpoint.disabledReason : reasonAfter(endpoint, disabled),
  };
}

const auditedFields = {
  url: 'url',
  enabled_events: 'enabledEvents',
  description: 'description',
  disabled: 'disabledReason',
} as const;

/** A URL's path or a description may contain tokens, which must not get into the audit trail. */
function withoutTexts({ url, description, ...others }: AuditDetails, before: WebhookEndpoint): AuditDetails {
  return {
    ...others,
    ...(url === undefined ? {} : { url: 'changed', origin_before: URL.parse(before.url)?.origin ?? null }),
    ...(description === undefined ? {} : { description: 'changed' }),
  };
}

/** Disabling a disabled endpoint again keeps the original reason. */
function reasonAfter({ disabledReason }: WebhookEndpoint, disabled: boolean): DisabledReason | null {
  return disabled ? (disabledReason ?? 'by_request') : null;
}
