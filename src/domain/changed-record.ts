// Records that pages of the dashboard show, and that a commit has changed without an event that tells of it.

import type { ChangeSet } from './change-set.ts';
import type { Scope } from './merchant.ts';

const shownTables = ['paymentIntents', 'checkoutSessions', 'paymentLinks'] as const;

export interface ChangedRecord {
  readonly table: (typeof shownTables)[number];
  readonly id: string;
}

export interface CommittedRecord extends ChangedRecord {
  readonly scope: Scope;
  readonly isNew: boolean;
}

export function changedWithoutEvent(changes: ChangeSet): CommittedRecord[] {
  if (changes.events !== undefined && changes.events.length > 0) return [];
  return shownTables.flatMap((table) =>
    (changes[table] ?? []).map(({ merchantId, livemode, id, version }) => ({
      ...{ table, id, scope: { merchantId, livemode }, isNew: version === 0 },
    })),
  );
}
