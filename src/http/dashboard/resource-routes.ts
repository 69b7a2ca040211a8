// What users do with the merchant's objects: the same use cases as the API, and what only people look at.

import type { Random } from '../../domain/ids.ts';
import type { WebhookEndpointDeps } from '../../usecases/create-webhook-endpoint.ts';
import type { ApiRoute } from '../api/route.ts';
import { type AcquirerRouteDeps, acquirerRoutes } from './acquirers.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { eventRoutes } from './events.ts';
import type { LiveUpdates } from './live-updates.ts';
import { mounting } from './mounted.ts';
import { type PaymentDetailDeps, paymentDetailRoutes } from './payment-detail.ts';
import type { DashboardRoute } from './route.ts';
import { sessionAndLinkRoutes } from './sessions-and-links.ts';
import { settingsRoutes } from './settings.ts';
import { updateRoutes } from './updates.ts';
import { webhookRoutes } from './webhooks.ts';

export interface ResourceDeps {
  /** The routes of the API, some of which are served here too. */
  readonly api: readonly ApiRoute[];
  readonly payments: PaymentDetailDeps;
  readonly endpointDeps: WebhookEndpointDeps;
  readonly acquirerSetup: Omit<AcquirerRouteDeps, keyof PaymentDetailDeps>;
  readonly updates: Pick<LiveUpdates, 'open'>;
  readonly random: Random;
}

export function resourceRoutes({
  api,
  payments,
  random,
  endpointDeps,
  acquirerSetup,
  updates,
}: ResourceDeps): DashboardRoute[] {
  const mount = mounting(api);
  return [
    ...paymentDetailRoutes(payments, mount),
    ...sessionAndLinkRoutes(payments, mount),
    ...apiKeyRoutes({ ...payments, random }),
    ...webhookRoutes(endpointDeps, mount),
    ...eventRoutes(payments, mount),
    ...settingsRoutes(payments),
    ...updateRoutes(updates),
    ...acquirerRoutes({ ...payments, ...acquirerSetup }),
  ];
}
