// The entry point: runs the command in cli/ that argv names.

import { beforeStart, onSignals } from './cli/signals.ts';

if (process.argv[2] === 'start') onSignals(beforeStart);

/** A closed pipe (`paydesk listen | head -1`) ends a command, but must not end the service. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (process.argv[2] !== 'start') process.exit(0);
});
// The same for the pipe or terminal of standard error: whoever read it is gone.
process.stderr.on('error', () => {});

const { runCommand } = await import('./cli/run-command.ts');
process.exitCode = await runCommand(process.argv.slice(2));
// The connection to a supervisor would keep a worker running.
if (process.connected) process.exit();
