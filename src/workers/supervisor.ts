// Runs several workers on one port. Each runs the whole service on the same database, and none is the leader. The
// supervisor passes connections to them in turn, replaces those that die, collects their logs and metrics, and counts
// rate limits for all.

import { Gauge, Registry } from 'prom-client';
import type { Clock } from '../domain/moment.ts';
import type { Readiness } from '../http/health.ts';
import { listenForMetrics, metricsServer } from '../http/metrics-server.ts';
import type { Logging } from '../log.ts';
import { workerDeaths } from '../metrics.ts';
import { gatheredMetrics } from './gathered-metrics.ts';
import { type HeartbeatLimits, hangs } from './heartbeat.ts';
import type { FirstStart } from './messages.ts';
import { deathsInARow, pauseAfter } from './pauses.ts';
import { relayLines } from './relay-lines.ts';
import { sharedBuckets } from './shared-buckets.ts';
import { type Ended, prepareWorkers, startWorker, type WorkerProcess } from './worker-process.ts';

export interface SupervisorOptions {
  readonly workers: number;
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly logging: Logging;
  readonly steadyClock: Clock;
  /** Tests shorten them. */
  readonly limits?: SupervisorLimits;
}

export interface SupervisorLimits {
  /** Until a worker is ready. The first one has no limit, because it may have to migrate the database. */
  readonly startMs: number;
  readonly stopMs: number;
  readonly heartbeat: HeartbeatLimits;
}

export interface Supervisor {
  /** Resolves when the workers serve; to null if they were told to stop before that. */
  readonly started: Promise<Started | CouldNotStart | null>;
  /** Replaces each worker with a new one, without a failed request. While workers start, that follows later. */
  restart(): void;
  /** Resolves to the exit code when all workers have stopped. */
  stop(): Promise<number>;
  /** Ends the grace period of a stop. */
  hurry(): void;
}

export interface Started {
  readonly address: string;
  /** Null if metrics are off, or their address was in use. */
  readonly metricsAddress: string | null;
  /** Null on any start but the first. */
  readonly firstStart: FirstStart | null;
}

export interface CouldNotStart {
  readonly exitCode: number;
}

/** A slot for one of the configured number of workers. */
interface Place {
  worker: WorkerProcess | null;
  /** Consecutive deaths, each soon after the start. */
  deaths: number;
  /** The timer of the next start after a death. */
  pause: NodeJS.Timeout | null;
  /** A rolling restart is replacing the worker. */
  isRestarting: boolean;
}

const defaultLimits: SupervisorLimits = {
  // Many workers that start at once share the cores.
  startMs: 120_000,
  // Workers limit their own shutdown to 13 s, and all processes must be gone after 15 s.
  stopMs: 14_000,
  heartbeat: { everyMs: 10_000, unanswered: 3 },
};

export function startSupervisor(options: SupervisorOptions): Supervisor {
  const { logging, steadyClock, limits = defaultLimits } = options;
  const { log } = logging;
  const own = new Registry();
  new Gauge({ name: 'paydesk_processes', help: 'Processes that serve.', registers: [own] }).set(0);
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    aggregator: 'first',
    registers: [own],
  }).set(Math.round(performance.timeOrigin / 1000));
  const deaths = workerDeaths(own);
  const metrics = gatheredMetrics(own);
  const take = sharedBuckets(steadyClock, options.workers);
  /** Including those that are starting or stopping. */
  const running = new Set<WorkerProcess>();
  const relays = new Set<Promise<void>>();
  const places = Array.from({ length: options.workers }, newPlace);
  let stopping: Promise<number> | null = null;
  /** Workers are being started or replaced. */
  let isBusy = true;
  let restartAgain = false;
  let firstStart: Promise<FirstStart | null> = Promise.resolve(null);

  function kill({ number, pid, kill }: WorkerProcess, reason: string): void {
    log.error({ worker: number, pid }, `a worker ${reason}, and was killed`);
    kill();
  }

  /** Does something if the worker has not come this far within the time. */
  function within(limitMs: number, event: Promise<unknown>, otherwise: () => void): void {
    const limit = setTimeout(otherwise, limitMs);
    void event.then(() => clearTimeout(limit));
  }

  function start(place: Place): WorkerProcess {
    const worker = startFirst(place);
    within(limits.startMs, worker.ready, () => kill(worker, `was not ready after ${limits.startMs / 1000} s`));
    return worker;
  }

  function startFirst(place: Place): WorkerProcess {
    const worker = startWorker({
      take,
      lastMetrics: ({ number }, report) => metrics.report(number, report),
      failed: ({ number }, problem) => log.error({ worker: number, problem }, 'a worker could not answer'),
    });
    const { number, pid } = worker;
    running.add(worker);
    log.info({ worker: number, pid }, 'starting a worker');
    const relay = relayLines(worker.output, logging.others).then((cutOff) => {
      if (cutOff > 0)
        log.warn({ worker: number, bytes: cutOff }, 'the last log line of a worker was incomplete, and left out');
      relays.delete(relay);
    });
    relays.add(relay);
    void worker.ended.then((how) => {
      running.delete(worker);
      metrics.ended(number);
      ended(place, worker, how);
    });
    void hangs(worker, limits.heartbeat).then((isHanging) => {
      if (isHanging) kill(worker, 'hung');
    });
    return worker;
  }

  function ended(place: Place, worker: WorkerProcess, how: Ended): void {
    const { number, pid } = worker;
    const isExpected = stopping !== null || place.worker !== worker;
    if (isExpected && stoppedWell(worker, how)) log.info({ worker: number, pid }, 'a worker has stopped');
    else if (isExpected) {
      const what = worker.wasReady() ? 'a worker failed to stop' : 'a new worker could not start';
      log.error({ worker: number, pid, ...how }, what);
    }
    if (isExpected) return;
    place.worker = null;
    place.deaths = deathsInARow(place.deaths, performance.now() - worker.startedAt);
    deaths.inc();
    if (place.isRestarting) log.error({ worker: number, pid, ...how }, 'a worker died while it was being replaced');
    else replaceLater(place, worker, how);
  }

  function replaceLater(place: Place, { number, pid }: WorkerProcess, how: Ended): void {
    const pauseMs = pauseAfter(place.deaths);
    log.error(
      { worker: number, pid, ...how, pauseMs },
      `a worker died; another will replace it in ${pauseMs / 1000} s`,
    );
    place.pause = setTimeout(() => {
      place.pause = null;
      place.worker = start(place);
    }, pauseMs);
  }

  async function restartAll(): Promise<void> {
    log.info('rolling restart: each worker is replaced when a new one is ready');
    for (const place of places) {
      if (stopping !== null) return;
      if (!(await restartOne(place))) {
        if (stopping !== null) return;
        log.error('the rolling restart has ended early: a new worker could not start; the remaining ones keep serving');
        return;
      }
    }
    log.info('rolling restart: all workers were replaced');
  }

  /** Only one extra process at a time, because each has its own database connections. */
  async function restartOne(place: Place): Promise<boolean> {
    if (place.pause !== null) clearTimeout(place.pause);
    place.pause = null;
    place.isRestarting = true;
    const old = place.worker;
    const next = start(place);
    const isReady = (await next.ready) !== null;
    place.isRestarting = false;
    if (stopping !== null) return false;
    if (!isReady) {
      if (old !== null && place.worker === null) replaceLater(place, old, await old.ended);
      else if (old === null) replaceLater(place, next, await next.ended);
      return false;
    }
    place.worker = next;
    place.deaths = 0;
    if (old === null) return true;
    old.stop({ hasSuccessor: true });
    within(limits.stopMs, old.ended, () => kill(old, tooSlowToStop));
    await old.ended;
    return true;
  }

  function restart(): void {
    if (stopping !== null) return;
    if (isBusy) {
      restartAgain = true;
      log.info('a rolling restart will follow: workers are still being started or replaced');
      return;
    }
    isBusy = true;
    void restartAll().then(notBusy);
  }

  function notBusy(): void {
    isBusy = false;
    if (!restartAgain) return;
    restartAgain = false;
    restart();
  }

  async function stopAll(): Promise<number> {
    for (const { pause } of places) if (pause !== null) clearTimeout(pause);
    const limit = setTimeout(() => {
      for (const worker of running) kill(worker, tooSlowToStop);
    }, limits.stopMs);
    // The demo merchant's key is shown only once.
    await firstStart;
    const stopped = [...running].map(async (worker) => {
      worker.stop({ hasSuccessor: false });
      return stoppedWell(worker, await worker.ended);
    });
    const allWell = (await Promise.all(stopped)).every((well) => well);
    clearTimeout(limit);
    await lastLines();
    await Promise.allSettled([started]);
    await server.close();
    return allWell ? 0 : 1;
  }

  /** Resolves when the logs of workers that have ended are relayed; after a moment if nobody reads them. */
  async function lastLines(): Promise<void> {
    const tooLong = Promise.withResolvers<void>();
    const limit = setTimeout(tooLong.resolve, lastLinesMs);
    await Promise.race([Promise.all(relays), tooLong.promise]);
    clearTimeout(limit);
  }

  /** A worker that never served has nothing to finish: a signal to all processes may have ended it. */
  const stoppedWell = (worker: WorkerProcess, { code }: Ended): boolean =>
    code === 0 || (stopping !== null && !worker.wasReady());

  async function gather(): Promise<string> {
    const answered = new Set<number>();
    await Promise.all(
      [...running].map(async (worker) => {
        const report = worker.isReady() ? await worker.ask('metrics') : null;
        if (report === null || !running.has(worker)) return;
        metrics.report(worker.number, report);
        answered.add(worker.number);
      }),
    );
    return metrics.text(answered);
  }

  /** Ready if any worker is: connections go to the running ones. */
  async function readiness(): Promise<Readiness> {
    if (stopping !== null) return { status: 'stopping' };
    const all = await Promise.all(places.map(({ worker }) => (worker?.isReady() ? worker.ask('readiness') : null)));
    const answers = all.filter((answer) => answer !== null);
    return (
      answers.find(({ status }) => status === 'ready') ??
      answers[0] ?? { status: 'not_ready', problem: 'no worker is running' }
    );
  }

  const server = metricsServer({ metrics: gather, contentType: metrics.contentType }, readiness);
  async function startAll(): Promise<Started | CouldNotStart | null> {
    prepareWorkers();
    const [firstPlace = newPlace(), ...otherPlaces] = places;
    // Started alone: it may have to migrate the database, or find that nothing can start.
    const first = startFirst(firstPlace);
    const address = await first.ready;
    if (stopping !== null) return null;
    if (address === null) {
      const { code } = await first.ended;
      await lastLines();
      return { exitCode: code === 0 || code === null ? 1 : code };
    }
    firstPlace.worker = first;
    for (const place of otherPlaces) place.worker = start(place);
    await Promise.all(places.map(({ worker }) => worker?.ready));
    if (stopping !== null) return null;
    const metricsAddress = await listenForMetrics(server, options.metrics, log);
    // Without a time limit: the key is shown only once.
    if (stopping !== null) return null;
    firstStart = first.ask('demoMerchant', { limitMs: Number.POSITIVE_INFINITY });
    return { address, metricsAddress, firstStart: await firstStart };
  }

  const started = startAll();
  started.then(
    (outcome) => {
      if (outcome !== null && 'address' in outcome) notBusy();
    },
    // Reported by whoever waits for it.
    () => {},
  );
  return {
    started,
    restart,
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
    hurry() {
      for (const worker of running) worker.hurry();
    },
  };
}

const lastLinesMs = 400;

const tooSlowToStop = 'did not stop in time';

const newPlace = (): Place => ({ worker: null, deaths: 0, pause: null, isRestarting: false });
