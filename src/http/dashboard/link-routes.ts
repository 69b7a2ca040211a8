// One-time links in the browser: what a link is about, and choosing a password with it. Neither needs a session.

import { isRefusal } from '../../domain/errors.ts';
import { afterPassword } from '../../usecases/sign-in.ts';
import { applyLink, findLink } from '../../usecases/use-link.ts';
import { type Static, Type } from '../schema.ts';
import { type OpenRoute, openRoute } from './open-route.ts';
import { originOf, type SessionRouteDeps, signedInResponse } from './session-routes.ts';

const token = Type.String({ minLength: 1, maxLength: 200 });
const lookUpBody = Type.Object({ token }, { additionalProperties: false });
const setPasswordBody = Type.Object(
  {
    token,
    password: Type.String({ minLength: 1, maxLength: 1_000 }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  },
  { additionalProperties: false },
);

export const linkSchema = Type.Object({
  purpose: Type.Union([Type.Literal('invite'), Type.Literal('reset'), Type.Literal('first_owner')]),
  /** Null: to be entered. */
  email: Type.Union([Type.String(), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
  merchant_name: Type.Union([Type.String(), Type.Null()]),
  /** The user has a password, and enters that instead of choosing one. */
  has_password: Type.Boolean(),
});
export type LinkBody = Static<typeof linkSchema>;

export function openLinkRoutes(deps: SessionRouteDeps): OpenRoute[] {
  return [
    openRoute({
      method: 'POST',
      path: '/set-password/look-up',
      body: lookUpBody,
      async handle(_request, { token }) {
        const found = await findLink(deps.store, token, deps.moment().now);
        if (isRefusal(found)) return found;
        const { link, user, merchant, hasAccount } = found;
        const body: LinkBody = {
          purpose: link.purpose,
          email: user?.email ?? null,
          // Whoever sent the link may try it, and need not learn it.
          name: hasAccount ? null : (user?.name ?? null),
          merchant_name: merchant?.name ?? null,
          has_password: hasAccount,
        };
        return { status: 200, body };
      },
    }),
    openRoute({
      method: 'POST',
      path: '/set-password',
      body: setPasswordBody,
      async handle(request, body) {
        const userId = await applyLink(deps, body, request.ip);
        if (isRefusal(userId)) return userId;
        const user = await deps.store.findBy('users', 'id', userId);
        if (user === null) throw new Error('the user of a link does not exist');
        return signedInResponse(deps, await afterPassword(deps, user, originOf(request)));
      },
    }),
  ];
}
