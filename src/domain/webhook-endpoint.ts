// A webhook endpoint: a URL of the merchant, the event types it gets, and the secret that signs them.

import type { SubscribableEventType } from './event.ts';
import type { Scope } from './merchant.ts';
import type { SecretBox } from './secret-box.ts';

/** `gone`: it answered 410, which says that nobody will ever listen there again. */
export type DisabledReason = 'by_request' | 'gone';

export interface WebhookEndpoint extends Scope {
  readonly id: string;
  readonly version: number;
  readonly url: string;
  readonly description: string | null;
  readonly enabledEvents: readonly SubscribableEventType[];
  /** Null: it is enabled. */
  readonly disabledReason: DisabledReason | null;
  /** Sealed. */
  readonly secret: Uint8Array;
  /** The secret that takes over at `nextSecretAt`, sealed. */
  readonly nextSecret: Uint8Array | null;
  readonly nextSecretAt: number | null;
  /** Names the key that both are sealed with. */
  readonly secretKeyId: string;
  readonly createdAt: number;
  /** A deleted one stays as a row without secrets: what was sent to it can still be looked up. */
  readonly deletedAt: number | null;
}

/** What fanning out needs to know of an endpoint. */
export type Subscription = Pick<WebhookEndpoint, 'id' | 'enabledEvents'>;

/** Enough for any merchant, and few enough that one event's deliveries fit in one commit. */
export const maxEndpoints = 2_000;

export function sealSecret(box: SecretBox, endpointId: string, secret: string): Uint8Array {
  return box.seal(secret, sealContext(endpointId));
}

/** The secret that signs at this time. */
export function signingSecret(box: SecretBox, endpoint: WebhookEndpoint, now: number): string {
  return box.open(activeSecret(endpoint, now), sealContext(endpoint.id));
}

/** Bound to its endpoint: a sealed secret copied to another row does not open. */
function sealContext(endpointId: string): string {
  return `webhook secret of ${endpointId}`;
}

function activeSecret({ secret, nextSecret, nextSecretAt }: WebhookEndpoint, now: number): Uint8Array {
  return nextSecret !== null && nextSecretAt !== null && nextSecretAt <= now ? nextSecret : secret;
}

/** The new secret signs from `activatesAt` on. One that was waiting for its time gives way; one that had it stays. */
export function rotated(
  endpoint: WebhookEndpoint,
  sealed: Uint8Array,
  { now, activatesAt }: { now: number; activatesAt: number },
): WebhookEndpoint {
  if (activatesAt <= now) return { ...endpoint, secret: sealed, nextSecret: null, nextSecretAt: null };
  return { ...endpoint, secret: activeSecret(endpoint, now), nextSecret: sealed, nextSecretAt: activatesAt };
}

/** The same secrets under another key of the installation. */
export function resealed(endpoint: WebhookEndpoint, from: SecretBox, to: SecretBox): WebhookEndpoint {
  const reseal = (sealed: Uint8Array): Uint8Array =>
    sealSecret(to, endpoint.id, from.open(sealed, sealContext(endpoint.id)));
  return {
    ...endpoint,
    secret: reseal(endpoint.secret),
    nextSecret: endpoint.nextSecret && reseal(endpoint.nextSecret),
    secretKeyId: to.keyId,
  };
}

const noSecret = new Uint8Array();

export function deleted(endpoint: WebhookEndpoint, now: number): WebhookEndpoint {
  return { ...endpoint, secret: noSecret, nextSecret: null, nextSecretAt: null, deletedAt: now };
}
