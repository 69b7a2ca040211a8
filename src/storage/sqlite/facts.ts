// Changes facts outside commits: each change checks the value that it replaces.

import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import { auditEntries } from '../tables/audit-entries.ts';
import { type GroupCommit, inserter } from './group-commit.ts';

export function sqliteFacts(database: DatabaseSync, group: GroupCommit): Pick<Store, 'moveFact'> {
  const move = database.prepare('UPDATE facts SET value = ? WHERE name = ? AND value = ?');
  const record = inserter(database, auditEntries);
  return {
    moveFact: (name, from, to, audit) =>
      group.join(() => {
        const moved = move.run(to, name, from).changes === 1;
        if (moved && audit !== undefined) record({ ...audit });
        return moved;
      }),
  };
}
