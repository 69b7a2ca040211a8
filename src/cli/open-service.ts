// Starts the service in this process: opens the database, the secret key and the clock, and listens. Used by a single
// process and by each worker.

import { type App, startApp } from '../app.ts';
import { startServiceClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { momentAt } from '../domain/moment.ts';
import { linkUrl } from '../domain/one-time-link.ts';
import { pooledRandom } from '../entropy.ts';
import type { RateLimit, RateLimiter } from '../http/rate-limit.ts';
import type { Logging } from '../log.ts';
import { openSecretKey } from '../secret-key.ts';
import { openStore } from '../storage/open-store.ts';
import { createFirstOwnerLink } from '../usecases/create-first-owner-link.ts';
import { createMerchant } from '../usecases/create-merchant.ts';
import type { FirstStart } from '../workers/messages.ts';
import { commandActor } from './open.ts';

export interface OpenService {
  readonly app: App;
  /** Creates the demo merchant if there is no merchant yet; otherwise null. */
  demoMerchant(): Promise<FirstStart | null>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly logging: Logging;
  readonly rateLimiterOf?: (limit: RateLimit) => RateLimiter;
  /** Another process logs the warnings that apply to all of them. */
  readonly isOneOfMany?: boolean;
}

export async function openService({
  config,
  logging,
  isOneOfMany = false,
  ...parts
}: ServiceOptions): Promise<OpenService> {
  const { log } = logging;
  const random = pooledRandom();
  const onNotice = (message: string): void => log.warn(message);
  const store = await openStore(config.database, {
    serving: true,
    maxConnections: config.databaseConnections,
    replicaUrl: config.replicaUrl,
    onNotice,
    monotonicMs: () => performance.now(),
    onConnectionLost: (err) => log.warn({ err }, 'lost a connection to PostgreSQL; it will be replaced'),
  });
  const key = await openSecretKey(config, store, random, onNotice).catch(closeAndRethrow(store));
  if (key.file !== null && config.database.engine === 'postgres' && !isOneOfMany) {
    log.warn(`PAYDESK_SECRET_KEY is not set: the key in ${key.file} is used. Set it if several hosts run.`);
  }
  const clock = await startServiceClock({
    reference: () => store.time(),
    onDifference: clockWarning(config, logging),
  }).catch(closeAndRethrow(store));
  const app = await startApp({ config, store, secretBox: key.box, logging, clock, random, ...parts });

  async function demoMerchant(): Promise<FirstStart | null> {
    if ((await store.list('merchants', { limit: 1 })).length > 0) return null;
    const moment = () => momentAt(clock.now(), random);
    const demo = await createMerchant({ store, moment, random, actor: commandActor() }, 'Demo shop', 'demo_merchant');
    if (demo === null) return null;
    const entries = await store.list('auditEntries', { limit: 10, where: { merchantId: demo.merchant.id } });
    for (const { email: _email, ip: _ip, ...entry } of entries.toReversed()) log.info(entry, 'audit');
    const link = await createFirstOwnerLink({ store, moment, random }, demo.merchant.id);
    return { testKey: demo.testKey, setUpLink: linkUrl(config.publicUrl, link) };
  }
  return { app: { ...app, close: (options) => app.close(options).finally(clock.stop) }, demoMerchant };
}

export function closeAndRethrow(opened: { close(): Promise<unknown> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await opened.close();
    throw error;
  };
}

function clockWarning({ database }: Config, { log }: Logging) {
  const reference =
    database.engine === 'postgres'
      ? "the database server's, which Paydesk follows: run an NTP client on both machines"
      : "Paydesk's: it was set back. Paydesk's clock runs slightly slower until they agree";
  return (systemAheadMs: number, isTooMuch: boolean): void => {
    if (!isTooMuch) log.info("this system's clock agrees with Paydesk's again");
    else {
      const seconds = Math.round(Math.abs(systemAheadMs) / 1000);
      log.warn(`this system's clock is ${seconds} s ${systemAheadMs > 0 ? 'ahead of' : 'behind'} ${reference}`);
    }
  };
}
