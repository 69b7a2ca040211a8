// Payment Intents over the API: retrieve, list, capture, cancel.

import { isoTime } from '../../domain/moment.ts';
import { maxAmount } from '../../domain/money.ts';
import { type PaymentAcquirer, type PaymentIntent, paymentIntentStatuses } from '../../domain/payment-intent.ts';
import type { AcquirerDeps } from '../../usecases/ask-acquirer.ts';
import { cancelPayment } from '../../usecases/cancel-payment.ts';
import { capturePayment } from '../../usecases/capture-payment.ts';
import { paymentIntentNotFound } from '../../usecases/refusals.ts';
import { type Static, Type } from '../schema.ts';
import { customerDetails } from './customer-details-schema.ts';
import { listOf, listResponse, paymentsQuery, refusePaymentLink } from './list.ts';
import { type ApiResponse, type ApiRoute, apiRoute } from './route.ts';
import {
  amount,
  captureMethod,
  currency,
  id,
  metadata,
  nullable,
  nullableString,
  nullableTime,
  paymentMethodType,
  stringEnum,
  time,
  withExample,
} from './schemas.ts';

export const paymentIntentStatus = stringEnum(paymentIntentStatuses, {
  title: 'Payment Intent status',
  examples: ['succeeded'],
  description: 'The status of the payment. `succeeded`, `canceled` and `expired` are final.',
});

export const lastPaymentError = nullable(
  Type.Object(
    {
      code: Type.String({ examples: ['card_declined'] }),
      decline_code: Type.Optional(Type.String({ examples: ['insufficient_funds'] })),
      message: Type.String({ examples: ['The card has insufficient funds.'] }),
    },
    { title: 'Payment error', description: 'Why the last payment attempt failed.' },
  ),
);

export const paymentMethod = nullable(
  Type.Object(
    {
      type: paymentMethodType,
      card: Type.Optional(
        Type.Object(
          {
            brand: Type.String({ examples: ['visa'] }),
            last4: Type.String({ examples: ['4242'] }),
            exp_month: Type.Integer({ examples: [12] }),
            exp_year: Type.Integer({ examples: [2034] }),
          },
          { title: 'Card' },
        ),
      ),
    },
    { title: 'Payment method', description: 'The payment method used in the last attempt.' },
  ),
);

const acquirer = nullable(
  Type.Object(
    {
      provider: Type.String({ examples: ['stripe'], description: '`sandbox`, `stripe` or `mollie`.' }),
      reference: nullableString({ examples: ['pi_3PqR2s'], description: "The provider's own id of the payment." }),
    },
    { title: 'Acquirer', description: 'Who made the last attempt; `null` before the first one.' },
  ),
);

export const paymentIntentSchema = Type.Object(
  {
    id: id('pi'),
    object: Type.Literal('payment_intent'),
    status: paymentIntentStatus,
    amount,
    currency,
    metadata,
    livemode: Type.Boolean({ description: '`false` in test mode.' }),
    created_at: time('When the payment intent was created.'),
    capture_method: captureMethod,
    amount_captured: Type.Integer({ minimum: 0, examples: [1250], description: 'The amount captured.' }),
    amount_refunded: Type.Integer({
      minimum: 0,
      examples: [0],
      description: 'The amount refunded, including pending refunds.',
    }),
    checkout_session: id('cs', 'The checkout session of this payment.'),
    payment_method: paymentMethod,
    last_payment_error: withExample(lastPaymentError, null),
    canceled_at: nullableTime('When the payment was canceled.'),
    cancellation_reason: nullableString({
      description: 'Your reason for canceling, or `acquirer` if it was canceled at the provider.',
    }),
    acquirer,
    customer_details: customerDetails,
    payment_link: nullable(id('plink', 'The payment link that the customer started from.')),
  },
  { $id: 'PaymentIntent', title: 'Payment Intent' },
);

const cancelBody = Type.Object(
  {
    cancellation_reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Your reason for canceling.', examples: ['abandoned'] }),
    ),
  },
  { additionalProperties: false },
);

const captureBody = Type.Object(
  {
    amount_to_capture: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxAmount,
        description: 'The amount to capture, in the smallest currency unit. By default, the full authorised amount.',
        examples: [1000],
      }),
    ),
  },
  { additionalProperties: false },
);

export function serialisePaymentIntent(intent: PaymentIntent): Static<typeof paymentIntentSchema> {
  return {
    id: intent.id,
    object: 'payment_intent',
    status: intent.status,
    amount: intent.amount,
    currency: intent.currency,
    metadata: intent.metadata,
    livemode: intent.livemode,
    created_at: isoTime(intent.createdAt),
    capture_method: intent.captureMethod,
    amount_captured: intent.amountCaptured,
    amount_refunded: intent.amountRefunded,
    checkout_session: intent.checkoutSessionId,
    payment_method: intent.paymentMethod,
    last_payment_error: intent.lastPaymentError,
    canceled_at: intent.canceledAt === null ? null : isoTime(intent.canceledAt),
    cancellation_reason: intent.cancellationReason,
    acquirer: acquirerOf(intent),
    customer_details: intent.customerDetails,
    payment_link: intent.paymentLinkId,
  };
}

/** Payments of earlier versions were made by the sandbox, which calls them by our id. */
function acquirerOf({ acquirer, operationId }: PaymentIntent): PaymentAcquirer | null {
  return acquirer ?? (operationId === null ? null : { provider: 'sandbox', reference: operationId });
}

export function paymentIntentRoutes(deps: AcquirerDeps): ApiRoute[] {
  const { store } = deps;
  const toResponse = (intent: PaymentIntent): ApiResponse => ({ status: 200, body: serialisePaymentIntent(intent) });
  const byId = { prefix: 'pi', notFound: paymentIntentNotFound } as const;
  const shared = { tag: 'Payment Intents' };
  return [
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/payment-intents',
      operationId: 'listPaymentIntents',
      summary: 'List payment intents',
      description: 'Newest first.',
      query: paymentsQuery(paymentIntentStatus),
      success: {
        status: 200,
        description: 'One page of the list.',
        body: listOf(paymentIntentSchema, 'Payment Intents'),
      },
      errors: [],
      handle: async ({ caller, query }) => {
        const where = { status: query.status, paymentLinkId: query.payment_link };
        return (
          refusePaymentLink(query.payment_link) ??
          listResponse(
            query,
            'pi',
            (page) => store.replica.list('paymentIntents', { ...page, scope: caller, where }),
            serialisePaymentIntent,
          )
        );
      },
    }),
    apiRoute({
      ...shared,
      method: 'GET',
      path: '/payment-intents/:id',
      operationId: 'getPaymentIntent',
      summary: 'Retrieve a payment intent',
      description:
        'Use this as a fallback when a webhook has not arrived: retrieve the payment 5 minutes after the checkout, then about once a minute while it is `processing`.',
      id: byId,
      success: { status: 200, description: 'The payment intent.', body: paymentIntentSchema },
      errors: ['payment_intent_not_found'],
      handle: async ({ caller, id }) => {
        const intent = await store.find('paymentIntents', caller, id);
        return intent === null ? paymentIntentNotFound(id) : toResponse(intent);
      },
    }),
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/payment-intents/:id/capture',
      operationId: 'capturePaymentIntent',
      summary: 'Capture an authorised payment',
      description:
        'Captures all or part of a payment authorised with `capture_method: manual`; the rest is released. An authorisation lapses after 7 days. Until the acquirer confirms the capture, the response is `payment_in_progress`: retry the same request with the same Idempotency-Key.',
      id: byId,
      body: captureBody,
      idempotent: true,
      success: { status: 200, description: 'The captured payment intent.', body: paymentIntentSchema },
      errors: ['payment_intent_not_found', 'payment_not_capturable', 'payment_in_progress'],
      handle: async ({ caller, id, body, once }) => {
        const { amount_to_capture: amount } = body;
        const outcome = await capturePayment(
          deps,
          caller,
          { paymentIntentId: id, amount, reservation: once?.reserve() },
          once && ((intent) => once.receipt(toResponse(intent))),
        );
        return 'done' in outcome ? toResponse(outcome.done) : outcome;
      },
    }),
    apiRoute({
      ...shared,
      method: 'POST',
      path: '/payment-intents/:id/cancel',
      operationId: 'cancelPaymentIntent',
      summary: 'Cancel a payment intent',
      description:
        'Cancels an unpaid payment, whose open session then expires, or an authorised one, whose hold is released. Until the acquirer confirms the release, the response is `payment_in_progress`: retry the same request with the same Idempotency-Key.',
      id: byId,
      body: cancelBody,
      idempotent: true,
      success: { status: 200, description: 'The canceled payment intent.', body: paymentIntentSchema },
      errors: ['payment_intent_not_found', 'payment_not_cancelable', 'payment_in_progress'],
      handle: async ({ caller, id, body, once }) => {
        const { cancellation_reason: reason = null } = body;
        const outcome = await cancelPayment(
          deps,
          caller,
          { paymentIntentId: id, reason, reservation: once?.reserve() },
          once && ((intent) => once.receipt(toResponse(intent))),
        );
        return 'done' in outcome ? toResponse(outcome.done) : outcome;
      },
    }),
  ];
}
