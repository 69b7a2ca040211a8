// Acquirer accounts: their state and methods. Credentials are added and replaced, and never shown.

import type { Provider, ProviderVerdict } from '../../acquirers/provider.ts';
import type { AcquirerAccount } from '../../domain/acquirer-account.ts';
import { userActor } from '../../domain/audit-entry.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';
import { isoTime } from '../../domain/moment.ts';
import { type Server, serverOf } from '../../domain/serving-account.ts';
import { type AccountDeps, readMethods, refuseName } from '../../usecases/acquirer-account-rules.ts';
import { addAcquirerAccount } from '../../usecases/add-acquirer-account.ts';
import { checkNewCredentials, type ProviderQuestions } from '../../usecases/check-new-credentials.ts';
import { acquirerAccountNotFound } from '../../usecases/refusals.ts';
import { type AccountPatch, updateAcquirerAccount } from '../../usecases/update-acquirer-account.ts';
import type { ApiResponse } from '../api/route.ts';
import { id, noBody, nullable, nullableString, paymentMethodType, stringEnum, time } from '../api/schemas.ts';
import { type Static, Type } from '../schema.ts';
import { asSentence } from './as-sentence.ts';
import { type DashboardRoute, dashboardRoute, type Staff } from './route.ts';

const accountSchema = Type.Object({
  id: id('acq'),
  object: Type.Literal('acquirer_account'),
  provider: Type.String(),
  name: Type.String(),
  methods: Type.Array(paymentMethodType),
  status: stringEnum(['enabled', 'disabled']),
  available: Type.Boolean({ description: 'Whether the provider responds, as far as the process that answers knows.' }),
  last_error: nullable(
    Type.Object(
      { at: time('When the call failed.'), message: Type.String() },
      { description: 'The last call that failed; null: none. The same error again is recorded once a minute.' },
    ),
  ),
  notification_url: Type.String({ description: 'Where the provider has to send its notifications.' }),
  livemode: Type.Boolean(),
  created_at: time('When the account was added.'),
});
export type AcquirerBody = Static<typeof accountSchema>;

const providerSchema = Type.Object({
  name: Type.String(),
  methods: Type.Array(paymentMethodType),
  credentials: Type.Array(Type.Object({ name: Type.String(), secret: Type.Boolean() })),
});
const acquirersSchema = Type.Object({
  data: Type.Array(accountSchema),
  has_more: Type.Literal(false),
  next_cursor: Type.Null(),
  providers: Type.Array(providerSchema, { description: 'What accounts can be added for.' }),
  serving: Type.Array(
    Type.Object({
      method: paymentMethodType,
      provider: nullableString({ description: 'Null: nobody serves this method in this mode.' }),
      acquirer: nullable(id('acq')),
    }),
    { description: 'Who serves each of the enabled payment methods.' },
  ),
});
export type AcquirersBody = Static<typeof acquirersSchema>;

const checkSchema = Type.Object({
  ok: Type.Boolean(),
  problem: nullable(stringEnum(['refused', 'silent', 'unusable', 'permissions_missing', 'switched_off'])),
  reason: nullableString({ description: 'What the provider said.' }),
  account: nullableString({ description: 'The name of the account at the provider.' }),
  currencies: Type.Array(Type.String()),
  methods: Type.Array(paymentMethodType, { description: 'Switched on at the provider.' }),
  methods_switched_off: Type.Array(paymentMethodType, { description: 'Listed here, but not switched on there.' }),
  clock_ahead_ms: nullable(Type.Number()),
});
export type AcquirerCheck = Static<typeof checkSchema>;
const checkedSchema = Type.Object({ ...accountSchema.properties, check: nullable(checkSchema) });
export type CheckedAcquirer = Static<typeof checkedSchema>;

const credentials = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { type: 'string', minLength: 1, maxLength: 100 },
  additionalProperties: Type.String({ maxLength: 4_096 }),
  maxProperties: 20,
});
const methods = Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 });
const name = Type.String({ maxLength: 200, description: 'A name to recognise the account by.' });
const addBody = Type.Object(
  {
    provider: Type.String({ maxLength: 50 }),
    name: Type.Optional(name),
    methods: Type.Optional(methods),
    credentials,
  },
  { additionalProperties: false },
);
const patchBody = Type.Object(
  { name: Type.Optional(name), methods: Type.Optional(methods), credentials: Type.Optional(credentials) },
  { additionalProperties: false },
);

export interface AccountCondition {
  /** As far as this process knows. */
  readonly isAvailable: boolean;
  readonly lastError: { readonly at: number; readonly message: string } | null;
}

export interface AcquirerRouteDeps extends Omit<AccountDeps, 'actor'> {
  readonly ask: ProviderQuestions;
  /** Null if there is no such provider. */
  readonly findProvider: (name: string) => Promise<Provider | null>;
  readonly allProviders: () => Promise<readonly Provider[]>;
  readonly conditionOf: (account: AcquirerAccount) => AccountCondition;
  readonly notificationUrl: (accountId: string) => string;
  /** Why live payments cannot be taken at the public address; null if they can. */
  readonly refuseLive: () => string | null;
}

const moreThanAny = 1_000;

export function acquirerRoutes(deps: AcquirerRouteDeps): DashboardRoute[] {
  const { store, ask, findProvider } = deps;
  const changing = { may: 'credentials', sensitive: true } as const;
  const byId = { prefix: 'acq', notFound: acquirerAccountNotFound } as const;
  const acting = ({ userId }: Staff): AccountDeps => ({ ...deps, actor: userActor(userId) });

  function serialise(account: AcquirerAccount): AcquirerBody {
    const { isAvailable, lastError } = deps.conditionOf(account);
    const { id, provider, name, status, livemode } = account;
    return {
      ...{ id, object: 'acquirer_account', provider, name, methods: [...account.methods], status },
      available: isAvailable,
      last_error: lastError && { at: isoTime(lastError.at), message: lastError.message },
      notification_url: deps.notificationUrl(id),
      livemode,
      created_at: isoTime(account.createdAt),
    };
  }
  function changed(status: number, account: AcquirerAccount, verdict: ProviderVerdict | null): ApiResponse {
    const body: CheckedAcquirer = { ...serialise(account), check: verdict && checkOf(account, verdict) };
    return { status, body };
  }

  async function add(staff: Staff, body: Static<typeof addBody>): Promise<ApiResponse | Refusal> {
    const { livemode, merchantId } = staff;
    const provider = await findProvider(body.provider);
    if (provider === null) return unknownProvider(await deps.allProviders());
    const refusedMode = livemode ? deps.refuseLive() : null;
    if (refusedMode !== null) return refuse('parameter_invalid', refusedMode);
    const wanted = { name: body.name ?? provider.name, methods: body.methods ?? provider.methods };
    // Before the provider is asked: what cannot be stored need not be checked.
    const badName = refuseName(wanted.name);
    if (badName !== null) return badName;
    const served = readMethods(provider, wanted.methods);
    if (isRefusal(served)) return served;
    const given = { provider, livemode, credentials: body.credentials };
    const verdict = await checkNewCredentials(ask, { ...given, account: null });
    if (isRefusal(verdict)) return verdict;
    const outcome = await addAcquirerAccount(acting(staff), { ...given, ...wanted, merchantId });
    if (isRefusal(outcome)) return outcome;
    if (!('done' in outcome)) throw new Error('the account was not stored');
    return changed(201, outcome.done, verdict);
  }

  async function update(staff: Staff, id: string, patch: AccountPatch): Promise<ApiResponse | Refusal> {
    const account = await store.find('acquirerAccounts', staff, id);
    if (account === null) return acquirerAccountNotFound(id);
    const provider = await findProvider(account.provider);
    const { credentials } = patch;
    const verdict =
      credentials === undefined || provider === null
        ? null
        : await checkNewCredentials(ask, { provider, livemode: account.livemode, credentials, account });
    if (isRefusal(verdict)) return verdict;
    const outcome = await updateAcquirerAccount(acting(staff), id, provider, patch);
    if (isRefusal(outcome)) return outcome;
    if (!('done' in outcome)) throw new Error('the account was not stored');
    return changed(200, outcome.done, verdict);
  }

  const switching = (path: string, status: AcquirerAccount['status']): DashboardRoute =>
    dashboardRoute({
      ...{ ...changing, method: 'POST', path, id: byId, body: noBody },
      handle: async ({ staff, id }) => asSentence(await update(staff, id, { status })),
    });

  return [
    dashboardRoute({
      method: 'GET',
      path: '/acquirers',
      may: 'settings',
      handle: async ({ staff }) => {
        const [accounts, providers] = await Promise.all([
          store.list('acquirerAccounts', { scope: staff, limit: moreThanAny }),
          deps.allProviders(),
        ]);
        const { merchant, livemode } = staff;
        const body: AcquirersBody = {
          data: accounts.map(serialise),
          has_more: false,
          next_cursor: null,
          providers: providers.map(describeProvider),
          serving: merchant.paymentMethodTypes.map((method) => {
            const server: Server | null = serverOf(merchant.acquirers, livemode, method);
            return { method, provider: server?.provider ?? null, acquirer: server?.acquirerId ?? null };
          }),
        };
        return { status: 200, body };
      },
    }),
    dashboardRoute({
      ...{ ...changing, method: 'POST', path: '/acquirers', body: addBody },
      handle: async ({ staff, body }) => asSentence(await add(staff, body)),
    }),
    dashboardRoute({
      ...{ ...changing, method: 'PATCH', path: '/acquirers/:id', id: byId, body: patchBody },
      handle: async ({ staff, id, body }) => asSentence(await update(staff, id, body)),
    }),
    switching('/acquirers/:id/enable', 'enabled'),
    switching('/acquirers/:id/disable', 'disabled'),
    dashboardRoute({
      ...{ ...changing, method: 'POST', path: '/acquirers/:id/check', id: byId, body: noBody },
      handle: async ({ staff, id }) => {
        const account = await store.find('acquirerAccounts', staff, id);
        if (account === null) return acquirerAccountNotFound(id);
        return { status: 200, body: checkOf(account, await ask.aboutAccount(account)) };
      },
    }),
  ];
}

function checkOf({ methods }: AcquirerAccount, given: ProviderVerdict): AcquirerCheck {
  if (given.verdict !== 'accepted') {
    const nothing = { account: null, currencies: [], methods: [], methods_switched_off: [], clock_ahead_ms: null };
    return { ok: false, problem: given.verdict, reason: given.reason, ...nothing };
  }
  const { facts } = given;
  const off = methods.filter((method) => !facts.methods.includes(method));
  const { missingPermissions = [] } = facts;
  const isPermitted = missingPermissions.length === 0;
  const switchedOff = off.length === 0 ? null : 'switched_off';
  return {
    ok: isPermitted && off.length === 0,
    problem: isPermitted ? switchedOff : 'permissions_missing',
    reason: isPermitted ? null : `Missing: ${missingPermissions.join(', ')}.`,
    account: facts.account,
    currencies: [...facts.currencies],
    methods: [...facts.methods],
    methods_switched_off: off,
    clock_ahead_ms: facts.clockAheadMs,
  };
}

function describeProvider({ name, methods, credentials }: Provider): Static<typeof providerSchema> {
  return {
    name,
    methods: [...methods],
    credentials: credentials.map(({ name: field, isSecret }) => ({ name: field, secret: isSecret })),
  };
}

function unknownProvider(known: readonly Provider[]): Refusal {
  const names = known.map(({ name }) => name).join(' or ');
  return refuse(
    'parameter_invalid',
    `\`provider\` must be ${names || 'one of this version, which has none'}.`,
    'provider',
  );
}
