// The definition of an API route: enough to serve it, to validate requests, and to describe it in OpenAPI.

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ApiErrorCode, Refusal } from '../../domain/errors.ts';
import type { IdempotencyRecord } from '../../domain/idempotency.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import type { AnsweredBefore } from '../../usecases/decide-and-commit.ts';
import type { Caller } from '../authenticate.ts';
import type { Static, TObject, TSchema } from '../schema.ts';

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
  /** The body as text, if it has already been serialised. */
  readonly json?: string | undefined;
  /** Instead of `body`, on a route whose success is an event stream. */
  readonly stream?: Readable;
}

export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly caller: Caller;
  /** The `:id` of the path, well-formed; empty if the path has none. */
  readonly id: string;
  /** Checked against the route's schemas. */
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** Present when the request carries an Idempotency-Key. */
  readonly once?: Once;
}

export interface Once {
  readonly key: string;
  readonly fingerprint: string;
  /** Makes the record that reserves the key for a request of several commits, with what it needs to resume. */
  readonly reserve: (progress?: string) => IdempotencyRecord;
  readonly progressIn: (record: IdempotencyRecord) => string;
  /** Makes the record of the response. */
  readonly receipt: (response: ApiResponse) => IdempotencyRecord;
}

/**
 * Whether a route accepts an Idempotency-Key. `in_one_commit`: it does nothing but one commit, which includes the response.
 * A key that was used before conflicts there, so it need not be looked up first.
 */
export type Idempotent = boolean | 'in_one_commit';

/** A route whose handler is typed by its schemas: reading a field that they do not have does not compile. */
export interface TypedApiRoute<Query extends TSchema, Body extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The kind of the path's `:id`; any other is treated as an id that does not exist. */
  readonly id?: { readonly prefix: IdPrefix; readonly notFound: (id: string) => Refusal };
  readonly query?: Query;
  readonly body?: Body;
  /** Headers that it reads in addition to those of every route. */
  readonly headers?: Readonly<Record<string, TSchema>>;
  readonly idempotent?: Idempotent;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly body: TSchema;
    /** JSON by default. */
    readonly mediaType?: 'text/event-stream';
  };
  /** In addition to those that every route can return. */
  readonly errors: readonly ApiErrorCode[];
  /** Called with values that passed the schemas. A method, so that routes of all types fit into one list. */
  handle(request: ApiRequest<Static<Query>, Static<Body>>): Promise<ApiResponse | Refusal | AnsweredBefore>;
}

export type ApiRoute = TypedApiRoute<TSchema, TSchema>;

/** What the OpenAPI document says about a route, also about one that takes no API key. */
export interface DescribedRoute extends Omit<ApiRoute, 'handle' | 'id'> {
  readonly id?: { readonly prefix: IdPrefix };
  /** An API key by default. */
  readonly auth?: 'client_secret';
}

type NoFields = TObject<Record<never, never>>;

/** Types a handler by its route's schemas, which determine what it can read from the query and the body. */
export function apiRoute<Query extends TSchema = NoFields, Body extends TSchema = NoFields>(
  route: TypedApiRoute<Query, Body>,
): ApiRoute {
  return route;
}
