// What a change of the installation's secret key needs: to walk through what is sealed, and to say which key counts.

import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import { idempotencyRecords } from '../tables.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Reader } from './reader.ts';

type Resealing = Pick<Store, 'idempotencyRecords' | 'resealIdempotencyRecords' | 'moveFact'>;

export function sqliteResealing(database: DatabaseSync, read: Reader, group: GroupCommit): Resealing {
  const page = read.many(
    idempotencyRecords,
    'WHERE (merchant_id, livemode, key) > (?, ?, ?) ORDER BY merchant_id, livemode, key LIMIT ?',
  );
  const reseal = database.prepare(
    'UPDATE idempotency_records SET sealed_body = ? WHERE merchant_id = ? AND livemode = ? AND key = ?',
  );
  const move = database.prepare('UPDATE facts SET value = ? WHERE name = ? AND value = ?');
  return {
    idempotencyRecords: async (after, limit) =>
      page(after?.merchantId ?? '', after?.livemode ? 1 : 0, after?.key ?? '', limit),
    resealIdempotencyRecords: (records) =>
      group.join(() => {
        for (const { merchantId, livemode, key, sealedBody } of records)
          reseal.run(sealedBody, merchantId, livemode ? 1 : 0, key);
      }),
    async moveFact(name, from, to) {
      let moved = false;
      await group.join(() => {
        moved = move.run(to, name, from).changes === 1;
      });
      return moved;
    },
  };
}
