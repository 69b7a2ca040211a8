// API keys: list, create, roll, revoke. Secrets are shown once, in the response that creates them.

import { type ApiKey, keyStateAt } from '../../domain/api-key.ts';
import { userActor } from '../../domain/audit-entry.ts';
import type { Random } from '../../domain/ids.ts';
import { isoTime, type Moment } from '../../domain/moment.ts';
import type { Store } from '../../storage/store.ts';
import { issueApiKey, type NewApiKey } from '../../usecases/create-api-key.ts';
import { apiKeyNotFound } from '../../usecases/refusals.ts';
import { revokeApiKey } from '../../usecases/revoke-api-key.ts';
import { type RolledKey, rollApiKey, rollHours } from '../../usecases/roll-api-key.ts';
import { listResponse, pageQuery } from '../api/list.ts';
import type { ApiResponse } from '../api/route.ts';
import { id, noBody, nullableString, nullableTime, stringEnum, time } from '../api/schemas.ts';
import { type Static, Type } from '../schema.ts';
import { type DashboardRoute, dashboardRoute, type Staff } from './route.ts';

const fields = {
  id: id('key'),
  object: Type.Literal('api_key'),
  name: nullableString(),
  last_four: Type.String({ description: 'The last characters, by which people recognise a key.' }),
  livemode: Type.Boolean(),
  status: stringEnum(['active', 'revoked', 'expired']),
  created_at: time('When the key was created.'),
  last_used_at: nullableTime('When the key was last used, to within some seconds.'),
  revoked_at: nullableTime('When the key was revoked.'),
  expires_at: nullableTime('When the key stops working, because it was replaced.'),
};
const apiKeySchema = Type.Object(fields);
const newKeySchema = Type.Object({
  ...fields,
  secret: Type.String({ description: 'The key itself. It is not shown again.' }),
});
const rolledKeySchema = Type.Object({ ...newKeySchema.properties, replaces: apiKeySchema });

export type ApiKeyBody = Static<typeof apiKeySchema>;
export type NewApiKeyBody = Static<typeof newKeySchema>;
export type RolledApiKeyBody = Static<typeof rolledKeySchema>;

const createBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A name to recognise the key by.' })),
  },
  { additionalProperties: false },
);
const rollBody = Type.Object(
  {
    expires_in_hours: Type.Unsafe<(typeof rollHours)[number]>({
      type: 'integer',
      enum: rollHours,
      description: 'For how long the old key keeps working.',
    }),
  },
  { additionalProperties: false },
);
const keysQuery = Type.Object(pageQuery, { additionalProperties: false });

export interface ApiKeyRouteDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly random: Random;
}

export function apiKeyRoutes(deps: ApiKeyRouteDeps): DashboardRoute[] {
  const { store, moment } = deps;
  const shared = { may: 'develop', sensitive: true } as const;
  const byId = { prefix: 'key', notFound: apiKeyNotFound } as const;
  const acting = ({ userId }: Staff) => ({ ...deps, actor: userActor(userId) });
  const serialise = (key: ApiKey): ApiKeyBody => serialiseKey(key, moment().now);
  const created = ({ key, secret }: NewApiKey): ApiResponse => {
    const body: NewApiKeyBody = { ...serialise(key), secret };
    return { status: 201, body };
  };
  const rolled = ({ old, made }: RolledKey): ApiResponse => {
    const body: RolledApiKeyBody = { ...serialise(made.key), secret: made.secret, replaces: serialise(old) };
    return { status: 201, body };
  };
  return [
    dashboardRoute({
      method: 'GET',
      path: '/api-keys',
      may: 'develop',
      query: keysQuery,
      handle: ({ staff, query }) =>
        listResponse(query, 'key', (page) => store.list('keysOfMode', { ...page, scope: staff }), serialise),
    }),
    dashboardRoute({
      ...shared,
      method: 'POST',
      path: '/api-keys',
      body: createBody,
      idempotent: true,
      handle: async ({ staff, body, once }) => {
        const { name = null } = body;
        const receipt = once && ((made: NewApiKey) => once.receipt(created(made)));
        const outcome = await issueApiKey(acting(staff), staff, name, receipt);
        return 'done' in outcome ? created(outcome.done) : outcome;
      },
    }),
    dashboardRoute({
      ...shared,
      method: 'POST',
      path: '/api-keys/:id/roll',
      id: byId,
      body: rollBody,
      idempotent: true,
      handle: async ({ staff, id, body, once }) => {
        const choice = { keyId: id, within: staff, expiresInHours: body.expires_in_hours };
        const receipt = once && ((result: RolledKey) => once.receipt(rolled(result)));
        const outcome = await rollApiKey(acting(staff), choice, receipt);
        return 'done' in outcome ? rolled(outcome.done) : outcome;
      },
    }),
    dashboardRoute({
      ...shared,
      method: 'POST',
      path: '/api-keys/:id/revoke',
      id: byId,
      body: noBody,
      handle: async ({ staff, id }) => {
        const outcome = await revokeApiKey(acting(staff), { keyId: id, within: staff });
        return 'done' in outcome ? { status: 200, body: serialise(outcome.done) } : outcome;
      },
    }),
  ];
}

function serialiseKey(key: ApiKey, now: number): ApiKeyBody {
  const at = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
  return {
    id: key.id,
    object: 'api_key',
    name: key.name,
    last_four: key.lastFour,
    livemode: key.livemode,
    status: keyStateAt(key, now),
    created_at: isoTime(key.createdAt),
    last_used_at: at(key.lastUsedAt),
    revoked_at: at(key.revokedAt),
    expires_at: at(key.expiresAt),
  };
}
