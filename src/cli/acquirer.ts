// paydesk acquirer add | list | update | enable | disable

import { notificationUrl } from '../acquirers/accounts.ts';
import type { Provider } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { isRefusal, type Refusal } from '../domain/errors.ts';
import { isoTime } from '../domain/moment.ts';
import { openSecretKey } from '../secret-key.ts';
import { accountsOf, readMethods, refuseName } from '../usecases/acquirer-account-rules.ts';
import { addAcquirerAccount } from '../usecases/add-acquirer-account.ts';
import { checkNewCredentials } from '../usecases/check-new-credentials.ts';
import { type AccountPatch, updateAcquirerAccount } from '../usecases/update-acquirer-account.ts';
import { type AcquirerWorld, checkPublicUrl, providerFrom, questionsTo, showVerdict } from './acquirer-connection.ts';
import { type Command, type CommandArguments, CommandProblem, list, type Output, requiredId, text } from './command.ts';
import { merchantIdFrom } from './key.ts';
import { type CommandContext, withStore } from './open.ts';
import { readCredentials } from './read-credentials.ts';
import { tableUnder } from './terminal.ts';

export const idOf = (args: CommandArguments, command: string): string =>
  requiredId(args, 'acq', { command: `acquirer ${command}`, list: 'acquirer list' });

export function acquirerAdd(world: AcquirerWorld): Command {
  return {
    name: 'acquirer add',
    summary: 'connect a merchant to an account at a payment provider',
    usage: '--provider PROVIDER [--merchant MERCHANT] [--live] [--methods LIST] [--name NAME] [--json]',
    help: `
Reads the credentials as JSON from standard input, or asks for them on a terminal. They are checked at the provider, stored
encrypted, and never shown again. New sessions use the account within one second.

  paydesk acquirer add --provider stripe --merchant acct_… < credentials.json

Stripe needs secret_key, publishable_key and webhook_secret; Mollie needs api_key.

  --provider PROVIDER   ${Object.keys(world.providers).join(' or ')}
  --merchant MERCHANT   the merchant's id; optional if there is only one merchant
  --live                an account for real payments, with live keys; the default is an account with test keys
  --methods LIST        the payment methods to serve, separated by commas; by default all that the provider has
  --name NAME           a name to recognise the account by`,
    readsSecrets: true,
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
        const name = text(args, 'name') ?? provider.name;
        const methods = must(readMethods(provider, list(args, 'methods') ?? provider.methods));
        must(refuseName(name));
        checkPublicUrl(context.config, output, provider, livemode);
        const credentials = await readCredentials(world.input, provider.credentials);
        const deps = await accountDeps(context, output);
        const given = { provider, livemode, credentials, account: null };
        const verdict = must(await checkNewCredentials(questionsTo(context, world, deps.secretBox), given));
        showVerdict(output, provider, methods, verdict);
        const terms = { merchantId, livemode, provider, credentials, name, methods };
        const outcome = await addAcquirerAccount(deps, terms);
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
        const merchantId = text(args, 'merchant') === undefined ? null : await merchantIdFrom(context.store, args);
        if (typeof merchantId === 'object' && merchantId !== null) return output.fail(merchantId.problem);
        const accounts =
          merchantId === null ? await everyAccount(context) : await accountsOf(context.store, merchantId);
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
    readsSecrets: true,
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
        const wanted = methods === undefined ? account.methods : must(readMethods(provider, methods));
        if (name !== undefined) must(refuseName(name));
        const credentials = replaces ? await readCredentials(world.input, provider.credentials) : undefined;
        if (credentials !== undefined) {
          const { secretBox } = await accountDeps(context, output);
          const given = { provider, livemode, credentials, account };
          const verdict = must(await checkNewCredentials(questionsTo(context, world, secretBox), given));
          showVerdict(output, provider, wanted, verdict);
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
  if (isRefusal(outcome) && outcome.refused === 'acquirer_account_not_found') throw accountNotFound(id);
  return printAccount(context, output, outcome, 'Updated');
}

/** Ends the command with the reason if it is refused. */
function must<T>(value: T | Refusal): T {
  if (isRefusal(value)) throw new CommandProblem(value.message);
  return value;
}

async function accountDeps({ config, store, random, moment, actor }: CommandContext, output: Output) {
  const { box } = await openSecretKey(config, store, random, output.progress);
  return { store, moment, actor, secretBox: box };
}

export async function mustFind({ store }: CommandContext, id: string): Promise<AcquirerAccount> {
  const account = await store.findBy('acquirerAccounts', 'id', id);
  if (account === null) throw accountNotFound(id);
  return account;
}

const accountNotFound = (id: string): CommandProblem =>
  new CommandProblem(`no acquirer account ${id} exists; see paydesk acquirer list`);

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
  what: 'Added' | 'Updated',
): number {
  if (isRefusal(outcome)) return output.fail(outcome.message);
  if (!('done' in outcome)) throw new Error('the account was not stored');
  const described = describe(context, outcome.done);
  const { acquirer, provider, livemode, methods, status } = described;
  const lines = [
    `${what} ${acquirer}: ${provider}, ${livemode ? 'live' : 'test'} mode, ${status}`,
    `  methods            ${methods.join(', ')}`,
    `  notification URL   ${described.notification_url}`,
  ];
  if (what === 'Added')
    lines.push(`  check it           paydesk acquirer check ${acquirer}${livemode ? '' : ' --pay'}`);
  output.result(described, lines.join('\n'));
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
