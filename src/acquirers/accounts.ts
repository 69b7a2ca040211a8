// The acquirers of this installation, by account. A connected account is kept until its row changes, for example because
// its credentials were replaced.

import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import type { Scope } from '../domain/merchant.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Store } from '../storage/store.ts';
import { type Acquirer, AcquirerSilent } from './acquirer.ts';
import type { Acquirers } from './acquirers.ts';
import { AccountUnusable, type ConnectingDeps, type Connection, connectAccount } from './connect-account.ts';
import { noAcquirer } from './no-acquirer.ts';
import type { ProviderAccount } from './provider.ts';
import { loadProvider } from './providers.ts';

export interface AccountsDeps extends ConnectingDeps {
  readonly store: Pick<Store, 'find'>;
  readonly secretBox: SecretBox;
  readonly publicUrl: string;
  /** The script that the page loads for card fields. */
  readonly cardScriptUrl: string;
  readonly sandbox: Acquirer;
  /** Adds deadlines and measurements to the calls of an account. */
  readonly guarded: (acquirer: Acquirer) => Acquirer;
  /** Reports an account that cannot be used: its operations wait. */
  readonly onUnusable: (accountId: string, error: unknown) => void;
}

export interface Accounts extends Acquirers {
  /** Throws `AcquirerSilent` if the account cannot be used. */
  connected(account: AcquirerAccount): Promise<ProviderAccount>;
  close(): Promise<void>;
}

/** Connections cost memory: those that were used least recently are closed. */
const maxConnected = 1_000;

interface Connected extends Connection {
  readonly version: number;
  readonly guarded: Acquirer;
}

export function acquirerAccounts(deps: AccountsDeps): Accounts {
  const { store, secretBox, publicUrl, cardScriptUrl, sandbox, guarded, onUnusable } = deps;
  /** Least recently used first. */
  const open = new Map<string, Connected>();
  const closing = new Set<Promise<void>>();

  function release(id: string): void {
    const connection = open.get(id);
    open.delete(id);
    if (connection === undefined) return;
    const closed = connection.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  async function connection(account: AcquirerAccount): Promise<Connected> {
    const { id, version } = account;
    const known = open.get(id);
    if (known !== undefined && known.version === version) {
      open.delete(id);
      open.set(id, known);
      return known;
    }
    try {
      const made = await connectAccount(deps, secretBox, account);
      const connected = { ...made, version, guarded: guarded(made.account) };
      release(id);
      open.set(id, connected);
      if (open.size > maxConnected) release(open.keys().next().value ?? '');
      return connected;
    } catch (error) {
      if (!(error instanceof AccountUnusable)) throw error;
      onUnusable(id, error);
      throw new AcquirerSilent(error.message, { cause: error });
    }
  }

  async function connectionOf({ merchantId, livemode }: Scope, acquirerId: string): Promise<Connected> {
    const account = await store.find('acquirerAccounts', { merchantId, livemode }, acquirerId);
    if (account === null) throw new Error(`there is no acquirer account ${acquirerId}`);
    return connection(account);
  }

  return {
    async at({ acquirerId, ...scope }) {
      if (acquirerId === null) return scope.livemode ? noAcquirer : sandbox;
      return (await connectionOf(scope, acquirerId)).guarded;
    },
    async cardFields({ acquirerId, ...scope }, charge) {
      if (acquirerId === null) return null;
      const { account } = await connectionOf(scope, acquirerId);
      return account.cardFields === null ? null : account.cardFields({ ...charge, scriptUrl: cardScriptUrl });
    },
    connected: async (account) => (await connection(account)).account,
    async refuseAmount(name, method, currency, amount) {
      const provider = await loadProvider(deps.providers, name);
      return provider === null ? null : provider.refuseAmount(method, currency, amount);
    },
    notificationUrl: (acquirerId) => notificationUrl(publicUrl, acquirerId ?? 'sandbox'),
    async close() {
      for (const id of [...open.keys()]) release(id);
      await Promise.all(closing);
    },
  };
}

export function notificationUrl(publicUrl: string, accountId: string): string {
  return `${publicUrl}/acquirers/${accountId}/notifications`;
}
