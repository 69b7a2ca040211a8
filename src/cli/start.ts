// paydesk start. The service itself is loaded only when it starts: other commands need a fraction of its modules.

import { maxWorkers, readConfig } from '../config.ts';
import { createLogging, type Logger, type Logging } from '../log.ts';
import { supervisorLink } from '../workers/supervisor-link.ts';
import { buildDashboardOnce } from './build-dashboard.ts';
import { type Command, wholeNumber } from './command.ts';
import { type EnvFile, envFileName } from './env-file.ts';
import { onSignals } from './signals.ts';
import { announce } from './start-text.ts';
import { crashOnUnhandledErrors, stoppingOf } from './stopping.ts';
import { settingNames, unknownSettings } from './unknown-settings.ts';

export const start: Command = {
  name: 'start',
  summary: 'run the service',
  usage: '[--workers N]',
  help: `
Runs the service until it gets SIGTERM or SIGINT. The first start on an empty database creates a demo merchant and
prints its test key, and a link to create its owner for the dashboard.

  --workers N              serve with N processes that share the port, on PostgreSQL; SIGHUP replaces them
                           one by one without a failed request. Takes precedence over PAYDESK_WORKERS

Settings come from the environment, and from the file .env in the working directory:

  PORT, HOST               the port and address to listen on (4020, 127.0.0.1)
  PAYDESK_WORKERS          processes that share the port, 1 to ${maxWorkers}; by default a single one
  DATABASE_URL             sqlite:data/paydesk.db, or postgres://user:password@host/database; several
                           PostgreSQL servers, of which one accepts writes: …@one:5432,two:5432/database
  PAYDESK_DATABASE_CONNECTIONS
                           connections to PostgreSQL for commits and jobs, 2 to 1000 (16)
  PAYDESK_REPLICA_URL      postgres://… of a replica, for lists that may be a second old
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
  PAYDESK_STRIPE_API_URL, PAYDESK_MOLLIE_API_URL, PAYDESK_STRIPE_JS_URL
                           other addresses of the providers: https, or loopback
  PAYDESK_DECLINES_PER_SESSION, _PER_ADDRESS, _PER_CARD
                           declines after which attempts are refused (10, 100, 50): in a session,
                           from an address at one merchant, of a card at any merchant
  PAYDESK_DECLINE_WINDOW   seconds for which a decline counts (3600)
  PAYDESK_DELIVERY_RETENTION, PAYDESK_EVENT_RETENTION, PAYDESK_AUDIT_RETENTION
                           days for which finished deliveries, events and audit entries are kept
                           (30, 0, 0); 0: forever
  PAYDESK_ABANDONED_RETENTION, PAYDESK_PAYMENT_RETENTION
                           days for which unpaid and all other payments are kept once they have
                           ended (0, 0); 0: forever
  PAYDESK_CUSTOMER_RETENTION
                           days after which e-mail, phone and addresses of customers are erased from
                           payments that have ended (0); 0: never
  PAYDESK_WEBHOOK_ALLOWED_NETWORKS
                           networks that webhooks may be sent to although they are not public
  PAYDESK_WEBHOOK_PORTS    ports that webhooks may be sent to, or all (80, 443 and most above 1023)
  PAYDESK_WEBHOOK_RETRY_DELAYS
                           seconds before each retry of a webhook (60,300,1800)
  PAYDESK_WEBHOOK_RESENDS_PER_MINUTE
                           resend requests, for each merchant and mode (60)
  PAYDESK_WEBHOOK_MAX_WAITING
                           waiting deliveries of a merchant beyond which nothing is resent (10000)
  SMTP_URL                 sends customers receipts: smtp://user:password@host:587, or smtps://…:465
  PAYDESK_MAIL_FROM        the sender's address; by default the user of SMTP_URL if that is an
                           address, else receipts@ and the host of PAYDESK_PUBLIC_URL
  PAYDESK_MAIL_CONNECTIONS, PAYDESK_MAIL_RATE_LIMIT
                           messages that a process sends at the same time (4), and per minute (0:
                           no limit)
  PAYDESK_MAIL_TIMEOUT     seconds for one attempt, 1 to 600 (60)
  PAYDESK_MAIL_RETRY_DELAYS
                           seconds before each retry, over two days by default
  PAYDESK_MAIL_RETENTION   days for which messages and their attempts are kept, at least 7 (30);
                           0: forever
  PAYDESK_RATE_LIMIT       requests per second for each API key (100); 0: no limit
  PAYDESK_LINK_STARTS_PER_MINUTE
                           checkouts that one address can start from a payment link (30)
  PAYDESK_REQUEST_LOG_DAYS days for which API requests are kept for the dashboard (7); 0: they are
                           not recorded
  PAYDESK_LOG_ADDRESSES    how client addresses appear in the log: full, masked, hashed or off (full)
  LOG_LEVEL                fatal, error, warn, info, debug, trace or silent`,
  options: { workers: { type: 'string' } },
  async run(args, output, envFile) {
    const range = { from: 1, to: maxWorkers, meaning: 'it is the number of processes that share the port' };
    const workers = wholeNumber(args, 'workers', range);
    const given = workers === undefined ? {} : { PAYDESK_WORKERS: String(workers) };
    const config = readConfig({ ...process.env, ...given }, { serving: true });
    const onTerminal = process.stdout.isTTY === true;
    // It reads the log.
    const link = supervisorLink({ now: () => performance.now() }, () => logging.abandon());
    const logging: Logging = createLogging(config.logLevel, { fd: 1, isTTY: onTerminal, worker: link?.worker });
    if (link !== null) {
      const { serveAsWorker } = await import('./start-workers.ts');
      return serveAsWorker(link, config, logging);
    }
    const { log, finish } = logging;
    const hasSupervisor = config.workers !== null && config.database.engine === 'postgres';
    const reload = (): void => log.warn(reloadIgnored);
    onSignals({
      // Nothing has been acknowledged yet, and a migration is one transaction.
      stop(signal) {
        log.info({ signal }, 'stopped before it was ready');
        finish();
        process.exit(0);
      },
      hurry() {},
      // Workers read the settings again.
      reload: hasSupervisor ? () => {} : reload,
    });
    logSettings(log, envFile);
    await buildDashboardOnce(log);
    const to = { config, onTerminal, output, logging };
    if (config.workers !== null && config.database.engine === 'postgres') {
      const { supervise } = await import('./start-workers.ts');
      return supervise({ ...to, envFile, workers: config.workers });
    }
    const { closeAndRethrow, openService } = await import('./open-service.ts');
    const { app, demoMerchant } = await openService({ config, logging });
    crashOnUnhandledErrors(logging);
    const { stop, hurry, stopped } = stoppingOf(app, logging);
    const announced = Promise.withResolvers<void>();
    onSignals({
      // Only then: the demo merchant's key is shown only once.
      stop: (signal) => announced.promise.then(() => stop({ signal })),
      hurry: (signal) => announced.promise.then(() => hurry({ signal })),
      reload,
    });
    // Created only now that nothing, such as a port in use, can prevent its key from being shown.
    const firstStart = await demoMerchant().catch((error: unknown) => {
      // There is no key to show: a signal may stop it at once.
      announced.resolve();
      return closeAndRethrow(app)(error);
    });
    announce({ ...to, firstStart, metrics: app.metricsAddress, fields: { address: app.address } });
    announced.resolve();
    return stopped;
  },
};

const reloadIgnored =
  'SIGHUP is ignored: without workers, nobody could take over. Restart the service, or run it with PAYDESK_WORKERS on PostgreSQL';

function logSettings(log: Logger, envFile: EnvFile | null): void {
  if (envFile !== null) {
    const known = settingNames();
    const settings = envFile.applied.filter((name) => known.includes(name));
    log.info({ settings }, `settings were read from ${envFileName}`);
  }
  for (const problem of unknownSettings(process.env)) log.warn(problem);
}
