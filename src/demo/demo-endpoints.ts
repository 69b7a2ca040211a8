// The webhook endpoints of the demo shop: one that works, and one that has been failing for some days.

import type { ApiActor } from '../domain/audit-entry.ts';
import { isRefusal } from '../domain/errors.ts';
import { type SubscribableEventType, subscribableEventTypes } from '../domain/event.ts';
import { type AddressPolicy, checkWebhookUrl, isLoopbackUrl } from '../domain/webhook-address.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { createWebhookEndpoint, type WebhookEndpointDeps } from '../usecases/create-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../usecases/update-webhook-endpoint.ts';

export interface DemoEndpoints {
  readonly working: WebhookEndpoint;
  readonly failing: WebhookEndpoint;
}

/** Where the example shop listens. */
export const defaultWebhookUrl = 'http://localhost:3000/webhooks';
/** A port that nothing may use (IANA keeps it reserved), so that retries of a running service fail at once. */
const failingUrl = 'http://localhost:49151/warehouse';

/** Few enough for a running service to make only a few real attempts. */
const failingEvents: readonly SubscribableEventType[] = ['refund.created', 'refund.failed', 'dispute.created'];
const maxCompared = 2_000;

export interface DemoEndpointDeps extends WebhookEndpointDeps {
  readonly addressPolicy: AddressPolicy;
}

/** Creates those that do not exist yet. `webhookUrl`: of the one that works. */
export async function openDemoEndpoints(
  deps: DemoEndpointDeps,
  actor: ApiActor,
  webhookUrl: string,
): Promise<DemoEndpoints> {
  const addresses = addressesFor(deps.addressPolicy, webhookUrl);
  const existing = await deps.store.list('webhookEndpoints', { scope: actor, limit: maxCompared });
  const find = (url: string) => existing.find((one) => one.url === url);
  const create = async (url: string, description: string, enabledEvents: readonly SubscribableEventType[]) => {
    const found = find(url);
    if (found !== undefined) return found;
    const outcome = await createWebhookEndpoint(deps, actor, { url, description, enabledEvents, disabled: false });
    if (!('done' in outcome)) throw new Error(isRefusal(outcome) ? outcome.message : `${url} was not created`);
    return outcome.done.endpoint;
  };
  return {
    working: await create(addresses.working, 'Shop', subscribableEventTypes),
    failing: await create(addresses.failing, 'Warehouse', failingEvents),
  };
}

/** On this machine, or else, if webhooks are not sent there, at names that never resolve (RFC 2606). */
function addressesFor(policy: AddressPolicy, webhookUrl: string): { working: string; failing: string } {
  const isAllowed = (url: string): boolean => checkWebhookUrl(url, { livemode: false, policy }) === null;
  if (isAllowed(webhookUrl) && isAllowed(failingUrl)) return { working: webhookUrl, failing: failingUrl };
  const { ports } = policy;
  const port = typeof ports === 'string' || ports.includes(443) ? '' : `:${ports[0]}`;
  return { working: `https://shop.example${port}/webhooks`, failing: `https://warehouse.example${port}/webhooks` };
}

/** What is not on this machine gets no requests: a running service would try to resolve the names of the endpoints. */
export async function disableUnreachable(
  deps: DemoEndpointDeps,
  actor: ApiActor,
  { working, failing }: DemoEndpoints,
): Promise<void> {
  for (const { id, url } of [working, failing]) {
    if (isLoopbackUrl(url)) continue;
    const unchanged = { url: undefined, enabledEvents: undefined, description: undefined };
    await updateWebhookEndpoint(deps, actor, id, { ...unchanged, disabled: true });
  }
}
