// Puts what a user does into the audit log, in the commit that does it: the first commit of a request gets the entry that
// its route describes. Entries that use cases write themselves get the user's address and where the request came from.

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AuditAction,
  type AuditDetails,
  type AuditEntry,
  auditEntry,
  userActor,
} from '../../domain/audit-entry.ts';
import type { ChangeSet, CommitOutcome } from '../../domain/change-set.ts';
import type { Moment } from '../../domain/moment.ts';
import type { Staff } from './route.ts';

export interface Audited {
  readonly staff: Staff;
  /** Null: the use case writes its own entry. */
  readonly action: AuditAction | null;
  /** The id in the path; empty if there is none. */
  readonly id: string;
  readonly details: AuditDetails;
}

interface Current extends Audited {
  /** The entry is committed, or the request has been answered: what it started meanwhile is not the user's doing. */
  isOver: boolean;
  isRecorded: boolean;
}

export interface AuditedCommits {
  /** Runs a handler: its commits are the user's. */
  during<T>(audited: Audited, work: () => Promise<T>): Promise<T>;
  /** Commits with the entry of the current request. */
  commit(changes: ChangeSet, commit: (changes: ChangeSet) => Promise<CommitOutcome>): Promise<CommitOutcome>;
}

/** These rows are not a change that anybody made. */
const unnoticed = new Set(['idempotencyRecords', 'attemptCounts', 'signInCounters', 'facts']);

export function auditedCommits(moment: () => Moment): AuditedCommits {
  const requests = new AsyncLocalStorage<Current>();
  return {
    async during(audited, work) {
      const current: Current = { ...audited, isOver: false, isRecorded: false };
      try {
        return await requests.run(current, work);
      } finally {
        current.isOver = true;
      }
    },
    commit(changes, commit) {
      const current = requests.getStore();
      const isTheirs = current !== undefined && !current.isOver && isChange(changes);
      return isTheirs ? commitAudited(current, changes, commit) : commit(changes);
    },
  };

  async function commitAudited(
    current: Current,
    changes: ChangeSet,
    commit: (changes: ChangeSet) => Promise<CommitOutcome>,
  ): Promise<CommitOutcome> {
    const given = changes.auditEntries ?? [];
    const marked = given.map((entry) => markedBy(current.staff, entry));
    const isOwn = marked.some(({ actor }) => actor === userActor(current.staff.userId));
    const added = current.isRecorded || isOwn ? [] : entryOf(current, changes, moment());
    const auditEntries = [...marked, ...added];
    const outcome = await commit(auditEntries.length === 0 ? changes : { ...changes, auditEntries });
    if (outcome.committed && auditEntries.length > 0) current.isRecorded = true;
    return outcome;
  }
}

function isChange(changes: ChangeSet): boolean {
  return Object.entries(changes).some(([name, rows]) => !unnoticed.has(name) && rows !== undefined && rows.length > 0);
}

/** Use cases know a user as a caller whose key is the user's id. */
function markedBy({ userId, email, ip }: Staff, entry: AuditEntry): AuditEntry {
  const actor = userActor(userId);
  return entry.actor === userId || entry.actor === actor ? { ...entry, actor, email, ip } : entry;
}

function entryOf({ staff, action, id, details }: Current, changes: ChangeSet, moment: Moment): AuditEntry[] {
  if (action === null) return [];
  const { userId, merchantId, livemode, email, ip } = staff;
  const other = action.startsWith('user.') ? userId : (createdId(action, changes) ?? merchantId);
  const subject = id === '' ? other : id;
  return [
    auditEntry(
      moment,
      { actor: userActor(userId), action, subject, merchantId, details: { livemode, ...details } },
      { email, ip },
    ),
  ];
}

const tableOf: Readonly<Record<string, keyof ChangeSet>> = {
  api_key: 'apiKeys',
  checkout_session: 'checkoutSessions',
  payment_link: 'paymentLinks',
  webhook_endpoint: 'webhookEndpoints',
  refund: 'refunds',
  payment_intent: 'paymentIntents',
};

/** The id of what the commit creates, if that is what the action is about. */
function createdId(action: AuditAction, changes: ChangeSet): string | undefined {
  const [first] = changes[tableOf[action.split('.')[0] ?? ''] ?? 'facts'] ?? [];
  return first !== undefined && 'id' in first ? first.id : undefined;
}
