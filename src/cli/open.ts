// The context of short commands: the settings and an open store, which is closed at the end.

import { userInfo } from 'node:os';
import { type Config, readConfig } from '../config.ts';
import { momentAt } from '../domain/moment.ts';
import { pooledRandom } from '../entropy.ts';
import { openStore, type StoreOptions } from '../storage/open-store.ts';
import type { Store } from '../storage/store.ts';

export const systemClock = { now: () => Date.now() };

export interface CommandContext {
  readonly config: Config;
  readonly store: Store;
  readonly random: ReturnType<typeof pooledRandom>;
  /** Who runs the command, for the audit trail. */
  readonly actor: string;
  moment(): ReturnType<typeof momentAt>;
}

/** Requires an existing, up-to-date database, unless the options allow creating or migrating it. */
export async function withStore<T>(
  work: (context: CommandContext) => Promise<T>,
  options: Pick<StoreOptions, 'schema' | 'force' | 'onNotice' | 'onMigrated'> = { schema: 'existing' },
): Promise<T> {
  const config = readConfig(process.env);
  const random = pooledRandom();
  const store = await openStore(config.database, { serving: false, onConnectionLost: () => {}, ...options });
  try {
    return await work({
      config,
      store,
      random,
      actor: commandActor(),
      moment: () => momentAt(systemClock.now(), random),
    });
  } finally {
    await store.close();
  }
}

/** A user id without a name is common in containers. */
export function commandActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}
