// A user's own account: name, password, sessions, and the second factor.

import { isRefusal } from '../../domain/errors.ts';
import { isoTime } from '../../domain/moment.ts';
import {
  changePassword,
  endOtherSessions,
  endSession,
  ownSessionNotFound,
  renameUser,
  sessionsOf,
} from '../../usecases/change-own-account.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from '../../usecases/change-second-factor.ts';
import { qrCodeSvg } from '../checkout/qr-code.ts';
import { type Static, Type } from '../schema.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';
import { originOf, renewedResponse, type SessionRouteDeps, signedInResponse } from './session-routes.ts';

const password = Type.String({ minLength: 1, maxLength: 1_000 });
const passwordBody = Type.Object(
  { current_password: password, new_password: password },
  { additionalProperties: false },
);
const nameBody = Type.Object(
  { name: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]) },
  { additionalProperties: false },
);
const codeBody = Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false });

const sessionItem = Type.Object({
  id: Type.String(),
  /** The session that the request was made with. */
  current: Type.Boolean(),
  ip: Type.String(),
  user_agent: Type.String(),
  created_at: Type.String(),
  last_used_at: Type.String(),
});
export const sessionListSchema = Type.Object({ data: Type.Array(sessionItem) });
export type SessionListBody = Static<typeof sessionListSchema>;

export const secondFactorSchema = Type.Object({
  secret: Type.String(),
  otpauth_uri: Type.String(),
  qr_svg: Type.String(),
});
export type SecondFactorBody = Static<typeof secondFactorSchema>;

export const recoveryCodesSchema = Type.Object({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodesBody = Static<typeof recoveryCodesSchema>;

export function accountRoutes(deps: SessionRouteDeps): DashboardRoute[] {
  return [...ownAccount(deps), ...ownSessions(deps), ...ownSecondFactor(deps)];
}

function ownAccount(deps: SessionRouteDeps): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'PATCH',
      path: '/account',
      may: 'self',
      body: nameBody,
      audit: { action: 'user.updated' },
      async handle({ staff, body: { name } }) {
        return (await renameUser(deps, staff.userId, name)) ?? { status: 200, body: { name } };
      },
    }),
    dashboardRoute({
      method: 'POST',
      path: '/account/password',
      may: 'self',
      body: passwordBody,
      async handle({ staff, body, headers }) {
        const wanted = { current: body.current_password, wanted: body.new_password };
        return signedInResponse(deps, await changePassword(deps, staff, wanted, originOf({ ip: staff.ip, headers })));
      },
    }),
  ];
}

function ownSessions(deps: SessionRouteDeps): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'GET',
      path: '/account/sessions',
      may: 'self',
      async handle({ staff }) {
        const body: SessionListBody = {
          data: (await sessionsOf(deps, staff.userId)).map((session) => ({
            id: session.id,
            current: session.id === staff.sessionId,
            ip: session.ip,
            user_agent: session.userAgent,
            created_at: isoTime(session.createdAt),
            last_used_at: isoTime(session.lastUsedAt),
          })),
        };
        return { status: 200, body };
      },
    }),
    dashboardRoute({
      method: 'DELETE',
      path: '/account/sessions',
      may: 'self',
      handle: async ({ staff, headers }) =>
        renewedResponse(deps, await endOtherSessions(deps, staff, originOf({ ip: staff.ip, headers }))),
    }),
    dashboardRoute({
      method: 'DELETE',
      path: '/account/sessions/:id',
      may: 'self',
      id: { prefix: 'sess', notFound: ownSessionNotFound },
      audit: { action: 'user.sessions_ended' },
      handle: async ({ staff, id }) =>
        (await endSession(deps, staff.userId, id)) ?? { status: 200, body: { id, deleted: true } },
    }),
  ];
}

function ownSecondFactor(deps: SessionRouteDeps): DashboardRoute[] {
  return [
    dashboardRoute({
      method: 'POST',
      path: '/account/second-factor',
      may: 'self',
      sensitive: true,
      async handle({ staff }) {
        const begun = await beginSecondFactor(deps, staff.userId, staff.ip);
        if (isRefusal(begun)) return begun;
        const body: SecondFactorBody = {
          secret: begun.secret,
          otpauth_uri: begun.uri,
          qr_svg: qrCodeSvg(begun.uri),
        };
        return { status: 200, body };
      },
    }),
    dashboardRoute({
      method: 'POST',
      path: '/account/second-factor/confirm',
      may: 'self',
      sensitive: true,
      body: codeBody,
      handle: async ({ staff, body }) =>
        codesResponse(await confirmSecondFactor(deps, staff.userId, body.code, staff.ip)),
    }),
    dashboardRoute({
      method: 'DELETE',
      path: '/account/second-factor',
      may: 'self',
      sensitive: true,
      handle: async ({ staff }) =>
        (await endSecondFactor(deps, staff.userId, staff.ip)) ?? { status: 200, body: { second_factor: false } },
    }),
    dashboardRoute({
      method: 'POST',
      path: '/account/recovery-codes',
      may: 'self',
      sensitive: true,
      handle: async ({ staff }) => codesResponse(await renewRecoveryCodes(deps, staff.userId, staff.ip)),
    }),
  ];
}

function codesResponse(codes: Awaited<ReturnType<typeof renewRecoveryCodes>>) {
  if (isRefusal(codes)) return codes;
  const body: RecoveryCodesBody = { recovery_codes: [...codes] };
  return { status: 200, body };
}
