// paydesk start --workers: the supervisor, and each of its workers.

import type { Config } from '../config.ts';
import type { Logging } from '../log.ts';
import { sharedRateLimiter } from '../workers/shared-rate-limit.ts';
import { startSupervisor } from '../workers/supervisor.ts';
import type { SupervisorLink } from '../workers/supervisor-link.ts';
import type { EnvFile } from './env-file.ts';
import { closeAndRethrow, openService } from './open-service.ts';
import { onSignals } from './signals.ts';
import { type Announcement, announce } from './start-text.ts';
import { crashOnUnhandledErrors, stoppingOf } from './stopping.ts';

export interface SuperviseOptions extends Announcement {
  readonly workers: number;
  readonly envFile: EnvFile | null;
}

/** Resolves to the exit code. */
export async function supervise({ workers, envFile, ...to }: SuperviseOptions): Promise<number> {
  const { config, logging } = to;
  const { log, finish } = logging;
  // Workers read the file again, so that a rolling restart applies its changes.
  for (const name of envFile?.applied ?? []) delete process.env[name];
  // Clients would not find the service at another address.
  Object.assign(process.env, { HOST: config.host, PORT: String(config.port) });
  const steadyClock = { now: () => performance.now() };
  const supervisor = startSupervisor({ workers, metrics: config.metrics, logging, steadyClock });
  crashOnUnhandledErrors(logging);
  const stopped = Promise.withResolvers<number>();
  onSignals({
    stop(signal) {
      log.info({ signal }, 'stopping all workers');
      supervisor.stop().then((code) => {
        log.info('all workers have stopped');
        stopped.resolve(code);
      });
    },
    hurry: () => supervisor.hurry(),
    reload: () => supervisor.restart(),
  });
  const started = await supervisor.started.catch(closeAndRethrow({ close: () => supervisor.stop() }));
  if (started !== null && 'address' in started) {
    const { address, metricsAddress: metrics, firstStart } = started;
    announce({ ...to, firstStart, metrics, fields: { address, workers } });
  }
  const code = started !== null && 'exitCode' in started ? started.exitCode : await stopped.promise;
  finish();
  return code;
}

/** Resolves to the exit code. */
export async function serveAsWorker(link: SupervisorLink, config: Config, logging: Logging): Promise<number> {
  crashOnUnhandledErrors(logging);
  const { app, demoMerchant } = await openService({
    // The supervisor serves the metrics of all workers.
    config: { ...config, metrics: null },
    logging,
    isOneOfMany: link.worker > 1,
    rateLimiterOf: (limit) => sharedRateLimiter(limit, link.takeTokens),
  });
  const report = () => app.metrics.getMetricsAsJSON();
  const { stop, hurry, stopped } = stoppingOf(app, logging);
  logging.log.info({ pid: process.pid, address: app.address }, 'ready');
  logging.flush();
  link.ready(app.address, {
    answers: { alive: async () => true, metrics: report, readiness: app.ready, demoMerchant },
    stop: (reason, hasSuccessor) => stop({ reason }, hasSuccessor),
    hurry: () => hurry({}),
  });
  const code = await stopped;
  await link.sendLastMetrics(await report());
  return code;
}
