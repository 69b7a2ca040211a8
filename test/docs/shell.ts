// One shell for a whole guide, like a reader's terminal: what a block exports, starts or changes stays for the next one.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../support/until.ts';

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  output(): Output;
  /** Stops it like Ctrl-C and waits until it ends. */
  stop(): Promise<void>;
}

export interface Shell {
  /** Runs a script with this input until it ends; throws if a command fails. */
  run(script: string, typed?: string): Promise<Output>;
  /** Runs a script in the background. */
  start(script: string): Promise<Running>;
  end(): Promise<void>;
}

const patienceMs = 30_000;

export function openShell(folder: string, env: Readonly<Record<string, string>>): Shell {
  // Detached from the terminal, so that password prompts read the input of the test.
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, detached: true });
  const queries = lineQueries(bash);
  // With job control, each job has a process group that can be killed as a whole. Nothing may outlive the test, even if
  // a failing command ends the shell.
  bash.stdin.write("set -m; trap 'for job in $(jobs -p); do kill -KILL -- -$job; done' EXIT\n");
  const scripts = join(folder, '.blocks');
  mkdirSync(scripts, { recursive: true });
  let count = 0;

  function prepare(script: string, typed = '') {
    count += 1;
    const file = join(scripts, String(count));
    writeFileSync(`${file}.sh`, `${script}\n`);
    writeFileSync(`${file}.in`, typed);
    writeFileSync(`${file}.out`, '');
    writeFileSync(`${file}.err`, '');
    const output = (): Output => ({
      stdout: readFileSync(`${file}.out`, 'utf8'),
      stderr: readFileSync(`${file}.err`, 'utf8'),
    });
    return { command: `. ${file}.sh <${file}.in >${file}.out 2>${file}.err`, output };
  }

  return {
    async run(script, typed) {
      const { command, output } = prepare(script, typed);
      const reply = await queries.ask(`set -euo pipefail\n${command}\nset +euo pipefail\necho done`);
      const { stdout, stderr } = output();
      if (reply !== 'done') throw new Error(`a command failed:\n${script}\n\n${stdout}\n${stderr}`);
      return { stdout, stderr };
    },
    async start(script) {
      const { command, output } = prepare(script);
      const group = await queries.ask(`{ ${command}; } &\necho $!`);
      return {
        output,
        async stop() {
          // The shell of the command ends immediately, but its children may take longer.
          const others = `while kill -0 -- -${group} 2>/dev/null; do sleep 0.05; done`;
          const gone = await queries.ask(`kill -TERM -- -${group}; wait ${group}; ${others}; echo gone`);
          if (gone !== 'gone') throw new Error('it did not stop');
        },
      };
    },
    async end() {
      if (bash.exitCode === null) bash.stdin.end('exit\n');
      if (bash.exitCode === null) await once(bash, 'exit');
    },
  };
}

/** Runs commands that print one line. */
function lineQueries(bash: ChildProcessWithoutNullStreams) {
  const lines: string[] = [];
  createInterface({ input: bash.stdout }).on('line', (line) => lines.push(line));
  bash.stderr.resume();
  bash.stdin.on('error', () => {});
  return {
    async ask(command: string): Promise<string | undefined> {
      lines.length = 0;
      bash.stdin.write(`${command}\n`);
      await until('the shell responds', () => lines.length > 0 || bash.exitCode !== null, patienceMs);
      return lines[0];
    },
  };
}
