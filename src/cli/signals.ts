// Signals to `paydesk start`: they can arrive at any time, so the entry point handles them before it loads anything else.

import cluster from 'node:cluster';
import { isatty } from 'node:tty';

export interface SignalActions {
  stop(signal: NodeJS.Signals): void;
  /** A second signal. */
  hurry(signal: NodeJS.Signals): void;
  /** SIGHUP while the terminal, if any, is still open. */
  reload(): void;
}

/** Nothing has been begun, and a reload would read what is going to be read anyway. */
const stopBeforeStart: SignalActions = { stop: () => process.exit(0), hurry() {}, reload() {} };

/** Terminals and systemd send signals to all processes, but the supervisor decides for its workers. */
const leaveToSupervisor: SignalActions = { stop() {}, hurry() {}, reload() {} };

export const beforeStart: SignalActions = cluster.isWorker ? leaveToSupervisor : stopBeforeStart;

let stopHandling = (): void => {};

/** Replaces the actions of an earlier call. */
export function onSignals({ stop, hurry, reload }: SignalActions): void {
  const standardFiles = [0, 1, 2];
  const terminals = standardFiles.filter((fd) => isatty(fd));
  let stopping = false;
  function order(signal: NodeJS.Signals): void {
    if (stopping) hurry(signal);
    else stop(signal);
    stopping = true;
  }
  // Closing a terminal sends SIGHUP too.
  const hangUp = (signal: NodeJS.Signals): void => (terminals.every((fd) => isatty(fd)) ? reload() : order(signal));
  const handlers = [
    ['SIGTERM', order],
    ['SIGINT', order],
    ['SIGHUP', hangUp],
  ] as const;
  for (const [signal, handler] of handlers) process.on(signal, handler);
  // Only now: without a handler, a signal would end the process.
  stopHandling();
  stopHandling = () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
