// Creates a webhook endpoint. Its signing secret is shown once, and stored encrypted.

import { type ApiActor, endpointEntry } from '../domain/audit-entry.ts';
import { refuse } from '../domain/errors.ts';
import type { SubscribableEventType } from '../domain/event.ts';
import type { Random } from '../domain/ids.ts';
import type { Moment } from '../domain/moment.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { type AddressPolicy, checkWebhookUrl } from '../domain/webhook-address.ts';
import { maxEndpoints, sealSecret, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { newWebhookSecret } from '../domain/webhook-signature.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';

export interface WebhookEndpointDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly random: Random;
  readonly secretBox: SecretBox;
  /** Where webhooks may be sent. */
  readonly addressPolicy: AddressPolicy;
}

export interface EndpointTerms {
  readonly url: string;
  readonly enabledEvents: readonly SubscribableEventType[];
  readonly description: string | null;
  readonly disabled: boolean;
}

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  /** In plain text, for this one response only. */
  readonly secret: string;
}

export function createWebhookEndpoint(
  deps: WebhookEndpointDeps,
  scope: ApiActor,
  terms: EndpointTerms,
  receipt?: Receipt<EndpointWithSecret>,
): Promise<Outcome<EndpointWithSecret>> {
  const { store, secretBox, addressPolicy: policy } = deps;
  return decideAndCommit(
    store,
    async () => {
      const badUrl = checkWebhookUrl(terms.url, { livemode: scope.livemode, policy });
      if (badUrl !== null) return badUrl;
      // Concurrent requests may exceed the limit by a few, which does no harm.
      if ((await store.count('webhookEndpoints', { scope: scope }, maxEndpoints)) >= maxEndpoints) {
        return refuse(
          'webhook_endpoint_limit_reached',
          `This account already has ${maxEndpoints} webhook endpoints in this mode, which is the limit. Delete one first.`,
        );
      }
      const at = deps.moment();
      const { now, newId } = at;
      const id = newId('we');
      const secret = newWebhookSecret(deps.random);
      const endpoint: WebhookEndpoint = {
        merchantId: scope.merchantId,
        livemode: scope.livemode,
        id,
        version: 0,
        url: terms.url,
        description: terms.description,
        enabledEvents: terms.enabledEvents,
        disabledReason: terms.disabled ? 'by_request' : null,
        secret: sealSecret(secretBox, id, secret),
        nextSecret: null,
        nextSecretAt: null,
        secretKeyId: secretBox.keyId,
        createdAt: now,
        deletedAt: null,
      };
      const audit = endpointEntry(at, scope.keyId, 'webhook_endpoint.created', {
        endpoint,
        details: { enabled_events: endpoint.enabledEvents, disabled: terms.disabled },
      });
      return {
        changes: { webhookEndpoints: [endpoint], auditEntries: [audit] },
        result: { endpoint, secret },
      };
    },
    receipt,
  );
}
