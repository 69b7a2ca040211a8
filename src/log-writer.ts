// Writes the log without waiting for whoever reads it: a pipe that is full or a disk that has no space must neither stop
// the service nor keep it from stopping, and what waits to be written is limited. pino's own writer would try forever
// when the process exits.

import { write as writeBytes, writeSync } from 'node:fs';

export interface LogWriter {
  /** Whole lines. Returns false if the caller should wait for `drained` before it writes more. */
  write(lines: Buffer): boolean;
  drained(): Promise<void>;
  /** Writes what is waiting and these lines before the process exits, but gives up soon. Nothing is written after that. */
  finish(lines: Buffer): void;
}

const maxWaitingBytes = 4 * 1024 * 1024;
/** With so much waiting, callers that can wait should. */
const enoughWaitingBytes = 16_384;
/** After a failure, and at most after twice as long each time: a reader that is only slow has space again at once. */
const retryMs = 2;
const maxRetryMs = 100;
/** A worker has a second between its own limit for stopping and that of its supervisor, which has another second. */
const finishWithinMs = 400;
const finishRetryMs = 20;
const newline = 0x0a;

/** `onDropped` is called with the number of lines that were left out, once the log is written again. */
export function logWriter(fd: number, onDropped: (lines: number) => void): LogWriter {
  /** The first may have been written in part. */
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  /** Another thread is writing the first. */
  let isInFlight = false;
  let retry: NodeJS.Timeout | null = null;
  let retryAfterMs = retryMs;
  /** Nobody will ever read it, or the process exits. */
  let isOver = false;
  let drained = Promise.withResolvers<void>();

  function end(): void {
    isOver = true;
    waiting.length = 0;
    drained.resolve();
  }

  function writeFirst(): void {
    const [first] = waiting;
    if (first === undefined || isInFlight || retry !== null) return;
    isInFlight = true;
    writeBytes(fd, first, (error, written) => {
      isInFlight = false;
      if (isOver) return;
      if (error !== null) failed(error);
      else {
        retryAfterMs = retryMs;
        waitingBytes -= written;
        if (written < first.length) waiting[0] = first.subarray(written);
        else waiting.shift();
        if (waiting.length === 0) empty();
        writeFirst();
      }
    });
  }

  function failed({ code }: NodeJS.ErrnoException): void {
    if (code === 'EPIPE') {
      end();
      return;
    }
    retry = setTimeout(() => {
      retry = null;
      writeFirst();
    }, retryAfterMs).unref();
    retryAfterMs = Math.min(retryAfterMs * 2, maxRetryMs);
  }

  function empty(): void {
    drained.resolve();
    drained = Promise.withResolvers();
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  }

  return {
    write(lines) {
      if (isOver) return true;
      if (waitingBytes + lines.length > maxWaitingBytes) dropped += linesIn(lines);
      else {
        waiting.push(lines);
        waitingBytes += lines.length;
        // Not yet in this turn: what follows may be `finish`, which waits for its reader.
        if (waiting.length === 1) queueMicrotask(writeFirst);
      }
      return waitingBytes < enoughWaitingBytes;
    },
    drained: () => (isOver || waiting.length === 0 ? Promise.resolve() : drained.promise),
    finish(lines) {
      if (isOver) return;
      const rest = Buffer.concat([...waiting.slice(isInFlight ? 1 : 0), lines]);
      end();
      writeUntil(performance.now() + finishWithinMs, fd, rest);
    },
  };
}

function writeUntil(giveUpAt: number, fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isFull || performance.now() >= giveUpAt) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, finishRetryMs);
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
