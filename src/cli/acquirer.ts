// paydesk acquirer add | list | update | enable | disable

import { notificationUrl } from '../acquirers/accounts.ts';
import { AcquirerSilent } from '../acquirers/acquirer.ts';
import { type ConnectingDeps, type Connection, connectWith } from '../acquirers/connect-account.ts';
import { createHttpDoor } from '../acquirers/http-door.ts';
import { type Credentials, CredentialsRefused, type Provider } from '../acquirers/provider.ts';
import { providers as allProviders, loadProvider, type Providers } from '../acquirers/providers.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { isRefusal } from '../domain/errors.ts';
import { isoTime } from '../domain/moment.ts';
import { openSecretKey } from '../secret-key.ts';
import { accountsOf } from '../usecases/acquirer-account-rules.ts';
import { addAcquirerAccount } from '../usecases/add-acquirer-account.ts';
import { type AccountPatch, updateAcquirerAccount } from '../usecases/update-acquirer-account.ts';
import { version } from '../version.ts';
import { type Command, type CommandArguments, CommandProblem, list, type Output, requiredId, text } from './command.ts';
import { merchantIdFrom } from './key.ts';
import { type CommandContext, systemClock, withStore } from './open.ts';
import { type CredentialInput, readCredentials } from './read-credentials.ts';
import { tableUnder } from './terminal.ts';

/** What the commands use of the world outside; tests bring their own. */
export interface AcquirerWorld {
  readonly providers: Providers;
  readonly openDoor: ConnectingDeps['openDoor'];
  readonly input: CredentialInput;
}

export const realWorld: AcquirerWorld = {
  providers: allProviders,
  openDoor: () => createHttpDoor({ userAgent: `Paydesk/${version}` }),
  input: {
    // Opened only by the commands that read it.
    get stdin() {
      return process.stdin;
    },
    stderr: process.stderr,
  },
};

export function connectingDeps({ config }: CommandContext, { providers, openDoor }: AcquirerWorld): ConnectingDeps {
  return { providers, openDoor, apiUrls: config.acquirerApiUrls, now: systemClock.now };
}

export const idOf = (args: CommandArguments, command: string): string =>
  requiredId(args, 'acq', { command: `acquirer ${command}`, list: 'acquirer list' });

export function acquirerAdd(world: AcquirerWorld): Command {
  return {
    name: 'acquirer add',
    summary: 'connect a merchant to an account at a payment provider',
    usage: '--provider PROVIDER [--merchant MERCHANT] [--live] [--methods LIST] [--name NAME] [--json]',
    help: `
Reads the credentials as JSON from standard input, or asks for them on a terminal. They are stored encrypted, and never
shown again. New sessions use the account within one second.

  paydesk acquirer add --provider stripe --merchant acct_… < credentials.json

  --provider PROVIDER   stripe (secret_key, publishable_key, webhook_secret) or mollie (api_key)
  --merchant MERCHANT   the merchant's id; optional if there is only one merchant
  --live                an account for real payments, with live keys; the default is an account with test keys
  --methods LIST        the payment methods to serve, separated by commas; by default all that the provider has
  --name NAME           a name to recognise the account by`,
    options: {
      provider: { type: 'string' },
      merchant: { type: 'string' },
      live: { type: 'boolean' },
      methods: { type: 'string' },
      name: { type: 'string' },
    },
    run: (args, output) =>
      withStore(async (context) => {
        const provider = await providerFrom(world, text(args, 'provider'));
        const merchantId = await merchantIdFrom(context.store, args);
        if (typeof merchantId !== 'string') return output.fail(merchantId.problem);
        const livemode = args.values.live === true;
        const credentials = await readCredentials(world.input, provider.credentials);
        const wrong = provider.refuseCredentials(credentials, livemode);
        if (wrong !== null) return output.fail(wrong);
        await tryCredentials(context, world, output, { provider, livemode, credentials });
        const outcome = await addAcquirerAccount(await accountDeps(context, output), {
          ...{ merchantId, livemode, provider, credentials },
          name: text(args, 'name') ?? provider.name,
          methods: list(args, 'methods') ?? provider.methods,
        });
        return printAccount(context, output, outcome, 'Added');
      }),
  };
}

export function acquirerList(): Command {
  return {
    name: 'acquirer list',
    summary: 'list acquirer accounts',
    usage: '[--merchant MERCHANT] [--json]',
    help: `
Shows each account with its methods and the URL for its notifications, but no credentials.

  --merchant MERCHANT   the merchant's id; by default all merchants`,
    options: { merchant: { type: 'string' } },
    run: (args, output) =>
      withStore(async (context) => {
        const merchantId = text(args, 'merchant');
        const accounts =
          merchantId === undefined ? await everyAccount(context) : await accountsOf(context.store, merchantId);
        output.result(
          accounts.map((account) => ({
            ...describe(context, account),
            merchant: account.merchantId,
            created_at: isoTime(account.createdAt),
          })),
          accounts.length === 0
            ? 'There are no acquirer accounts. Add one: paydesk acquirer add --provider stripe --merchant acct_…'
            : tableUnder(['ACCOUNT', 'MERCHANT', 'PROVIDER', 'MODE', 'STATUS', 'METHODS', 'NAME'], accounts.map(row)),
        );
        return 0;
      }),
  };
}

export function acquirerUpdate(world: AcquirerWorld): Command {
  return {
    name: 'acquirer update',
    summary: 'change the methods, the name or the credentials of an account',
    usage: 'ACCOUNT [--methods LIST] [--name NAME] [--credentials] [--json]',
    argument: 'ACCOUNT',
    help: `
Takes effect within one second, for new sessions. New credentials must be of the same account at the provider.

  ACCOUNT               the account's id, acq_…
  --methods LIST        the payment methods to serve, separated by commas
  --name NAME           a name to recognise the account by
  --credentials         read new credentials, as paydesk acquirer add does`,
    options: { methods: { type: 'string' }, name: { type: 'string' }, credentials: { type: 'boolean' } },
    run: (args, output) => {
      const id = idOf(args, 'update');
      const methods = list(args, 'methods');
      const name = text(args, 'name');
      const replaces = args.values.credentials === true;
      if (methods === undefined && name === undefined && !replaces)
        throw new CommandProblem('specify what to change: --methods, --name or --credentials');
      return withStore(async (context) => {
        const account = await mustFind(context, id);
        const provider = await providerFrom(world, account.provider);
        const { livemode } = account;
        const credentials = replaces ? await readCredentials(world.input, provider.credentials) : undefined;
        if (credentials !== undefined) {
          const wrong = provider.refuseCredentials(credentials, livemode);
          if (wrong !== null) return output.fail(wrong);
          await tryCredentials(context, world, output, { provider, livemode, credentials });
        }
        return update(context, output, id, provider, { methods, name, credentials });
      });
    },
  };
}

export const acquirerEnable: Command = switchTo('enabled');
export const acquirerDisable: Command = switchTo('disabled');

function switchTo(status: AcquirerAccount['status']): Command {
  const verb = status === 'enabled' ? 'enable' : 'disable';
  const effect =
    status === 'enabled'
      ? 'The account gets new payments again, within one second.'
      : 'The account gets no new payments, within one second. Payments that it has made can still be captured, canceled and\nrefunded.';
  return {
    name: `acquirer ${verb}`,
    summary: `${verb} an acquirer account`,
    usage: 'ACCOUNT [--json]',
    argument: 'ACCOUNT',
    help: `
${effect}

  ACCOUNT               the account's id, acq_…`,
    options: {},
    run: (args, output) => {
      const id = idOf(args, verb);
      return withStore((context) => update(context, output, id, null, { status }));
    },
  };
}

async function update(
  context: CommandContext,
  output: Output,
  id: string,
  provider: Provider | null,
  patch: AccountPatch,
): Promise<number> {
  const outcome = await updateAcquirerAccount(await accountDeps(context, output), id, provider, patch);
  return printAccount(context, output, outcome, 'Updated');
}

async function providerFrom({ providers }: AcquirerWorld, name: string | undefined): Promise<Provider> {
  const provider = name === undefined ? null : await loadProvider(providers, name);
  if (provider !== null) return provider;
  const known = Object.keys(providers).join(' or ') || 'none in this version';
  throw new CommandProblem(
    name === undefined ? `specify a provider: --provider ${known}` : `"${name}" is not a provider; use ${known}`,
  );
}

/** Throws if the provider does not accept them. If it cannot be asked, the command goes on. */
async function tryCredentials(
  context: CommandContext,
  world: AcquirerWorld,
  output: Output,
  { provider, ...account }: { provider: Provider; livemode: boolean; credentials: Credentials },
): Promise<void> {
  const connection: Connection = connectWith(connectingDeps(context, world), provider, account);
  try {
    await connection.account.check();
  } catch (error) {
    if (error instanceof CredentialsRefused)
      throw new CommandProblem(`${provider.name} does not accept these credentials: ${error.message}`);
    if (!(error instanceof AcquirerSilent)) throw error;
    output.progress(
      `${provider.name} could not be asked whether the credentials are right: run paydesk acquirer check later.`,
    );
  } finally {
    await connection.close();
  }
}

async function accountDeps({ config, store, random, moment, actor }: CommandContext, output: Output) {
  const { box } = await openSecretKey(config, store, random, output.progress);
  return { store, moment, actor, secretBox: box };
}

export async function mustFind({ store }: CommandContext, id: string): Promise<AcquirerAccount> {
  const account = await store.findBy('acquirerAccounts', 'id', id);
  if (account === null) throw new CommandProblem(`no acquirer account ${id} exists; see paydesk acquirer list`);
  return account;
}

async function everyAccount({ store }: CommandContext): Promise<AcquirerAccount[]> {
  const all: AcquirerAccount[] = [];
  for (;;) {
    const page = await store.walk('acquirerAccounts', all.at(-1) ?? null, 500);
    all.push(...page);
    if (page.length < 500) return all;
  }
}

function printAccount(
  context: CommandContext,
  output: Output,
  outcome: Awaited<ReturnType<typeof addAcquirerAccount>>,
  what: string,
): number {
  if (isRefusal(outcome)) return output.fail(outcome.message);
  if (!('done' in outcome)) throw new Error('the account was not stored');
  const described = describe(context, outcome.done);
  const { acquirer, provider, livemode, methods, status } = described;
  output.result(
    described,
    `${what} ${acquirer}: ${provider}, ${livemode ? 'live' : 'test'} mode, ${status}\n  methods            ${methods.join(', ')}\n  notification URL   ${described.notification_url}`,
  );
  return 0;
}

function describe({ config }: CommandContext, account: AcquirerAccount) {
  return {
    acquirer: account.id,
    provider: account.provider,
    livemode: account.livemode,
    name: account.name,
    methods: account.methods,
    status: account.status,
    notification_url: notificationUrl(config.publicUrl, account.id),
  };
}

function row({ id, merchantId, provider, livemode, status, methods, name }: AcquirerAccount): string[] {
  return [id, merchantId, provider, livemode ? 'live' : 'test', status, methods.join(','), name];
}
