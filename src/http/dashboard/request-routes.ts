// The recorded API requests in the dashboard: list, one with its bodies, and a live view.

import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { isoTime } from '../../domain/moment.ts';
import type { RequestRecord, RequestSummary } from '../../domain/request-record.ts';
import type { Store } from '../../storage/store.ts';
import { listRequests, matches, type RequestFilter } from '../../usecases/list-requests.ts';
import { listOf } from '../api/list.ts';
import { nullable, nullableString, stringEnum } from '../api/schemas.ts';
import { type Static, Type } from '../schema.ts';
import type { RequestTails } from './request-tails.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';

const filterQuery = {
  status: Type.Optional(
    Type.String({ pattern: '^([1-5]\\d\\d|[1-5]xx|error)$', description: 'A status such as 404, 4xx, or error.' }),
  ),
  method: Type.Optional(stringEnum(['GET', 'POST', 'PATCH', 'DELETE'])),
  path: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the path.' })),
  key: Type.Optional(Type.String({ maxLength: 100, description: 'The id of an API key.' })),
};
const listQuery = Type.Object(
  {
    ...filterQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { additionalProperties: false },
);
const tailQuery = Type.Object(filterQuery, { additionalProperties: false });

const requestSchema = Type.Object({
  id: Type.String({ description: 'As in the Request-Id header.' }),
  object: stringEnum(['request', 'unrecorded_requests']),
  created_at: Type.String(),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  duration_ms: Type.Number(),
  key: Type.String(),
  unrecorded: nullable(
    Type.Integer({ description: 'How many requests were not recorded until then; `null` for a request.' }),
  ),
});
export type RequestBody = Static<typeof requestSchema>;

const requestDetails = Type.Object({
  ...requestSchema.properties,
  request_body: nullableString({
    description: 'JSON, with secrets and personal data masked; null: none, or not shown.',
  }),
  response_body: nullableString(),
  request_bytes: Type.Integer(),
  response_bytes: Type.Integer(),
});
export type RequestDetails = Static<typeof requestDetails>;

const requestListSchema = listOf(requestSchema, 'Requests');
export type RequestList = Omit<Static<typeof requestListSchema>, 'data'> & {
  data: RequestBody[];
  /** For how many days requests are kept; 0: they are not recorded. */
  kept_days: number;
};
export type RequestsQuery = Static<typeof listQuery>;

const defaultLimit = 50;

export interface RequestRouteDeps {
  readonly store: Store;
  readonly requestTails: RequestTails;
  readonly requestLogDays: number;
}

export function requestRoutes({ store, requestTails, requestLogDays }: RequestRouteDeps): DashboardRoute[] {
  const notFound = (id: string): Refusal =>
    refuse(
      'request_not_found',
      `There is no recorded request \`${id}\`. Requests are kept for ${requestLogDays} days.`,
    );
  return [
    dashboardRoute({
      method: 'GET',
      path: '/requests',
      may: 'develop',
      query: listQuery,
      handle: async ({ staff, query }) => {
        const { cursor, limit = defaultLimit } = query;
        if (cursor !== undefined && !isId('req', cursor)) {
          return refuse('parameter_invalid', '`cursor` must be the `next_cursor` of the previous page.', 'cursor');
        }
        const { merchantId, livemode } = staff;
        const page = { limit, before: cursor };
        const { requests, next } = await listRequests({ store }, { merchantId, livemode }, filterOf(query), page);
        const body: RequestList = {
          data: requests.map(serialise),
          has_more: next !== null,
          next_cursor: next,
          kept_days: requestLogDays,
        };
        return { status: 200, body };
      },
    }),
    dashboardRoute({
      method: 'GET',
      path: '/requests/tail',
      may: 'develop',
      query: tailQuery,
      handle: async ({ staff, query }) => {
        const filter = filterOf(query);
        const stream = await requestTails.open(staff, (request) =>
          matches(filter, request) ? frameOf(serialise(request)) : null,
        );
        return isRefusal(stream) ? stream : { status: 200, body: null, stream };
      },
    }),
    dashboardRoute({
      method: 'GET',
      path: '/requests/:id',
      may: 'develop',
      id: { prefix: 'req', notFound },
      handle: async ({ staff, id }) => {
        const { merchantId, livemode } = staff;
        const found = await store.find('requestRecords', { merchantId, livemode }, id);
        return found === null ? notFound(id) : { status: 200, body: withBodies(found) };
      },
    }),
  ];
}

function filterOf({ status, method, path, key }: Static<typeof tailQuery>): RequestFilter {
  return { status, method, path, keyId: key };
}

function serialise({ id, method, path, status, duration, keyId, unrecorded, createdAt }: RequestSummary): RequestBody {
  return {
    id,
    object: unrecorded === null ? 'request' : 'unrecorded_requests',
    created_at: isoTime(createdAt),
    ...{ method, path, status, duration_ms: duration / 1_000, key: keyId, unrecorded },
  };
}

function withBodies(record: RequestRecord): RequestDetails {
  return {
    ...serialise(record),
    request_body: record.requestBody,
    response_body: record.responseBody,
    request_bytes: record.requestBytes,
    response_bytes: record.responseBytes,
  };
}

function frameOf(request: RequestBody): string {
  return `id: ${request.id}\nevent: request\ndata: ${JSON.stringify(request)}\n\n`;
}
