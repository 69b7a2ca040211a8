// Creates the next secret of an endpoint. It becomes active at a time that the merchant chooses, so a receiver can know
// both secrets in advance.

import { type ApiActor, endpointEntry } from '../domain/audit-entry.ts';
import type { Random } from '../domain/ids.ts';
import { isoTime, type Moment } from '../domain/moment.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { rotated, sealSecret } from '../domain/webhook-endpoint.ts';
import { newWebhookSecret } from '../domain/webhook-signature.ts';
import type { Store } from '../storage/store.ts';
import type { EndpointWithSecret } from './create-webhook-endpoint.ts';
import { decideAndCommit, type Outcome, type Receipt } from './decide-and-commit.ts';
import { webhookEndpointNotFound } from './refusals.ts';

export const defaultActivatesInSeconds = 86_400;
export const maxActivatesInSeconds = 604_800;

export function rotateWebhookSecret(
  deps: { store: Store; moment: () => Moment; random: Random; secretBox: SecretBox },
  scope: ApiActor,
  { endpointId, activatesInSeconds }: { endpointId: string; activatesInSeconds: number },
  receipt?: Receipt<EndpointWithSecret>,
): Promise<Outcome<EndpointWithSecret>> {
  const { store, secretBox } = deps;
  return decideAndCommit(
    store,
    async () => {
      const endpoint = await store.find('webhookEndpoints', scope, endpointId);
      if (endpoint === null) return webhookEndpointNotFound(endpointId);
      const at = deps.moment();
      const { now } = at;
      const secret = newWebhookSecret(deps.random);
      const next = rotated(endpoint, sealSecret(secretBox, endpointId, secret), {
        now,
        activatesAt: now + activatesInSeconds * 1000,
      });
      const audit = endpointEntry(at, scope.keyId, 'webhook_endpoint.secret_rotated', {
        endpoint,
        details: { activates_at: isoTime(now + activatesInSeconds * 1000) },
      });
      return { changes: { webhookEndpoints: [next], auditEntries: [audit] }, result: { endpoint: next, secret } };
    },
    receipt,
  );
}
