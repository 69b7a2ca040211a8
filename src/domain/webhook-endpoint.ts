// A webhook endpoint: a merchant's URL, the event types sent to it, and the secret that signs them.

import type { SubscribableEventType } from './event.ts';
import type { Scope } from './merchant.ts';
import type { SecretBox } from './secret-box.ts';

/** `gone`: it responded with 410, which means that nothing will ever listen there again. */
export type DisabledReason = 'by_request' | 'gone';

export interface WebhookEndpoint extends Scope {
  readonly id: string;
  readonly version: number;
  readonly url: string;
  readonly description: string | null;
  readonly enabledEvents: readonly SubscribableEventType[];
  /** Null: enabled. */
  readonly disabledReason: DisabledReason | null;
  /** Sealed. */
  readonly secret: Uint8Array;
  /** The secret that replaces it at `nextSecretAt`, sealed. */
  readonly nextSecret: Uint8Array | null;
  readonly nextSecretAt: number | null;
  /** The key that both are sealed with. */
  readonly secretKeyId: string;
  readonly createdAt: number;
  /** A deleted endpoint stays as a row without secrets, so that its past deliveries can still be retrieved. */
  readonly deletedAt: number | null;
}

/** The part of an endpoint that fan-out needs. */
export type Subscription = Pick<WebhookEndpoint, 'id' | 'enabledEvents'>;

/** Enough for any merchant, and few enough for an event's deliveries to fit in one commit. */
export const maxEndpoints = 2_000;

export function sealSecret(box: SecretBox, endpointId: string, secret: string): Uint8Array {
  return box.seal(secret, sealContext(endpointId));
}

/** The secret that is active at this time. */
export function signingSecret(box: SecretBox, endpoint: WebhookEndpoint, now: number): string {
  return box.open(activeSecret(endpoint, now), sealContext(endpoint.id));
}

/** Bound to its endpoint: a sealed secret copied to another row cannot be opened. */
function sealContext(endpointId: string): string {
  return `webhook secret of ${endpointId}`;
}

function activeSecret({ secret, nextSecret, nextSecretAt }: WebhookEndpoint, now: number): Uint8Array {
  return nextSecret !== null && nextSecretAt !== null && nextSecretAt <= now ? nextSecret : secret;
}

/**
 * The new secret is active from `activatesAt` on. It replaces a secret that is not active yet, but not the active one.
 */
export function rotated(
  endpoint: WebhookEndpoint,
  sealed: Uint8Array,
  { now, activatesAt }: { now: number; activatesAt: number },
): WebhookEndpoint {
  if (activatesAt <= now) return { ...endpoint, secret: sealed, nextSecret: null, nextSecretAt: null };
  return { ...endpoint, secret: activeSecret(endpoint, now), nextSecret: sealed, nextSecretAt: activatesAt };
}

/** The same secrets, sealed with another key. */
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
