// Programs of the tests that run in a process of their own, to be raced or killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface Program {
  readonly pid: number;
  /** Whole lines of its output, as they come. */
  readonly lines: readonly string[];
  /** Resolves with the first line, or rejects with what it said instead. */
  firstLine(): Promise<string>;
  tell(line: string): void;
  /** Closes its input and waits for its end. */
  hangUp(): Promise<void>;
  /** Ends it as a power cut would: it gets no chance to tidy up. */
  kill(): Promise<void>;
  /** Its exit code. */
  ended(): Promise<number | null>;
}

/** Runs a TypeScript file beside the test with the arguments as JSON. */
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
  // It may be gone before it has read everything.
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
      if (line === undefined) throw new Error(`the program ended without a word: ${errors}`);
      return line;
    },
    tell: (line) => child.stdin.write(`${line}\n`),
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
