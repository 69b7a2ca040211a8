// Totals of payments by half hour, so that days can be added up in every time zone whose offset is a multiple of that; in the
// few others, such as Nepal, days begin up to a quarter of an hour too late. They are derived from events, which
// are committed with the changes that they report: payments do not wait for each other to be counted.

import type { Event } from './event.ts';
import { isId, timeOfId } from './ids.ts';
import type { Scope } from './merchant.ts';
import { latePaymentReason, secondPaymentReason } from './operation.ts';

export interface CurrencyTotals {
  /** The captured amount of payments that succeeded. */
  readonly gross: number;
  readonly succeeded: number;
  /** Refunds that were created, less those that failed. */
  readonly refunded: number;
  readonly refunds: number;
}

export interface PaymentTotals extends Scope {
  /** The start of the half hour, such as `2026-11-16T09:30Z`. */
  readonly id: string;
  readonly version: number;
  readonly byCurrency: Readonly<Record<string, CurrencyTotals>>;
  /** Attempts that failed. */
  readonly failed: number;
  /** The same by reason. */
  readonly declines: Readonly<Record<string, number>>;
}

/** What an event adds. */
export interface TotalsDelta {
  readonly currency?: string;
  readonly totals?: CurrencyTotals;
  /** Why an attempt failed. */
  readonly decline?: string;
}

const halfHourMs = 1_800_000;
const nothing: CurrencyTotals = { gross: 0, succeeded: 0, refunded: 0, refunds: 0 };

export function halfHourOf(time: number): string {
  return `${new Date(Math.floor(time / halfHourMs) * halfHourMs).toISOString().slice(0, 16)}Z`;
}

/** When the half hour of these totals began. */
export function startOf({ id }: Pick<PaymentTotals, 'id'>): number {
  return Date.parse(id);
}

export function noTotals({ merchantId, livemode }: Scope, id: string): PaymentTotals {
  return { merchantId, livemode, id, version: 0, byCurrency: {}, failed: 0, declines: {} };
}

/** Null if the event does not count. `captured`: the captured amount of the payment that it reports, if known. */
export function deltaOf(
  { type, data }: Pick<Event, 'type' | 'data'>,
  captured: number | undefined,
): TotalsDelta | null {
  const currency = String(data.currency);
  const amount = Number(data.amount);
  const one = (totals: Partial<CurrencyTotals>): TotalsDelta => ({ currency, totals: { ...nothing, ...totals } });
  if (type === 'payment_intent.succeeded') return one({ gross: captured ?? amount, succeeded: 1 });
  if (type === 'refund.created') return returnsLateMoney(data) ? null : one({ refunded: amount, refunds: 1 });
  if (type === 'refund.failed') {
    return one(returnsLateMoney(data) ? { gross: amount } : { refunded: -amount, refunds: -1 });
  }
  if (type !== 'payment_intent.payment_failed') return null;
  const { code, decline_code: declineCode } = (data.last_payment_error ?? {}) as Record<string, unknown>;
  // The customer chose another method: nothing was declined.
  if (code === 'customer_canceled') return null;
  return { decline: String(declineCode ?? code ?? 'unknown') };
}

/** When an event counts. A failed refund is taken back where it was added: no day has fewer refunds than none. */
export function countedAt({ type, data, createdAt }: Pick<Event, 'type' | 'data' | 'createdAt'>): number {
  const id = String(data.id);
  return type === 'refund.failed' && !returnsLateMoney(data) && isId('re', id) ? timeOfId(id) : createdAt;
}

/** Money that arrived too late was not counted, unless it could not be returned. */
function returnsLateMoney({ reason }: Event['data']): boolean {
  return reason === latePaymentReason || reason === secondPaymentReason;
}

export function withDelta(totals: PaymentTotals, { currency, totals: added, decline }: TotalsDelta): PaymentTotals {
  if (decline !== undefined) {
    const declines = { ...totals.declines, [decline]: (totals.declines[decline] ?? 0) + 1 };
    return { ...totals, failed: totals.failed + 1, declines };
  }
  if (currency === undefined || added === undefined) return totals;
  const before = totals.byCurrency[currency] ?? nothing;
  return { ...totals, byCurrency: { ...totals.byCurrency, [currency]: addedUp(before, added) } };
}

function addedUp(one: CurrencyTotals, other: CurrencyTotals): CurrencyTotals {
  return {
    gross: one.gross + other.gross,
    succeeded: one.succeeded + other.succeeded,
    refunded: one.refunded + other.refunded,
    refunds: one.refunds + other.refunds,
  };
}

/** The totals of a longer time. */
export type Sum = Pick<PaymentTotals, 'byCurrency' | 'failed' | 'declines'>;

export function sumOf(parts: readonly Sum[]): Sum {
  const byCurrency: Record<string, CurrencyTotals> = {};
  const declines: Record<string, number> = {};
  let failed = 0;
  for (const part of parts) {
    failed += part.failed;
    for (const [currency, totals] of Object.entries(part.byCurrency))
      byCurrency[currency] = addedUp(byCurrency[currency] ?? nothing, totals);
    for (const [code, count] of Object.entries(part.declines)) declines[code] = (declines[code] ?? 0) + count;
  }
  return { byCurrency, failed, declines };
}
