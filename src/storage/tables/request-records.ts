// API requests that are kept for developers. Lists read them without the bodies.

import type { RequestRecord, RequestSummary } from '../../domain/request-record.ts';
import { scopeColumns, table } from '../table.ts';

const summary = {
  ...scopeColumns,
  id: 'text',
  method: 'text',
  path: 'text',
  status: 'integer',
  duration: 'integer',
  keyId: 'text',
  unrecorded: 'integer',
  createdAt: 'integer',
} as const;

export const requestRecords = table<RequestRecord>()({
  name: 'request_records',
  columns: {
    ...summary,
    requestBody: 'text',
    responseBody: 'text',
    requestBytes: 'integer',
    responseBytes: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  skipsTaken: true,
  mayBeLost: true,
  prunedBy: 'createdAt',
});

export const requestSummaries = table<RequestSummary>()({
  name: 'request_records',
  columns: summary,
  key: ['merchantId', 'livemode', 'id'],
});
