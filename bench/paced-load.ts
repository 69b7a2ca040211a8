// An open-loop load, which finds the latency at a given rate: requests are due on a schedule, whatever happens to those
// before, and latency counts from the time at which a request was due. A closed loop would send nothing during a stall of
// the server, and so count the stall once instead of for every request that it delays.

import { type Load, type LoadResult, openConnections, resultOf, unexpected } from './load.ts';

export interface PacedLoad extends Load {
  readonly perSecond: number;
}

export async function runPacedLoad(load: PacedLoad): Promise<LoadResult> {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const count = Math.max(1, Math.floor((load.perSecond * load.durationMs) / 1000));
  const idle = await openConnections(load, reject);
  const all = [...idle];
  const latencies: number[] = [];
  const startedAt = performance.now();
  const dueAt = (at: number): number => startedAt + (at * 1000) / load.perSecond;
  let sent = 0;

  /** Requests that are due while every connection waits are sent as soon as one is free. */
  function sendDue(): void {
    for (const now = performance.now(); sent < count && dueAt(sent) <= now; ) {
      const connection = idle.pop();
      if (connection === undefined) return;
      const request = load.request();
      if (request === null) {
        reject(new Error('a paced load needs a request for every time that one is due'));
        return;
      }
      const due = dueAt(sent);
      sent += 1;
      connection.send(request, (response) => {
        if (response.status !== load.expectedStatus) {
          reject(unexpected(load, response));
          return;
        }
        latencies.push(performance.now() - due);
        load.onResponse?.(response);
        idle.push(connection);
        if (latencies.length === count) resolve();
        else sendDue();
      });
    }
  }
  const timer = setInterval(sendDue, 1);
  try {
    await done;
    return resultOf(latencies, (performance.now() - startedAt) / 1000);
  } finally {
    clearInterval(timer);
    await Promise.all(all.map((connection) => connection.close()));
  }
}
