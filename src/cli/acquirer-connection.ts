// What the commands for acquirer accounts do with providers: find one, and ask it about credentials.

import { AcquirerSilent } from '../acquirers/acquirer.ts';
import { AccountUnusable, type ConnectingDeps, connectAccount, connectWith } from '../acquirers/connect-account.ts';
import { createHttpDoor } from '../acquirers/http-door.ts';
import { type AccountFacts, type Credentials, CredentialsRefused, type Provider } from '../acquirers/provider.ts';
import { providers as allProviders, loadProvider, type Providers } from '../acquirers/providers.ts';
import type { Config } from '../config.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { closestWord } from '../domain/closest-word.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { isLoopbackUrl, isPublicUrl } from '../domain/webhook-address.ts';
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
  openDoor: () => createHttpDoor({ userAgent: `Paydesk/${version}` }),
  input: {
    // Opened only by the commands that read it.
    get stdin() {
      return process.stdin;
    },
    stderr: process.stderr,
  },
};

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

interface GivenAccount {
  readonly provider: Provider;
  readonly livemode: boolean;
  readonly credentials: Credentials;
  readonly methods: readonly PaymentMethodType[];
}

/**
 * Throws if the provider does not accept them. If it cannot be asked, the command goes on. Returns the account at the
 * provider; null if it is not known.
 */
export async function tryCredentials(
  { config }: CommandContext,
  world: AcquirerWorld,
  output: Output,
  { provider, methods, ...account }: GivenAccount,
): Promise<string | null> {
  const connection = connectWith(connectingDeps(config, world), provider, account);
  try {
    const facts = await connection.account.check();
    const missing = switchedOff(methods, facts);
    if (missing.length > 0) {
      output.progress(
        `Not switched on at ${provider.name}: ${missing.join(', ')}. Switch them on there, or leave them out with --methods.`,
      );
    }
    return facts.account;
  } catch (error) {
    if (error instanceof CredentialsRefused) throw new CommandProblem(`these credentials are wrong: ${error.message}`);
    if (!(error instanceof AcquirerSilent)) throw error;
    output.progress(
      `${provider.name} could not be asked whether the credentials are right (${error.message}): run paydesk acquirer check later.`,
    );
    return null;
  } finally {
    await connection.close();
  }
}

/** The account at the provider that the stored credentials are of; null if they no longer work. */
export async function accountAtProvider(
  { config }: CommandContext,
  world: AcquirerWorld,
  box: SecretBox,
  account: AcquirerAccount,
): Promise<string | null> {
  try {
    const connection = await connectAccount(connectingDeps(config, world), box, account);
    const facts = await connection.account.check().finally(() => connection.close());
    return facts.account;
  } catch (error) {
    const isExpected = [AcquirerSilent, CredentialsRefused, AccountUnusable].some((kind) => error instanceof kind);
    if (!isExpected) throw error;
    return null;
  }
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
