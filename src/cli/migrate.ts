// paydesk migrate

import type { Command } from './command.ts';
import { withStore } from './open.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database up to date',
  usage: '[--force] [--json]',
  help: `
Applies the migrations that are missing, and makes the database where there is none. \`paydesk start\` does this by
itself; run it ahead of a start to keep an upgrade short. Safe to run again. Where something is to be applied, it refuses
while other processes serve the database: they are of an older version, and would go on to write as before.

  --force          on PostgreSQL, migrate also while others serve. Only where their version is known to work with the
                   new tables, or where they are gone and the server has not noticed yet`,
  options: { force: { type: 'boolean' } },
  run: (words, output) =>
    withStore(
      async ({ config, store }) => {
        await store.check();
        output.result(
          { database: config.database.engine, migrated: true },
          `The ${config.database.engine} database is up to date.`,
        );
        return 0;
      },
      { schema: 'migrate', force: words.values.force === true, onNotice: output.progress },
    ),
};
