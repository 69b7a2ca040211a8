// Closes the connection that a worker had been passed but not accepted when it died. `node:cluster` forgets it, and the
// client would wait forever on a connection that the supervisor keeps open. No public API gives access to it, so this
// watches what the supervisor sends. `test/process/workers.test.ts` fails if a version of Node changes this.

import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

interface TcpHandle {
  close(): void;
}

type Send = (message: unknown, handle?: TcpHandle, ...rest: unknown[]) => boolean;

/** `node:cluster` passes a worker one connection at a time, and closes its own copy when the worker has accepted it. */
export function closeUnacceptedConnection(worker: Worker): void {
  const child = worker.process as Omit<ChildProcess, 'send'> & { send: Send };
  const send = child.send.bind(child);
  let latest: TcpHandle | undefined;
  child.send = (message, handle, ...rest) => {
    if (isConnection(handle)) latest = handle;
    return send(message, handle, ...rest);
  };
  // Closing it again, if it was accepted, has no effect.
  worker.on('exit', () => latest?.close());
}

/** The second argument may also be a callback. */
function isConnection(value: unknown): value is TcpHandle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
