// A worker's connection to its supervisor.

import cluster from 'node:cluster';
import type { Clock } from '../domain/moment.ts';
import type { Answers, FromWorker, MetricsReport, Question, TakenTokens, ToWorker } from './messages.ts';
import { sharedBuckets, type Take } from './shared-buckets.ts';
import type { AskForTokens } from './shared-rate-limit.ts';

export interface SupervisorLink {
  /** The number of this worker, unique among all that the supervisor ever starts. */
  readonly worker: number;
  readonly takeTokens: AskForTokens;
  /** Reports that this worker accepts requests, and handles messages from now on. If stopped earlier, it just exits. */
  ready(address: string, worker: ReadyWorker): void;
  /** Resolves when the supervisor can read the report. */
  sendLastMetrics(report: MetricsReport): Promise<void>;
}

export interface ReadyWorker {
  readonly answers: { readonly [Q in Question]: () => Promise<Answers[Q]> };
  stop(reason: string, hasSuccessor: boolean): void;
  hurry(): void;
}

/** Null if this process is not a worker. `onSupervisorGone` is called before this worker stops for that reason. */
export function supervisorLink(steadyClock: Clock, onSupervisorGone: () => void): SupervisorLink | null {
  const self = cluster.worker;
  if (self === undefined) return null;
  const taking = new Map<
    number,
    { readonly take: Take; readonly resolve: (results: readonly TakenTokens[]) => void }
  >();
  const countAlone = sharedBuckets(steadyClock, 1);
  let lastId = 0;
  let readyWorker: ReadyWorker | null = null;

  process.on('message', (message: ToWorker) => receive(message));
  self.on('disconnect', () => {
    // Otherwise `node:cluster` would end this process immediately, with requests in flight.
    self.exitedAfterDisconnect = true;
    onSupervisorGone();
    for (const { take, resolve } of taking.values()) resolve(countAlone(take));
    taking.clear();
    if (readyWorker === null) process.exit(1);
    readyWorker.stop('the supervisor is gone', false);
  });

  function receive(message: ToWorker): void {
    if (message.type === 'taken') {
      taking.get(message.id)?.resolve(message.results);
      taking.delete(message.id);
    } else if (message.type === 'ask' && readyWorker !== null) {
      const { id, question } = message;
      answer(readyWorker, question).then(
        (answered) => send({ type: 'answer', id, answer: answered }),
        (error: Error) => send({ type: 'failed', id, problem: error.message }),
      );
    } else if (message.type === 'stop') {
      // Nothing has been acknowledged yet, so this is as safe as a power failure.
      if (readyWorker === null) process.exit(0);
      readyWorker.stop(message.hasSuccessor ? 'a new worker takes over' : 'all workers stop', message.hasSuccessor);
    } else if (message.type === 'hurry') readyWorker?.hurry();
  }

  return {
    worker: self.id,
    takeTokens(limit, wanted, unused) {
      lastId += 1;
      const take = { type: 'take', id: lastId, limit, wanted, unused } as const;
      if (!process.connected) return Promise.resolve(countAlone(take));
      const { promise, resolve } = Promise.withResolvers<readonly TakenTokens[]>();
      taking.set(lastId, { take, resolve });
      send(take);
      return promise;
    },
    ready(address, worker) {
      readyWorker = worker;
      send({ type: 'ready', address });
    },
    async sendLastMetrics(report) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (!process.connected) return;
      process.send?.({ type: 'last metrics', report } satisfies FromWorker, () => resolve());
      await promise;
    },
  };
}

async function answer({ answers }: ReadyWorker, question: Question): Promise<Answers[Question]> {
  if (!(question in answers)) throw new Error(`this version of Paydesk has no answer about ${question}`);
  return answers[question]();
}

/** An error means that the supervisor is gone, which `disconnect` reports. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, () => {});
}
