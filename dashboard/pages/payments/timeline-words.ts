// What a payment's timeline says about each entry.

import type { TimelineItem } from '../../api/types.ts';
import type { Tone } from '../../components/badge.tsx';
import { formatMoney } from '../../components/money.tsx';
import { declineText, methodText, spaced } from './payment-words.ts';

export interface EntryWords {
  readonly title: string;
  /** Further facts. */
  readonly text: string | null;
  readonly tone: Tone;
}

type Words = (entry: TimelineItem, amount: string | null) => EntryWords;

const words: Readonly<Record<TimelineItem['type'], Words>> = {
  session_created: plain('Checkout session created'),
  page_opened: plain('Customer opened the checkout page'),
  payment_started: (entry, amount) => ({
    title: `Payment attempted${amount === null ? '' : `: ${amount}`}`,
    text: methodText(entry.payment_method ?? null),
    tone: 'neutral',
  }),
  action_needed: plain('Authentication by the customer needed', 'warn'),
  action_done: plain('Customer completed the authentication'),
  payment_authorised: (_, amount) => ({ title: withAmount('Payment authorized', amount), text: null, tone: 'good' }),
  payment_succeeded: (_, amount) => ({ title: withAmount('Payment succeeded', amount), text: null, tone: 'good' }),
  payment_failed: failed('Payment failed'),
  session_completed: plain('Checkout session completed'),
  capture_started: plain('Capture requested'),
  capture_succeeded: (_, amount) => ({ title: withAmount('Captured', amount), text: null, tone: 'good' }),
  capture_failed: failed('Capture failed'),
  void_started: plain('Release of the authorization requested'),
  void_succeeded: plain('Authorization released'),
  void_failed: failed('Authorization could not be released'),
  payment_canceled: (entry) => ({ title: 'Payment canceled', text: reasonOf(entry), tone: 'neutral' }),
  refund_started: (entry, amount) => ({
    title: withAmount('Refund requested', amount),
    text: reasonOf(entry),
    tone: 'neutral',
  }),
  refund_succeeded: (_, amount) => ({ title: withAmount('Refunded', amount), text: null, tone: 'good' }),
  refund_failed: failed('Refund failed'),
  dispute_opened: (entry, amount) => ({
    title: withAmount('Disputed by the customer', amount),
    text:
      [reasonOf(entry), entry.status === undefined ? null : spaced(entry.status)].filter(Boolean).join(', ') || null,
    tone: 'bad',
  }),
  event: (entry) => ({ title: `Event ${entry.event_type ?? ''}`, text: null, tone: 'neutral' }),
  delivery: deliveryWords,
  mail: (entry) => ({
    title:
      entry.mail_kind === 'refund_notice'
        ? 'Refund notice e-mailed to the customer'
        : 'Receipt e-mailed to the customer',
    text: entry.status === undefined ? null : spaced(entry.status),
    tone: entry.status === 'failed' ? 'bad' : 'neutral',
  }),
};

export function entryWords(entry: TimelineItem, currency: string): EntryWords {
  return words[entry.type](entry, entry.amount === undefined ? null : formatMoney(entry.amount, currency));
}

/** Entries that only developers look for: they are folded away at first. */
export function isTechnical({ type }: TimelineItem): boolean {
  return type === 'event' || type === 'delivery';
}

function plain(title: string, tone: Tone = 'neutral'): Words {
  return () => ({ title, text: null, tone });
}

function withAmount(title: string, amount: string | null): string {
  return amount === null ? title : `${title}: ${amount}`;
}

function failed(title: string): Words {
  return ({ code, decline_code: declineCode }) => {
    const reason = declineCode ?? code;
    return { title, text: reason === undefined ? null : declineText(reason), tone: 'bad' };
  };
}

function reasonOf({ reason }: TimelineItem): string | null {
  return reason === undefined || reason === null || reason === '' ? null : `Reason: ${spaced(reason)}`;
}

function deliveryWords({ status, event_type: type, delivery }: TimelineItem): EntryWords {
  const facts = [
    delivery?.status_code === null || delivery === undefined ? null : `status ${delivery.status_code}`,
    delivery?.error?.replace(/\.$/, '') ?? null,
    delivery === undefined ? null : delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`,
    delivery?.duration_ms === null || delivery === undefined ? null : `${delivery.duration_ms} ms`,
  ].filter((fact) => fact !== null);
  const outcome =
    status === 'delivered' ? 'delivered' : status === 'failed' ? 'not delivered' : 'waiting to be delivered';
  return {
    title: `Webhook ${type ?? ''} ${outcome}`,
    text: facts.join(' · ') || null,
    tone: status === 'failed' ? 'bad' : status === 'delivered' ? 'good' : 'busy',
  };
}
