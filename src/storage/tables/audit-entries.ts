// The audit trail: who changed what, and when.

import type { AuditEntry } from '../../domain/audit-entry.ts';
import { table } from '../table.ts';

export const auditEntries = table<AuditEntry>()({
  name: 'audit_entries',
  columns: {
    id: 'text',
    actor: 'text',
    action: 'text',
    subject: 'text',
    merchantId: 'text',
    email: 'text',
    ip: 'text',
    details: 'json',
    createdAt: 'integer',
  },
  key: ['id'],
  filters: ['merchantId', 'actor', 'action'],
  prunedBy: 'createdAt',
});
