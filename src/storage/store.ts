// The port to storage: a few reads, one commit, claims of due work. Both engines keep the same promises, and one
// contract suite holds them to it.

import type { ApiKey } from '../domain/api-key.ts';
import type { AttemptCounter } from '../domain/attempt-counts.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import type { ChangeSet, CommitOutcome, Fact } from '../domain/change-set.ts';
import type { CheckoutSession, CheckoutSessionStatus } from '../domain/checkout-session.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Event, EventType, PositionedEvent } from '../domain/event.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Merchant, MerchantLook, Scope } from '../domain/merchant.ts';
import type { Operation } from '../domain/operation.ts';
import type { PaymentIntent, PaymentIntentStatus } from '../domain/payment-intent.ts';
import type { Refund } from '../domain/refund.ts';
import type { SandboxFollowUp, SandboxPayment } from '../domain/sandbox-payment.ts';
import type { Subscription, WebhookEndpoint } from '../domain/webhook-endpoint.ts';

export interface Store {
  /** Atomic and durable when it answers `committed`; otherwise nothing of it is there. */
  commit(changes: ChangeSet): Promise<CommitOutcome>;

  paymentIntent(scope: Scope, id: string): Promise<PaymentIntent | null>;
  checkoutSession(scope: Scope, id: string): Promise<CheckoutSession | null>;
  /** Both halves of a payment, as of one moment. */
  paymentOfSession(scope: Scope, sessionId: string): Promise<Payment | null>;
  paymentOfIntent(scope: Scope, intentId: string): Promise<Payment | null>;
  paymentIntents(scope: Scope, page: Page<PaymentIntentStatus>): Promise<readonly PaymentIntent[]>;
  checkoutSessions(scope: Scope, page: Page<CheckoutSessionStatus>): Promise<readonly CheckoutSession[]>;
  /** What the hosted page needs: it knows a session by its id alone. */
  checkout(sessionId: string): Promise<(Payment & { readonly merchant: MerchantLook }) | null>;
  /** By its id alone: an acquirer's notification brings nothing else. */
  operation(id: string): Promise<Operation | null>;
  refund(scope: Scope, id: string): Promise<Refund | null>;
  refunds(scope: Scope, page: Page<never>): Promise<readonly Refund[]>;
  event(scope: Scope, id: string): Promise<Event | null>;
  events(scope: Scope, page: Page<never>): Promise<readonly Event[]>;
  /**
   * In the order of commit: at most `limit` after that position. No event ever becomes visible at or below a position
   * that was read before, so who reads on from the last one misses nothing and gets nothing twice.
   */
  eventsAfter(scope: Scope, position: number, limit: number): Promise<readonly PositionedEvent[]>;
  /**
   * Where to begin so as to read what came after that event; null: what is committed from now on. For an id that does
   * not exist, made from a time, say, before the first commit of an event that is younger by its id.
   */
  eventCursor(scope: Scope, afterId: string | null): Promise<EventCursor>;
  idempotencyRecord(scope: Scope, key: string): Promise<IdempotencyRecord | null>;

  /** The key with this hash and its merchant. */
  credential(keyHash: string): Promise<Credential | null>;
  merchant(id: string): Promise<Merchant | null>;
  merchants(page: Page<never>): Promise<readonly Merchant[]>;
  apiKeys(merchantId: string): Promise<readonly ApiKey[]>;
  apiKey(id: string): Promise<ApiKey | null>;
  fact(name: Fact['name']): Promise<string | null>;
  /** Of every merchant, or of one. */
  auditEntries(page: Page<never>): Promise<readonly AuditEntry[]>;

  /**
   * Open sessions whose time has come and whose payment is not `processing`, oldest first. A claimed one is not
   * given out again before the lease ends, so a claimer that dies only delays its work.
   */
  claimExpiredSessions(claim: Claim): Promise<readonly ScopedId[]>;
  /** Operations that the acquirer is to be asked about. */
  claimDueOperations(claim: Claim): Promise<readonly string[]>;
  /** Authorisations that were not captured in time. */
  claimLapsedAuthorisations(claim: Claim): Promise<readonly ScopedId[]>;
  /** Those of these counters that there are. */
  attemptCounters(keys: readonly string[]): Promise<readonly AttemptCounter[]>;
  /**
   * Erases counters whose time is over, and the keys of attempts from operations that were made before that time, at most
   * `limit` of each; answers how many it was at most. On SQLite nothing of them is left in the files once none is left.
   */
  eraseAttempts(now: number, madeBefore: number, limit: number): Promise<number>;

  /** Deleted ones are as if they were not there. */
  webhookEndpoint(scope: Scope, id: string): Promise<WebhookEndpoint | null>;
  webhookEndpoints(scope: Scope, page: Page<never>): Promise<readonly WebhookEndpoint[]>;
  countWebhookEndpoints(scope: Scope): Promise<number>;
  /** Of every merchant. */
  allWebhookEndpoints(page: Page<never>): Promise<readonly WebhookEndpoint[]>;
  /** The endpoints that are enabled. */
  subscriptions(scope: Scope): Promise<readonly Subscription[]>;
  deliveries(scope: Scope, eventId: string, page: Page<never>): Promise<readonly Delivery[]>;
  /** Failed ones, made at that time or later, of events that were not sent to the endpoint again since. Oldest first. */
  failedDeliveries(scope: Scope, endpointId: string, since: number, limit: number): Promise<readonly Delivery[]>;

  /**
   * Goes through at most `limit` endpoints that have deliveries waiting, in the order of their ids, from after that one:
   * tells those with due ones, and from after which to go on; `''` begins anew.
   */
  endpointsWithDueDeliveries(
    now: number,
    after: string,
    limit: number,
  ): Promise<{ readonly due: readonly string[]; readonly next: string }>;
  /**
   * Takes due deliveries on, oldest first and at most `maxClaimedAtOnce`, for the time of a lease; one that is not
   * recorded by then is due again.
   */
  claimDeliveries(claim: DeliveryClaim): Promise<readonly ClaimedDeliveries[]>;
  /**
   * What became of claimed deliveries, durable when it answers. Those whose lease ended and that others have taken
   * on since are left as they are.
   */
  recordAttempts(records: readonly AttemptRecord[]): Promise<void>;
  countDueDeliveries(now: number): Promise<number>;
  /** How many of a merchant's deliveries wait for their first attempt or a retry; counts no further than `atMost`. */
  countWaitingDeliveries(scope: Scope, atMost: number): Promise<number>;
  /** Deletes at most `limit` deliveries that ended before that time; answers how many. */
  pruneDeliveries(before: number, limit: number): Promise<number>;

  /** The sandbox acquirer's own. */
  sandboxPayment(reference: string): Promise<SandboxPayment | null>;
  sandboxFollowUp(reference: string): Promise<SandboxFollowUp | null>;
  claimSettlingSandboxPayments(claim: Claim): Promise<readonly string[]>;

  /** Not part of any decision, so outside of `commit`: later times win, in any order. */
  markKeysUsed(uses: readonly KeyUse[]): Promise<void>;
  /** Deletes at most `limit` records from before that time; answers how many. */
  pruneIdempotencyRecords(before: number, limit: number): Promise<number>;

  /** Of every merchant, in the order of merchant, mode and key, from after that one. */
  idempotencyRecords(after: IdempotencyRecord | null, limit: number): Promise<readonly IdempotencyRecord[]>;
  /** The same answers under another key; durable when it answers. */
  resealIdempotencyRecords(records: readonly IdempotencyRecord[]): Promise<void>;
  /** Changes a fact that still has that value, and records who did, if told; answers whether it had. */
  moveFact(name: Fact['name'], from: string, to: string, audit?: AuditEntry): Promise<boolean>;

  /**
   * Makes due now what waits longer than it can have been put off: its time comes from a clock that was ahead. At most
   * `limit` of each kind; answers whether there may be more.
   */
  endImpossibleWaits(longest: LongestWaits): Promise<boolean>;

  /** The time of the server's clock, in milliseconds since 1970; null where the system's clock is the only one. */
  time(): Promise<number | null>;
  /** Throws, saying why, when storage does not answer or its migrations are not applied. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * What opening a store may do about its tables: make and migrate them; nothing, but use those that are there; or nothing
 * and not even write rows.
 */
export type SchemaUse = 'migrate' | 'existing' | 'read-only';

/** What has to do with webhooks. */
export type DeliveryStore = Pick<
  Store,
  | 'webhookEndpoint'
  | 'webhookEndpoints'
  | 'countWebhookEndpoints'
  | 'allWebhookEndpoints'
  | 'subscriptions'
  | 'deliveries'
  | 'failedDeliveries'
  | 'endpointsWithDueDeliveries'
  | 'claimDeliveries'
  | 'recordAttempts'
  | 'countDueDeliveries'
  | 'countWaitingDeliveries'
  | 'pruneDeliveries'
>;

/** Newest first: at most `limit` rows with ids below `before`. */
export interface Page<Status> {
  readonly limit: number;
  readonly before?: string;
  readonly status?: Status;
  readonly paymentIntentId?: string;
  /** Of events. */
  readonly type?: EventType;
  /** Of audit entries. */
  readonly merchantId?: string;
}

/** A place in the order in which events were committed. */
export interface EventCursor {
  readonly position: number;
  /** Of the event there; null: before the first. */
  readonly eventId: string | null;
}

export interface Credential {
  readonly key: ApiKey;
  readonly merchant: Merchant;
}

export interface Claim {
  readonly now: number;
  readonly leaseMs: number;
  readonly limit: number;
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
  readonly sandboxPaymentMs: number;
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
