// What the commands for acquirer accounts do with providers: find one, and ask it about credentials.

import { askAboutAccount, askAboutCredentials } from '../acquirers/ask-provider.ts';
import type { ConnectingDeps } from '../acquirers/connect-account.ts';
import type { Door } from '../acquirers/door.ts';
import type { AccountFacts, Provider, ProviderVerdict } from '../acquirers/provider.ts';
import { providers as allProviders, loadProvider, type Providers } from '../acquirers/providers.ts';
import type { Config } from '../config.ts';
import { closestWord } from '../domain/closest-word.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { isLoopbackUrl, isPublicUrl } from '../domain/webhook-address.ts';
import type { ProviderQuestions } from '../usecases/check-new-credentials.ts';
import { version } from '../version.ts';
import { CommandProblem, type Output } from './command.ts';
import { type CommandContext, systemClock } from './open.ts';
import type { CredentialInput } from './read-credentials.ts';

/** What the commands use of the world outside; tests bring their own. */
export interface AcquirerWorld {
  readonly providers: Providers;
  readonly openDoor: ConnectingDeps['openDoor'];
  readonly input: CredentialInput;
}

export const realWorld: AcquirerWorld = {
  providers: allProviders,
  openDoor: doorWhenUsed,
  input: {
    // Opened only by the commands that read it.
    get stdin() {
      return process.stdin;
    },
    stderr: process.stderr,
  },
};

/** Loads the HTTP client with the first request: most commands make none, and it takes longer to load than they need. */
function doorWhenUsed(): Door {
  let opened: Promise<Door> | undefined;
  const open = async (): Promise<Door> => {
    const { createHttpDoor } = await import('../acquirers/http-door.ts');
    return createHttpDoor({ userAgent: `Paydesk/${version}` });
  };
  return {
    async send(request) {
      opened ??= open();
      return (await opened).send(request);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

export function connectingDeps(
  { acquirerApiUrls }: Config,
  { providers, openDoor }: Pick<AcquirerWorld, 'providers' | 'openDoor'>,
): ConnectingDeps {
  return { providers, openDoor, apiUrls: acquirerApiUrls, now: systemClock.now };
}

export async function providerFrom({ providers }: AcquirerWorld, name: string | undefined): Promise<Provider> {
  const provider = name === undefined ? null : await loadProvider(providers, name);
  if (provider !== null) return provider;
  const known = Object.keys(providers);
  const choices = known.join(' or ') || 'none in this version';
  if (name === undefined) throw new CommandProblem(`specify a provider: --provider ${choices}`);
  const meant = closestWord(name, known);
  throw new CommandProblem(
    `"${name}" is not a provider${meant === null ? `; use ${choices}` : `. Did you mean ${meant}?`}`,
  );
}

/** How the commands ask providers about credentials. */
export function questionsTo({ config }: CommandContext, world: AcquirerWorld, box: SecretBox): ProviderQuestions {
  const deps = connectingDeps(config, world);
  return {
    aboutCredentials: (provider, given) => askAboutCredentials(deps, provider, given),
    aboutAccount: (account) => askAboutAccount(deps, box, account),
  };
}

/** What whoever adds credentials should know about them. */
export function showVerdict(
  output: Output,
  { name }: Provider,
  methods: readonly PaymentMethodType[],
  given: ProviderVerdict,
): void {
  if (given.verdict !== 'accepted') {
    output.progress(
      `${name} could not be asked whether the credentials are right (${given.reason}): run paydesk acquirer check later.`,
    );
    return;
  }
  const { missingPermissions = [] } = given.facts;
  if (missingPermissions.length > 0)
    output.progress(`The key lacks permissions: ${missingPermissions.join(', ')}. Add them at ${name}.`);
  const missing = switchedOff(methods, given.facts);
  if (missing.length === 0) return;
  output.progress(
    `Not switched on at ${name}: ${missing.join(', ')}. Switch them on there, or leave them out with --methods.`,
  );
}

/** The methods of an account that the provider would refuse. */
export function switchedOff(methods: readonly PaymentMethodType[], facts: AccountFacts): PaymentMethodType[] {
  return methods.filter((method) => !facts.methods.includes(method));
}

/** Whether the provider can send notifications, which go to the public URL; null if it can. */
export function notificationProblem(
  { publicUrl, acquirerApiUrls }: Config,
  { name, apiUrl }: Pick<Provider, 'name' | 'apiUrl'>,
): string | null {
  const isSimulated = isLoopbackUrl(acquirerApiUrls[name] ?? apiUrl);
  if (isSimulated || isPublicUrl(publicUrl)) return null;
  return `${name} cannot send notifications to ${publicUrl}, which is not public: outcomes are noticed later`;
}

/** Throws if the account would be for live payments over an unencrypted connection. */
export function checkPublicUrl(config: Config, output: Output, provider: Provider, livemode: boolean): void {
  const { publicUrl } = config;
  if (livemode && publicUrl.startsWith('http:') && !isLoopbackUrl(publicUrl)) {
    throw new CommandProblem(
      `live payments need https, but PAYDESK_PUBLIC_URL is ${publicUrl}; set the https address that customers use`,
    );
  }
  const problem = notificationProblem(config, provider);
  if (problem !== null) output.progress(`${problem}. Set PAYDESK_PUBLIC_URL to the address that customers use.`);
}
