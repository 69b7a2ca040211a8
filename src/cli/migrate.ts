// paydesk migrate

import type { Command } from './command.ts';
import { withStore } from './open.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database up to date',
  usage: '[--json]',
  help: `
Applies the migrations that are missing. \`paydesk start\` does this by itself; run it ahead of a start to keep an
upgrade short. Safe to run beside other processes, and again.`,
  options: {},
  run: (_words, output) =>
    withStore(async ({ config, store }) => {
      await store.check();
      output.result(
        { database: config.database.engine, migrated: true },
        `The ${config.database.engine} database is up to date.`,
      );
      return 0;
    }),
};
