// paydesk migrate

import { readConfig } from '../config.ts';
import { distributeTables, refuseUndistributable } from '../storage/open-store.ts';
import type { PlacedTable } from '../storage/store.ts';
import type { Command } from './command.ts';
import { withStore } from './open.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'create the database or bring it up to date',
  usage: '[--force] [--distribute] [--json]',
  help: `
Applies missing migrations, and creates the database if it does not exist. \`paydesk start\` does this automatically;
run it before a start to keep an upgrade short. It is safe to run again. It refuses to apply migrations while other
processes serve the database: they run an older version, and would keep writing in the old format.

  --force          on PostgreSQL, migrate even while other processes serve. Use it only if their version works with
                   the new tables, or if they are gone and the server has not noticed yet
  --distribute     on PostgreSQL with the Citus extension, then distribute the tables over the servers of the cluster,
                   by merchant. DATABASE_URL must be the coordinator, and no process may serve the database. Existing
                   rows are moved. It is safe to run again, and reports for each table what was done`,
  options: { force: { type: 'boolean' }, distribute: { type: 'boolean' } },
  async run(args, output) {
    const distributing = args.values.distribute === true;
    const { database } = readConfig(process.env);
    if (distributing) await refuseUndistributable(database);
    let applied = 0;
    await withStore(({ store }) => store.check(), {
      schema: 'migrate',
      onMigrated: (count) => {
        applied = count;
      },
      force: args.values.force === true,
      // What it says about tables that are not distributed is about to change.
      ...(distributing ? {} : { onNotice: output.progress }),
    });
    const migrated = { database: database.engine, migrated: true, applied_migrations: applied };
    const text = `The ${database.engine} database ${howItWasMigrated(applied)}.`;
    if (!distributing) {
      output.result(migrated, text);
      return 0;
    }
    const tables = await distributeTables(database, ({ table, before }) => {
      if (!before) output.progress(`${table} is distributed`);
    });
    const rows = tables.map((placed) => `${placed.table.padEnd(20)}  ${whatWasDone(placed)}`);
    output.result({ ...migrated, tables }, `${text} It is distributed:\n\n${rows.join('\n')}`);
    return 0;
  },
};

function howItWasMigrated(applied: number): string {
  if (applied === 0) return 'was already up to date: no migrations were applied';
  return `is up to date: ${applied === 1 ? '1 migration was' : `${applied} migrations were`} applied`;
}

function whatWasDone({ placement, before }: PlacedTable): string {
  if (placement === 'coordinator') return 'stays on the coordinator';
  const where = placement === 'by_merchant' ? 'distributed by merchant' : 'copied to every server';
  return before ? `was ${where} already` : `is now ${where}`;
}
