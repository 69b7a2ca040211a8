// Test programs that run in a separate process, to be raced or killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface Program {
  readonly pid: number;
  /** The complete lines of its output so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line, or rejects with its error output. */
  firstLine(): Promise<string>;
  writeLine(line: string): void;
  /** Closes its input and waits until it exits. */
  hangUp(): Promise<void>;
  /** Kills it without a chance to clean up, as a power cut would. */
  kill(): Promise<void>;
  /** Resolves with the exit code. */
  ended(): Promise<number | null>;
}

/** Runs a TypeScript file in a new process, with the argument as JSON. */
export function startProgram(
  file: URL,
  argument: unknown,
  environment: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(process.execPath, [fileURLToPath(file), JSON.stringify(argument)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, NODE_TEST_CONTEXT: undefined },
  }) as ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable; pid: number };
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  // It may exit before it has read everything.
  child.stdin.on('error', () => {});
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const closed = once(child, 'close');
  return {
    pid: child.pid,
    lines,
    async firstLine() {
      if (lines.length === 0) await Promise.race([once(reader, 'line'), closed]);
      const [line] = lines;
      if (line === undefined) throw new Error(`the program ended without any output: ${errors}`);
      return line;
    },
    writeLine: (line) => child.stdin.write(`${line}\n`),
    async hangUp() {
      child.stdin.end();
      await closed;
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async ended() {
      await closed;
      if (child.exitCode !== 0) process.stderr.write(errors);
      return child.exitCode;
    },
  };
}
