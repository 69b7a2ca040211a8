// Replaces the data of an event: see `rewriteEvent` of the store.

import type { Store } from '../store.ts';
import type { Query } from './rows.ts';

export function postgresRewrittenEvents(query: Query): Pick<Store, 'rewriteEvent'> {
  return {
    async rewriteEvent({ merchantId, livemode, id, data }) {
      await query({
        name: 'rewrite event',
        text: 'UPDATE events SET data = $4 WHERE merchant_id = $1 AND livemode = $2 AND id = $3',
        values: [merchantId, livemode, id, JSON.stringify(data)],
      });
    },
  };
}
