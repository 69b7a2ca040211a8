// The SQL with which both engines list payments by any combination of filters. Status and time follow an index. The other
// filters are checked row by row, on a bounded number of rows: a filter that matches nothing must not read a million.

import { idBefore } from '../domain/ids.ts';
import type { PaymentRange } from './store.ts';

/** How the engines' SQL differs. */
export interface PaymentDialect {
  readonly methodType: string;
  /** Whether a text contains another. */
  readonly contains: (text: string, part: string) => string;
  readonly boolean: (value: boolean) => unknown;
  readonly asText: (column: string) => string;
}

interface Conditions {
  /** What the index decides: `t` is payment_intents. */
  readonly indexed: readonly string[];
  /** What is checked row by row. */
  readonly checked: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * The id of the last of `size` rows in the order of the list, without the filters that are checked row by row: a lower
 * bound for the next step. No row: fewer are left. The last value is `size - 1`.
 */
export function boundarySql(range: PaymentRange, dialect: PaymentDialect) {
  const { indexed, values } = conditionsOf(range, dialect, { withChecked: false });
  return {
    text: `SELECT t.id FROM payment_intents t WHERE ${indexed.join(' AND ')} ORDER BY t.id DESC LIMIT 1 OFFSET $${values.length + 1}`,
    values,
  };
}

/** The ids of the payments in the range. The last value is the limit. */
export function idsSql(range: PaymentRange, dialect: PaymentDialect) {
  const { indexed, checked, values } = conditionsOf(range, dialect, { withChecked: true });
  return {
    text: `SELECT t.id FROM payment_intents t
      WHERE ${[...indexed, ...checked].join(' AND ')} ORDER BY t.id DESC LIMIT $${values.length + 1}`,
    values,
  };
}

/** How many rows were examined, at most the last value, and how many of them pass the filters. */
export function countsSql(range: PaymentRange, dialect: PaymentDialect) {
  const { indexed, checked, values } = conditionsOf(range, dialect, { withChecked: true });
  const limit = `$${values.length + 1}`;
  const examined = `FROM payment_intents t WHERE ${indexed.join(' AND ')} ORDER BY t.id DESC LIMIT ${limit}`;
  return {
    // Without such filters, the index has all that is needed.
    text:
      checked.length === 0
        ? `SELECT count(*) AS examined, count(*) AS found FROM (SELECT 1 ${examined}) AS counted`
        : `SELECT count(*) AS examined, coalesce(sum(CASE WHEN passes THEN 1 ELSE 0 END), 0) AS found
           FROM (SELECT (${checked.join(' AND ')}) AS passes ${examined}) AS counted`,
    values,
  };
}

function conditionsOf(
  range: PaymentRange,
  dialect: PaymentDialect,
  { withChecked }: { withChecked: boolean },
): Conditions {
  const { scope, filter, before, atLeast, containing = [], amounts = [] } = range;
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const indexed = [
    `t.merchant_id = ${value(scope.merchantId)}`,
    `t.livemode = ${value(dialect.boolean(scope.livemode))}`,
  ];
  const { status, from, to, min, max, currency, method, paymentLinkId } = filter;
  if (status === 'refunded') indexed.push('t.amount_refunded > 0');
  else if (status !== undefined) indexed.push(`t.status = ${value(status)}`);
  if (paymentLinkId !== undefined) indexed.push(`t.payment_link_id = ${value(paymentLinkId)}`);
  const upper = [before, to === undefined ? undefined : idBefore('pi', to)].filter((id) => id !== undefined).sort()[0];
  if (upper !== undefined) indexed.push(`t.id < ${value(upper)}`);
  if (from !== undefined) indexed.push(`t.id >= ${value(idBefore('pi', from))}`);
  if (atLeast !== undefined) indexed.push(`t.id >= ${value(atLeast)}`);
  const checked: string[] = [];
  if (!withChecked) return { indexed, checked, values };
  if (min !== undefined) checked.push(`t.amount >= ${value(min)}`);
  if (max !== undefined) checked.push(`t.amount <= ${value(max)}`);
  if (currency !== undefined) checked.push(`t.currency = ${value(currency)}`);
  if (method !== undefined) checked.push(`${dialect.methodType} = ${value(method)}`);
  const texts = containing.map((part) => {
    const given = value(part);
    return searchedColumns.map((column) => dialect.contains(`lower(${dialect.asText(column)})`, given)).join(' OR ');
  });
  const anyOf = [...texts, ...amounts.map((amount) => `t.amount = ${value(amount)}`)];
  if (anyOf.length > 0) checked.push(`(${anyOf.join(' OR ')})`);
  return { indexed, checked, values };
}

/**
 * Not joined: a plan that is made once, for any number of rows, would read all sessions. The scope is the first two values.
 */
const customerEmail = `(SELECT s.customer_email FROM checkout_sessions s
  WHERE s.merchant_id = $1 AND s.livemode = $2 AND s.id = t.checkout_session_id)`;
const searchedColumns = ['t.metadata', 't.payment_method', 't.acquirer', 't.customer_details', customerEmail];
