// paydesk migrate

import type { Command } from './command.ts';
import { withStore } from './open.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'create the database or bring it up to date',
  usage: '[--force] [--json]',
  help: `
Applies missing migrations, and creates the database if it does not exist. \`paydesk start\` does this automatically;
run it before a start to keep an upgrade short. It is safe to run again. It refuses to apply migrations while other
processes serve the database: they run an older version, and would keep writing in the old format.

  --force          on PostgreSQL, migrate even while other processes serve. Use it only if their version works with
                   the new tables, or if they are gone and the server has not noticed yet`,
  options: { force: { type: 'boolean' } },
  run: (args, output) =>
    withStore(
      async ({ config, store }) => {
        await store.check();
        output.result(
          { database: config.database.engine, migrated: true },
          `The ${config.database.engine} database is up to date.`,
        );
        return 0;
      },
      { schema: 'migrate', force: args.values.force === true, onNotice: output.progress },
    ),
};
