// Refunds over the API: create, retrieve, list.

import { isoTime } from '../../domain/moment.ts';
import type { Refund } from '../../domain/refund.ts';
import type { AcquirerDeps } from '../../usecases/ask-acquirer.ts';
import { refundPayment } from '../../usecases/refund-payment.ts';
import { paymentIntentNotFound, refundNotFound } from '../../usecases/refusals.ts';
import { type Static, Type } from '../schema.ts';
import { listOf, listResponse, pageQuery, refusePaymentIntent } from './list.ts';
import { type ApiResponse, type ApiRoute, apiRoute } from './route.ts';
import { amount, currency, id, nullableString, stringEnum, time } from './schemas.ts';

export const refundStatus = stringEnum(['pending', 'succeeded', 'failed'], {
  title: 'Refund status',
  examples: ['succeeded'],
  description: 'The amount of a `failed` refund can be refunded again.',
});

export const refundSchema = Type.Object(
  {
    id: id('re'),
    object: Type.Literal('refund'),
    payment_intent: id('pi', 'The refunded payment.'),
    amount,
    currency,
    status: refundStatus,
    reason: nullableString({ description: 'Your reason for the refund.' }),
    livemode: Type.Boolean({ description: '`false` in test mode.' }),
    created_at: time('When the refund was created.'),
  },
  { $id: 'Refund', title: 'Refund' },
);

const refundBody = Type.Object(
  {
    amount: Type.Optional({
      ...amount,
      description: 'The amount to refund, in the smallest currency unit. By default, everything not yet refunded.',
    }),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Your reason for the refund.' })),
  },
  { additionalProperties: false },
);

const refundsQuery = Type.Object(
  {
    ...pageQuery,
    payment_intent: Type.Optional(Type.String({ maxLength: 100, description: 'Only refunds of this payment.' })),
  },
  { additionalProperties: false },
);

export function serialiseRefund(refund: Refund): Static<typeof refundSchema> {
  return {
    id: refund.id,
    object: 'refund',
    payment_intent: refund.paymentIntentId,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status,
    reason: refund.reason,
    livemode: refund.livemode,
    created_at: isoTime(refund.createdAt),
  };
}

export function refundRoutes(deps: AcquirerDeps): ApiRoute[] {
  const { store } = deps;
  const toResponse = (refund: Refund, status = 200): ApiResponse => ({ status, body: serialiseRefund(refund) });
  const shared = { tag: 'Refunds' };
  return [
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/payment-intents/:id/refund',
      operationId: 'refundPaymentIntent',
      summary: 'Refund a payment',
      description:
        'Refunds all or part of a captured payment. A payment can be refunded several times until nothing is left. The refund is `pending` until the acquirer confirms it.',
      id: { prefix: 'pi', notFound: paymentIntentNotFound },
      body: refundBody,
      idempotent: true,
      success: { status: 201, description: 'The refund.', body: refundSchema },
      errors: ['payment_intent_not_found', 'payment_not_refundable'],
      handle: async ({ caller, id, body, once }) => {
        const outcome = await refundPayment(
          deps,
          caller,
          { paymentIntentId: id, amount: body.amount, reason: body.reason, reservation: once?.reserve() },
          once && ((refund) => once.receipt(toResponse(refund, 201))),
        );
        return 'done' in outcome ? toResponse(outcome.done, 201) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/refunds',
      operationId: 'listRefunds',
      summary: 'List refunds',
      description: 'Newest first.',
      query: refundsQuery,
      success: { status: 200, description: 'One page of the list.', body: listOf(refundSchema, 'Refunds') },
      errors: [],
      handle: async ({ caller, query }) => {
        const { payment_intent: paymentIntentId } = query;
        const refused = refusePaymentIntent(paymentIntentId);
        if (refused !== null) return refused;
        return listResponse(
          query,
          're',
          (page) => store.replica.list('refunds', { ...page, scope: caller, where: { paymentIntentId } }),
          serialiseRefund,
        );
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/refunds/:id',
      operationId: 'getRefund',
      summary: 'Retrieve a refund',
      description: 'Returns the current state of the refund.',
      id: { prefix: 're', notFound: refundNotFound },
      success: { status: 200, description: 'The refund.', body: refundSchema },
      errors: ['refund_not_found'],
      handle: async ({ caller, id }) => {
        const refund = await store.find('refunds', caller, id);
        return refund === null ? refundNotFound(id) : toResponse(refund);
      },
    }),
  ];
}
