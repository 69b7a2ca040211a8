// The SQL with which both engines list payments by any combination of filters. Status and time follow an index, and so do
// disputes. The other filters are checked row by row, on a bounded number of rows: a filter that matches nothing must not
// read a million.

import { idBefore } from '../domain/ids.ts';
import type { PaymentRange } from './store.ts';

/** How the engines' SQL differs. */
export interface PaymentDialect {
  readonly methodType: (payment: string) => string;
  /** Whether a text contains another. */
  readonly contains: (text: string, part: string) => string;
  readonly boolean: (value: boolean) => unknown;
  readonly asText: (column: string) => string;
  /** The ids of the rows that meet the condition, in JSON. */
  readonly idsOf: (condition: string) => string;
}

export interface ExaminedSql {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether the rows themselves are read, rather than an index alone. */
  readonly isChecked: boolean;
}

/**
 * Examines the newest payments of the range, at most as many as the last value says: how many there were, the id of the last
 * one, and of those that pass the filters, the ids in JSON, newest first, or the number.
 */
export function examinedSql(range: PaymentRange, dialect: PaymentDialect, result: 'ids' | 'count'): ExaminedSql {
  const { indexed, checked, values } = conditionsOf(range, dialect);
  const found = result === 'ids' ? dialect.idsOf('passes') : 'coalesce(sum(CASE WHEN passes THEN 1 ELSE 0 END), 0)';
  const passes = checked.length === 0 ? '1 = 1' : checked.map((condition) => `(${condition})`).join(' AND ');
  const limit = `LIMIT $${values.length + 1}`;
  const rows =
    range.filter.status === 'disputed'
      ? disputedRows(indexed, checked.length === 0 ? passes : ofPayment(passes), limit)
      : `SELECT t.id AS id, (${passes}) AS passes FROM payment_intents t
         WHERE ${indexed.join(' AND ')} ORDER BY t.id DESC ${limit}`;
  return {
    text: `SELECT count(*) AS examined, min(id) AS last, ${found} AS found FROM (${rows}) AS examined_rows`,
    values,
    isChecked: checked.length > 0,
  };
}

/** How many to examine in order to find that many: where an index decides, all that are examined pass. */
export function toExamine({ isChecked }: ExaminedSql, atMost: number, wanted: number): number {
  return isChecked ? atMost : Math.min(atMost, wanted);
}

/** By the index of disputes by payment. A payment with several disputes is listed once. */
function disputedRows(indexed: readonly string[], passes: string, limit: string): string {
  return `SELECT t.id AS id, (${passes}) AS passes FROM (
      SELECT DISTINCT d.payment_intent_id AS id FROM disputes d
      WHERE ${indexed.join(' AND ')} ORDER BY d.payment_intent_id DESC ${limit}) AS t`;
}

/** Not joined, as below. Null if the payment was erased in the meantime. */
function ofPayment(passes: string): string {
  return `SELECT ${passes} FROM payment_intents p WHERE p.merchant_id = $1 AND p.livemode = $2 AND p.id = t.id`;
}

/** Which of these payments were disputed: scope, and a list of ids. */
export function disputedSql(ids: string): string {
  return `SELECT DISTINCT d.payment_intent_id AS id FROM disputes d
    WHERE d.merchant_id = $1 AND d.livemode = $2 AND d.payment_intent_id IN ${ids}`;
}

/** SQLite returns JSON as text, PostgreSQL null instead of an empty list. */
export function idsIn(found: unknown): string[] {
  return (typeof found === 'string' ? JSON.parse(found) : (found ?? [])) as string[];
}

interface Conditions {
  /** What the index decides. */
  readonly indexed: readonly string[];
  /** What is checked row by row. */
  readonly checked: readonly string[];
  readonly values: readonly unknown[];
}

function conditionsOf(range: PaymentRange, dialect: PaymentDialect): Conditions {
  const { scope, filter, before, atLeast, containing = [], amounts = [] } = range;
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { status, from, to, min, max, currency, method, paymentLinkId } = filter;
  const isDisputed = status === 'disputed';
  const listed = isDisputed ? 'd' : 't';
  const id = isDisputed ? 'd.payment_intent_id' : 't.id';
  const payment = isDisputed ? 'p' : 't';
  const indexed = [
    `${listed}.merchant_id = ${value(scope.merchantId)}`,
    `${listed}.livemode = ${value(dialect.boolean(scope.livemode))}`,
  ];
  const checked: string[] = [];
  if (status === 'refunded') indexed.push('t.amount_refunded > 0');
  else if (status !== undefined && !isDisputed) indexed.push(`t.status = ${value(status)}`);
  if (paymentLinkId !== undefined)
    (isDisputed ? checked : indexed).push(`${payment}.payment_link_id = ${value(paymentLinkId)}`);
  const upper = [before, to === undefined ? undefined : idBefore('pi', to)]
    .filter((given) => given !== undefined)
    .sort()[0];
  if (upper !== undefined) indexed.push(`${id} < ${value(upper)}`);
  if (from !== undefined) indexed.push(`${id} >= ${value(idBefore('pi', from))}`);
  if (atLeast !== undefined) indexed.push(`${id} >= ${value(atLeast)}`);
  if (min !== undefined) checked.push(`${payment}.amount >= ${value(min)}`);
  if (max !== undefined) checked.push(`${payment}.amount <= ${value(max)}`);
  if (currency !== undefined) checked.push(`${payment}.currency = ${value(currency)}`);
  if (method !== undefined) checked.push(`${dialect.methodType(payment)} = ${value(method)}`);
  const texts = containing.map((part) => {
    const given = value(part);
    const columns = [...searchedColumns.map((column) => `${payment}.${column}`), customerEmail(payment)];
    return columns.map((column) => dialect.contains(`lower(${dialect.asText(column)})`, given)).join(' OR ');
  });
  const anyOf = [...texts, ...amounts.map((amount) => `${payment}.amount = ${value(amount)}`)];
  if (anyOf.length > 0) checked.push(anyOf.join(' OR '));
  return { indexed, checked, values };
}

/**
 * Not joined: a plan that is made once, for any number of rows, would read all sessions. The scope is the first two values.
 */
const customerEmail = (payment: string): string => `(SELECT s.customer_email FROM checkout_sessions s
  WHERE s.merchant_id = $1 AND s.livemode = $2 AND s.id = ${payment}.checkout_session_id)`;
const searchedColumns = ['metadata', 'payment_method', 'acquirer', 'customer_details'];
