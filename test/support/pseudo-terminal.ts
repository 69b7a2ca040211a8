// A command on a real terminal: the program `script` of util-linux opens a pseudo-terminal, and shows what a person would
// see there.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CleansUp } from './engines.ts';
import { environment, paydeskCommand, type Settings } from './paydesk-process.ts';
import { until } from './until.ts';

export interface Terminal {
  /** Everything that was shown so far. */
  shown(): string;
  /** Waits until this is shown after what was typed last, and types. */
  typeAfter(question: string, text: string): Promise<void>;
  /** Resolves when the shell in the terminal has ended. */
  ended(): Promise<void>;
}

export const ctrlC = '\u0003';
export const ctrlD = '\u0004';

/** Runs `paydesk` with these arguments. Then its exit code and the state of the terminal are shown. */
export function paydeskOnTerminal(
  test: CleansUp,
  args: readonly string[],
  { settings, folder }: { settings: Settings; folder: string },
): Terminal {
  const words = [paydeskCommand, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `${words}; echo "exit code $?"; stty -a`, '/dev/null'], {
    cwd: folder,
    env: { ...environment(settings), TERM: 'xterm', SHELL: '/bin/sh' },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // It may end before everything is written.
  child.stdin.on('error', () => {});
  const exited = once(child, 'close');
  test.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  });
  let seen = 0;
  return {
    shown: () => text,
    async typeAfter(question, typed) {
      await until(`the terminal shows "${question}" (it shows: ${text})`, () => text.indexOf(question, seen) !== -1);
      seen = text.indexOf(question, seen) + question.length;
      child.stdin.write(typed);
    },
    async ended() {
      await until('the shell in the terminal has ended', () => /exit code \d+[\s\S]* cs8 /.test(text));
      child.stdin.end();
      await exited;
    },
  };
}
