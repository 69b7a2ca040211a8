// Records when the pages of sessions were first opened. Rows that are locked at that moment are left out: a payment must
// not wait for this, and neither is a deadlock possible.

import type { SessionOpening, Store } from '../store.ts';
import type { Query } from './rows.ts';
import { statementName } from './statement-name.ts';

export interface SessionOpeningsDeps {
  readonly query: Query;
  readonly isDistributed: (table: string) => boolean;
}

export function postgresSessionOpenings({
  query,
  isDistributed,
}: SessionOpeningsDeps): Pick<Store, 'markSessionsOpened'> {
  const byMerchant = isDistributed('checkout_sessions');
  const text = openedSql(byMerchant);
  const name = statementName('mark sessions opened', text);

  async function mark(openings: readonly SessionOpening[]): Promise<void> {
    const [first] = openings;
    if (first === undefined) return;
    const values = [
      byMerchant ? first.merchantId : openings.map(({ merchantId }) => merchantId),
      openings.map(({ livemode }) => livemode),
      openings.map(({ id }) => id),
      openings.map(({ openedAt }) => openedAt),
    ];
    await query({ name, text, values });
  }

  return {
    async markSessionsOpened(openings) {
      if (!byMerchant) return mark(openings);
      const groups = Map.groupBy(openings, ({ merchantId }) => merchantId);
      await Promise.all([...groups.values()].map(mark));
    },
  };
}

function openedSql(byMerchant: boolean): string {
  const merchant = byMerchant ? '$1' : 'opening.merchant_id';
  const lists = byMerchant
    ? 'unnest($2::boolean[], $3::text[], $4::bigint[]) AS opening (livemode, id, at)'
    : 'unnest($1::text[], $2::boolean[], $3::text[], $4::bigint[]) AS opening (merchant_id, livemode, id, at)';
  return `
    WITH locked AS (
      SELECT t.merchant_id, t.livemode, t.id, opening.at FROM checkout_sessions t, ${lists}
      WHERE t.merchant_id = ${merchant} AND t.livemode = opening.livemode AND t.id = opening.id AND t.opened_at IS NULL
      FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE checkout_sessions c SET opened_at = locked.at FROM locked
    WHERE c.merchant_id = ${byMerchant ? '$1' : 'locked.merchant_id'} AND c.livemode = locked.livemode AND c.id = locked.id`;
}
