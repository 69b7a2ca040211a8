// One payment with everything that belongs to it, and what can be done with it.

import { mailKinds } from '../../domain/mail-message.ts';
import { isoTime } from '../../domain/moment.ts';
import { actionsOn } from '../../domain/payment-intent.ts';
import { type TimelineEntry, timelineTypes } from '../../domain/timeline.ts';
import type { AcquirerDeps } from '../../usecases/ask-acquirer.ts';
import { maxTimelineEntries, type PaymentDetails, readPayment } from '../../usecases/read-payment.ts';
import { paymentIntentNotFound } from '../../usecases/refusals.ts';
import { lineItem, type SessionPlace, serialiseSession, sessionSchema } from '../api/checkout-session-schema.ts';
import { knownDetails } from '../api/customer-details-schema.ts';
import { disputeSchema, serialiseDispute } from '../api/disputes.ts';
import { paymentIntentSchema, paymentMethod, serialisePaymentIntent } from '../api/payment-intents.ts';
import { refundSchema, serialiseRefund } from '../api/refunds.ts';
import { amount, id, nullable, nullableString, nullableTime, stringEnum, time } from '../api/schemas.ts';
import { type Static, Type } from '../schema.ts';
import type { Mount } from './mounted.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';

const timelineEntry = Type.Object({
  at: time('When it happened.'),
  type: stringEnum(timelineTypes, { description: 'What happened.' }),
  subject: Type.String({ description: 'The id of what it is about.' }),
  amount: Type.Optional(amount),
  payment_method: Type.Optional(paymentMethod),
  status: Type.Optional(Type.String({ description: 'The status of the subject now.' })),
  code: Type.Optional(Type.String({ description: 'Why it failed.' })),
  decline_code: Type.Optional(Type.String()),
  reason: Type.Optional(nullableString()),
  refund: Type.Optional(nullable(id('re'))),
  event_type: Type.Optional(Type.String()),
  mail_kind: Type.Optional(stringEnum(mailKinds)),
  delivery: Type.Optional(
    Type.Object({
      event: id('evt'),
      endpoint: id('we'),
      attempts: Type.Integer(),
      status_code: nullable(Type.Integer()),
      error: nullableString(),
      duration_ms: nullable(Type.Integer()),
    }),
  ),
});
export type TimelineItem = Static<typeof timelineEntry>;

const paymentDetail = Type.Object({
  ...paymentIntentSchema.properties,
  description: nullableString(),
  customer: knownDetails,
  line_items: nullable(Type.Array(lineItem)),
  provider_reference: nullableString({ description: "The provider's own id of the payment." }),
  capture_before: nullableTime('Until when an authorised payment can be captured.'),
  session: sessionSchema,
  refunds: Type.Array(refundSchema),
  disputes: Type.Array(disputeSchema),
  actions: Type.Object({
    refundable_amount: Type.Integer({ minimum: 0, description: '0: nothing can be refunded.' }),
    capturable_amount: Type.Integer({ minimum: 0, description: '0: nothing can be captured.' }),
    cancelable: Type.Boolean(),
  }),
  timeline: Type.Array(timelineEntry, { maxItems: maxTimelineEntries, description: 'Newest first.' }),
  timeline_has_more: Type.Boolean({ description: 'Older entries were left out.' }),
});
export type PaymentDetail = Static<typeof paymentDetail>;

export interface PaymentDetailDeps extends AcquirerDeps, SessionPlace {}

export function paymentDetailRoutes(deps: PaymentDetailDeps, mount: Mount): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'GET',
      path: '/payments/:id',
      may: 'read',
      id: { prefix: 'pi', notFound: paymentIntentNotFound },
      handle: async ({ staff, id }) => {
        const payment = await readPayment(deps.store, staff, id);
        if (payment === null) return paymentIntentNotFound(id);
        return { status: 200, body: detailOf(deps, payment, deps.moment().now) };
      },
    }),
    mount('refundPaymentIntent', {
      ...{ path: '/payments/:id/refund', may: 'refund', audit: 'refund.created', shows: ['amount'] },
    }),
    mount('capturePaymentIntent', {
      ...{ path: '/payments/:id/capture', may: 'operate', audit: 'payment_intent.captured' },
      shows: ['amount_to_capture'],
    }),
    mount('cancelPaymentIntent', {
      ...{ path: '/payments/:id/cancel', may: 'refund', audit: 'payment_intent.canceled' },
    }),
  ];
}

const nothingKnown = { email: null, phone: null, name: null, billing_address: null, shipping_address: null };

function detailOf(place: SessionPlace, payment: PaymentDetails, now: number): PaymentDetail {
  const session = serialiseSession(place, payment.session);
  const intent = serialisePaymentIntent(payment.intent);
  const { refundableAmount, capturableAmount, isCancelable } = actionsOn(payment.intent, now);
  const { captureBefore } = payment.intent;
  return {
    ...intent,
    description: session.description,
    customer: session.customer_details ?? nothingKnown,
    line_items: session.line_items,
    provider_reference: intent.acquirer?.reference ?? null,
    capture_before: captureBefore === null ? null : isoTime(captureBefore),
    session,
    refunds: payment.refunds.map(serialiseRefund),
    disputes: payment.disputes.map(serialiseDispute),
    actions: {
      refundable_amount: refundableAmount,
      capturable_amount: capturableAmount,
      cancelable: isCancelable,
    },
    timeline: payment.timeline.map(serialiseEntry),
    timeline_has_more: payment.hasMore,
  };
}

function serialiseEntry(entry: TimelineEntry): TimelineItem {
  const { at, type, subject, amount, paymentMethod, status, code, declineCode, reason, refundId } = entry;
  const { eventType, mailKind, delivery } = entry;
  return {
    at: isoTime(at),
    type,
    subject,
    ...(amount === undefined ? {} : { amount }),
    ...(paymentMethod === undefined ? {} : { payment_method: paymentMethod }),
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    ...(reason === undefined ? {} : { reason }),
    ...(refundId === undefined ? {} : { refund: refundId }),
    ...(eventType === undefined ? {} : { event_type: eventType }),
    ...(mailKind === undefined ? {} : { mail_kind: mailKind }),
    ...(delivery === undefined
      ? {}
      : {
          delivery: {
            event: delivery.eventId,
            endpoint: delivery.endpointId,
            attempts: delivery.attempts,
            status_code: delivery.statusCode,
            error: delivery.error,
            duration_ms: delivery.durationMs,
          },
        }),
  };
}
