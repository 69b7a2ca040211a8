// paydesk key create | list | roll | revoke

import type { ApiKey } from '../domain/api-key.ts';
import { closestWord } from '../domain/closest-word.ts';
import { isRefusal } from '../domain/errors.ts';
import { isoTime } from '../domain/moment.ts';
import type { Store } from '../storage/store.ts';
import { createApiKey } from '../usecases/create-api-key.ts';
import type { Outcome } from '../usecases/decide-and-commit.ts';
import { revokeApiKey } from '../usecases/revoke-api-key.ts';
import { rollApiKey, rollHours } from '../usecases/roll-api-key.ts';
import { type Command, type CommandArguments, CommandProblem, text } from './command.ts';
import { withStore } from './open.ts';
import { tableUnder } from './terminal.ts';

/** More than any merchant has. */
const maxListed = 10_000;
/** A suggestion is not worth more time. */
const maxCompared = 500;
const defaultRollHours = 24;

export const keyCreate: Command = {
  name: 'key create',
  summary: 'create an API key',
  usage: '[--merchant MERCHANT] [--live] [--name NAME] [--json]',
  help: `
Creates an additional key, to replace an old one or to give each program its own. The key is shown once: only its
hash is stored.

  --merchant MERCHANT   the merchant's id; optional if there is only one merchant
  --live                create a live key; the default is a test key
  --name NAME           a name to recognise the key by`,
  options: { merchant: { type: 'string' }, live: { type: 'boolean' }, name: { type: 'string' } },
  run: (args, output) =>
    withStore(async (context) => {
      const merchantId = await merchantIdFrom(context.store, args);
      if (typeof merchantId !== 'string') return output.fail(merchantId.problem);
      const livemode = args.values.live === true;
      const { key, secret } = await createApiKey(context, { merchantId, livemode }, text(args, 'name') ?? null);
      output.result(
        { ...describe(key), secret },
        `${livemode ? 'Live' : 'Test'} key ${key.id} for ${merchantId}\n\n  ${secret}\n\nStore it now; it is not shown again.`,
      );
      return 0;
    }),
};

export const keyList: Command = {
  name: 'key list',
  summary: "list a merchant's API keys",
  usage: '[--merchant MERCHANT] [--json]',
  help: `
Shows when each key was created and last used, and whether it has been revoked or replaced.

  --merchant MERCHANT   the merchant's id; optional if there is only one merchant`,
  options: { merchant: { type: 'string' } },
  run: (args, output) =>
    withStore(async ({ store }) => {
      const merchantId = await merchantIdFrom(store, args);
      if (typeof merchantId !== 'string') return output.fail(merchantId.problem);
      const keys = await store.list('apiKeys', { where: { merchantId }, limit: maxListed });
      output.result(keys.map(describe), tableUnder(['ID', 'KEY', 'CREATED', 'STATE', 'NAME'], keys.map(row)));
      return 0;
    }),
};

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'revoke an API key',
  usage: 'KEY [--json]',
  argument: 'KEY',
  help: `
Takes effect within one second in every running process. Event streams opened with the key end within three seconds.
This cannot be undone; create a new key instead.

  KEY              the key's id, key_…`,
  options: {},
  run: async (args, output) => {
    const id = idOf(args, 'revoke');
    return withStore(async (context) => {
      const revoked = done(await revokeApiKey(context, { keyId: id }), id);
      output.result(describe(revoked), `Revoked ${id}. Running processes reject it within one second.`);
      return 0;
    });
  },
};

export const keyRoll: Command = {
  name: 'key roll',
  summary: 'replace an API key',
  usage: 'KEY [--expires-in HOURS] [--json]',
  argument: 'KEY',
  help: `
Creates a new key with the same name and mode, which works immediately. The old key keeps working for a while, so that
programs can be switched over one after the other, and then stops by itself. The new key is shown once.

  KEY                   the key's id, key_…
  --expires-in HOURS    for how long the old key keeps working: ${rollHours.join(', ')} (default ${defaultRollHours})`,
  options: { 'expires-in': { type: 'string' } },
  run: async (args, output) => {
    const id = idOf(args, 'roll');
    const given = text(args, 'expires-in') ?? String(defaultRollHours);
    const expiresInHours = rollHours.find((hours) => String(hours) === given);
    if (expiresInHours === undefined) return output.fail(`--expires-in must be one of ${rollHours.join(', ')} hours`);
    return withStore(async (context) => {
      const { old, made } = done(await rollApiKey(context, { keyId: id, expiresInHours }), id);
      const ends = describe(old).expires_at;
      output.result(
        { ...describe(made.key), secret: made.secret, replaces: id, old_key_expires_at: ends },
        `${made.key.livemode ? 'Live' : 'Test'} key ${made.key.id} replaces ${id}\n\n  ${made.secret}\n\nStore it now; it is not shown again. The old key works until ${ends}.`,
      );
      return 0;
    });
  },
};

function idOf(args: CommandArguments, verb: string): string {
  const [id] = args.positionals;
  if (id === undefined)
    throw new CommandProblem(`specify the id of a key: paydesk key ${verb} key_… (see paydesk key list)`);
  if (id.startsWith('sk_'))
    throw new CommandProblem("specify the key's id (key_…), not the key itself; see paydesk key list");
  return id;
}

/** Ends the command if it was refused. */
function done<T>(outcome: Outcome<T>, id: string): T {
  if ('done' in outcome) return outcome.done;
  if (!isRefusal(outcome)) throw new Error(`the key ${id} was not changed`);
  throw new CommandProblem(
    outcome.refused === 'api_key_not_found' ? `no API key ${id} exists; see paydesk key list` : outcome.message,
  );
}

/** The merchant that `--merchant` names, or the only one. */
export async function merchantIdFrom(store: Store, args: CommandArguments): Promise<string | { problem: string }> {
  const given = text(args, 'merchant');
  if (given !== undefined) {
    if ((await store.findBy('merchants', 'id', given)) !== null) return given;
    const meant = await meantMerchant(store, given);
    return {
      problem: `no merchant ${given} exists${meant === null ? '' : ` (did you mean ${meant}?)`}; see paydesk merchant list`,
    };
  }
  const some = await store.list('merchants', { limit: 2 });
  const [only] = some;
  if (only === undefined)
    return { problem: 'there are no merchants yet; create one: paydesk merchant create --name "Acme Coffee"' };
  if (some.length > 1)
    return { problem: 'there are several merchants; specify one: --merchant acct_… (see paydesk merchant list)' };
  return only.id;
}

/** Suggests the merchant whose id or name is closest. */
async function meantMerchant(store: Store, given: string): Promise<string | null> {
  const merchants = await store.list('merchants', { limit: maxCompared });
  const ids = new Map(merchants.flatMap(({ id, name }) => [[id, id] as const, [name, id] as const]));
  return ids.get(closestWord(given, ids.keys()) ?? '') ?? null;
}

function describe(key: ApiKey) {
  const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
  return {
    key: key.id,
    merchant: key.merchantId,
    livemode: key.livemode,
    name: key.name,
    last_four: key.lastFour,
    created_at: isoTime(key.createdAt),
    last_used_at: time(key.lastUsedAt),
    revoked_at: time(key.revokedAt),
    expires_at: time(key.expiresAt),
  };
}

function row(key: ApiKey): string[] {
  const shown = `sk_${key.livemode ? 'live' : 'test'}_…${key.lastFour}`;
  return [key.id, shown, isoTime(key.createdAt), stateText(key), key.name ?? ''];
}

function stateText(key: ApiKey): string {
  if (key.revokedAt !== null) return `revoked ${isoTime(key.revokedAt)}`;
  const used = key.lastUsedAt === null ? 'never used' : `last used ${isoTime(key.lastUsedAt)}`;
  return key.expiresAt === null ? used : `${used}, replaced, until ${isoTime(key.expiresAt)}`;
}
