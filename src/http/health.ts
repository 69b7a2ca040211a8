// Liveness and readiness. The endpoints are public, so details only appear in the log and on the metrics address.

import type { Logger } from '../log.ts';
import { type HttpReply, json, type Route } from './route.ts';
import type { WriteProbe } from './write-probe.ts';

export interface Readiness {
  readonly status: 'ready' | 'not_ready' | 'stopping';
  /** For operators: may name hosts and users. */
  readonly problem?: string;
}

export interface ReadinessDeps {
  readonly store: { check(): Promise<void> };
  readonly writeProbe: WriteProbe;
  readonly isStopping: () => boolean;
  readonly log: Logger;
}

/** Load balancers check every second; the same problem is logged less often, also if it alternates with others. */
const logEveryMs = 60_000;
const maxRemembered = 100;

export function readiness({ store, writeProbe, isStopping, log }: ReadinessDeps): () => Promise<Readiness> {
  const loggedAt = new Map<string, number>();
  function report(problem: string, err: unknown): void {
    const now = performance.now();
    if (now - (loggedAt.get(problem) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
    if (loggedAt.size >= maxRemembered) loggedAt.clear();
    loggedAt.set(problem, now);
    log.warn({ err }, 'not ready to serve');
  }

  return async () => {
    if (isStopping()) return { status: 'stopping' };
    try {
      await store.check();
      await writeProbe.check();
      loggedAt.clear();
      return { status: 'ready' };
    } catch (error) {
      const problem = (error as Error).message;
      report(problem, error);
      return { status: 'not_ready', problem };
    }
  };
}

const publicProblem = 'Storage is not available at the moment. See the log for details.';

export function healthRoutes(ready: () => Promise<Readiness>, version: string): Route[] {
  const reply = (status: number, body: unknown): HttpReply => ({
    status,
    headers: { 'Content-Type': json },
    body: JSON.stringify(body),
  });
  return [
    { method: 'GET', path: '/healthz', handle: () => reply(200, { status: 'ok', version }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: async () => {
        const { status, problem } = await ready();
        const body = problem === undefined ? { status } : { status, problem: publicProblem };
        return reply(status === 'ready' ? 200 : 503, body);
      },
    },
  ];
}
