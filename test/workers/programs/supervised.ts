// A supervisor with workers that do nothing but answer its questions. The argument lists the workers that hang, by number,
// and can shorten the limits.

import cluster from 'node:cluster';
import { createLogging } from '../../../src/log.ts';
import type { ToWorker } from '../../../src/workers/messages.ts';
import { type SupervisorLimits, startSupervisor } from '../../../src/workers/supervisor.ts';
import { supervisorLink } from '../../../src/workers/supervisor-link.ts';

export interface HangingWorkers {
  /** Their event loop is blocked from the moment that they are ready. */
  readonly whenReady?: readonly number[];
  /** They are never ready. */
  readonly whenStarting?: readonly number[];
  /** They ignore that they should stop. */
  readonly whenStopping?: readonly number[];
  /** All are of the version before, which does not know the question whether they are alive. */
  readonly beforeHeartbeats?: boolean;
  /** Instead of one. */
  readonly workers?: number;
  /** By default so long that even a busy machine does not reach them. */
  readonly limits?: Partial<SupervisorLimits>;
}

const hanging = JSON.parse(process.argv[2] ?? '{}') as HangingWorkers;
const { whenReady = [], whenStarting = [], whenStopping = [], beforeHeartbeats = false } = hanging;
const { workers = 1, limits = {} } = hanging;
const longLimits = { startMs: 60_000, stopMs: 60_000, heartbeat: { everyMs: 60_000, unanswered: 3 } };
const steadyClock = { now: () => performance.now() };

if (cluster.isPrimary) {
  const logging = createLogging('info', { fd: 1, isTTY: false });
  const supervisor = startSupervisor({
    ...{ workers, metrics: null, logging, steadyClock },
    limits: { ...longLimits, ...limits },
  });
  process.on('SIGHUP', () => supervisor.restart());
  process.on('SIGTERM', async () => {
    process.exitCode = await supervisor.stop();
    logging.finish();
  });
  await supervisor.started;
  logging.log.warn('started');
} else {
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  const link = supervisorLink(steadyClock, () => {});
  const number = link?.worker ?? 0;
  let asked = 0;
  process.on('message', (message: ToWorker) => {
    if (message.type === 'ask' && message.question === 'alive' && ++asked === 4)
      console.log('{"msg":"asked four times"}');
  });
  if (!whenStarting.includes(number)) {
    link?.ready('127.0.0.1:1', {
      answers: {
        ...(beforeHeartbeats ? ({} as { alive: never }) : { alive: async () => true as const }),
        metrics: async () => [],
        readiness: async () => ({ status: 'ready' }),
        demoMerchant: async () => null,
      },
      stop: () => whenStopping.includes(number) || process.exit(0),
      hurry() {},
    });
  }
  // The supervisor reads that it is ready first.
  if (whenReady.includes(number)) setTimeout(() => blockForever(), 200);
}

function blockForever(): never {
  for (;;);
}
