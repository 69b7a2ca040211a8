// What a change of the installation's secret key needs: to walk through what is sealed, and to say which key counts.

import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import { auditEntries, idempotencyRecords } from '../tables.ts';
import { type GroupCommit, inserter } from './group-commit.ts';
import { placeOfKey } from './places.ts';
import type { Reader } from './reader.ts';

type Resealing = Pick<Store, 'idempotencyRecords' | 'resealIdempotencyRecords' | 'moveFact'>;

export function sqliteResealing(database: DatabaseSync, read: Reader, group: GroupCommit): Resealing {
  const firstPage = read.many(idempotencyRecords, 'ORDER BY place LIMIT ?');
  const pageAfter = read.many(idempotencyRecords, 'WHERE place > ? ORDER BY place LIMIT ?');
  const reseal = database.prepare(
    'UPDATE idempotency_records SET sealed_body = ? WHERE place = ? AND merchant_id = ? AND livemode = ? AND key = ?',
  );
  const move = database.prepare('UPDATE facts SET value = ? WHERE name = ? AND value = ?');
  const record = inserter(database, auditEntries);
  return {
    idempotencyRecords: async (after, limit) =>
      after === null ? firstPage(limit) : pageAfter(placeOfKey(after, after.key), limit),
    resealIdempotencyRecords: (records) =>
      group.join(() => {
        for (const record of records) {
          const { merchantId, livemode, key, sealedBody } = record;
          reseal.run(sealedBody, placeOfKey(record, key), merchantId, livemode ? 1 : 0, key);
        }
      }),
    moveFact: (name, from, to, audit) =>
      group.join(() => {
        const moved = move.run(to, name, from).changes === 1;
        if (moved && audit !== undefined) record({ ...audit });
        return moved;
      }),
  };
}
