// Acquirer accounts, with their sealed credentials.

import type { AcquirerAccount } from '../../domain/acquirer-account.ts';
import { scopeColumns, table } from '../table.ts';

export const acquirerAccounts = table<AcquirerAccount>()({
  name: 'acquirer_accounts',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    provider: 'text',
    name: 'text',
    methods: 'json',
    status: 'text',
    credentials: 'bytes',
    secretKeyId: 'text',
    lastErrorAt: 'integer',
    lastErrorMessage: 'text',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  // Notifications and commands name an account by its id alone.
  foundBy: ['id'],
  insertedOnly: ['lastErrorAt', 'lastErrorMessage'],
  order: { by: 'id', ascending: true },
});
