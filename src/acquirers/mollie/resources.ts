// Mollie's resources, parsed at the edge. What does not look like the resource that was asked for makes no sense, so the
// outcome stays unknown.

import { AcquirerSilent } from '../acquirer.ts';
import { customerUrl } from '../customer-url.ts';
import { unitsOf } from './amounts.ts';
import type { Json } from './api.ts';

export type PaymentStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';

export interface MolliePayment {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly method: string | null;
  readonly currency: string;
  readonly amount: number;
  /** Only of payments that were captured manually. */
  readonly amountCaptured: number | null;
  readonly isCancelable: boolean;
  readonly checkoutUrl: string | null;
  readonly captureBefore: number | null;
  readonly failureReason: string | null;
  readonly createdAt: number;
  /** Our id, from the metadata. */
  readonly operation: string | null;
  readonly embedded: Json;
}

/** A capture or a refund. */
export interface MolliePart {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly operation: string | null;
}

export interface MollieChargeback {
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly isReversed: boolean;
}

const statuses: readonly string[] = ['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed'];

export function parsePayment(json: unknown): MolliePayment {
  const payment = object(json, 'payment');
  const { id, status, method, metadata, details, _links: links } = payment;
  if (payment.resource !== 'payment' || typeof id !== 'string' || !isPaymentId(id)) throw senseless('payment');
  if (typeof status !== 'string' || !statuses.includes(status)) throw senseless('payment');
  const currency = textIn(payment.amount, 'currency') ?? '';
  const amount = unitsOf(payment.amount, currency);
  const createdAt = timeOf(payment.createdAt);
  if (amount === null || createdAt === null) throw senseless('payment');
  return {
    id,
    status: status as PaymentStatus,
    method: typeof method === 'string' ? method : null,
    currency,
    amount,
    amountCaptured: unitsOf(payment.amountCaptured, currency),
    isCancelable: payment.isCancelable === true,
    checkoutUrl: customerUrl(textIn(fieldOf(links, 'checkout'), 'href')),
    captureBefore: timeOf(payment.captureBefore),
    failureReason: textIn(details, 'failureReason'),
    createdAt,
    operation: textIn(metadata, 'operation'),
    embedded: isObject(payment._embedded) ? payment._embedded : {},
  };
}

/** What tells whether a payment in a list is the one that is looked for. It may be of another system, and of any kind. */
export function parseListedPayment(json: unknown): Pick<MolliePayment, 'operation' | 'createdAt'> {
  const { metadata, createdAt } = object(json, 'payment');
  const time = timeOf(createdAt);
  if (time === null) throw senseless('payment');
  return { operation: textIn(metadata, 'operation'), createdAt: time };
}

export function isPaymentId(text: string): boolean {
  return /^tr_[\w-]{1,64}$/.test(text);
}

export function parsePart(json: unknown, resource: 'capture' | 'refund', currency: string): MolliePart {
  const part = object(json, resource);
  const { id, status, metadata } = part;
  const amount = unitsOf(part.amount, currency);
  const isPart = part.resource === resource && typeof id === 'string' && /^(cpt|re)_[\w-]{1,64}$/.test(id);
  if (!isPart || typeof status !== 'string' || amount === null) throw senseless(resource);
  return { id, status, amount, operation: textIn(metadata, 'operation') };
}

export function parseChargeback(json: unknown, currency: string): MollieChargeback {
  const chargeback = object(json, 'chargeback');
  const { id, reason } = chargeback;
  const amount = unitsOf(chargeback.amount, currency);
  const createdAt = timeOf(chargeback.createdAt);
  if (typeof id !== 'string' || amount === null || createdAt === null) throw senseless('chargeback');
  return { id, amount, createdAt, reason: textIn(reason, 'code'), isReversed: timeOf(chargeback.reversedAt) !== null };
}

/** The items of a list. */
export function itemsOf(json: Json, name: string): readonly unknown[] {
  const items = fieldOf(json._embedded, name);
  if (!Array.isArray(items)) throw senseless(`list of ${name}`);
  return items;
}

/** The cursor of the next page. Only the cursor is used: where requests go is not for a response to decide. */
export function nextCursor(json: Json): string | null {
  const href = textIn(fieldOf(json._links, 'next'), 'href');
  if (href === null) return null;
  const cursor = URL.canParse(href) ? new URL(href).searchParams.get('from') : null;
  if (cursor === null) throw senseless('list');
  return cursor;
}

export function senseless(what: string): AcquirerSilent {
  return new AcquirerSilent(`Mollie responded with something that is not a ${what} as documented`);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(value: unknown, what: string): Json {
  if (!isObject(value)) throw senseless(what);
  return value;
}

function fieldOf(value: unknown, field: string): unknown {
  return isObject(value) ? value[field] : undefined;
}

export function textIn(value: unknown, field: string): string | null {
  const found = fieldOf(value, field);
  return typeof found === 'string' ? found : null;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}
