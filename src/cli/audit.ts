// paydesk audit list

import type { AuditEntry } from '../domain/audit-entry.ts';
import { isoTime } from '../domain/moment.ts';
import { type Command, text, wholeNumber } from './command.ts';
import { withStore } from './open.ts';
import { tableUnder } from './terminal.ts';

const defaultLimit = 50;
const maxLimit = 1_000;

export const auditList: Command = {
  name: 'audit list',
  summary: 'show who changed merchants, keys and webhook endpoints',
  usage: '[--merchant MERCHANT] [--limit N] [--json]',
  help: `
Newest first. The actor is cli:USER for commands (the operating system user), the id of an API key for API calls,
user:USER for the dashboard, or paydesk for automatic changes. Entries are never changed, and contain no secrets. With
--json, those of users have their e-mail address and the address that the request came from.

  paydesk audit list --merchant acct_…

  --merchant MERCHANT  only entries about this merchant, acct_…
  --limit N            number of entries, 1 to ${maxLimit} (default ${defaultLimit})`,
  options: { merchant: { type: 'string' }, limit: { type: 'string' } },
  run: async (args, output) => {
    const limit = wholeNumber(args, 'limit', { from: 1, to: maxLimit }) ?? defaultLimit;
    const merchantId = text(args, 'merchant');
    return withStore(async ({ store }) => {
      if (merchantId !== undefined && (await store.findBy('merchants', 'id', merchantId)) === null)
        return output.fail(`no merchant ${merchantId} exists; see paydesk merchant list`);
      const entries = await store.list('auditEntries', { limit, where: { merchantId } });
      output.result(
        entries.map(describe),
        entries.length === 0
          ? 'No changes have been recorded yet.'
          : tableUnder(['CREATED', 'ACTOR', 'ACTION', 'SUBJECT', 'DETAILS'], entries.map(row)),
      );
      return 0;
    });
  },
};

function describe({ id, createdAt, actor, email, ip, action, subject, merchantId, details }: AuditEntry) {
  return { id, created_at: isoTime(createdAt), actor, email, ip, action, subject, merchant: merchantId, details };
}

function row({ createdAt, actor, action, subject, details }: AuditEntry): string[] {
  return [isoTime(createdAt), actor, action, subject, JSON.stringify(details)];
}
