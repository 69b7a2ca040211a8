// Builds Paydesk: the only place where the parts are made and joined. Closes them in reverse.

import type { Server } from 'node:http';
import type { Config } from './config.ts';
import type { Random } from './domain/ids.ts';
import { type Clock, momentAt } from './domain/moment.ts';
import type { SecretBox } from './domain/secret-box.ts';
import { type AddressPolicy, isLoopbackUrl } from './domain/webhook-address.ts';
import { checkoutSessionRoutes } from './http/api/checkout-sessions.ts';
import { eventStreamRoutes } from './http/api/event-stream.ts';
import { eventRoutes } from './http/api/events.ts';
import { meRoutes } from './http/api/me.ts';
import { paymentIntentRoutes } from './http/api/payment-intents.ts';
import { refundRoutes } from './http/api/refunds.ts';
import type { ApiRoute } from './http/api/route.ts';
import { webhookActionRoutes } from './http/api/webhook-actions.ts';
import { webhookEndpointRoutes } from './http/api/webhook-endpoints.ts';
import { authenticator } from './http/authenticate.ts';
import { checkoutRoutes } from './http/checkout/checkout-routes.ts';
import { cspReportRoutes } from './http/checkout/csp-reports.ts';
import { sandboxRoutes } from './http/checkout/sandbox-routes.ts';
import { documentationRoutes } from './http/documentation/documentation-routes.ts';
import { eventStreams } from './http/event-streams.ts';
import { healthRoutes } from './http/health.ts';
import { idempotency } from './http/idempotency.ts';
import { openApiDocument } from './http/openapi.ts';
import { memoryRateLimiter, type RateLimiter, rateLimitOf } from './http/rate-limit.ts';
import { answerNotFound, apiRoutes } from './http/serve-api.ts';
import { closeServer, createServer, listen } from './http/server.ts';
import { expireSessions, expireSessionsEveryMs } from './jobs/expire-sessions.ts';
import { lapseAuthorizations, lapseAuthorizationsEveryMs } from './jobs/lapse-authorizations.ts';
import { prune, pruneEveryMs } from './jobs/prune.ts';
import { reconcileOperations, reconcileOperationsEveryMs } from './jobs/reconcile-operations.ts';
import { type Job, runJob } from './jobs/run-job.ts';
import type { Logger, Logging } from './log.ts';
import { createMetrics, metricsServer } from './metrics.ts';
import { sandbox } from './processors/sandbox/sandbox.ts';
import { withDeadline } from './processors/with-deadline.ts';
import type { Store } from './storage/store.ts';
import { reconcileOperation } from './usecases/reconcile-operation.ts';
import { version } from './version.ts';
import { lookEveryMs } from './webhooks/dispatcher.ts';
import { startWebhooks } from './webhooks/start-webhooks.ts';

export interface AppParts {
  readonly config: Config;
  /** Open, migrated, and for this app alone; the app closes it. */
  readonly store: Store;
  readonly secretBox: SecretBox;
  readonly logging: Logging;
  readonly clock: Clock;
  readonly random: Random;
}

export interface App {
  /** Where it listens. */
  readonly address: string;
  /** Null when metrics are off, or their address was taken. */
  readonly metricsAddress: string | null;
  /** Finishes what is in flight, then lets go of everything. */
  close(): Promise<void>;
}

const recordKeyUseEveryMs = 5_000;
const settleSandboxEveryMs = 250;

export async function startApp({
  config,
  store: bareStore,
  secretBox,
  logging,
  clock,
  random,
}: AppParts): Promise<App> {
  const { log, logRequest } = logging;
  const closing: (() => Promise<unknown>)[] = [() => bareStore.close()];
  const metrics = createMetrics();
  const store: Store = {
    ...bareStore,
    async commit(changes) {
      const outcome = await bareStore.commit(changes);
      metrics.countCommit(outcome.committed ? 'committed' : outcome.conflict);
      if (outcome.committed && changes.deliveries !== undefined) {
        webhooks.wake(changes.deliveries.map(({ endpointId }) => endpointId));
      }
      if (outcome.committed && changes.events !== undefined) streams.wake(changes.events);
      return outcome;
    },
  };
  const addressPolicy = webhookPolicy(config);
  const webhooks = startWebhooks({
    ...{ store, clock, random, secretBox, log, metrics },
    policy: addressPolicy,
    retryDelaysSeconds: config.webhooks.retryDelaysSeconds,
    userAgent: `Paydesk/${version}`,
  });
  const streams = eventStreams({
    ...{ store, clock },
    onError: (err) => log.warn({ err }, 'a stream of events ended early; its reader comes back'),
  });
  metrics.watchEventStreams(streams.count);
  const moment = () => momentAt(clock.now(), random);
  const { limiter, close: closeLimiter } = await rateLimiterFor(config, clock, log);
  closing.unshift(closeLimiter);

  const testBank = sandbox({ store, clock, publicUrl: config.publicUrl });
  const acquirer = { store, moment, processor: withDeadline(testBank, config.acquirerTimeoutMs) };
  const reconcileFailed = (operation: string, err: unknown): void =>
    log.error({ operation, err }, 'an operation could not be reconciled; it is tried again');
  acquirer.processor.onNotification((operation) => {
    reconcileOperation(acquirer, operation).catch((error: unknown) => reconcileFailed(operation, error));
  });

  const auth = authenticator(store, clock);
  async function recordKeyUse(): Promise<boolean> {
    const uses = auth.takeUses();
    if (uses.length > 0) await store.markKeysUsed(uses);
    return false;
  }
  const jobs = startJobs({
    expireSessions: [
      () => expireSessions({ store, moment, onExpired: (count) => metrics.countExpiredSessions(count) }),
      expireSessionsEveryMs,
    ],
    reconcileOperations: [
      () => reconcileOperations({ ...acquirer, onFailed: reconcileFailed }),
      reconcileOperationsEveryMs,
    ],
    lapseAuthorizations: [() => lapseAuthorizations({ store, moment }), lapseAuthorizationsEveryMs],
    settleSandbox: [() => testBank.settleDue(), settleSandboxEveryMs],
    prune: [() => prune(store, clock), pruneEveryMs],
    sendDueWebhooks: [() => webhooks.look().then(() => false), lookEveryMs],
    recordKeyUse: [recordKeyUse, recordKeyUseEveryMs],
  });
  closing.unshift(async () => {
    await Promise.all(jobs.map((job) => job.stop()));
    // When a key was last used is worth a try, not a failed stop.
    await recordKeyUse().catch((err: unknown) => log.warn({ err }, 'when keys were last used could not be recorded'));
  });

  const sessionDeps = { store, moment, secretBox, publicUrl: config.publicUrl, liveModeConfigured: false };
  const endpointDeps = { store, moment, random, secretBox, addressPolicy };
  const api: ApiRoute[] = [
    ...checkoutSessionRoutes(sessionDeps),
    ...paymentIntentRoutes(acquirer),
    ...refundRoutes(acquirer),
    ...webhookEndpointRoutes(endpointDeps),
    ...webhookActionRoutes(endpointDeps),
    ...eventRoutes({ store, moment }),
    ...eventStreamRoutes(streams),
    ...meRoutes(),
  ];
  const serving = {
    authenticator: auth,
    rateLimiter: limiter,
    onRateLimited: () => metrics.countRateLimited(),
    answerOnce: idempotency({ store, clock, secretBox }),
  };
  const server = createServer({
    log,
    logRequest,
    metrics,
    clock,
    random,
    trustedProxies: config.trustedProxies,
    routes: [
      ...apiRoutes(api, serving),
      ...checkoutRoutes({
        ...acquirer,
        secretBox,
        declineLimits: config.declineLimits,
        publicUrl: config.publicUrl,
      }),
      ...sandboxRoutes(testBank, config.publicUrl),
      ...cspReportRoutes({ log, clock, onReport: () => metrics.countCspReport() }),
      ...healthRoutes(store, version),
      ...documentationRoutes(openApiDocument(api, { publicUrl: config.publicUrl, version })),
    ],
    notFound: answerNotFound(serving),
  });
  // Together: what the last requests commit is sent by the next process.
  closing.unshift(() => Promise.all([closeServer(server), streams.close(), webhooks.stop()]));

  async function close(): Promise<void> {
    for (const step of closing) await step();
  }
  function startJobs(wanted: Record<string, [() => Promise<boolean>, number]>): Job[] {
    return Object.entries(wanted).map(([name, [run, everyMs]]) =>
      runJob({ run, everyMs, onError: (err) => log.error({ job: name, err }, 'job failed; it is tried again') }),
    );
  }

  try {
    const metricsOn = await listenForMetrics(metricsServer(metrics), config, log);
    if (metricsOn !== null) closing.unshift(metricsOn.close);
    const address = await listen(server, config.host, config.port);
    return { address, metricsAddress: metricsOn?.address ?? null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function webhookPolicy({ webhooks: { allowedNetworks, ports }, publicUrl }: Config): AddressPolicy {
  return { allowedNetworks, ports, loopbackInTestMode: isLoopbackUrl(publicUrl) };
}

async function rateLimiterFor(
  config: Config,
  clock: Clock,
  log: Logger,
): Promise<{ limiter: RateLimiter | null; close(): Promise<void> }> {
  const nothing = async () => {};
  if (config.rateLimit === 0) return { limiter: null, close: nothing };
  const limit = rateLimitOf(config.rateLimit);
  if (config.redisUrl === null) return { limiter: memoryRateLimiter(limit, clock), close: nothing };
  const { redisRateLimiter } = await import('./http/redis-rate-limit.ts');
  const limiter = redisRateLimiter({
    url: config.redisUrl,
    limit,
    clock,
    onShared(shared, err) {
      if (shared) log.info('Redis answers again: rate limits are shared between processes');
      else log.error({ err }, 'Redis does not answer: rate limits are counted by this process alone until it does');
    },
  });
  return { limiter, close: () => limiter.close() };
}

/** Metrics must not keep payments from being taken: a taken address is reported, and the service runs without. */
async function listenForMetrics(server: Server, { metrics }: Config, log: Logger) {
  if (metrics === null) return null;
  try {
    const address = await listen(server, metrics.host, metrics.port);
    const close = async () => {
      server.closeAllConnections();
      server.close();
    };
    return { address, close };
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw err;
    log.error(
      `metrics are off: ${metrics.host}:${metrics.port} is taken. Set PAYDESK_METRICS_ADDRESS to a free address.`,
    );
    return null;
  }
}
