// Serves the dashboard's own calls: finds out who is signed in, and checks where the request came from, its token, the role
// and the input, before it runs a handler. Nothing here accepts an API key.

import type { Readable } from 'node:stream';
import { clientNetwork } from '../../domain/client-network.ts';
import { isPasswordFresh } from '../../domain/dashboard-session.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { hasSecondFactor } from '../../domain/user.ts';
import { isAllowed } from '../../domain/user-role.ts';
import type { AnsweredBefore } from '../../usecases/decide-and-commit.ts';
import type { FormCheck } from '../checkout/form-origin.ts';
import { errorReply } from '../error-reply.ts';
import type { idempotency, StoredResponse } from '../idempotency.ts';
import { PushStream } from '../push-stream.ts';
import { type RateLimiter, rateLimitHeaders } from '../rate-limit.ts';
import { jsonBody, queryOf } from '../request-values.ts';
import { type HttpReply, type HttpRequest, json, type Route } from '../route.ts';
import { bodyCheck, queryCheck } from '../validate.ts';
import type { AuditedCommits } from './audited-commits.ts';
import type { OpenRoute } from './open-route.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute, Staff } from './route.ts';
import type { StaffAccess, StaffFinder } from './signed-in-staff.ts';

export interface DashboardServing {
  readonly staff: StaffFinder;
  readonly isOwnForm: FormCheck;
  /** Null: no rate limit. */
  readonly rateLimiter: RateLimiter | null;
  readonly onRateLimited: () => void;
  readonly runOnce: ReturnType<typeof idempotency>;
  readonly audit: AuditedCommits;
  readonly now: () => number;
  /** How often it is checked whether a stream may go on; tests shorten it. */
  readonly checkStreamsEveryMs?: number;
}

export const apiPath = '/dashboard/api';

type Result = DashboardResponse | Refusal | StoredResponse | AnsweredBefore;

export function dashboardRoutes(
  routes: readonly DashboardRoute[],
  open: readonly OpenRoute[],
  serving: DashboardServing,
): Route[] {
  return [
    ...open.map((route) => ({ method: route.method, path: apiPath + route.path, handle: openHandler(route, serving) })),
    ...routes.map((route) => ({ method: route.method, path: apiPath + route.path, handle: handlerOf(route, serving) })),
  ];
}

const foreignOrigin = refuse('origin_not_allowed', 'This request was sent from another site.');
const noToken = refuse('csrf_token_invalid', 'Send the `csrf_token` of GET /session in the header X-CSRF-Token.');
const staleToken = refuse(
  'csrf_token_invalid',
  'The token in X-CSRF-Token is not that of this session. Reload the page.',
);
const notAllowed = refuse('role_not_allowed', 'Your role does not allow this. Ask an owner.');
const passwordNeeded = refuse('password_required', 'Enter your password again to continue.');
const secondFactorNeeded = refuse(
  'second_factor_required',
  'This merchant requires a second factor. Set one up under your account first.',
);
const tooMany = refuse('rate_limited', 'Too many requests. Wait for the number of seconds in Retry-After.');

function openHandler(route: OpenRoute, serving: DashboardServing): Route['handle'] {
  const checkBody = route.body === undefined ? null : bodyCheck(route.body);
  return async (request) => {
    const limited = await limitedBy(serving, `address:${clientNetwork(request.ip)}`);
    if (limited !== null) return replyTo(request, limited.refusal, limited.headers);
    if (!serving.isOwnForm(request.headers)) return replyTo(request, foreignOrigin);
    if (checkBody === null) return replyTo(request, await route.handle(request, {}));
    const body = await jsonBody(request);
    if (isRefusal(body)) return replyTo(request, body);
    return replyTo(request, checkBody(body.value) ?? (await route.handle(request, body.value)));
  };
}

function handlerOf(route: DashboardRoute, serving: DashboardServing): Route['handle'] {
  const run = validatedHandler(route, serving);
  return async (request) => {
    if (!serving.isOwnForm(request.headers)) return replyTo(request, foreignOrigin);
    const access = await serving.staff.find(request);
    const bucket = isRefusal(access) ? `address:${clientNetwork(request.ip)}` : access.staff.userId;
    const limited = await limitedBy(serving, bucket);
    if (limited !== null) return replyTo(request, limited.refusal, limited.headers);
    if (isRefusal(access)) return replyTo(request, access);
    const refused = refusalOf(route, serving, request, access);
    const { checkStreamsEveryMs = usualCheckMs } = serving;
    const reply = endingWithSession(
      replyTo(request, refused ?? (await run(request, access))),
      checkStreamsEveryMs,
      () => mayStillCall(route, serving, request, access.staff),
    );
    const subject = route.id !== undefined && isId(route.id.prefix, request.id) ? { subject: request.id } : {};
    return { ...reply, log: { key: access.staff.userId, ...subject } };
  };
}

const usualCheckMs = 5_000;

/** Streams are open for hours: their users may sign out meanwhile, or lose the role. */
function endingWithSession(reply: HttpReply, everyMs: number, mayGoOn: () => Promise<boolean>): HttpReply {
  const { stream } = reply;
  if (stream === undefined) return reply;
  const timer = setInterval(() => {
    mayGoOn().then(
      (goesOn) => goesOn || endNow(stream),
      // While storage is unavailable, nothing is read for the stream either.
      () => {},
    );
  }, everyMs);
  timer.unref();
  stream.once('close', () => clearInterval(timer));
  return reply;
}

/** A download is broken off, so that nobody takes it for complete; so is what its reader has not read by the next check. */
function endNow(stream: Readable): void {
  if (stream instanceof PushStream && !stream.isOver) stream.end();
  else stream.destroy();
}

/** With another role, the page has to open the stream again: it may show what the new role does not see. */
async function mayStillCall(
  route: DashboardRoute,
  serving: DashboardServing,
  request: HttpRequest,
  { merchantId, role }: Staff,
): Promise<boolean> {
  const access = await serving.staff.look(request);
  if (isRefusal(access)) return false;
  // A request that names no merchant is for another one once the user has left the first.
  const isSame = access.staff.merchantId === merchantId && access.staff.role === role;
  return isSame && isAllowed(role, route.may) && !lacksSecondFactor(route, access);
}

/** The merchant requires a second factor, and the user has none. */
function lacksSecondFactor({ may }: DashboardRoute, { staff, user }: StaffAccess): boolean {
  return staff.merchant.requiresSecondFactor && may !== 'self' && !hasSecondFactor(user);
}

/** Null if this user may call this route now. */
function refusalOf(
  route: DashboardRoute,
  { staff: finder, now }: DashboardServing,
  request: HttpRequest,
  access: StaffAccess,
): Refusal | null {
  const { staff, session } = access;
  if (route.method !== 'GET' && !finder.hasCsrfToken(request, session)) {
    return request.headers['x-csrf-token'] === undefined ? noToken : staleToken;
  }
  if (!isAllowed(staff.role, route.may)) return notAllowed;
  if (lacksSecondFactor(route, access)) return secondFactorNeeded;
  return route.sensitive === true && !isPasswordFresh(session, now()) ? passwordNeeded : null;
}

function validatedHandler(
  route: DashboardRoute,
  { runOnce, audit }: DashboardServing,
): (request: HttpRequest, access: StaffAccess) => Promise<Result> {
  const checkQuery = queryCheck(route.query);
  const checkBody = route.body === undefined ? null : bodyCheck(route.body);

  async function handle(request: DashboardRequest): Promise<DashboardResponse | Refusal | AnsweredBefore> {
    if (route.method === 'GET' && route.audit === undefined) return route.handle(request);
    const { action = null, details } = route.audit ?? {};
    const audited = { staff: request.staff, action, id: request.id, details: details?.(request.body) ?? {} };
    return audit.during(audited, () => route.handle(request));
  }

  return async (request, { staff }) => {
    const { id, headers } = request;
    if (route.id !== undefined && !isId(route.id.prefix, id)) return route.id.notFound(id);
    const query = queryOf(request.query);
    // They name the merchant and the mode: see signed-in-staff.ts.
    delete query.merchant;
    delete query.mode;
    const badQuery = checkQuery(query);
    if (badQuery !== null) return badQuery;
    if (checkBody === null) return handle({ staff, id, query, body: {}, headers });
    const body = await jsonBody(request);
    if (isRefusal(body)) return body;
    const badBody = checkBody(body.value);
    if (badBody !== null) return badBody;
    const typed = { staff, id, query, body: body.value, headers };
    if (!route.idempotent) return handle(typed);
    const key = headers['idempotency-key'];
    const { method, idempotent } = route;
    const keyed = { key: Array.isArray(key) ? key.join(',') : key, method, path: request.path, idempotent };
    return runOnce({ ...keyed, caller: staff, body: body.value }, (once) =>
      handle({ ...typed, ...(once === undefined ? {} : { once }) }),
    );
  };
}

async function limitedBy({ rateLimiter, onRateLimited }: DashboardServing, bucket: string) {
  if (rateLimiter === null) return null;
  const counted = await rateLimiter.take(bucket);
  if (counted.allowed) return null;
  onRateLimited();
  return { refusal: tooMany, headers: rateLimitHeaders(rateLimiter.limit, counted) };
}

/** Besides those of every response, which forbid storing it. */
const everyReply = {
  Vary: 'Cookie',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const;

function replyTo({ requestId }: HttpRequest, result: Result, more: Readonly<Record<string, string>> = {}): HttpReply {
  if (isRefusal(result)) {
    // Browsers must not ask for a password themselves, and an API key is no answer.
    const scheme = result.refused.startsWith('sign_in_') ? { 'WWW-Authenticate': 'Cookie' } : {};
    return errorReply(result, requestId, { ...everyReply, ...scheme, ...more });
  }
  if ('answeredBefore' in result) throw new Error('a repeated response without an idempotency key');
  if ('replayed' in result) {
    const headers = { 'Content-Type': json, ...everyReply, 'Idempotent-Replayed': 'true' };
    return { status: result.status, headers, body: result.json };
  }
  const { status, body, stream, mediaType = 'text/event-stream', headers } = result;
  if (stream === undefined) {
    const text = result.json ?? (body === undefined ? '' : JSON.stringify(body));
    return { status, headers: { 'Content-Type': mediaTypeOf(result), ...everyReply, ...headers }, body: text };
  }
  // The last header is for proxies that would otherwise buffer the stream.
  const streaming = { 'Content-Type': mediaType, ...everyReply, 'X-Accel-Buffering': 'no', ...headers };
  return { status, headers: streaming, body: '', stream };
}

/** A text with a type of its own, such as an image, is in `json`. */
function mediaTypeOf({ mediaType = json }: DashboardResponse): string {
  return mediaType;
}
