// SQL for both engines, with the parameters `$1`, `$2`, …, whose values are documented at each function.

import type { Delivery } from '../domain/delivery.ts';
import type { ClaimDescription, Column, Table } from './table.ts';

/** Values come in the order of `scope`, filters, cursor, limit. */
export interface ListShape {
  readonly scoped: boolean;
  readonly filters: readonly Column[];
  readonly after: boolean;
}

export function listCondition(table: Table<unknown>, shape: ListShape): string {
  const { column, ascending } = table.order;
  const { conditions, next } = conditionsOf(table, shape);
  let at = next;
  if (shape.after) conditions.push(`${column.name} ${ascending ? '>' : '<'} $${at++}`);
  return `${whereAll(conditions)} ORDER BY ${column.name}${ascending ? '' : ' DESC'} LIMIT $${at}`;
}

/** Values come in the order of `scope`, filters, the highest count of interest. */
export function countSql(table: Table<unknown>, shape: Omit<ListShape, 'after'>): string {
  const { conditions, next } = conditionsOf(table, shape);
  return `SELECT count(*) AS found FROM (SELECT 1 FROM ${table.name} t ${whereAll(conditions)} LIMIT $${next}) AS counted`;
}

function conditionsOf(table: Table<unknown>, { scoped, filters }: Omit<ListShape, 'after'>) {
  const conditions = table.only === null ? [] : [table.only];
  let next = 1;
  if (scoped) conditions.push(`merchant_id = $${next++}`, `livemode = $${next++}`);
  for (const { name } of filters) conditions.push(`${name} = $${next++}`);
  return { conditions, next };
}

function whereAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** From the rows of `deliveryCounts`. */
export function deliveryCountsIn(rows: readonly (readonly unknown[])[]): Record<Delivery['status'], number> {
  const none = { pending: 0, delivered: 0, failed: 0 };
  return { ...none, ...Object.fromEntries(rows.map(([status, found]) => [status, Number(found)])) };
}

/** Values: the key of the last record of the previous page, then the limit. */
export function walkCondition(table: Table<unknown>, after: boolean): string {
  const key = keyNames(table);
  const places = table.key.map((_, at) => `$${at + 1}`);
  const conditions = [
    ...(table.only === null ? [] : [table.only]),
    ...(after ? [`(${key}) > (${places.join(', ')})`] : []),
  ];
  return `${whereAll(conditions)} ORDER BY ${key} LIMIT $${after ? places.length + 1 : 1}`;
}

/**
 * The due rows `t`: $1 is the current time, $2 the limit, $3 the end of the lease if leases have their own column. A lease
 * that ends more than two lease lengths from now comes from a clock that was ahead. Rows that are due later than possible
 * are read separately: with OR, SQLite would sort all that is due, and PostgreSQL would read all that waits.
 */
export function dueRows(
  table: Table<unknown>,
  { dueAt, leasedUntil, longestMs, condition }: ClaimDescription,
  selected: string,
): string {
  const due = `t.${dueAt.name}`;
  const others = [
    ...(leasedUntil === null ? [] : [`(t.${leasedUntil} <= $1 OR t.${leasedUntil} > $3 + ($3 - $1))`]),
    ...(condition === null ? [] : [condition]),
  ];
  const rowsWith = (time: string): string =>
    `SELECT ${selected} FROM ${table.name} t WHERE ${[time, ...others].join(' AND ')} ORDER BY ${due} LIMIT $2`;
  const passed = rowsWith(`${due} <= $1`);
  if (longestMs === null) return passed;
  const impossible = rowsWith(`${due} > $1 + ${longestMs}`);
  return `SELECT * FROM (${passed}) AS passed UNION ALL SELECT * FROM (${impossible}) AS impossible LIMIT $2`;
}

/** At most $2 rows from before $1 that are no longer needed, oldest first. */
export function oldRows({ name, prunedBy, prunedOnly }: Table<unknown>, selected: string): string {
  if (prunedBy === null) throw new RangeError(`${name} is not pruned`);
  const by = `t.${prunedBy.name}`;
  return `SELECT ${selected} FROM ${name} t WHERE ${by} < $1${prunedOnly === null ? '' : ` AND ${prunedOnly}`}
    ORDER BY ${by} LIMIT $2`;
}

const keyNames = ({ key }: Table<unknown>): string => key.map(({ name }) => name).join(', ');

/** Of a failed delivery `t`: its event has not been sent to the endpoint again since. */
export const notSentAgain = `NOT EXISTS (
    SELECT 1 FROM deliveries later WHERE later.merchant_id = t.merchant_id AND later.livemode = t.livemode
    AND later.event_id = t.event_id AND later.endpoint_id = t.endpoint_id
    AND (later.id > t.id OR later.status = 'pending'))`;

/**
 * How many deliveries of recent events have each status. The ids of events are in the order of time. Values: merchant,
 * mode, the id to start after, the highest number to examine.
 */
export const deliveryCounts = `
  SELECT status, count(*) AS found FROM (
    SELECT status FROM deliveries WHERE merchant_id = $1 AND livemode = $2 AND event_id > $3
    ORDER BY event_id DESC LIMIT $4) AS recent
  GROUP BY status`;

/**
 * Failed deliveries to an endpoint that were created at or after a time, of stored events that have not been sent to it
 * again since. Values: merchant, mode, endpoint, time, limit.
 */
export const failedDeliveries = `
  WHERE merchant_id = $1 AND livemode = $2 AND endpoint_id = $3 AND status = 'failed' AND created_at >= $4
  AND ${notSentAgain}
  AND EXISTS (
    SELECT 1 FROM events e WHERE e.merchant_id = t.merchant_id AND e.livemode = t.livemode AND e.id = t.event_id)
  ORDER BY created_at, id LIMIT $5`;
