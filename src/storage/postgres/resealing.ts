// What a change of the installation's secret key needs: to walk through what is sealed, and to say which key counts.

import type { Store } from '../store.ts';
import { auditEntries, columnNames, idempotencyRecords } from '../tables.ts';
import { reader } from './reader.ts';
import { encode, type Query, type RowsOf } from './rows.ts';

type Resealing = Pick<Store, 'idempotencyRecords' | 'resealIdempotencyRecords' | 'moveFact'>;

export function postgresResealing(query: Query, rowsOf: RowsOf): Resealing {
  const { many } = reader(rowsOf);
  return {
    idempotencyRecords: (after, limit) =>
      many(
        idempotencyRecords,
        'after',
        'WHERE (merchant_id, livemode, key) > ($1, $2, $3) ORDER BY merchant_id, livemode, key LIMIT $4',
        [after?.merchantId ?? '', after?.livemode ?? false, after?.key ?? '', limit],
      ),
    async resealIdempotencyRecords(records) {
      await query({
        name: 'reseal idempotency records',
        text: resealSql,
        values: [
          records.map(({ merchantId }) => merchantId),
          records.map(({ livemode }) => livemode),
          records.map(({ key }) => key),
          records.map(({ sealedBody }) => Buffer.from(sealedBody)),
        ],
      });
    },
    async moveFact(name, from, to, audit) {
      const text = 'UPDATE facts SET value = $3 WHERE name = $1 AND value = $2';
      const values = [name, from, to];
      if (audit === undefined) return (await query({ name: 'move fact', text, values })).rowCount === 1;
      const recorded = auditEntries.columns.map((column) => encode(column, audit[column.field as keyof typeof audit]));
      const { rowCount } = await query({
        name: 'move and record fact',
        text: `WITH moved AS (${text} RETURNING 1)
               INSERT INTO audit_entries (${columnNames(auditEntries)})
               SELECT ${recorded.map((_, at) => `$${values.length + at + 1}`).join(', ')} FROM moved`,
        values: [...values, ...recorded],
      });
      return rowCount === 1;
    },
  };
}

const resealSql = `
  UPDATE idempotency_records r SET sealed_body = new.sealed_body
  FROM unnest($1::text[], $2::boolean[], $3::text[], $4::bytea[]) AS new (merchant_id, livemode, key, sealed_body)
  WHERE r.merchant_id = new.merchant_id AND r.livemode = new.livemode AND r.key = new.key`;
