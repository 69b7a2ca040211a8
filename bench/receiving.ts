// Starts the receiver of webhooks in its own process, and waits until deliveries have arrived and are recorded.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../src/storage/store.ts';
import type { Arrivals } from './receiver.ts';

export interface Receiver {
  readonly port: number;
  readonly pid: number;
  reset(latencies: boolean): Promise<void>;
  report(): Promise<Arrivals>;
  stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(new URL('receiver.ts', import.meta.url).pathname, { stdio: 'inherit' });
  const [port] = (await once(child, 'message')) as [number];
  const ask = async (message: object): Promise<Arrivals> => {
    child.send(message);
    const [arrivals] = (await once(child, 'message')) as [Arrivals];
    return arrivals;
  };
  return {
    port,
    pid: child.pid ?? 0,
    reset: async (latencies) => void (await ask({ ask: 'reset', latencies })),
    report: () => ask({ ask: 'report' }),
    stop: () => child.kill(),
  };
}

/** Returns the rate, from the first arrival to the last. */
export async function arrived(receiver: Receiver, expected: number): Promise<number> {
  for (const until = Date.now() + 120_000; Date.now() < until; await pause(100)) {
    const { count, seconds } = await receiver.report();
    if (count >= expected) return count / seconds;
  }
  throw new Error(`not all of ${expected} deliveries arrived`);
}

/** Waits until no delivery of these endpoints is waiting or in flight. */
export async function recorded(store: Store, endpointIds: readonly string[]): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; await pause(5)) {
    const { due } = await store.deliveryQueue.endpointsWithDue(Number.MAX_SAFE_INTEGER, '', 10_000);
    if (!due.some((id) => endpointIds.includes(id))) return;
  }
  throw new Error('not all deliveries were recorded');
}

/** Returns its id. Gets all events that are sent by default, or only those. */
export async function createEndpoint(
  port: number,
  apiKey: string,
  receiver: Receiver,
  enabledEvents?: readonly string[],
): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/webhook-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://127.0.0.1:${receiver.port}/fast`, enabled_events: enabledEvents }),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}
