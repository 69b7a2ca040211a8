// The port to storage: commits, reads that follow from table descriptions, claims of due work. Both engines keep the same
// promises, and one contract suite holds them to it.

import type { AttemptCounter } from '../domain/attempt-counts.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import type { ChangeSet, CommitOutcome, Fact } from '../domain/change-set.ts';
import type { CheckoutSessionStatus } from '../domain/checkout-session.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Event } from '../domain/event.ts';
import type { Scope } from '../domain/merchant.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { RecordStore } from './record-store.ts';
import type { Sources } from './table.ts';
import type { sources } from './tables.ts';

export interface Store extends RecordStore<typeof sources> {
  commit(changes: ChangeSet): Promise<CommitOutcome>;
  /** The same for tables of others, who keep their own books in this database. */
  recordsOf<S extends Sources>(sources: S): RecordStore<S>;
  readonly deliveryQueue: DeliveryQueue;
  /** The same reads, but their answer may be a second old: for readers, never for decisions. */
  readonly replica: Pick<RecordStore<typeof sources>, 'list' | 'count'>;

  /**
   * Where to begin so as to read what came after that event; null: what is committed from now on. For an id that does
   * not exist, made from a time, say, before the first commit of an event that is younger by its id.
   */
  eventCursor(scope: Scope, afterId: string | null): Promise<EventCursor>;

  /** Those of these counters that there are. */
  attemptCounters(keys: readonly string[]): Promise<readonly AttemptCounter[]>;
  /**
   * Erases counters whose time is over, and the keys of attempts from operations that were made before that time, at most
   * `limit` of each; returns the larger number. On SQLite nothing of them is left in the files once none is left.
   */
  eraseAttempts(now: number, madeBefore: number, limit: number): Promise<number>;

  /**
   * Erases old payments with their sessions, operations and refunds, except those with unsettled money or recent
   * operations. Examines at most `limit` in the order of their creation; returns how many it erased, and the session
   * after which to continue, or null at the end.
   */
  prunePayments(old: OldPayments): Promise<{ readonly erased: number; readonly next: string | null }>;

  /** Not part of any decision, so outside of `commit`: later times win, in any order. */
  markKeysUsed(uses: readonly KeyUse[]): Promise<void>;
  /** Changes a fact that still has that value, and records who did, if given; returns whether it had. */
  moveFact(name: Fact['name'], from: string, to: string, audit?: AuditEntry): Promise<boolean>;
  /**
   * Makes due now what waits longer than it can have been put off: its time comes from a clock that was ahead. At most
   * `limit` of each kind; returns whether there may be more.
   */
  endImpossibleWaits(longest: LongestWaits): Promise<boolean>;

  /**
   * Tells of commits of other processes, soon after them. Only an aid: after a lost connection, behind a pooler or on
   * SQLite nothing is told, so whoever depends on news also looks for them now and then.
   */
  onCommittedElsewhere(listener: (committed: CommittedElsewhere) => void): void;

  /** The time of the server's clock, in milliseconds since 1970; null where the system's clock is the only one. */
  time(): Promise<number | null>;
  /** Throws, saying why, when storage does not respond or its migrations are not applied. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface OldPayments {
  readonly scope: Scope;
  /** `expired`: never paid. `completed`: paid, or at least authorised or on its way at that time. */
  readonly sessionStatus: Exclude<CheckoutSessionStatus, 'open'>;
  /** When they were created at the latest, and so their operations and refunds. */
  readonly before: number;
  /** The id of a session; `''` starts at the oldest. */
  readonly after: string;
  readonly limit: number;
}

/** The deliveries that wait for their first attempt or a retry, in one queue for each endpoint. */
export interface DeliveryQueue {
  /**
   * Goes through at most `limit` endpoints that have deliveries waiting, in the order of their ids, from after that one:
   * returns those with due ones, and from after which to continue; `''` starts over.
   */
  endpointsWithDue(
    now: number,
    after: string,
    limit: number,
  ): Promise<{ readonly due: readonly string[]; readonly next: string }>;
  /**
   * Claims due deliveries, oldest first and at most `maxClaimedAtOnce`, for the time of a lease; one that is not
   * recorded by then is due again.
   */
  claim(claim: DeliveryClaim): Promise<readonly ClaimedDeliveries[]>;
  /** The results of claimed deliveries, durable when it returns. Those that others have claimed since are left as they are. */
  record(records: readonly AttemptRecord[]): Promise<void>;
  /** Failed ones, made at that time or later, of events that were not sent to the endpoint again since. Oldest first. */
  failed(scope: Scope, endpointId: string, since: number, limit: number): Promise<readonly Delivery[]>;
  countDue(now: number): Promise<number>;
  /** How many of a merchant's deliveries wait; counts no further than `atMost`. */
  countWaiting(scope: Scope, atMost: number): Promise<number>;
  /** Deletes at most `limit` deliveries that ended before that time; returns how many. */
  prune(before: number, limit: number): Promise<number>;
}

/**
 * What opening a store may do about its tables: make and migrate them; nothing, but use those that are there; or nothing
 * and not even write rows.
 */
export type SchemaUse = 'migrate' | 'existing' | 'read-only';

export interface CommittedElsewhere {
  /** They have new deliveries. */
  readonly endpointIds: readonly string[];
  /** They have new events. */
  readonly scopes: readonly Scope[];
}

/** A place in the order in which events were committed. */
export interface EventCursor {
  readonly position: number;
  /** Of the event there; null: before the first. */
  readonly eventId: string | null;
}

/** For how long work can be put off, by a delay or a lease. */
export interface LongestWaits {
  readonly now: number;
  /** Of an operation, by how often the acquirer was asked about it; the last counts for all above. */
  readonly operationMs: readonly number[];
  /** Of a delivery that was not tried yet. */
  readonly firstAttemptMs: number;
  /** Of one that was. */
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
  readonly claimed: readonly { readonly delivery: Delivery; readonly event: Event }[];
}

export interface AttemptRecord {
  /** As it was claimed. */
  readonly claimed: Delivery;
  /** As it is now. */
  readonly delivery: Delivery;
}

/** Names one row. */
export interface ScopedId extends Scope {
  readonly id: string;
}

export interface KeyUse {
  readonly id: string;
  readonly usedAt: number;
}

/**
 * Storage could not answer: not running, out of reach, out of space, or too busy. Where a connection broke during a
 * commit, whether that was written is not known: who tries again must do so with the same ids or idempotency key.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
