// `paydesk start --workers N` on PostgreSQL, and what its log and its metrics say about the workers.

import assert from 'node:assert/strict';
import { cleanUpInReverse } from './clean-up.ts';
import { type CleansUp, freshDatabase, postgres } from './engines.ts';
import { freePort } from './free-port.ts';
import { databaseUrl, freshFolder, type ServingProcess, type Settings, servePaydesk } from './paydesk-process.ts';
import { until } from './until.ts';

type Line = Readonly<Record<string, unknown>>;

export interface Workers extends ServingProcess {
  readonly folder: string;
  /** Of the demo merchant. */
  readonly key: string;
  readonly metricsUrl: string;
  readonly test: CleansUp;
  /** The log, parsed. The last line may be incomplete. */
  log(): Line[];
  /** The process ids of the workers that serve, by number. */
  serving(): Map<number, number>;
  /** Sends a signal to one of them. */
  signalTo(worker: number, signal: NodeJS.Signals): void;
  /** Resolves when this many of them serve, and none of `without`. */
  untilServing(count: number, without?: readonly number[]): Promise<void>;
  /** The ids of all sessions of the demo merchant. */
  storedSessions(): Promise<Set<string>>;
  /** The value of a series without labels, or the sum over all labels. */
  metric(name: string): Promise<number>;
}

export async function serveWorkers(context: CleansUp, count: number, settings: Settings = {}): Promise<Workers> {
  const test = cleanUpInReverse(context);
  const folder = await freshFolder(test);
  const DATABASE_URL = databaseUrl(await freshDatabase(test, postgres));
  const metricsPort = await freePort();
  const process = await servePaydesk(test, {
    folder,
    args: ['--workers', String(count)],
    settings: { DATABASE_URL, PAYDESK_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`, ...settings },
  });
  const [key = ''] = /\bsk_test_\w+/.exec(process.stdout()) ?? [];
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const lines: Line[] = [];
  let parsed = 0;
  /** Tests poll it under load, so each line is parsed once. */
  function log(): Line[] {
    const end = process.stdout().lastIndexOf('\n') + 1;
    for (const line of process.stdout().slice(parsed, end).split('\n')) {
      if (line !== '') lines.push(JSON.parse(line) as Line);
    }
    parsed = end;
    return lines;
  }
  function serving(): Map<number, number> {
    const found = new Map<number, number>();
    for (const { msg, worker, pid } of log()) {
      if (msg === 'request') continue;
      if (msg === 'ready' && worker !== undefined) found.set(Number(worker), Number(pid));
      if (/^a worker (?:died|has stopped|failed to stop)/.test(String(msg))) found.delete(Number(worker));
    }
    return found;
  }
  await until('all workers serve', () => serving().size === count);
  return {
    ...process,
    ...{ folder, key, metricsUrl, test, log, serving },
    signalTo(worker, signal) {
      const pid = serving().get(worker);
      assert.ok(pid !== undefined, `worker ${worker} serves`);
      globalThis.process.kill(pid, signal);
    },
    untilServing: (wanted, without = []) =>
      until(`${wanted} workers serve`, () => {
        const numbers = [...serving().keys()];
        return numbers.length === wanted && !numbers.some((number) => without.includes(number));
      }),
    async storedSessions() {
      const ids = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: string = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const response = await fetch(`${process.url}/checkout-sessions?${query}`, {
          headers: { Authorization: `Bearer ${key}` },
        });
        const page = (await response.json()) as { data: { id: string }[]; next_cursor: string | null };
        for (const { id } of page.data) ids.add(id);
        cursor = page.next_cursor;
      }
      return ids;
    },
    async metric(name) {
      const text = await (await fetch(`${metricsUrl}/metrics`)).text();
      const values = [...text.matchAll(/^(\w+)(?:\{.*\})? (\S+)$/gm)].filter(([, found]) => found === name);
      return values.reduce((sum, [, , value]) => sum + Number(value), 0);
    },
  };
}
