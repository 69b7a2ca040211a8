// Records that pages of the dashboard show, and that a commit has changed without an event about them.

import type { ChangeSet } from './change-set.ts';
import type { Scope } from './merchant.ts';

/** Events tell of payments and sessions, but none tells of a link, whose uses change with its payments. */
const neverInEvents = ['paymentLinks'] as const;
const shownTables = ['paymentIntents', 'checkoutSessions', ...neverInEvents] as const;

export interface ChangedRecord {
  readonly table: (typeof shownTables)[number];
  readonly id: string;
}

export const isShownTable = (name: unknown): name is ChangedRecord['table'] =>
  (shownTables as readonly unknown[]).includes(name);

export interface CommittedRecord extends ChangedRecord {
  readonly scope: Scope;
  readonly isNew: boolean;
}

export function changedWithoutEvent(changes: ChangeSet): CommittedRecord[] {
  const hasEvent = changes.events !== undefined && changes.events.length > 0;
  return (hasEvent ? neverInEvents : shownTables).flatMap((table) =>
    (changes[table] ?? []).map(({ merchantId, livemode, id, version }) => {
      return { table, id, scope: { merchantId, livemode }, isNew: version === 0 };
    }),
  );
}
