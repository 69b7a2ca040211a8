// One shell for a whole guide, as its reader has one open: what a block exports, starts or changes is there for the next.

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
  /** Ctrl-C, and waits for its end. */
  stop(): Promise<void>;
}

export interface Shell {
  /** Runs a script to its end, and types what its commands ask for; throws where one of them fails. */
  run(script: string, typed?: string): Promise<Output>;
  /** Runs a script beside the others. */
  start(script: string): Promise<Running>;
  end(): Promise<void>;
}

const patienceMs = 30_000;

export function openShell(folder: string, env: Readonly<Record<string, string>>): Shell {
  // Detached, it has no terminal: a command that asks for a password is answered by the test, not by who runs the tests.
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, detached: true });
  const words = answersOf(bash);
  // Job control gives each job a process group, to be ended with all that it started. Nothing of it may outlive the
  // test, also where a command that fails ends the shell.
  bash.stdin.write("set -m; trap 'for job in $(jobs -p); do kill -KILL -- -$job; done' EXIT\n");
  const notes = join(folder, '.blocks');
  mkdirSync(notes, { recursive: true });
  let count = 0;

  function prepare(script: string, typed = '') {
    count += 1;
    const file = join(notes, String(count));
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
      const answer = await words.ask(`set -euo pipefail\n${command}\nset +euo pipefail\necho done`);
      const said = output();
      if (answer !== 'done') throw new Error(`a command failed:\n${script}\n\n${said.stdout}\n${said.stderr}`);
      return said;
    },
    async start(script) {
      const { command, output } = prepare(script);
      const group = await words.ask(`{ ${command}; } &\necho $!`);
      return {
        output,
        async stop() {
          // The shell of the command ends at once; what it started may still have something to finish.
          const others = `while kill -0 -- -${group} 2>/dev/null; do sleep 0.05; done`;
          const gone = await words.ask(`kill -TERM -- -${group}; wait ${group}; ${others}; echo gone`);
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

/** Asks the shell for one line. */
function answersOf(bash: ChildProcessWithoutNullStreams) {
  const lines: string[] = [];
  createInterface({ input: bash.stdout }).on('line', (line) => lines.push(line));
  bash.stderr.resume();
  bash.stdin.on('error', () => {});
  return {
    async ask(command: string): Promise<string | undefined> {
      lines.length = 0;
      bash.stdin.write(`${command}\n`);
      await until('the shell answers', () => lines.length > 0 || bash.exitCode !== null, patienceMs);
      return lines[0];
    },
  };
}
