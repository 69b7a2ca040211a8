// Lists: newest first, a page at a time.

import { type TSchema, Type } from 'typebox';
import { type Refusal, refuse } from '../../domain/errors.ts';
import { type IdPrefix, isId } from '../../domain/ids.ts';
import type { Page } from '../../storage/store.ts';
import type { Answer } from './route.ts';
import { nullableString } from './schemas.ts';

const defaultLimit = 20;

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

export interface ListQuery<Status> {
  readonly limit?: number;
  readonly cursor?: string;
  readonly status?: Status;
}

/** A cursor is the id of the last row of the previous page. Reading one row more than requested shows whether there are more. */
export async function answerList<Row extends { readonly id: string }, Status = never>(
  query: ListQuery<Status>,
  prefix: IdPrefix,
  read: (page: Page<Status>) => Promise<readonly Row[]>,
  serialise: (row: Row) => unknown,
): Promise<Answer | Refusal> {
  const { limit = defaultLimit, cursor, status } = query;
  if (cursor !== undefined && !isId(prefix, cursor)) {
    return refuse('parameter_invalid', '`cursor` must be the `next_cursor` of the previous page.', 'cursor');
  }
  const rows = await read({
    limit: limit + 1,
    ...(cursor === undefined ? {} : { before: cursor }),
    ...(status === undefined ? {} : { status }),
  });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    status: 200,
    body: { data: page.map(serialise), has_more: hasMore, next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null },
  };
}
