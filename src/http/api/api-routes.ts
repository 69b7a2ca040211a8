// All routes of the API. Each kind of object has a file of its own.

import type { Store } from '../../storage/store.ts';
import type { WebhookEndpointDeps } from '../../usecases/create-webhook-endpoint.ts';
import type { ResendDeps } from '../../usecases/resend-capacity.ts';
import type { EventStreams } from '../event-streams.ts';
import type { ResendGate } from '../resend-gate.ts';
import { type CheckoutSessionDeps, checkoutSessionRoutes } from './checkout-sessions.ts';
import { disputeRoutes } from './disputes.ts';
import { eventStreamRoutes } from './event-stream.ts';
import { eventRoutes } from './events.ts';
import { meRoutes } from './me.ts';
import { paymentIntentRoutes } from './payment-intents.ts';
import { paymentLinkRoutes } from './payment-links.ts';
import { refundRoutes } from './refunds.ts';
import type { ApiRoute } from './route.ts';
import { webhookActionRoutes } from './webhook-actions.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

/** Passed on to the routes, each of which takes what it needs. */
export interface ApiDeps {
  readonly payments: CheckoutSessionDeps;
  readonly endpointDeps: WebhookEndpointDeps;
  readonly resendDeps: ResendDeps & { readonly resends: ResendGate };
  readonly streams: EventStreams;
}

export function allApiRoutes({ payments, endpointDeps, resendDeps, streams }: ApiDeps): ApiRoute[] {
  return [
    ...checkoutSessionRoutes(payments),
    ...paymentIntentRoutes(payments),
    ...paymentLinkRoutes(payments),
    ...refundRoutes(payments),
    ...disputeRoutes(payments),
    ...webhookEndpointRoutes(endpointDeps),
    ...webhookActionRoutes({ ...endpointDeps, ...resendDeps }),
    ...eventRoutes(resendDeps),
    ...eventStreamRoutes(streams),
    ...meRoutes(),
  ];
}

/** The same routes with another store. */
export function apiRoutesOn(store: Store, { payments, endpointDeps, resendDeps, streams }: ApiDeps): ApiRoute[] {
  return allApiRoutes({
    payments: { ...payments, store },
    endpointDeps: { ...endpointDeps, store },
    resendDeps: { ...resendDeps, store },
    streams,
  });
}
