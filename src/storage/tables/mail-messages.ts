// Messages to customers, and what became of them.

import type { MailMessage } from '../../domain/mail-message.ts';
import { scopeColumns, table } from '../table.ts';

/** Longer than any retry can be delayed. */
const longestMs = 8 * 86_400_000;

export const mailMessages = table<MailMessage>()({
  name: 'mail_messages',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    kind: 'text',
    paymentIntentId: 'text',
    refundId: 'text',
    locale: 'text',
    status: 'text',
    attempts: 'json',
    dueAt: 'integer',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  // Whoever runs the installation and its SMTP server looks after the messages of all merchants.
  scoped: false,
  placement: 'by_merchant',
  // The command line knows a message by its id alone.
  foundBy: ['id'],
  filters: ['merchantId', 'status', 'paymentIntentId'],
  claims: {
    /** Those that are to be sent or tried again. */
    due: { dueAt: 'dueAt', longestMs },
  },
  prunedBy: 'createdAt',
});
