// Replaces the data of an event: see `rewriteEvent` of the store.

import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';

export function sqliteRewrittenEvents(database: DatabaseSync, group: GroupCommit): Pick<Store, 'rewriteEvent'> {
  const rewrite = database.prepare('UPDATE events SET data = ? WHERE merchant_id = ? AND livemode = ? AND id = ?');
  return {
    async rewriteEvent({ merchantId, livemode, id, data }) {
      await group.join(() => rewrite.run(JSON.stringify(data), merchantId, livemode ? 1 : 0, id));
    },
  };
}
