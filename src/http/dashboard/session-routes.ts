// Signing in and out of the dashboard, and the session itself: who is signed in, for which merchant and mode.

import { ended, isPasswordFresh } from '../../domain/dashboard-session.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';
import { newDeviceToken } from '../../domain/known-device.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { hasSecondFactor, type Membership, type User } from '../../domain/user.ts';
import { permissions, permissionsOf } from '../../domain/user-role.ts';
import { confirmPassword } from '../../usecases/change-own-account.ts';
import { decideAndCommit } from '../../usecases/decide-and-commit.ts';
import {
  afterPassword,
  type BegunSession,
  type Challenge,
  checkCode,
  checkPassword,
  membershipsOf,
  type SignInDeps,
} from '../../usecases/sign-in.ts';
import { stringEnum } from '../api/schemas.ts';
import type { HttpRequest } from '../route.ts';
import { type Static, Type } from '../schema.ts';
import { type OpenRoute, openRoute } from './open-route.ts';
import { type DashboardResponse, type DashboardRoute, dashboardRoute } from './route.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { StaffFinder } from './signed-in-staff.ts';

export interface SessionRouteDeps extends SignInDeps {
  readonly cookie: SessionCookie;
  readonly staff: StaffFinder;
}

const mode = Type.Union([Type.Literal('test'), Type.Literal('live')]);

export const roleSchema = Type.Union([Type.Literal('owner'), Type.Literal('developer'), Type.Literal('support')]);

const signInBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 300 }), password: Type.String({ minLength: 1, maxLength: 1_000 }) },
  { additionalProperties: false },
);

const codeBody = Type.Object(
  { challenge: Type.String({ minLength: 1, maxLength: 1_000 }), code: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);

const patchBody = Type.Object(
  { merchant: Type.Optional(Type.String({ maxLength: 100 })), mode: Type.Optional(mode) },
  { additionalProperties: false },
);

const passwordBody = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 1_000 }) },
  { additionalProperties: false },
);

/** What GET /session returns to somebody who is signed in. */
export const sessionSchema = Type.Object({
  signed_in: Type.Literal(true),
  user: Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    second_factor: Type.Boolean(),
  }),
  merchants: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      role: roleSchema,
      /** What the role allows, so that pages show nothing else. Every call is checked in any case. */
      permissions: Type.Array(stringEnum(permissions)),
      livemode_available: Type.Boolean(),
    }),
  ),
  merchant: Type.String(),
  mode,
  csrf_token: Type.String(),
  /** The merchant requires a second factor, and the user has none yet. */
  second_factor_required: Type.Boolean(),
  /** The password was entered in the last ten minutes. */
  password_fresh: Type.Boolean(),
  /** The merchant has no account for live payments. */
  sandbox_only: Type.Boolean(),
});
export type SessionBody = Static<typeof sessionSchema>;

export interface SignedOutBody {
  readonly signed_in: false;
  /** Nobody can sign in yet: there is no user. */
  readonly setup: boolean;
}

/** The password was right. The challenge is sent back with the code, within ten minutes. */
export interface ChallengeBody {
  readonly second_factor: 'required';
  readonly challenge: string;
}

const signedOut = (setup: boolean): SignedOutBody => ({ signed_in: false, setup });

export function openSessionRoutes(deps: SessionRouteDeps): OpenRoute[] {
  return [
    openRoute({
      method: 'GET',
      path: '/session',
      async handle(request) {
        const access = await deps.staff.find(request);
        if (isRefusal(access)) {
          if (access.refused !== 'sign_in_required') return access;
          return { status: 200, body: signedOut((await deps.store.list('users', { limit: 1 })).length === 0) };
        }
        const { staff, session, user, memberships } = access;
        const scope = { merchantId: staff.merchantId, livemode: staff.livemode };
        return { status: 200, body: await sessionBody(deps, { user, session, scope, memberships }) };
      },
    }),
    openRoute({
      method: 'POST',
      path: '/session',
      body: signInBody,
      async handle(request, { email, password }) {
        const device = deps.cookie.deviceIn(request.headers);
        const user = await checkPassword(deps, { email, password, ip: request.ip, device });
        if (isRefusal(user)) return user;
        return signedInResponse(deps, await afterPassword(deps, user, originOf(request)));
      },
    }),
    openRoute({
      method: 'POST',
      path: '/session/second-factor',
      body: codeBody,
      handle: async (request, body) => signedInResponse(deps, await checkCode(deps, body, originOf(request))),
    }),
  ];
}

export function sessionRoutes(deps: SessionRouteDeps): DashboardRoute[] {
  const { store, moment } = deps;
  return [
    dashboardRoute({
      method: 'DELETE',
      path: '/session',
      may: 'self',
      audit: { action: 'user.signed_out' },
      async handle({ staff }) {
        const outcome = await decideAndCommit(store, async () => {
          const session = await store.findBy('dashboardSessions', 'id', staff.sessionId);
          const dashboardSessions = session === null ? [] : [ended(session, moment().now)];
          return { changes: { dashboardSessions }, result: null };
        });
        if (isRefusal(outcome)) return outcome;
        return { status: 200, body: signedOut(false), headers: { 'Set-Cookie': deps.cookie.cleared } };
      },
    }),
    dashboardRoute({
      method: 'PATCH',
      path: '/session',
      may: 'self',
      body: patchBody,
      async handle({ staff, body }) {
        const memberships = await membershipsOf(store, staff.userId);
        const merchantId = body.merchant ?? staff.merchantId;
        if (!memberships.some((one) => one.merchantId === merchantId)) return merchantNotFound;
        const livemode = body.mode === undefined ? staff.livemode : body.mode === 'live';
        return changeSession(deps, staff.sessionId, { lastMerchantId: merchantId, lastLivemode: livemode });
      },
    }),
    dashboardRoute({
      method: 'POST',
      path: '/session/confirm',
      may: 'self',
      body: passwordBody,
      async handle({ staff, body: { password } }) {
        const user = await confirmPassword(deps, staff, password, staff.ip);
        if (isRefusal(user)) return user;
        return changeSession(deps, staff.sessionId, { passwordAt: moment().now });
      },
    }),
  ];
}

const merchantNotFound = refuse(
  'merchant_not_found',
  'There is no such merchant, or you do not work for it.',
  'merchant',
);
const sessionGone = refuse('sign_in_required', 'The session has ended. Sign in again.');

/** Shows the session that began, or asks for the second factor. */
export async function signedInResponse(
  deps: SessionRouteDeps,
  begun: BegunSession | Challenge | Refusal,
): Promise<DashboardResponse | Refusal> {
  if (isRefusal(begun)) return begun;
  if ('challenge' in begun) {
    const body: ChallengeBody = { second_factor: 'required', challenge: begun.challenge };
    return { status: 200, body };
  }
  return sessionResponse(deps, begun, newDeviceToken(deps.secretBox, begun.user.email, deps.random));
}

/**
 * Shows the session that got a new token without the password. A new device would have a counter of its own: whoever
 * has stolen a session could get any number of them, and guess the password without delays.
 */
export async function renewedResponse(
  deps: SessionRouteDeps,
  renewed: BegunSession | Refusal,
): Promise<DashboardResponse | Refusal> {
  return isRefusal(renewed) ? renewed : sessionResponse(deps, renewed, null);
}

async function sessionResponse(
  deps: SessionRouteDeps,
  { user, session, token }: BegunSession,
  device: string | null,
): Promise<DashboardResponse> {
  const memberships = await membershipsOf(deps.store, user.id);
  const scope = { merchantId: session.lastMerchantId, livemode: session.lastLivemode };
  return {
    status: 200,
    body: await sessionBody(deps, { user, session, scope, memberships }),
    headers: { 'Set-Cookie': deps.cookie.set(token, device) },
  };
}

export function originOf({ ip, headers }: Pick<HttpRequest, 'ip' | 'headers'>) {
  return { ip, userAgent: headers['user-agent'] ?? '' };
}

async function changeSession(
  deps: SessionRouteDeps,
  sessionId: string,
  change: Partial<Pick<BegunSession['session'], 'lastMerchantId' | 'lastLivemode' | 'passwordAt'>>,
): Promise<DashboardResponse | Refusal> {
  const { store } = deps;
  const outcome = await decideAndCommit(store, async () => {
    const session = await store.findBy('dashboardSessions', 'id', sessionId);
    if (session === null) return sessionGone;
    const changed = { ...session, ...change };
    return { changes: { dashboardSessions: [changed] }, result: changed };
  });
  if (!('done' in outcome)) return isRefusal(outcome) ? outcome : sessionGone;
  const session = outcome.done;
  const user = await store.findBy('users', 'id', session.userId);
  if (user === null) return sessionGone;
  const memberships = await membershipsOf(store, user.id);
  const scope = { merchantId: session.lastMerchantId, livemode: session.lastLivemode };
  return { status: 200, body: await sessionBody(deps, { user, session, scope, memberships }) };
}

async function sessionBody(
  { store, staff, moment }: SessionRouteDeps,
  {
    user,
    session,
    scope,
    memberships,
  }: {
    readonly user: User;
    readonly session: BegunSession['session'];
    readonly scope: { readonly merchantId: string; readonly livemode: boolean };
    readonly memberships: readonly Membership[];
  },
): Promise<SessionBody> {
  const found = await Promise.all(memberships.map(({ merchantId }) => store.findBy('merchants', 'id', merchantId)));
  const merchants = new Map(found.filter((merchant) => merchant !== null).map((merchant) => [merchant.id, merchant]));
  const current = merchants.get(scope.merchantId);
  return {
    signed_in: true,
    user: { id: user.id, email: user.email, name: user.name, second_factor: hasSecondFactor(user) },
    merchants: memberships.flatMap(({ merchantId: id, role }) => {
      const merchant = merchants.get(id);
      if (merchant === undefined) return [];
      const { name } = merchant;
      return [{ id, name, role, permissions: permissionsOf(role), livemode_available: hasLive(merchant) }];
    }),
    merchant: scope.merchantId,
    mode: scope.livemode ? 'live' : 'test',
    csrf_token: staff.csrfToken(session),
    second_factor_required: current?.requiresSecondFactor === true && !hasSecondFactor(user),
    password_fresh: isPasswordFresh(session, moment().now),
    sandbox_only: current === undefined || !hasLive(current),
  };
}

function hasLive({ acquirers }: Merchant): boolean {
  return acquirers.some(({ livemode }) => livemode);
}
