// Disputes over the API: retrieve, list. They are read-only: evidence is given in the provider's dashboard.

import { type Dispute, disputeStatuses } from '../../domain/dispute.ts';
import { isoTime } from '../../domain/moment.ts';
import type { Store } from '../../storage/store.ts';
import { disputeNotFound } from '../../usecases/refusals.ts';
import { type Static, Type } from '../schema.ts';
import { listOf, listQuery, listResponse, refusePaymentIntent } from './list.ts';
import { type ApiRoute, apiRoute } from './route.ts';
import { amount, currency, id, nullableTime, stringEnum, time } from './schemas.ts';

export const disputeStatus = stringEnum(disputeStatuses, {
  title: 'Dispute status',
  examples: ['needs_response'],
  description:
    '`needs_response`: give evidence in the provider’s dashboard. `under_review`: the bank decides. `won` and `lost`: it has decided. `warning`: the bank only asks, and no money was taken.',
});

export const disputeFields = {
  payment_intent: id('pi', 'The disputed payment.'),
  amount: { ...amount, description: 'The disputed amount, which may be less than the payment.' },
  currency,
  reason: Type.String({ examples: ['fraudulent'], description: "The provider's word for the customer's reason." }),
  status: disputeStatus,
  evidence_due_by: nullableTime('Until when evidence can be given; null if none can.'),
};

export const disputeSchema = Type.Object(
  {
    id: id('dp'),
    object: Type.Literal('dispute'),
    ...disputeFields,
    acquirer: Type.Object(
      {
        provider: Type.String({ examples: ['stripe'], description: '`sandbox`, `stripe` or `mollie`.' }),
        reference: Type.String({ examples: ['du_1PqR2s'], description: "The provider's own id of the dispute." }),
      },
      { title: 'Dispute acquirer', description: 'Where evidence is given.' },
    ),
    livemode: Type.Boolean({ description: '`false` in test mode.' }),
    created_at: time('When the dispute was opened.'),
  },
  { $id: 'Dispute', title: 'Dispute' },
);

const disputesQuery = Type.Object(
  {
    ...listQuery(disputeStatus).properties,
    payment_intent: Type.Optional(Type.String({ maxLength: 100, description: 'Only disputes of this payment.' })),
  },
  { additionalProperties: false },
);

export function serialiseDispute(dispute: Dispute): Static<typeof disputeSchema> {
  return {
    id: dispute.id,
    object: 'dispute',
    payment_intent: dispute.paymentIntentId,
    amount: dispute.amount,
    currency: dispute.currency,
    reason: dispute.reason,
    status: dispute.status,
    evidence_due_by: dispute.evidenceDueBy === null ? null : isoTime(dispute.evidenceDueBy),
    acquirer: dispute.acquirer,
    livemode: dispute.livemode,
    created_at: isoTime(dispute.createdAt),
  };
}

export function disputeRoutes({ store }: { readonly store: Store }): ApiRoute[] {
  const shared = { tag: 'Disputes' };
  return [
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/disputes',
      operationId: 'listDisputes',
      summary: 'List disputes',
      description: 'Newest first.',
      query: disputesQuery,
      success: { status: 200, description: 'One page of the list.', body: listOf(disputeSchema, 'Disputes') },
      errors: [],
      handle: async ({ caller, query }) => {
        const { payment_intent: paymentIntentId, status } = query;
        const refused = refusePaymentIntent(paymentIntentId);
        if (refused !== null) return refused;
        return listResponse(
          query,
          'dp',
          (page) => store.replica.list('disputes', { ...page, scope: caller, where: { paymentIntentId, status } }),
          serialiseDispute,
        );
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/disputes/:id',
      operationId: 'getDispute',
      summary: 'Retrieve a dispute',
      description:
        'Returns the dispute as the provider last reported it. A dispute changes neither the status nor the amounts of its payment.',
      id: { prefix: 'dp', notFound: disputeNotFound },
      success: { status: 200, description: 'The dispute.', body: disputeSchema },
      errors: ['dispute_not_found'],
      handle: async ({ caller, id }) => {
        const dispute = await store.find('disputes', caller, id);
        return dispute === null ? disputeNotFound(id) : { status: 200, body: serialiseDispute(dispute) };
      },
    }),
  ];
}
