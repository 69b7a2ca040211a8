// paydesk audit list

import type { AuditEntry } from '../domain/audit-entry.ts';
import { isoTime } from '../domain/moment.ts';
import { type Command, text, wholeNumber } from './command.ts';
import { withStore } from './open.ts';
import { table } from './terminal.ts';

const defaultLimit = 50;
const maxLimit = 1_000;

export const auditList: Command = {
  name: 'audit list',
  summary: 'list who changed merchants, keys and webhook endpoints',
  usage: '[--merchant MERCHANT] [--limit N] [--json]',
  help: `
Newest first. The actor is cli:USER for commands, with the user of the operating system, the id of an API key for
calls of the API, or paydesk for what happens by itself. Entries are never changed or deleted, and hold no secrets.

  paydesk audit list --merchant acct_…

  --merchant MERCHANT  only what concerns this merchant, acct_…
  --limit N            how many, 1 to ${maxLimit} (${defaultLimit})`,
  options: { merchant: { type: 'string' }, limit: { type: 'string' } },
  run: async (words, output) => {
    const limit = wholeNumber(words, 'limit', `how many to show, 1 to ${maxLimit}`) ?? defaultLimit;
    if (limit < 1 || limit > maxLimit) return output.fail(`--limit must be from 1 to ${maxLimit}`);
    const merchantId = text(words, 'merchant');
    return withStore(async ({ store }) => {
      if (merchantId !== undefined && (await store.merchant(merchantId)) === null)
        return output.fail(`there is no merchant ${merchantId}; paydesk merchant list shows those there are`);
      const entries = await store.auditEntries({ limit, ...(merchantId === undefined ? {} : { merchantId }) });
      output.result(entries.map(describe), entries.length === 0 ? 'Nothing was changed yet.' : table(entries.map(row)));
      return 0;
    });
  },
};

function describe({ id, createdAt, actor, action, subject, merchantId, details }: AuditEntry) {
  return { id, created_at: isoTime(createdAt), actor, action, subject, merchant: merchantId, details };
}

function row({ createdAt, actor, action, subject, details }: AuditEntry): string[] {
  return [isoTime(createdAt), actor, action, subject, JSON.stringify(details)];
}
