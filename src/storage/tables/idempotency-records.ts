// Idempotency keys and the responses to repeat.

import type { IdempotencyRecord } from '../../domain/idempotency.ts';
import { scopeColumns, table } from '../table.ts';

export const idempotencyRecords = table<IdempotencyRecord>()({
  name: 'idempotency_records',
  columns: {
    ...scopeColumns,
    key: 'text',
    version: 'integer',
    fingerprint: 'text',
    status: 'integer',
    sealedBody: 'bytes',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'key'],
  versioned: true,
  taken: 'idempotency_key',
  oftenTaken: true,
  order: { by: 'key', ascending: true },
  prunedBy: 'createdAt',
});
