// The staff of a merchant: who works for it, invitations, roles, and whether everybody needs a second factor.

import { isRefusal, refuse } from '../../domain/errors.ts';
import { isoTime } from '../../domain/moment.ts';
import { linkUrl } from '../../domain/one-time-link.ts';
import { hasSecondFactor, userEmail } from '../../domain/user.ts';
import {
  changeRole,
  type Invited,
  inviteMember,
  type Member,
  memberNotFound,
  removeMember,
  renewLink,
  requireSecondFactor,
  type TeamDeps,
  teamOf,
} from '../../usecases/change-team.ts';
import { type Static, Type } from '../schema.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';
import { roleSchema } from './session-routes.ts';

export interface TeamRouteDeps extends TeamDeps {
  readonly publicUrl: string;
}

const inviteBody = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 300 }),
    role: roleSchema,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
);
const roleBody = Type.Object({ role: roleSchema }, { additionalProperties: false });
const settingsBody = Type.Object({ require_second_factor: Type.Boolean() }, { additionalProperties: false });

export const memberSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('member'),
  email: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  role: roleSchema,
  /** `invited`: the link has not been used yet. `disabled`: by whoever runs the installation. */
  status: Type.Union([Type.Literal('active'), Type.Literal('invited'), Type.Literal('disabled')]),
  second_factor: Type.Boolean(),
  created_at: Type.String(),
});
export type MemberBody = Static<typeof memberSchema>;

/** With the link, which is shown once. */
export const invitedSchema = Type.Object({
  ...memberSchema.properties,
  link: Type.String(),
  link_expires_at: Type.String(),
});
export type InvitedBody = Static<typeof invitedSchema>;

export const teamSchema = Type.Object({ data: Type.Array(memberSchema), require_second_factor: Type.Boolean() });
export type TeamBody = Static<typeof teamSchema>;

const notAnAddress = refuse(
  'parameter_invalid',
  '`email` must be an e-mail address: for example ana@shop.example.',
  'email',
);

export function teamRoutes(deps: TeamRouteDeps): DashboardRoute[] {
  const id = { prefix: 'usr', notFound: memberNotFound } as const;
  const withLink = ({ link, ...member }: Invited): InvitedBody => ({
    ...memberBody(member),
    link: linkUrl(deps.publicUrl, link),
    link_expires_at: isoTime(link.link.expiresAt),
  });
  return [
    dashboardRoute({
      method: 'GET',
      path: '/team',
      may: 'team',
      async handle({ staff }) {
        const team = await teamOf(deps.store, staff.merchantId);
        const body: TeamBody = {
          data: team.map(memberBody),
          require_second_factor: staff.merchant.requiresSecondFactor,
        };
        return { status: 200, body };
      },
    }),
    dashboardRoute({
      method: 'POST',
      path: '/team',
      may: 'team',
      sensitive: true,
      body: inviteBody,
      async handle({ staff, body: { email: given, role, name = null } }) {
        const email = userEmail(given);
        if (email === null) return notAnAddress;
        const invited = await inviteMember(deps, staff, { email, role, name });
        return isRefusal(invited) ? invited : { status: 201, body: withLink(invited) };
      },
    }),
    dashboardRoute({
      method: 'PATCH',
      path: '/team/:id',
      may: 'team',
      sensitive: true,
      id,
      body: roleBody,
      async handle({ staff, id: userId, body: { role } }) {
        const member = await changeRole(deps, staff, userId, role);
        return isRefusal(member) ? member : { status: 200, body: memberBody(member) };
      },
    }),
    dashboardRoute({
      method: 'DELETE',
      path: '/team/:id',
      may: 'team',
      sensitive: true,
      id,
      handle: async ({ staff, id: userId }) =>
        (await removeMember(deps, staff, userId)) ?? { status: 200, body: { id: userId, deleted: true } },
    }),
    dashboardRoute({
      method: 'POST',
      path: '/team/:id/link',
      may: 'team',
      sensitive: true,
      id,
      async handle({ staff, id: userId }) {
        const invited = await renewLink(deps, staff, userId);
        return isRefusal(invited) ? invited : { status: 200, body: withLink(invited) };
      },
    }),
    dashboardRoute({
      method: 'PATCH',
      path: '/team-settings',
      may: 'team',
      sensitive: true,
      body: settingsBody,
      async handle({ staff, body }) {
        const required = await requireSecondFactor(deps, staff, body.require_second_factor);
        return isRefusal(required) ? required : { status: 200, body: { require_second_factor: required } };
      },
    }),
  ];
}

function memberBody({ user, membership }: Member): MemberBody {
  const { id, email, name, disabledAt, passwordHash } = user;
  const isInvited = membership.joinedAt === null;
  // Somebody who works for others is known here by their address only, until they accept.
  const isStranger = isInvited && passwordHash !== null;
  return {
    ...{ id, object: 'member', email, name: isStranger ? null : name, role: membership.role },
    status: isInvited ? 'invited' : disabledAt === null ? 'active' : 'disabled',
    second_factor: !isStranger && hasSecondFactor(user),
    created_at: isoTime(membership.createdAt),
  };
}
