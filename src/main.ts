// argv → a command in cli/.

import { runCommand } from './cli/run-command.ts';

/** A reader that has seen enough (`paydesk listen | head -1`) ends a command; it must not end the service. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (process.argv[2] !== 'start') process.exit(0);
});

process.exitCode = await runCommand(process.argv.slice(2));
