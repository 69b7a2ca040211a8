// The acquirers of this installation, by account. A connected account is kept until its row changes, for example because
// its credentials were replaced.

import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Store } from '../storage/store.ts';
import type { Availability } from './account-health.ts';
import { type Acquirer, AcquirerSilent } from './acquirer.ts';
import type { Acquirers } from './acquirers.ts';
import { AccountUnusable, type ConnectingDeps, type Connection, connectAccount } from './connect-account.ts';
import { type GuardDeps, type GuardedAccount, guardAccount } from './guard-account.ts';
import { noAcquirer } from './no-acquirer.ts';
import type { ProviderAccount } from './provider.ts';
import { loadProvider } from './providers.ts';

export interface AccountsDeps extends ConnectingDeps {
  readonly store: Pick<Store, 'find'>;
  readonly secretBox: SecretBox;
  readonly publicUrl: string;
  readonly sandbox: Acquirer;
  readonly guard: GuardDeps;
  /** Reports an account that cannot be used: its operations wait. */
  readonly onUnusable: (accountId: string, error: unknown) => void;
}

export interface Accounts extends Acquirers {
  /** Throws `AcquirerSilent` if the account cannot be used. */
  connected(account: AcquirerAccount): Promise<ProviderAccount>;
  /** The same for jobs, which have places of their own and wait for nothing. */
  readonly forJobs: Acquirers & Pick<Accounts, 'connected'>;
  /** Tries accounts that were down whether they work again. */
  probe(): void;
  /** How many accounts of each provider are down. */
  down(): ReadonlyMap<string, number>;
  /** From now on, no calls are begun: those in progress end with their deadline. */
  stop(): void;
  close(): Promise<void>;
}

/** Connections cost memory: those that were used least recently are closed. */
const maxConnected = 1_000;

interface Connected extends Connection, GuardedAccount {
  readonly version: number;
}

export function acquirerAccounts(deps: AccountsDeps): Accounts {
  const { store, secretBox, publicUrl, sandbox, guard, onUnusable } = deps;
  /** Least recently used first. */
  const open = new Map<string, Connected>();
  const connecting = new Map<string, Promise<Connected>>();
  const closing = new Set<Promise<void>>();
  let isStopped = false;

  function release(id: string): void {
    const connection = open.get(id);
    open.delete(id);
    if (connection === undefined) return;
    const closed = Promise.all([connection.close(), connection.health.idle()])
      .then(() => {})
      .finally(() => closing.delete(closed));
    closing.add(closed);
  }

  async function connection(account: AcquirerAccount): Promise<Connected> {
    const { id, version } = account;
    if (isStopped) throw new AcquirerSilent('The service is stopping.', { notSent: true });
    const known = open.get(id);
    if (known !== undefined && known.version === version) {
      open.delete(id);
      open.set(id, known);
      return known;
    }
    // Payments that come at the same time share a connection, and what is learned about it.
    const key = `${id} ${version}`;
    const begun = connecting.get(key);
    if (begun !== undefined) return begun;
    const connected = connect(account).finally(() => connecting.delete(key));
    connecting.set(key, connected);
    return connected;
  }

  async function connect(account: AcquirerAccount): Promise<Connected> {
    const { id, version } = account;
    try {
      const made = await connectAccount(deps, secretBox, account);
      const connected = { ...made, ...guardAccount(guard, account, made.account), version };
      release(id);
      open.set(id, connected);
      if (open.size > maxConnected) release(open.keys().next().value ?? '');
      return connected;
    } catch (error) {
      if (!(error instanceof AccountUnusable)) throw error;
      onUnusable(id, error);
      throw new AcquirerSilent(error.message, { cause: error, notSent: true });
    }
  }

  function availability(acquirerId: string | null): Availability {
    return (acquirerId === null ? undefined : open.get(acquirerId)?.health.availability()) ?? 'available';
  }

  function acquirers(side: 'foreground' | 'background'): Acquirers & Pick<Accounts, 'connected'> {
    return {
      async at({ acquirerId, merchantId, livemode }) {
        if (acquirerId === null) return livemode ? noAcquirer : sandbox;
        const account = await store.find('acquirerAccounts', { merchantId, livemode }, acquirerId);
        if (account === null) throw new Error(`there is no acquirer account ${acquirerId}`);
        return (await connection(account))[side];
      },
      connected: async (account) => (await connection(account))[side],
      availability,
      async refuseAmount(name, method, currency, amount) {
        const provider = await loadProvider(deps.providers, name);
        return provider === null ? null : provider.refuseAmount(method, currency, amount);
      },
      async refusePart(name, currency, amount) {
        const provider = await loadProvider(deps.providers, name);
        return provider?.refusePart?.(currency, amount) ?? null;
      },
      notificationUrl: (acquirerId) => notificationUrl(publicUrl, acquirerId ?? 'sandbox'),
    };
  }

  return {
    ...acquirers('foreground'),
    forJobs: acquirers('background'),
    probe() {
      for (const { health } of open.values()) health.probe();
    },
    down() {
      const counts = new Map<string, number>();
      for (const { provider, health } of open.values()) {
        const isDown = health.availability() === 'down' ? 1 : 0;
        counts.set(provider.name, (counts.get(provider.name) ?? 0) + isDown);
      }
      return counts;
    },
    stop() {
      isStopped = true;
    },
    async close() {
      isStopped = true;
      for (const id of [...open.keys()]) release(id);
      await Promise.all(closing);
    },
  };
}

export function notificationUrl(publicUrl: string, accountId: string): string {
  return `${publicUrl}/acquirers/${accountId}/notifications`;
}
