// A merchant's webhook endpoints on a real receiver, and events for them.

import { randomBytes } from 'node:crypto';
import type { Delivery } from '../../src/domain/delivery.ts';
import { sealSecret, type WebhookEndpoint } from '../../src/domain/webhook-endpoint.ts';
import { newWebhookSecret } from '../../src/domain/webhook-signature.ts';
import { must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import type { Paydesk, TestMerchant } from '../support/paydesk.ts';
import { aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';

/** Allows webhooks to receivers on this machine. */
export const loopbackAllowed = { PAYDESK_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128' };

export interface Endpoint extends WebhookEndpoint {
  /** As the merchant knows it. */
  readonly plainSecret: string;
}

export async function anEndpoint(
  paydesk: Paydesk,
  { scope }: TestMerchant,
  url: string,
  overrides: Partial<WebhookEndpoint> = {},
): Promise<Endpoint> {
  const [endpoint] = await someEndpoints(paydesk, scope, [url], overrides);
  if (endpoint === undefined) throw new Error('no endpoint was created');
  return endpoint;
}

export async function someEndpoints(
  { store, secretBox }: Pick<Paydesk, 'store' | 'secretBox'>,
  scope: TestMerchant['scope'],
  urls: readonly string[],
  overrides: Partial<WebhookEndpoint> = {},
): Promise<Endpoint[]> {
  const created = urls.map((url): Endpoint => {
    const bare = aWebhookEndpoint({ ...scope, url, secretKeyId: secretBox.keyId, ...overrides });
    const plainSecret = newWebhookSecret(randomBytes);
    return { ...bare, secret: sealSecret(secretBox, bare.id, plainSecret), plainSecret };
  });
  await mustCommit(store, { webhookEndpoints: created });
  return created.map((endpoint) => ({ ...endpoint, version: 1 }));
}

/** Expires a new session over the API, and returns the id of its event. */
export async function anExpiry(merchant: TestMerchant): Promise<string> {
  const session = await merchant.newSession();
  must(200, await merchant.test.post(`/checkout-sessions/${session.id}/expire`, {}));
  const [event] = (await merchant.events()).filter(({ data }) => data.id === session.id);
  if (event === undefined) throw new Error('the session has no event');
  return event.id;
}

/** Oldest first. */
export async function deliveriesOf(paydesk: Paydesk, { scope }: TestMerchant, eventId: string): Promise<Delivery[]> {
  return [
    ...(await paydesk.store.list('deliveries', { scope: scope, limit: 2_000, where: { eventId: eventId } })),
  ].reverse();
}

/** Waits until the one delivery of the event has had that many attempts. */
export async function untilAttempted(
  paydesk: Paydesk,
  merchant: TestMerchant,
  eventId: string,
  attempts: number,
): Promise<Delivery> {
  let found: Delivery | undefined;
  await until(`attempt ${attempts} was recorded`, async () => {
    [found] = await deliveriesOf(paydesk, merchant, eventId);
    return (found?.attempts.length ?? 0) >= attempts;
  });
  if (found === undefined) throw new Error('there is no delivery');
  return found;
}
