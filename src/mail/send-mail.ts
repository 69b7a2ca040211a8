// One attempt to send a message: reads what it is about, renders it, sends it, and judges the server's answer.

import { mailAddress } from '../domain/mail-address.ts';
import {
  type MailAttempted,
  type MailMessage,
  type MailVerdict,
  maxMailAgeMs,
  recipientOf,
} from '../domain/mail-message.ts';
import type { Clock } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { composed } from './compose.ts';
import { type LetterSubject, letterFor } from './letter.ts';
import { letterHtml } from './letter-html.ts';
import { letterText } from './letter-text.ts';
import { isPermanent, SmtpFailure, wasServerReady } from './smtp-failure.ts';
import type { SmtpPool } from './smtp-pool.ts';

export interface MailSending {
  readonly attempted: MailAttempted;
  /** Whether the server was ready to take the message; null: it was not asked. */
  readonly isServerReady: boolean | null;
}

/** Rejects only if storage fails: then nothing was sent. */
export type SendMail = (message: MailMessage, signal: AbortSignal) => Promise<MailSending>;

export interface SendMailDeps {
  readonly store: Pick<Store, 'find' | 'findBy'>;
  readonly clock: Clock;
  readonly pool: SmtpPool;
  /** The sender's address. */
  readonly from: string;
  /** A message could not be put together. */
  readonly onError: (error: unknown, message: MailMessage) => void;
}

interface Addressed extends LetterSubject {
  readonly to: string;
}

interface NotSent {
  readonly verdict: MailVerdict;
  readonly reason: string;
}

export function mailSender(deps: SendMailDeps): SendMail {
  const { store, clock, pool, from, onError } = deps;

  async function subjectOf(message: MailMessage): Promise<Addressed | NotSent> {
    if (message.createdAt + maxMailAgeMs <= clock.now())
      return { verdict: 'give_up', reason: 'too_old: It could not be sent within 7 days.' };
    const [payment, merchant, refund] = await Promise.all([
      store.find('paymentsByIntent', message, message.paymentIntentId),
      store.findBy('merchants', 'id', message.merchantId),
      message.refundId === null ? null : store.find('refunds', message, message.refundId),
    ]);
    if (payment === null || merchant === null || (refund === null && message.refundId !== null))
      return { verdict: 'cancel', reason: 'payment_erased: The payment no longer exists.' };
    if (!merchant.receipts)
      return { verdict: 'cancel', reason: 'receipts_off: The merchant has switched off receipts.' };
    const recipient = recipientOf(payment.session);
    if (recipient === null) return { verdict: 'cancel', reason: 'no_address: The payment has no e-mail address.' };
    const to = mailAddress(recipient);
    if (to === null) return { verdict: 'give_up', reason: 'address_invalid: Mail cannot be sent to that address.' };
    return { ...payment, merchant, refund, to };
  }

  return async (message, signal) => {
    const at = clock.now();
    const startedAt = performance.now();
    const ended = (verdict: MailVerdict, code: number | null, error: string | null): MailAttempted => ({
      ...{ at, durationMs: Math.round(performance.now() - startedAt), code, error, verdict },
    });
    const about = await subjectOf(message);
    if ('verdict' in about) return { attempted: ended(about.verdict, null, about.reason), isServerReady: null };
    let bytes: Buffer;
    try {
      bytes = await rendered(message, about, from);
    } catch (error) {
      onError(error, message);
      const reason = 'internal_error: The message could not be composed. See the log of the service.';
      return { attempted: ended('retry', null, reason), isServerReady: null };
    }
    try {
      const { code } = await pool.send({ from, to: about.to }, bytes, signal);
      return { attempted: ended('sent', code, null), isServerReady: true };
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error;
      const verdict = isPermanent(error) ? 'give_up' : 'retry';
      return { attempted: ended(verdict, error.code, error.message), isServerReady: wasServerReady(error) };
    }
  };
}

function rendered(message: MailMessage, about: Addressed, from: string): Promise<Buffer> {
  const letter = letterFor(message, about);
  return composed({
    ...{ id: message.id, date: message.createdAt, to: about.to, replyTo: about.merchant.replyTo },
    from: { name: letter.merchant, address: from },
    ...{ language: letter.language, subject: letter.subject },
    ...{ text: letterText(letter), html: letterHtml(letter) },
  });
}
