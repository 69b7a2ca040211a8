// Notifications from providers.

import { type AcquirerNotice, longestNoticeDelayMs } from '../../domain/acquirer-notice.ts';
import { scopeColumns, table } from '../table.ts';

export const acquirerNotices = table<AcquirerNotice>()({
  name: 'acquirer_notices',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    accountId: 'text',
    noticeId: 'text',
    type: 'text',
    subject: 'text',
    state: 'json',
    attempts: 'integer',
    dueAt: 'integer',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  // Providers repeat notifications.
  oftenTaken: true,
  claims: {
    /** Those that are still to be acted on. */
    due: { dueAt: 'dueAt', longestMs: longestNoticeDelayMs },
  },
  prunedBy: 'createdAt',
  prunedOnly: 't.due_at IS NULL',
});
