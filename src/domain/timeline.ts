// Everything that is known to have happened to a payment, in order: facts with types and codes, without words.

import type { CheckoutSession } from './checkout-session.ts';
import type { Delivery } from './delivery.ts';
import type { Dispute } from './dispute.ts';
import type { Event } from './event.ts';
import type { MailMessage } from './mail-message.ts';
import type { Operation, OperationStep } from './operation.ts';
import type { PaymentIntent, PaymentMethod } from './payment-intent.ts';
import type { Refund } from './refund.ts';

/** In the order in which those of the same millisecond are shown. */
export const timelineTypes = [
  'session_created',
  'page_opened',
  'payment_started',
  'action_needed',
  'action_done',
  'payment_authorised',
  'payment_succeeded',
  'payment_failed',
  'session_completed',
  'capture_started',
  'capture_succeeded',
  'capture_failed',
  'void_started',
  'void_succeeded',
  'void_failed',
  'payment_canceled',
  'refund_started',
  'refund_succeeded',
  'refund_failed',
  'dispute_opened',
  'event',
  'delivery',
  'mail',
] as const;
export type TimelineType = (typeof timelineTypes)[number];

export interface TimelineEntry {
  readonly at: number;
  readonly type: TimelineType;
  /** The id of what it is about: a session, an operation, a refund, a dispute, an event, a delivery or a message. */
  readonly subject: string;
  readonly amount?: number;
  readonly paymentMethod?: PaymentMethod | null;
  /** Of the operation, the dispute, the delivery or the message, as it is now. */
  readonly status?: string;
  /** Why it failed, as in the error of a payment. */
  readonly code?: string;
  readonly declineCode?: string;
  /** Of a refund, a cancellation or a dispute. */
  readonly reason?: string | null;
  readonly refundId?: string | null;
  readonly eventType?: string;
  readonly mailKind?: MailMessage['kind'];
  readonly delivery?: DeliveryFacts;
}

/** What became of a delivery. The status, the error and the duration are those of the last attempt. */
export interface DeliveryFacts {
  readonly eventId: string;
  readonly endpointId: string;
  readonly attempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
}

export interface PaymentHistory {
  readonly session: CheckoutSession;
  readonly intent: PaymentIntent;
  readonly operations: readonly Operation[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
  readonly mails: readonly MailMessage[];
}

/** Newest first. */
export function timelineOf(history: PaymentHistory): TimelineEntry[] {
  const { session, intent, operations, refunds, disputes, events, deliveries, mails } = history;
  const types = new Map(events.map(({ id, type }) => [id, type]));
  const entries: TimelineEntry[] = [
    ...ofSession(session, intent),
    ...operations.flatMap((operation) => ofOperation(operation, refunds)),
    ...disputes.map(
      ({ id, createdAt, amount, reason, status }): TimelineEntry => ({
        ...{ at: createdAt, type: 'dispute_opened', subject: id, amount, reason, status },
      }),
    ),
    ...events.map(
      ({ id, createdAt, type }) => ({ at: createdAt, type: 'event', subject: id, eventType: type }) as const,
    ),
    ...deliveries.map((delivery) => ofDelivery(delivery, types.get(delivery.eventId))),
    ...mails.map(ofMail),
  ];
  return entries.toSorted((a, b) => b.at - a.at || timelineTypes.indexOf(b.type) - timelineTypes.indexOf(a.type));
}

function ofSession(session: CheckoutSession, intent: PaymentIntent): TimelineEntry[] {
  const { id, createdAt, openedAt, completedAt, amount } = session;
  const { canceledAt, cancellationReason } = intent;
  return [
    { at: createdAt, type: 'session_created', subject: id, amount },
    ...(openedAt === null ? [] : [{ at: openedAt, type: 'page_opened', subject: id } as const]),
    ...(completedAt === null ? [] : [{ at: completedAt, type: 'session_completed', subject: id } as const]),
    ...(canceledAt === null
      ? []
      : [{ at: canceledAt, type: 'payment_canceled', subject: intent.id, reason: cancellationReason } as const]),
  ];
}

function ofOperation(operation: Operation, refunds: readonly Refund[]): TimelineEntry[] {
  const { id, kind, createdAt, amount, paymentMethod, refundId, status, reason } = operation;
  const refund = refunds.find((one) => one.id === refundId);
  const about = {
    ...{ subject: id, amount },
    ...(kind === 'payment' ? { paymentMethod } : {}),
    ...(kind === 'refund' ? { refundId, reason: refund?.reason ?? reason } : {}),
    ...(kind === 'void' ? { reason } : {}),
  };
  const steps = (operation.history ?? []).map(
    (step): TimelineEntry => ({
      ...about,
      at: step.at,
      type: typeOf(kind, step),
      ...(step.code === undefined ? {} : { code: step.code }),
      ...(step.decline_code === undefined ? {} : { declineCode: step.decline_code }),
    }),
  );
  return [{ ...about, at: createdAt, type: `${kind}_started`, status }, ...steps];
}

function typeOf(kind: Operation['kind'], { step }: OperationStep): TimelineType {
  if (step === 'action_needed' || step === 'action_done') return step;
  // Only payments are authorised.
  return step === 'authorised' ? 'payment_authorised' : `${kind}_${step}`;
}

function ofDelivery(delivery: Delivery, eventType: string | undefined): TimelineEntry {
  const { id, eventId, endpointId, status, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  return {
    at: last === undefined ? createdAt : last.at,
    type: 'delivery',
    subject: id,
    status,
    ...(eventType === undefined ? {} : { eventType }),
    delivery: {
      eventId,
      endpointId,
      attempts: attempts.length,
      statusCode: last?.statusCode ?? null,
      error: last?.error ?? null,
      durationMs: last?.durationMs ?? null,
    },
  };
}

function ofMail({ id, createdAt, attempts, kind, status, refundId }: MailMessage): TimelineEntry {
  return { at: attempts.at(-1)?.at ?? createdAt, type: 'mail', subject: id, mailKind: kind, status, refundId };
}
