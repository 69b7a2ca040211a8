// A message to a customer that waits to be sent, or was: a receipt or a refund notice, with all its attempts. The row
// refers to what the message is about and is rendered when it is sent, so it contains no personal data of its own.

import type { CheckoutSession } from './checkout-session.ts';
import { emailOf } from './customer-details.ts';
import type { Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import type { Operation } from './operation.ts';
import { type RetrySchedule, retryAt } from './retry-schedule.ts';

export const mailKinds = ['receipt', 'refund_notice'] as const;
export type MailKind = (typeof mailKinds)[number];

/** `canceled`: there was a reason not to send it, such as receipts that were switched off. */
export const mailStatuses = ['pending', 'sent', 'failed', 'canceled'] as const;
export type MailStatus = (typeof mailStatuses)[number];

export interface MailMessage extends Scope {
  readonly id: string;
  readonly version: number;
  readonly kind: MailKind;
  readonly paymentIntentId: string;
  /** Refund notices only. */
  readonly refundId: string | null;
  /** The language of the page that the customer paid on, such as `de-AT`. */
  readonly locale: string;
  readonly status: MailStatus;
  /** Oldest first. */
  readonly attempts: readonly MailAttempt[];
  /** When the next attempt is due; null once finished. Claiming it moves this to the end of the lease. */
  readonly dueAt: number | null;
  readonly createdAt: number;
}

export interface MailAttempt {
  readonly at: number;
  readonly durationMs: number;
  /** The server's reply code, such as 250; null: it did not reply, or was not reached. */
  readonly code: number | null;
  /** Why it was not sent; null: it was. Without addresses. */
  readonly error: string | null;
}

export type MailVerdict = 'sent' | 'retry' | 'give_up' | 'cancel';

export interface MailAttempted extends MailAttempt {
  readonly verdict: MailVerdict;
}

/** A message that could not be sent for this long is given up: sending was switched off, or the service was down. */
export const maxMailAgeMs: number = 7 * 86_400_000;

/** The address that messages about a payment go to; null: none is known. */
export function recipientOf(session: Pick<CheckoutSession, 'customerEmail' | 'customerDetails'>): string | null {
  return emailOf(session);
}

/**
 * `payment`: the operation that the customer paid with. Its page was in the session's language, unless that is not available.
 */
export function mailLocale({ locale }: Pick<CheckoutSession, 'locale'>, payment: Operation | null): string {
  return payment?.locale ?? (locale === 'auto' ? 'en' : locale);
}

export type NewMail = Pick<MailMessage, 'kind' | 'paymentIntentId' | 'refundId' | 'locale'>;

export function newMail({ merchantId, livemode }: Scope, fields: NewMail, moment: Moment): MailMessage {
  return {
    ...fields,
    ...{ merchantId, livemode, id: moment.newId('msg'), version: 0 },
    ...{ status: 'pending', attempts: [], dueAt: moment.now, createdAt: moment.now },
  };
}

const statusAfter = { sent: 'sent', give_up: 'failed', cancel: 'canceled' } as const;

/** `chance`, from 0 to 1, is the jitter of the retry. */
export function afterMailAttempt(
  message: MailMessage,
  { verdict, ...attempt }: MailAttempted,
  schedule: RetrySchedule,
  chance: number,
): MailMessage {
  const attempts = [...message.attempts, attempt];
  if (verdict !== 'retry') return { ...message, status: statusAfter[verdict], attempts, dueAt: null };
  const endedAt = attempt.at + attempt.durationMs;
  const dueAt = retryAt(schedule, attempts.length, { endedAt, retryAfterMs: null, chance });
  return { ...message, status: dueAt === null ? 'failed' : 'pending', attempts, dueAt };
}

/** A message that was given up is sent once more, and retried as often as its schedule still allows. */
export function mailDueAgain(message: MailMessage, now: number): MailMessage {
  return { ...message, status: 'pending', dueAt: now };
}
