// API keys, of both modes of a merchant.

import type { ApiKey } from '../../domain/api-key.ts';
import { scopeColumns, table } from '../table.ts';

const columns = {
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
} as const;

export const apiKeys = table<ApiKey>()({
  name: 'api_keys',
  columns,
  key: ['merchantId', 'id'],
  versioned: true,
  insertedOnly: ['lastUsedAt'],
  // Keys of both modes are administered together.
  scoped: false,
  placement: 'every_node',
  foundBy: ['id', 'hash'],
  filters: ['merchantId'],
  order: { by: 'id', ascending: true },
});

/** The keys of one mode, newest first. */
export const keysOfMode = table<ApiKey>()({
  name: 'api_keys',
  columns,
  key: ['merchantId', 'id'],
  placement: 'every_node',
});
