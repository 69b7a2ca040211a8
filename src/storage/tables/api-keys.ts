// API keys, of both modes of a merchant.

import type { ApiKey } from '../../domain/api-key.ts';
import { scopeColumns, table } from '../table.ts';

export const apiKeys = table<ApiKey>()({
  name: 'api_keys',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    name: 'text',
    hash: 'text',
    lastFour: 'text',
    createdAt: 'integer',
    lastUsedAt: 'integer',
    revokedAt: 'integer',
    expiresAt: 'integer',
  },
  key: ['merchantId', 'id'],
  versioned: true,
  writtenSeparately: ['lastUsedAt'],
  // Keys of both modes are administered together.
  scoped: false,
  placement: 'every_node',
  foundBy: ['id', 'hash'],
  filters: ['merchantId'],
  order: { by: 'id', ascending: true },
});
