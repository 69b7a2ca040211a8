// Checkout Sessions over the API: create, retrieve, list, update, expire.

import type { CheckoutSession } from '../../domain/checkout-session.ts';
import type { AcquirerDeps } from '../../usecases/ask-acquirer.ts';
import { createCheckoutSession } from '../../usecases/create-checkout-session.ts';
import { expireCheckoutSession } from '../../usecases/expire-checkout-session.ts';
import { sessionNotFound } from '../../usecases/refusals.ts';
import { updateCheckoutSession } from '../../usecases/update-checkout-session.ts';
import {
  createBody,
  parseLineItems,
  patchBody,
  type SessionPlace,
  serialiseSession,
  sessionSchema,
  sessionStatus,
} from './checkout-session-schema.ts';
import { listOf, listResponse, paymentsQuery, refusePaymentLink } from './list.ts';
import { type ApiResponse, type ApiRoute, apiRoute } from './route.ts';
import { noBody } from './schemas.ts';

export interface CheckoutSessionDeps extends AcquirerDeps, SessionPlace {}

export function checkoutSessionRoutes(deps: CheckoutSessionDeps): ApiRoute[] {
  const { store } = deps;
  const toResponse = (session: CheckoutSession, status = 200): ApiResponse => ({
    status,
    body: serialiseSession(deps, session),
  });
  const id = { prefix: 'cs', notFound: sessionNotFound } as const;
  const shared = { tag: 'Checkout Sessions' };
  return [
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/checkout-sessions',
      operationId: 'createCheckoutSession',
      summary: 'Create a checkout session',
      description:
        'Creates an open session together with its payment intent. Redirect the customer to the returned `url`, or pass the `client_secret` of an embedded session to your page.',
      body: createBody,
      idempotent: 'in_one_commit',
      success: { status: 201, description: 'The open session.', body: sessionSchema },
      errors: [
        'currency_not_supported',
        'currency_not_enabled',
        'payment_method_not_enabled',
        'live_mode_not_configured',
      ],
      handle: async ({ caller, body, once }) => {
        const created = builtOnce((session: CheckoutSession) => toResponse(session, 201));
        const outcome = await createCheckoutSession(
          deps,
          caller,
          {
            amount: body.amount,
            currency: body.currency,
            returnUrl: body.return_url ?? null,
            cancelUrl: body.cancel_url ?? null,
            metadata: body.metadata ?? {},
            expiresInSeconds: body.expires_in,
            captureMethod: body.capture_method ?? 'automatic',
            paymentMethodTypes: body.payment_method_types,
            description: body.description ?? null,
            customerEmail: body.customer_email ?? null,
            collect: body.collect ?? [],
            locale: body.locale ?? 'auto',
            lineItems: body.line_items === undefined ? null : parseLineItems(body.line_items),
            uiMode: body.ui_mode ?? 'hosted',
          },
          once && ((session) => once.receipt(created(session))),
        );
        return 'done' in outcome ? created(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/checkout-sessions',
      operationId: 'listCheckoutSessions',
      summary: 'List checkout sessions',
      description: 'Newest first.',
      query: paymentsQuery(sessionStatus),
      success: { status: 200, description: 'One page of the list.', body: listOf(sessionSchema, 'Checkout Sessions') },
      errors: [],
      handle: async ({ caller, query }) => {
        const where = { status: query.status, paymentLinkId: query.payment_link };
        return (
          refusePaymentLink(query.payment_link) ??
          listResponse(
            query,
            'cs',
            (page) => store.replica.list('checkoutSessions', { ...page, scope: caller, where }),
            (session) => serialiseSession(deps, session),
          )
        );
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/checkout-sessions/:id',
      operationId: 'getCheckoutSession',
      summary: 'Retrieve a checkout session',
      description: 'Returns the current state of the session.',
      id,
      success: { status: 200, description: 'The session.', body: sessionSchema },
      errors: ['checkout_session_not_found'],
      handle: async ({ caller, id }) => {
        const session = await store.find('checkoutSessions', caller, id);
        return session === null ? sessionNotFound(id) : toResponse(session);
      },
    }),
    apiRoute({
      ...shared,
      method: 'PATCH',
      path: '/checkout-sessions/:id',
      operationId: 'updateCheckoutSession',
      summary: 'Update an open checkout session',
      description:
        'Takes a JSON Merge Patch. The payment intent is updated with the session. The amount cannot be changed while the customer is paying.',
      id,
      body: patchBody,
      success: { status: 200, description: 'The updated session.', body: sessionSchema },
      errors: ['checkout_session_not_found', 'session_not_open', 'payment_in_progress'],
      handle: async ({ caller, id, body }) => {
        const outcome = await updateCheckoutSession(deps, caller, id, {
          amount: body.amount,
          lineItems: body.line_items ? parseLineItems(body.line_items) : body.line_items,
          metadata: body.metadata,
          returnUrl: body.return_url,
          cancelUrl: body.cancel_url,
          expiresInSeconds: body.expires_in,
        });
        return 'done' in outcome ? toResponse(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/checkout-sessions/:id/expire',
      operationId: 'expireCheckoutSession',
      summary: 'Expire an open checkout session',
      description:
        'Expires the session immediately: the customer can no longer pay, and the payment intent becomes `expired`.',
      id,
      body: noBody,
      idempotent: true,
      success: { status: 200, description: 'The expired session.', body: sessionSchema },
      errors: ['checkout_session_not_found', 'session_not_open', 'payment_in_progress'],
      handle: async ({ caller, id, once }) => {
        const outcome = await expireCheckoutSession(
          deps,
          caller,
          id,
          once && ((session) => once.receipt(toResponse(session))),
        );
        return 'done' in outcome ? toResponse(outcome.done) : outcome;
      },
    }),
  ];
}

/** Builds the response once, to be recorded and sent, because building it derives the session's secret each time. */
function builtOnce<R>(make: (record: R) => ApiResponse): (record: R) => ApiResponse {
  let last: { readonly record: R; readonly response: ApiResponse } | null = null;
  return (record) => {
    if (last?.record !== record) last = { record, response: make(record) };
    return last.response;
  };
}
