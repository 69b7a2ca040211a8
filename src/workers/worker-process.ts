// The supervisor's connection to one of its workers.

import cluster, { type Worker } from 'node:cluster';
import { Readable } from 'node:stream';
import type { Answers, FromWorker, MetricsReport, Question, ToWorker } from './messages.ts';
import type { Take } from './shared-buckets.ts';
import { closeUnacceptedConnection } from './unaccepted-connection.ts';

export interface WorkerProcess {
  readonly number: number;
  readonly pid: number;
  readonly startedAt: number;
  /** Its log. */
  readonly output: Readable;
  /** Resolves to its address when it accepts requests, or to null if it ended before that. */
  readonly ready: Promise<string | null>;
  readonly ended: Promise<Ended>;
  isReady(): boolean;
  /** Whether it ever accepted requests. */
  wasReady(): boolean;
  /** Resolves to null if it does not answer in time, ends, or cannot answer. */
  ask<Q extends Question>(question: Q, options?: { readonly limitMs?: number }): Promise<Answers[Q] | null>;
  stop(options: { readonly hasSuccessor: boolean }): void;
  hurry(): void;
  kill(): void;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to standard error, if anything. */
  readonly problem?: string;
}

export interface WorkerEvents {
  take(take: Take): Extract<ToWorker, { type: 'taken' }>['results'];
  lastMetrics(worker: WorkerProcess, report: MetricsReport): void;
  /** A question that the worker could not answer. */
  failed(worker: WorkerProcess, problem: string): void;
}

/** Of what a worker wrote to standard error. */
const maxProblemLength = 2_000;

/** Later answers about metrics and readiness are useless. */
const answerLimitMs = 2_000;

/** Call it before the first `startWorker`. Workers run this same program, with the same arguments. */
export function prepareWorkers(): void {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // JSON would turn a metric that is not a number into zero.
    serialization: 'advanced',
  });
}

export function startWorker(events: WorkerEvents): WorkerProcess {
  const worker: Worker = cluster.fork();
  closeUnacceptedConnection(worker);
  const ready = Promise.withResolvers<string | null>();
  const ended = Promise.withResolvers<Ended>();
  const asking = new Map<number, { readonly question: Question; readonly resolve: (answer: unknown) => void }>();
  const problem = relayErrors(worker.process.stderr ?? nothing());
  let lastId = 0;
  let isReady = false;
  let wasReady = false;
  let hasEnded = false;

  function send(message: ToWorker): void {
    // A worker that cannot be reached has ended, or is about to: `exit` reports that.
    if (worker.isConnected()) worker.send(message, () => {});
  }
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'ready') {
      isReady = true;
      wasReady = true;
      ready.resolve(message.address);
    } else if (message.type === 'answer') asking.get(message.id)?.resolve(message.answer);
    else if (message.type === 'failed') {
      const asked = asking.get(message.id);
      // Workers of the version before do not know this question, but whoever responds is alive.
      if (asked?.question === 'alive') asked.resolve(true);
      else {
        events.failed(self, message.problem);
        asked?.resolve(null);
      }
    } else if (message.type === 'last metrics') events.lastMetrics(self, message.report);
    else if (message.type === 'take') send({ type: 'taken', id: message.id, results: events.take(message) });
  });
  // Without a listener, the error of a worker that failed to start would end the supervisor.
  worker.on('error', (error: Error) => {
    events.failed(self, error.message);
    if (worker.process.pid === undefined) void end(null, null);
  });
  worker.on('exit', end);
  async function end(code: number | null, signal: string | null): Promise<void> {
    isReady = false;
    hasEnded = true;
    for (const { resolve } of asking.values()) resolve(null);
    const text = await problem;
    ready.resolve(null);
    ended.resolve({ code, signal, ...(text === '' ? {} : { problem: text }) });
  }

  const self: WorkerProcess = {
    number: worker.id,
    pid: worker.process.pid ?? 0,
    startedAt: performance.now(),
    output: worker.process.stdout ?? nothing(),
    ready: ready.promise,
    ended: ended.promise,
    isReady: () => isReady,
    wasReady: () => wasReady,
    async ask<Q extends Question>(question: Q, { limitMs = answerLimitMs } = {}) {
      if (hasEnded) return null;
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const limit = Number.isFinite(limitMs) ? setTimeout(resolve, limitMs, null) : undefined;
      asking.set(id, { question, resolve });
      send({ type: 'ask', id, question });
      const answer = await promise;
      clearTimeout(limit);
      asking.delete(id);
      return answer as Answers[Q] | null;
    },
    stop: ({ hasSuccessor }) => send({ type: 'stop', hasSuccessor }),
    hurry: () => send({ type: 'hurry' }),
    kill: () => worker.process.kill('SIGKILL'),
  };
  return self;
}

/** The output of a worker that could not be started for want of file descriptors. */
const nothing = (): Readable => Readable.from([]);

/** Passes on what a worker writes to standard error. Resolves to the end of it when the worker has closed it. */
function relayErrors(errors: Readable): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  errors.setEncoding('utf8');
  errors.on('data', (part: string) => {
    process.stderr.write(part);
    text = (text + part).slice(-maxProblemLength);
  });
  errors.once('close', () => resolve(text.trim()));
  return promise;
}
