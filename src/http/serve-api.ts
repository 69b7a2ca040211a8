// Serves the API routes: authenticates each request, applies the rate limit, validates it and runs its handler.

import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import { isId } from '../domain/ids.ts';
import type { AnsweredBefore } from '../usecases/decide-and-commit.ts';
import { type Admission, type Admitted, admit, admitAnonymous } from './admit.ts';
import type { ApiResponse, ApiRoute } from './api/route.ts';
import type { Caller } from './authenticate.ts';
import { errorReply } from './error-reply.ts';
import type { idempotency, StoredResponse } from './idempotency.ts';
import type { RequestRecorder } from './request-recorder.ts';
import { jsonBody, queryOf, type Sent } from './request-values.ts';
import { type HttpReply, type HttpRequest, json, type Route } from './route.ts';
import { bodyCheck, queryCheck } from './validate.ts';

export interface ApiServing extends Admission {
  readonly runOnce: ReturnType<typeof idempotency>;
  /** Null: requests are not recorded. */
  readonly recorder: Pick<RequestRecorder, 'record'> | null;
}

export function apiRoutes(routes: readonly ApiRoute[], serving: ApiServing): Route[] {
  return routes.map((route) => ({ method: route.method, path: route.path, handle: handlerOf(route, serving) }));
}

/** Requests without a route get an API error too, and count towards the rate limit. */
export function notFoundHandler(admission: Admission, docs: boolean) {
  const nothing = refuse(
    'route_not_found',
    `There is nothing at this path.${docs ? ' The API is described at /docs.' : ''}`,
  );
  return async (request: HttpRequest, allowed: readonly string[]): Promise<HttpReply> => {
    const { who, headers } = await admitAnonymous(admission, request);
    if (isRefusal(who)) return errorReply(who, request.requestId, headers);
    const { method, requestId } = request;
    if (allowed.length === 0) return errorReply(nothing, requestId, headers);
    const list = allowed.join(', ');
    const wrongMethod = refuse(
      'method_not_allowed',
      `This path does not support ${method}. Supported methods: ${list}.`,
    );
    return errorReply(wrongMethod, requestId, { ...headers, Allow: list });
  };
}

/** Stays synchronous where possible: each async function in the path of a look-up costs about 0.2 µs. */
function handlerOf(route: ApiRoute, serving: ApiServing): Route['handle'] {
  const run = validatedHandler(route, serving);
  const { recorder } = serving;
  function enter(request: HttpRequest, { who, headers }: Admitted<Caller>): HttpReply | Promise<HttpReply> {
    if (isRefusal(who)) return errorReply(who, request.requestId, headers);
    const sent: Sent = {};
    const result = run(request, who, sent);
    const reply = (known: Result): HttpReply => {
      const made = replyOf(known, request, headers, logged(route, request, who));
      recorder?.record(request, who, made, sent.body);
      return made;
    };
    return result instanceof Promise ? result.then(reply) : reply(result);
  }
  return (request) => {
    const admitted = admit(serving, request);
    return admitted instanceof Promise ? admitted.then((known) => enter(request, known)) : enter(request, admitted);
  };
}

function logged(route: ApiRoute, { id }: HttpRequest, { keyId: key }: Caller): NonNullable<HttpReply['log']> {
  return route.id !== undefined && isId(route.id.prefix, id) ? { key, subject: id } : { key };
}

type Result = ApiResponse | Refusal | StoredResponse | AnsweredBefore;

function replyOf(
  result: Result,
  { requestId }: HttpRequest,
  headers: Readonly<Record<string, string>>,
  log: NonNullable<HttpReply['log']>,
): HttpReply {
  if (isRefusal(result)) return { ...errorReply(result, requestId, headers), log };
  if ('answeredBefore' in result) throw new Error('a repeated response without an idempotency key');
  if ('replayed' in result) {
    const replayed = { 'Content-Type': json, ...headers, 'Idempotent-Replayed': 'true' };
    return { status: result.status, headers: replayed, body: result.json, log };
  }
  if (result.stream !== undefined) {
    // The last header is for proxies that would otherwise buffer the stream.
    const streaming = { 'Content-Type': 'text/event-stream', ...headers, 'X-Accel-Buffering': 'no' };
    return { status: result.status, headers: streaming, body: '', stream: result.stream, log };
  }
  return {
    status: result.status,
    headers: { 'Content-Type': json, ...headers },
    body: result.json ?? JSON.stringify(result.body),
    log,
  };
}

function validatedHandler(
  route: ApiRoute,
  { runOnce }: ApiServing,
): (request: HttpRequest, caller: Caller, sent: Sent) => Result | Promise<Result> {
  const checkQuery = queryCheck(route.query);
  const emptyQueryRefusal = checkQuery(emptyObject);
  const checkBody = route.body === undefined ? null : bodyCheck(route.body);

  async function handleBody(
    request: HttpRequest,
    caller: Caller,
    sent: Sent,
    query: unknown,
    check: NonNullable<typeof checkBody>,
  ): Promise<Result> {
    const { id, headers } = request;
    const body = await jsonBody(request, sent);
    if (isRefusal(body)) return body;
    const badBody = check(body.value);
    if (badBody !== null) return badBody;
    if (!route.idempotent) return route.handle({ caller, id, query, body: body.value, headers });
    const key = headers['idempotency-key'];
    return runOnce(
      {
        key: Array.isArray(key) ? key.join(',') : key,
        method: route.method,
        path: request.path,
        caller,
        body: body.value,
        idempotent: route.idempotent,
      },
      (once) => route.handle({ caller, id, query, body: body.value, headers, ...(once === undefined ? {} : { once }) }),
    );
  }

  return (request, caller, sent) => {
    const { id, headers } = request;
    if (route.id !== undefined && !isId(route.id.prefix, id)) return route.id.notFound(id);
    const noQuery = request.query.size === 0;
    const query = noQuery ? emptyObject : queryOf(request.query);
    const badQuery = noQuery ? emptyQueryRefusal : checkQuery(query);
    if (badQuery !== null) return badQuery;
    if (checkBody === null) return route.handle({ caller, id, query, body: {}, headers });
    return handleBody(request, caller, sent, query, checkBody);
  };
}

const emptyObject = Object.freeze({});
