// Operations at acquirers: everything that moves money.

import type { Operation } from '../../domain/operation.ts';
import { scopeColumns, table } from '../table.ts';

export const operations = table<Operation>()({
  name: 'operations',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    kind: 'text',
    status: 'text',
    paymentIntentId: 'text',
    checkoutSessionId: 'text',
    amount: 'integer',
    paymentMethod: 'json',
    actionUrl: 'text',
    refundId: 'text',
    reason: 'text',
    acquirerId: 'text',
    acquirerReference: 'text',
    acquirerState: 'json',
    paymentOperationId: 'text',
    requestFingerprint: 'text',
    attempt: 'json',
    locale: 'text',
    dueAt: 'integer',
    inquiries: 'integer',
    unknownSince: 'integer',
    history: 'json',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  insertedOnly: [
    'kind',
    'paymentIntentId',
    'checkoutSessionId',
    'refundId',
    'acquirerId',
    'paymentOperationId',
    'requestFingerprint',
    'locale',
    'createdAt',
  ],
  // A form that is submitted twice has the same id, and so does a request that is repeated with its key.
  oftenTaken: true,
  // A notification from the sandbox contains only the id.
  foundBy: ['id'],
  filters: ['acquirerReference', 'paymentIntentId'],
  claims: {
    /** Operations that the acquirer should be asked about. */
    due: { dueAt: 'dueAt' },
  },
});
