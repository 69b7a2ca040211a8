// Builds Paydesk: the only place where the parts are created and connected. Closes them in reverse order.

import { setTimeout as pause } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { acquirerWatch } from './acquirer-watch.ts';
import { accountSetup } from './acquirers/account-setup.ts';
import { acquirerAccounts } from './acquirers/accounts.ts';
import type { Decline } from './acquirers/acquirer.ts';
import type { Door } from './acquirers/door.ts';
import { createHttpDoor } from './acquirers/http-door.ts';
import { lastErrors } from './acquirers/last-errors.ts';
import { measured } from './acquirers/measured.ts';
import { providers as allProviders, type Providers } from './acquirers/providers.ts';
import { sandboxTables } from './acquirers/sandbox/books.ts';
import { sandbox } from './acquirers/sandbox/sandbox.ts';
import { withDeadline } from './acquirers/with-deadline.ts';
import { busyShareSinceLastCall } from './busy-share.ts';
import type { ServiceClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Random } from './domain/ids.ts';
import { type Clock, momentAt } from './domain/moment.ts';
import { type PasswordCost, recommended } from './domain/password-hash.ts';
import type { SecretBox } from './domain/secret-box.ts';
import { type AddressPolicy, isLoopbackUrl } from './domain/webhook-address.ts';
import { acquirerNotificationRoutes } from './http/acquirer-notifications.ts';
import { allApiRoutes, apiRoutesOn } from './http/api/api-routes.ts';
import { clientSessionRoute } from './http/api/client-session-schema.ts';
import { authenticator } from './http/authenticate.ts';
import { customerRoutes } from './http/checkout/customer-routes.ts';
import { formCheck } from './http/checkout/form-origin.ts';
import { linkStartsPerMinute } from './http/checkout/link-starts.ts';
import { pageOpenings } from './http/checkout/page-openings.ts';
import { clientRoutes } from './http/client-routes.ts';
import { currentRequestId, withRequestId } from './http/current-request.ts';
import { auditedCommits } from './http/dashboard/audited-commits.ts';
import { dashboard } from './http/dashboard/dashboard.ts';
import { liveUpdates } from './http/dashboard/live-updates.ts';
import { documentationRoutes, noDocumentationRoutes } from './http/documentation/documentation-routes.ts';
import { eventStreams } from './http/event-streams.ts';
import { healthRoutes, type Readiness, readiness } from './http/health.ts';
import { iconRoutes } from './http/icons.ts';
import { idempotency } from './http/idempotency.ts';
import type { Listening } from './http/listening.ts';
import { loggedAddress, loggedEntry } from './http/logged-address.ts';
import { listenForMetrics, metricsServer } from './http/metrics-server.ts';
import { openApiDocument } from './http/openapi.ts';
import { proxyWatch } from './http/proxy-watch.ts';
import { memoryRateLimiter, type RateLimit, type RateLimiter, rateLimitOf } from './http/rate-limit.ts';
import { requestLog } from './http/request-log.ts';
import { resendGate, resendsPerMinute } from './http/resend-gate.ts';
import { apiRoutes, notFoundHandler } from './http/serve-api.ts';
import { createServer, type ServerLimits } from './http/server.ts';
import { sharedOverRedis } from './http/shared-rate-limit.ts';
import { writeProbe } from './http/write-probe.ts';
import { acquirerJobs, failedWork } from './jobs/acquirer-jobs.ts';
import { endImpossibleWaits, endImpossibleWaitsEveryMs } from './jobs/end-impossible-waits.ts';
import { expireLinks, expireLinksEveryMs } from './jobs/expire-links.ts';
import { prune, pruneEveryMs } from './jobs/prune.ts';
import { paymentPruning, prunePaymentsEveryMs } from './jobs/prune-payments.ts';
import { recordNotes } from './jobs/record-notes.ts';
import { rollUpEveryMs, rollUpWork } from './jobs/roll-up.ts';
import { runJobs } from './jobs/run-job.ts';
import { sandboxNotices } from './jobs/sandbox-notices.ts';
import type { Logging } from './log.ts';
import { createMetrics } from './metrics.ts';
import type { Store } from './storage/store.ts';
import { isTestPayment } from './usecases/is-test-payment.ts';
import { reconcileOperation } from './usecases/reconcile-operation.ts';
import { signInReports } from './usecases/report-sign-ins.ts';
import { version } from './version.ts';
import { leaseMs, pollEveryMs } from './webhooks/dispatcher.ts';
import { lookupAddresses } from './webhooks/outbound-lookup.ts';
import { startWebhooks } from './webhooks/start-webhooks.ts';

export interface AppParts {
  readonly config: Config;
  /** Open, migrated, and used by this app only; the app closes it. */
  readonly store: Store;
  readonly secretBox: SecretBox;
  readonly logging: Logging;
  /** Webhooks are signed with its wall time, if it has one. */
  readonly clock: Clock | ServiceClock;
  /** For durations: never steps back. */
  readonly steadyClock?: Clock;
  readonly random: Random;
  /** Of new hashes, and of guesses for users that do not exist; tests lower it. */
  readonly passwordCost?: PasswordCost;
  /** Counts requests for as long as there is no Redis; by default in the memory of this process. */
  readonly rateLimiterOf?: (limit: RateLimit) => RateLimiter;
  /** The providers that accounts can be made for; tests add their own. */
  readonly providers?: Providers;
  /** Opens the connections of an account to its provider. */
  readonly openDoor?: () => Door;
  /** The longest pause between two runs of a job that runs at least every ten seconds; tests shorten it. */
  readonly longestPauseMs?: number;
  /** Connection limits; tests shorten the timeouts. */
  readonly limits?: Partial<ServerLimits>;
}

export interface App {
  /** The address that it listens on. */
  readonly address: string;
  /** Null if metrics are off, or their address was in use. */
  readonly metricsAddress: string | null;
  /**
   * Keeps serving for the grace period, finishes requests in flight, then releases all resources. With a successor,
   * which accepts connections on the same port already, it accepts none from the start.
   */
  close(options?: { readonly hasSuccessor: boolean }): Promise<void>;
  /** Ends the grace period now. */
  hurry(): void;
  /** Resolves when no job is working with an acquirer; tests let time pass then. */
  idle(): Promise<void>;
  readonly metrics: Registry;
  ready(): Promise<Readiness>;
}

const settleSandboxEveryMs = 250;
const disputeInSandboxEveryMs = 500;

export async function startApp({
  config,
  store: bareStore,
  secretBox,
  logging,
  clock,
  steadyClock = { now: () => performance.now() },
  random,
  passwordCost = recommended,
  rateLimiterOf = (limit) => memoryRateLimiter(limit, steadyClock),
  providers = allProviders,
  openDoor = () =>
    createHttpDoor({
      ...{ userAgent: `Paydesk/${version}`, timeoutMs: config.acquirerTimeoutMs },
      // A name server that hangs must not delay the names of other providers.
      resolve: lookupAddresses(),
    }),
  longestPauseMs = Number.POSITIVE_INFINITY,
  limits,
}: AppParts): Promise<App> {
  const { log, logRequest } = logging;
  const closing: (() => Promise<unknown>)[] = [() => bareStore.close()];
  const metrics = createMetrics();
  const probe = writeProbe(bareStore);
  const showAddress = loggedAddress(config.logAddresses, secretBox);
  const moment = () => momentAt(clock.now(), random);
  const audit = auditedCommits(moment);
  const store: Store = {
    ...bareStore,
    async commit(wanted) {
      let changes = wanted;
      const outcome = await audit
        .commit(wanted, (complete) => {
          changes = complete;
          return bareStore.commit(complete);
        })
        .catch((error: unknown) => {
          probe.failed(error);
          throw error;
        });
      metrics.countCommit(outcome.committed ? 'committed' : outcome.conflict);
      if (!outcome.committed) return outcome;
      if (changes.operations !== undefined) metrics.countOutcomes(changes, clock.now());
      for (const entry of changes.auditEntries ?? []) log.info(loggedEntry(entry, showAddress), 'audit');
      if (changes.deliveries !== undefined) webhooks.wake(changes.deliveries.map(({ endpointId }) => endpointId));
      if (changes.mailMessages?.some(({ version }) => version === 0) === true) mail?.wake();
      const [event] = changes.events ?? [];
      if (event !== undefined) streams.wake(event);
      updates.committed(changes);
      rollUps.committed(changes);
      return outcome;
    },
  };
  const rollUps = rollUpWork({
    ...{ store, now: () => clock.now(), steadyNow: () => steadyClock.now(), pause },
    busyShare: busyShareSinceLastCall(),
  });
  const addressPolicy = webhookPolicy(config);
  const schedule = { delaysMs: config.webhooks.retryDelaysSeconds.map((seconds) => seconds * 1000) };
  const webhooks = startWebhooks({
    ...{ store, clock, random, secretBox, log, metrics, schedule },
    wallClock: 'wall' in clock ? clock.wall : clock,
    policy: addressPolicy,
    userAgent: `Paydesk/${version}`,
  });
  const mail = await startedMail();
  const streams = eventStreams({
    store,
    now: () => clock.now(),
    onError: (err) => log.warn({ err }, 'an event stream ended early; its reader will reconnect'),
  });
  const updates = liveUpdates({
    store,
    now: () => clock.now(),
    onError: (err) => log.warn({ err }, 'changes could not be read for open pages of the dashboard'),
  });
  bareStore.onCommittedElsewhere((committed) => {
    webhooks.wake(committed.endpointIds);
    for (const scope of committed.scopes) streams.wake(scope);
    updates.committedElsewhere(committed);
  });
  metrics.watchEventStreams(streams.count);
  metrics.watchClock(() => ('systemAheadMs' in clock ? clock.systemAheadMs() / 1000 : 0));
  async function limiterOf(limit: RateLimit): Promise<RateLimiter> {
    const { limiter, close } = await sharedOverRedis(rateLimiterOf(limit), config.redisUrl, log);
    closing.unshift(close);
    return limiter;
  }
  const requests = config.rateLimit === 0 ? null : await limiterOf(rateLimitOf(config.rateLimit));
  const resends = await limiterOf(resendsPerMinute(config.webhooks.resendsPerMinute));
  const linkStarts = await limiterOf(linkStartsPerMinute(config.linkStartsPerMinute));

  const sandboxAcquirer = sandbox({ books: store.recordsOf(sandboxTables), clock, publicUrl: config.publicUrl });
  const deadlineMs = config.acquirerTimeoutMs;
  const watch = acquirerWatch({ log, metrics, slowSeconds: deadlineMs / 2_000, requestId: currentRequestId });
  const errors = lastErrors({ store, now: () => clock.now(), onCall: watch.onCall });
  const connecting = { providers, openDoor, apiUrls: config.acquirerApiUrls, now: () => clock.now() };
  const accounts = acquirerAccounts({
    ...{ ...connecting, store, secretBox, publicUrl: config.publicUrl },
    guard: { steadyClock, deadlineMs, ...watch, onCall: errors.onCall },
    // Part of this service: it has no health of its own, and what one merchant tests does not affect another.
    sandbox: measured(withDeadline(sandboxAcquirer, deadlineMs), steadyClock, (call) =>
      metrics.observeAcquirerCall('sandbox', call),
    ),
    cardScriptUrl: config.stripeJsUrl,
    onUnusable: (account, err) =>
      log.error({ account, err }, 'an acquirer account cannot be used; its operations wait. Run paydesk doctor'),
  });
  closing.unshift(() => accounts.close());
  metrics.watchAccounts(accounts.down);
  metrics.watchUnfinished(() => store.unfinished(clock.now()), clock.now);
  const acquirer = {
    ...{ store, moment, pause, declineLimits: config.declineLimits },
    acquirers: accounts,
    sendsMail: config.mail !== null,
    onUnsettled: (operation: string, err: unknown): void =>
      log.error({ operation, err }, 'an operation could not be settled; it will be reconciled'),
    onDeclined: (operation: string, { code, providerCode }: Decline): void =>
      log.info({ operation, code, provider_code: providerCode }, 'an operation was declined by the acquirer'),
    onKnown: (provider: string, afterMs: number): void => metrics.observeKnown(provider, afterMs / 1000),
  };
  const linkExpiryFailed = (link: string, err: unknown): void =>
    log.error({ link, err }, 'a payment link could not be expired; it will be retried');
  sandboxAcquirer.onNotification((operation) => {
    reconcileOperation(acquirer, operation, { scheduled: false }).catch((err: unknown) =>
      log.error({ operation, err }, failedWork.reconcile.message),
    );
  });

  const openings = pageOpenings(store);
  const auth = authenticator(store, clock, steadyClock);
  const notes = recordNotes({
    recordKeyUse: { record: auth.recordUses, everyMs: 5_000 },
    recordOpenings: { record: openings.record, everyMs: 1_000 },
    recordAccountErrors: { record: errors.record, everyMs: 1_000 },
  });
  const acquiring = acquirerJobs({
    ...acquirer,
    ...{ acquirers: accounts.forJobs, connected: accounts.forJobs.connected, probe: accounts.probe },
    sandbox: sandboxAcquirer,
    onFailed: (what, id, err) => log.error({ [failedWork[what].subject]: id, err }, failedWork[what].message),
    onExpired: (count) => metrics.countExpiredSessions(count),
  });
  const jobs = runJobs({ log, steadyClock }, longestPauseMs, {
    ...acquiring.jobs,
    expireLinks: [() => expireLinks({ store, moment, onFailed: linkExpiryFailed }), expireLinksEveryMs],
    endImpossibleWaits: [
      () => endImpossibleWaits({ store, moment, schedule, deliveryLeaseMs: leaseMs }),
      endImpossibleWaitsEveryMs,
    ],
    settleSandbox: [() => sandboxAcquirer.settleDue(), settleSandboxEveryMs],
    disputeInSandbox: [() => sandboxAcquirer.disputeDue(sandboxNotices({ store, moment })), disputeInSandboxEveryMs],
    prune: [() => prune({ ...{ store, clock, limits: config.declineLimits }, ...config }), pruneEveryMs],
    prunePayments: [paymentPruning({ store, clock, retention: config.retention }), prunePaymentsEveryMs],
    sendDueWebhooks: [() => webhooks.poll().then(() => false), pollEveryMs],
    ...notes.jobs,
    rollUp: [rollUps.run, rollUpEveryMs],
  });
  closing.unshift(async () => {
    // Calls in progress end with their deadline, and no further ones follow.
    accounts.stop();
    await Promise.all(jobs.map((job) => job.stop()));
    await acquiring.idle();
    await notes.recordLast((job, err) =>
      log.warn({ job, err }, 'job failed at shutdown; what it had to record is lost'),
    );
  });

  const endpointDeps = { store, moment, random, secretBox, addressPolicy };
  const resendDeps = {
    ...{ store, moment },
    maxWaiting: config.webhooks.maxWaiting,
    resends: resendGate(resends, () => metrics.countRateLimited()),
  };
  const publicUrl = config.publicUrl;
  const acquirerSetup = accountSetup({ ...connecting, secretBox, accounts, errors, publicUrl });
  const payments = { ...acquirer, secretBox, publicUrl };
  const apiDeps = { payments, endpointDeps, resendDeps, streams };
  const api = allApiRoutes(apiDeps);
  // Pages read what has changed as soon as they are told, when a replica may not have it yet.
  const mounted = apiRoutesOn({ ...store, replica: store }, apiDeps);
  const ofLog = { store: bareStore, clock, steadyClock, moment, log, metrics };
  const apiRequests = requestLog({ ...ofLog, days: config.requestLogDays });
  const serving = {
    authenticator: auth,
    rateLimiter: requests,
    onRateLimited: () => metrics.countRateLimited(),
    runOnce: idempotency({ store, clock, secretBox }),
    recorder: apiRequests.recorder,
  };
  const signIns = signInReports({
    ...{ store, moment, onOutcome: metrics.countSignIn },
    onError: (err) => log.error({ err }, 'a failed sign-in could not be recorded in the audit log'),
  });
  const isOwnForm = formCheck({ publicUrl: config.publicUrl, log, clock });
  const ready = readiness({ store, writeProbe: probe, isStopping: () => server.isStopping() && !hasSuccessor, log });
  const server: Listening = createServer({
    log,
    logRequest,
    metrics,
    clock,
    random,
    limits,
    trustedProxies: config.trustedProxies,
    loggedAddress: showAddress,
    watchClient: proxyWatch({
      ...{ log, steadyClock, publicUrl: config.publicUrl, loggedAddress: showAddress },
      onProblem: (problem) => metrics.countProxyProblem(problem),
    }),
    routes: [
      ...apiRoutes(api, serving),
      ...clientRoutes({ store, secretBox, admission: serving }),
      ...customerRoutes({
        ...{ ...payments, isOwnForm, openings, log, clock, steadyClock, metrics, linkStarts },
        ...{ sandbox: sandboxAcquirer, isTestPayment: (reference: string) => isTestPayment(store, reference) },
      }),
      ...acquirerNotificationRoutes({
        ...{ store, moment, log, connected: accounts.connected },
        wallClock: 'wall' in clock ? clock.wall : clock,
        onNotification: metrics.countNotification,
      }),
      ...iconRoutes(),
      ...dashboard({
        ...serving,
        ...{ store, clock, moment, random, secretBox, publicUrl, passwordCost, isOwnForm, audit },
        routeDeps: {
          ...{ api: mounted, payments, endpointDeps, acquirerSetup, updates, signIns },
          ...{ requestTails: apiRequests.tails, requestLogDays: config.requestLogDays },
        },
      }),
      ...healthRoutes(ready, version),
      ...(config.docs
        ? documentationRoutes(openApiDocument([...api, clientSessionRoute], { publicUrl: config.publicUrl, version }))
        : noDocumentationRoutes(version)),
    ].map(withRequestId),
    notFound: notFoundHandler(serving, config.docs),
  });
  let hasSuccessor = false;
  const closeMetrics: (() => Promise<unknown>)[] = [];
  closing.unshift(async () => {
    if (hasSuccessor) server.handOver();
    await server.grace(config.shutdownGraceMs);
    // Concurrently: deliveries committed by the last requests are sent by the next process.
    const streaming = [streams.close(), updates.close(), apiRequests.tails.close()];
    await Promise.all([server.close(), ...streaming, webhooks.stop(), mail?.stop()]);
    await Promise.all([apiRequests.close(), signIns.idle()]);
    await Promise.all(closeMetrics.map((closeStep) => closeStep()));
  });

  /** The library is loaded only where mail is sent. */
  async function startedMail() {
    if (config.mail === null) return null;
    const { startMail } = await import('./mail/start-mail.ts');
    return startMail({ ...{ store, clock, random, log, metrics }, config: config.mail, publicUrl: config.publicUrl });
  }

  async function close(options?: { readonly hasSuccessor: boolean }): Promise<void> {
    hasSuccessor = options?.hasSuccessor === true;
    for (const step of closing) await step();
  }

  try {
    const metricsListener = metricsServer(metrics.registry, ready);
    const metricsAddress = await listenForMetrics(metricsListener, config.metrics, log);
    closeMetrics.push(() => metricsListener.close());
    const address = await server.listen(config.host, config.port);
    const { hurry } = server;
    return { address, metricsAddress, close, hurry, idle: acquiring.idle, metrics: metrics.registry, ready };
  } catch (error) {
    await close();
    throw error;
  }
}

function webhookPolicy({ webhooks: { allowedNetworks, ports }, publicUrl }: Config): AddressPolicy {
  return { allowedNetworks, ports, loopbackInTestMode: isLoopbackUrl(publicUrl) };
}
