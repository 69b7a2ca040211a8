// The port to storage: commits, reads derived from table descriptions, claims of due work. Both engines keep the same
// promises, which one test suite verifies.

import type { AccountError } from '../domain/acquirer-account.ts';
import type { AttemptCounter } from '../domain/attempt-counts.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import type { ChangeSet, CommitOutcome, Fact } from '../domain/change-set.ts';
import type { ChangedRecord } from '../domain/changed-record.ts';
import type { Delivery, DeliveryResult } from '../domain/delivery.ts';
import type { Event } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import type { PaymentFilter } from '../domain/payment-filter.ts';
import type { PaymentWord } from '../domain/payment-word.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { RecordStore } from './record-store.ts';
import type { Placement, Sources } from './table.ts';
import type { sources } from './tables.ts';

export interface Store extends RecordStore<typeof sources> {
  commit(changes: ChangeSet): Promise<CommitOutcome>;
  /** The same for tables of an external party that stores its data in this database. */
  recordsOf<S extends Sources>(sources: S): RecordStore<S>;
  readonly deliveryQueue: DeliveryQueue;
  readonly payments: PaymentLists;
  /** The same reads, but the data may be a second old: for display, never for decisions. */
  readonly replica: Pick<RecordStore<typeof sources>, 'find' | 'list' | 'count'> & {
    readonly payments: Pick<PaymentLists, 'ids'>;
  };

  /**
   * Where to start reading the events after that one; null: those committed from now on. For an id that does not exist,
   * e.g. one made from a time: before the first committed event with a higher id.
   */
  eventCursor(scope: Scope, afterId: string | null): Promise<EventCursor>;

  /** The counters that exist among these. */
  attemptCounters(keys: readonly string[]): Promise<readonly AttemptCounter[]>;
  /**
   * Erases expired counters, and the attempt keys of operations that were created before `madeBefore`, at most `limit` of
   * each; returns the larger number. On SQLite, no trace is left in the files once all are erased.
   */
  eraseAttempts(now: number, madeBefore: number, limit: number): Promise<number>;

  /**
   * Erases old payments with their sessions, operations, refunds and disputes, except those with unsettled money, money that
   * arrived too late and could not be returned, open disputes or recent operations. Examines at most `limit` in the order of
   * their creation; returns how many it erased, and where to continue, or null at the end.
   */
  prunePayments(old: OldPayments): Promise<{ readonly erased: number; readonly next: string | null }>;

  /**
   * Replaces the data of an event. Only for what must be erased from it: events are never changed otherwise. Deliveries
   * send what is stored when they are sent.
   */
  rewriteEvent(event: Event): Promise<void>;

  /** Not part of any decision, so outside `commit`: the latest time wins, whatever the order. */
  markKeysUsed(uses: readonly KeyUse[]): Promise<void>;
  /** Records when pages of sessions were first opened; an earlier time is kept. Best effort: nothing depends on it. */
  markSessionsOpened(openings: readonly SessionOpening[]): Promise<void>;
  /**
   * Stores the last error of acquirer accounts, unless a later one is stored, or the same within a minute before. Their
   * versions stay, so no update of an account conflicts with it.
   */
  recordAccountErrors(errors: readonly AccountError[]): Promise<void>;
  /** Replaces a fact if it still has the value `from`, with an audit entry if given; returns whether it did. */
  moveFact(name: Fact['name'], from: string, to: string, audit?: AuditEntry): Promise<boolean>;
  /**
   * Makes work due now that waits longer than it could have been delayed: its time comes from a clock that was ahead. About
   * `limit` of each kind at a time; returns whether there may be more.
   */
  endImpossibleWaits(longest: LongestWaits): Promise<boolean>;

  /** For operators; over all merchants. */
  unfinished(now: number): Promise<Unfinished>;

  /**
   * Called soon after commits of other processes. Best effort: notifications are lost with a connection, and there are
   * none behind a pooler or on SQLite, so callers must also poll.
   */
  onCommittedElsewhere(listener: (committed: CommittedElsewhere) => void): void;

  /** The time of the database server, in milliseconds since 1970; null if there is only the system clock. */
  time(): Promise<number | null>;
  /** Throws with the reason if storage does not respond or migrations are missing. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** What is left to find out or to do. */
export interface Unfinished {
  /** Operations whose outcome the acquirer does not tell, by provider. `since`: of the oldest. */
  readonly unknown: readonly { readonly provider: string; readonly operations: number; readonly since: number }[];
  /** When the oldest of the sessions that are overdue should have expired; null: there are none. */
  readonly overdueSince: number | null;
}

export interface OldPayments {
  readonly scope: Scope;
  /**
   * `abandoned`: the session ended, and nothing was ever paid. `late`: it ended, and money arrived after that. `completed`:
   * paid, or at least authorised or on its way when the session was completed.
   */
  readonly kind: 'abandoned' | 'late' | 'completed';
  /** When they were created at the latest, and so their operations and refunds. */
  readonly before: number;
  /** What the previous call returned as `next`; `''` starts at the oldest. */
  readonly after: string;
  readonly limit: number;
}

export interface PaymentRange {
  readonly scope: Scope;
  readonly filter: PaymentFilter;
  /** Only payments with lower ids: the cursor of the previous page. */
  readonly before?: string | undefined;
  /** Only payments with this id or a higher one. */
  readonly atLeast?: string | undefined;
  /** Texts of which the payment or its session contains one, in lower case and as they appear within JSON. */
  readonly containing?: readonly string[];
  /** Or it has one of these amounts. */
  readonly amounts?: readonly number[];
}

/** Of payments that were examined, newest first: at most as many as requested, and possibly fewer. */
export interface Examined<Found> {
  readonly found: Found;
  readonly examined: number;
  /** The last one that was examined, after which to continue; null at the end. */
  readonly next: string | null;
}

/** Payments by any combination of filters, newest first, for display. Neither call blocks the process for long. */
export interface PaymentLists {
  /** The ids of those that pass, newest first. No more are examined than it takes to find `wanted`, where an index tells. */
  ids(range: PaymentRange, atMost: number, wanted?: number): Promise<Examined<readonly string[]>>;
  /** The number of those that pass. */
  count(range: PaymentRange, atMost: number): Promise<Examined<number>>;
  /** Which of these were disputed at any time. */
  disputed(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The ids of payments with one of these words, newest first, after the cursor of the previous page. */
  byWords(
    scope: Scope,
    words: readonly number[],
    before: string | undefined,
    limit: number,
  ): Promise<readonly string[]>;
  /** The ids between these two, oldest first. */
  oldest(scope: Scope, after: string, before: string, limit: number): Promise<readonly string[]>;
  /** Words of one merchant. */
  eraseWords(words: readonly PaymentWord[]): Promise<void>;
}

/** Deliveries that wait for their first attempt or a retry, in one queue per endpoint. */
export interface DeliveryQueue {
  /**
   * Examines at most `limit` endpoints with waiting deliveries, in the order of their ids, starting after `after`. Returns
   * those with due deliveries, and the id after which to continue; `''` starts over.
   */
  endpointsWithDue(
    now: number,
    after: string,
    limit: number,
  ): Promise<{ readonly due: readonly string[]; readonly next: string }>;
  /**
   * Claims due deliveries for the length of a lease, oldest first and at most `maxClaimedAtOnce`; one that is not recorded
   * by then is due again.
   */
  claim(claim: DeliveryClaim): Promise<readonly ClaimedDeliveries[]>;
  /**
   * Stores the results of claimed deliveries durably, except those that have been claimed again since. Returns the ids of
   * those stored.
   */
  record(records: readonly AttemptRecord[]): Promise<ReadonlySet<string>>;
  /** Failed deliveries created at `since` or later, of stored events not sent to the endpoint again since. Oldest first. */
  failed(scope: Scope, endpointId: string, since: number, limit: number): Promise<readonly Delivery[]>;
  /** Deliveries of the newest events since that time, newest event first: their results, without their attempts. */
  recent(scope: Scope, since: number, limit: number): Promise<readonly DeliveryResult[]>;
  countDue(now: number): Promise<number>;
  /** The number of waiting deliveries of a merchant; counts no further than `atMost`. */
  countWaiting(scope: Scope, atMost: number): Promise<number>;
  /** The deliveries of events created at `since` or later, by status; examines at most `atMost`, newest first. */
  countByStatus(scope: Scope, since: number, atMost: number): Promise<Readonly<Record<Delivery['status'], number>>>;
  /** Deletes at most `limit` deliveries that ended before that time; returns how many. */
  prune(before: number, limit: number): Promise<number>;
}

/**
 * Whether opening a store creates and migrates the tables, requires existing ones, or requires existing ones and does not
 * even write rows.
 */
export type SchemaUse = 'migrate' | 'existing' | 'read-only';

/** Where the rows of a table are on a distributed database. */
export interface PlacedTable {
  readonly table: string;
  readonly placement: Placement;
  /** They were there already. */
  readonly before: boolean;
}

/** A server with its host and port, and what it is, or why it cannot be used. */
export type ProbedServer = { readonly name: string } & ({ readonly isReplica: boolean } | { readonly problem: string });

export interface CommittedElsewhere {
  /** They have new deliveries. */
  readonly endpointIds: readonly string[];
  readonly scopes: readonly ChangedScope[];
  /** What other processes committed a moment ago may not have been announced. */
  readonly mayHaveMissed?: true;
}

/** A merchant in one mode with new events, or with records that were changed without one. */
export interface ChangedScope extends Scope {
  /** `many`: too many to name. */
  readonly changed?: readonly ChangedRecord[] | 'many';
}

/** A place in the order in which events were committed. */
export interface EventCursor {
  readonly position: number;
  /** The event at this position; null: before the first event. */
  readonly eventId: string | null;
}

/** The longest delays and leases by which work can be postponed. */
export interface LongestWaits {
  readonly now: number;
  /** Of an operation, by the number of inquiries; the last applies to all higher numbers. */
  readonly operationMs: readonly number[];
  /** Of a delivery before its first attempt. */
  readonly firstAttemptMs: number;
  /** Of a delivery after that. */
  readonly retryMs: number;
  readonly limit: number;
}

export interface DeliveryClaim {
  readonly now: number;
  readonly leaseMs: number;
  readonly wanted: readonly { readonly endpointId: string; readonly limit: number }[];
}

export interface ClaimedDeliveries {
  /** Null: it was deleted. */
  readonly endpoint: WebhookEndpoint | null;
  readonly endpointId: string;
  /** An event is null if it was pruned before its delivery was committed. */
  readonly claimed: readonly { readonly delivery: Delivery; readonly event: Event | null }[];
}

export interface AttemptRecord {
  /** As it was claimed. */
  readonly claimed: Delivery;
  /** As it is now. */
  readonly delivery: Delivery;
}

/** Identifies one row. */
export interface ScopedId extends Scope {
  readonly id: string;
}

export interface SessionOpening extends ScopedId {
  readonly openedAt: number;
}

export interface KeyUse {
  readonly id: string;
  readonly usedAt: number;
}

/**
 * Storage is not running, unreachable, out of space or too busy. If a connection broke during a commit, it is unknown
 * whether the commit was written: a retry must use the same ids or idempotency key.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
