// Lists: newest first, a page at a time.

import { type Refusal, refuse } from '../../domain/errors.ts';
import { type IdPrefix, isId } from '../../domain/ids.ts';
import { type TSchema, Type } from '../schema.ts';
import type { ApiResponse } from './route.ts';
import { nullableString } from './schemas.ts';

const defaultLimit = 20;

/**
 * Entries can be as large as 300 KB: a page ends early when it grows beyond this, and few are read at a time, so that
 * large ones do not block other requests. Measured with the largest sessions: 400 ms for a page of 100 read at once, 60
 * ms this way.
 */
const maxPageCharacters = 1024 * 1024;
const readAtATime = 20;

/** Parameters of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: defaultLimit,
      description: 'The number of objects to return, from 1 to 100.',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `next_cursor` of the previous page.' })),
};

export function listQuery<Status extends TSchema>(status: Status) {
  return Type.Object(
    { ...pageQuery, status: Type.Optional({ ...status, description: 'Only objects with this status.' }) },
    { additionalProperties: false },
  );
}

/** Null if the filter is absent or can be the id of a payment. */
export function refusePaymentIntent(filter: string | undefined): Refusal | null {
  if (filter === undefined || isId('pi', filter)) return null;
  return refuse('parameter_invalid', '`payment_intent` must be an id that starts with `pi_`.', 'payment_intent');
}

/** For lists of what customers pay: also by the payment link that they started from. */
export function paymentsQuery<Status extends TSchema>(status: Status) {
  return Type.Object(
    {
      ...pageQuery,
      status: Type.Optional({ ...status, description: 'Only objects with this status.' }),
      payment_link: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only those that were started from this payment link.' }),
      ),
    },
    { additionalProperties: false },
  );
}

export function refusePaymentLink(linkId: string | undefined): Refusal | null {
  if (linkId === undefined || isId('plink', linkId)) return null;
  return refuse('parameter_invalid', '`payment_link` must be an id that starts with `plink_`.', 'payment_link');
}

export function listOf(item: TSchema, title: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      has_more: Type.Boolean({ description: 'Whether there are more objects after this page.' }),
      next_cursor: nullableString({ description: 'Send this as `cursor` to get the next page.' }),
    },
    { title },
  );
}

export interface ListQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** What to read of a list. */
export interface Wanted {
  readonly limit: number;
  readonly after?: string;
}

/**
 * A cursor is the id of the last row of the previous page. Reading one row more than requested shows whether there are
 * more.
 */
export async function listResponse<Row extends { readonly id: string }>(
  query: ListQuery,
  prefix: IdPrefix,
  read: (wanted: Wanted) => Promise<readonly Row[]>,
  serialise: (row: Row) => unknown,
): Promise<ApiResponse | Refusal> {
  const { limit = defaultLimit, cursor } = query;
  if (cursor !== undefined && !isId(prefix, cursor)) {
    return refuse('parameter_invalid', '`cursor` must be the `next_cursor` of the previous page.', 'cursor');
  }
  const entries: string[] = [];
  let characters = 0;
  let last = cursor;
  let hasMore = true;
  while (hasMore && entries.length < limit && characters < maxPageCharacters) {
    const wanted = Math.min(limit - entries.length, readAtATime);
    const rows = await read({ limit: wanted + 1, ...(last === undefined ? {} : { after: last }) });
    let taken = 0;
    for (const row of rows.slice(0, wanted)) {
      if (characters >= maxPageCharacters) break;
      const entry = JSON.stringify(serialise(row));
      entries.push(entry);
      characters += entry.length;
      last = row.id;
      taken += 1;
    }
    hasMore = rows.length > taken;
  }
  const rest = JSON.stringify({ has_more: hasMore, next_cursor: hasMore ? last : null });
  return { status: 200, body: undefined, json: `{"data":[${entries.join(',')}],${rest.slice(1)}` };
}
