// paydesk start

import { type App, startApp } from '../app.ts';
import { startServiceClock } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import type { Random } from '../domain/ids.ts';
import { type Clock, momentAt } from '../domain/moment.ts';
import { pooledRandom } from '../entropy.ts';
import { createLogging, type Logger, type Logging } from '../log.ts';
import { openSecretKey } from '../secret-key.ts';
import { openStore } from '../storage/open-store.ts';
import type { Store } from '../storage/store.ts';
import { createMerchant, type NewMerchant } from '../usecases/create-merchant.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { type EnvFile, envFileName } from './env-file.ts';
import { commandActor } from './open.ts';
import { announce } from './start-text.ts';
import { settingNames, unknownSettings } from './unknown-settings.ts';

/** Requests still in flight by then are aborted: the process must be gone after 15 s. */
const shutdownMs = 13_000;

export const start: Command = {
  name: 'start',
  summary: 'run the service',
  usage: '',
  help: `
Runs the service until it gets SIGTERM or SIGINT. The first start on an empty database creates a demo merchant and
prints its test key. Settings come from the environment, and from the file .env in the working directory:

  PORT, HOST               the port and address to listen on (4020, 127.0.0.1)
  DATABASE_URL             sqlite:data/paydesk.db, or postgres://user:password@host/database
  REDIS_URL                shares rate limits between processes
  PAYDESK_PUBLIC_URL       the URL at which customers reach the service, without a path
  PAYDESK_SECRET_KEY       32 bytes in base64; by default stored in a file next to the data
  PAYDESK_METRICS_ADDRESS  Prometheus metrics (127.0.0.1:4021), or off
  PAYDESK_TRUSTED_PROXIES  networks whose X-Forwarded-For, Forwarded and X-Forwarded-Proto are trusted
  PAYDESK_ALLOW_HTTP       true: allow http for a public URL other than localhost
  PAYDESK_DOCS             API reference and guides at /docs: on, or off (on)
  PAYDESK_SHUTDOWN_GRACE   seconds to keep serving after SIGTERM or SIGINT, 0 to 10 (5); a second
                           signal ends the grace period
  PAYDESK_ACQUIRER_TIMEOUT seconds to wait for a response of the acquirer (4)
  PAYDESK_DECLINES_PER_SESSION, _PER_ADDRESS, _PER_CARD
                           declines after which attempts are refused (10, 100, 50): in a session,
                           from an address at one merchant, of a card at any merchant
  PAYDESK_DECLINE_WINDOW   seconds for which a decline counts (3600)
  PAYDESK_DELIVERY_RETENTION, PAYDESK_EVENT_RETENTION, PAYDESK_AUDIT_RETENTION
                           days for which finished deliveries, events and audit entries are kept
                           (30, 365, 0); 0: forever
  PAYDESK_WEBHOOK_ALLOWED_NETWORKS
                           networks that webhooks may be sent to although they are not public
  PAYDESK_WEBHOOK_PORTS    ports that webhooks may be sent to, or all (80, 443 and most above 1023)
  PAYDESK_WEBHOOK_RETRY_DELAYS
                           seconds before each retry of a webhook (60,300,1800)
  PAYDESK_WEBHOOK_RESENDS_PER_MINUTE
                           resend requests, for each merchant and mode (60)
  PAYDESK_WEBHOOK_MAX_WAITING
                           waiting deliveries of a merchant beyond which nothing is resent (10000)
  PAYDESK_RATE_LIMIT       requests per second for each API key (100); 0: no limit
  PAYDESK_LOG_ADDRESSES    how client addresses appear in the log: full, masked, hashed or off (full)
  LOG_LEVEL                fatal, error, warn, info, debug, trace or silent`,
  options: {},
  async run(_args, output, envFile) {
    const config = readConfig(process.env, { serving: true });
    const onTerminal = process.stdout.isTTY === true;
    const logging = createLogging(config.logLevel, { fd: 1, isTTY: onTerminal });
    const { log } = logging;
    logSettings(log, envFile);
    const random = pooledRandom();
    const onNotice = (message: string): void => log.warn(message);
    const store = await openStore(config.database, {
      serving: true,
      onNotice,
      onConnectionLost: (err) => log.warn({ err }, 'lost a connection to PostgreSQL; it will be replaced'),
    });
    const key = await openSecretKey(config, store, random, onNotice).catch(closeAndRethrow(store));
    if (key.file !== null && config.database.engine === 'postgres') {
      log.warn(`PAYDESK_SECRET_KEY is not set: the key in ${key.file} is used. Set it if several processes run.`);
    }
    const clock = await startServiceClock({
      reference: () => store.time(),
      onDifference: clockWarning(config, logging),
    }).catch(closeAndRethrow(store));
    const app = await startApp({ config, store, secretBox: key.box, logging, clock, random });
    // Created only now that nothing, such as a port in use, can prevent its key from being shown.
    const demo = await firstMerchant(store, clock, random).catch(closeAndRethrow(app));
    if (demo !== null) {
      const entries = await store.list('auditEntries', { limit: 10, where: { merchantId: demo.merchant.id } });
      for (const entry of entries.toReversed()) log.info(entry, 'audit');
    }
    const fields = { version, address: app.address, metrics: app.metricsAddress, database: config.database.engine };
    log.info(fields, 'ready');
    announce({ config, fields, testKey: demo?.testKey ?? null, onTerminal, output, logging });
    return untilStopped({ ...app, close: () => app.close().finally(clock.stop) }, logging);
  },
};

function logSettings(log: Logger, envFile: EnvFile | null): void {
  if (envFile !== null) {
    const known = settingNames();
    const settings = envFile.applied.filter((name) => known.includes(name));
    log.info({ settings }, `settings were read from ${envFileName}`);
  }
  for (const problem of unknownSettings(process.env)) log.warn(problem);
}

function closeAndRethrow(opened: { close(): Promise<void> }): (error: unknown) => Promise<never> {
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

/** Null if there is already a merchant. */
async function firstMerchant(store: Store, clock: Clock, random: Random): Promise<NewMerchant | null> {
  if ((await store.list('merchants', { limit: 1 })).length > 0) return null;
  const moment = () => momentAt(clock.now(), random);
  return createMerchant({ store, moment, random, actor: commandActor() }, 'Demo shop', 'demo_merchant');
}

/** Resolves with the exit code after a signal, when everything is closed. */
function untilStopped({ close, hurry }: App, { log, flush }: Logging): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let stopping = false;
  const exit = (code: number): void => {
    flush();
    resolve(code);
  };
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) {
      log.info({ signal }, 'stopping without further grace');
      hurry();
      return;
    }
    stopping = true;
    log.info({ signal }, 'stopping: finishing the requests in flight');
    setTimeout(() => {
      log.warn('requests in flight did not finish in time and were aborted');
      flush();
      process.exit(0);
    }, shutdownMs).unref();
    close().then(
      () => {
        log.info('stopped');
        exit(0);
      },
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const crash = (err: unknown): void => {
    log.fatal({ err }, 'unhandled error: the process exits; everything committed is safe');
    flush();
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return promise;
}
