// What a decision wants written: all of it in one commit, or none. A row with version 0 is new; any other replaces the
// row that was read at that version, or the commit answers `conflict`.

import type { ApiKey } from './api-key.ts';
import type { CountChange } from './attempt-counts.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { CheckoutSession } from './checkout-session.ts';
import type { Delivery } from './delivery.ts';
import type { Event } from './event.ts';
import type { IdempotencyRecord } from './idempotency.ts';
import type { Merchant } from './merchant.ts';
import type { Operation } from './operation.ts';
import type { PaymentIntent } from './payment-intent.ts';
import type { Refund } from './refund.ts';
import type { SandboxFollowUp, SandboxPayment } from './sandbox-payment.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export interface ChangeSet {
  readonly facts?: readonly Fact[];
  readonly merchants?: readonly Merchant[];
  readonly apiKeys?: readonly ApiKey[];
  readonly paymentIntents?: readonly PaymentIntent[];
  readonly checkoutSessions?: readonly CheckoutSession[];
  readonly operations?: readonly Operation[];
  readonly refunds?: readonly Refund[];
  readonly webhookEndpoints?: readonly WebhookEndpoint[];
  readonly events?: readonly Event[];
  /** New ones; what becomes of them is recorded beside commits. */
  readonly deliveries?: readonly Delivery[];
  readonly auditEntries?: readonly AuditEntry[];
  readonly idempotencyRecords?: readonly IdempotencyRecord[];
  /** Added up in place, without a version: commits wait for each other here, and none of them decides again. */
  readonly attemptCounts?: readonly CountChange[];
  /** The sandbox acquirer's own, never together with ours. */
  readonly sandboxPayments?: readonly SandboxPayment[];
  readonly sandboxFollowUps?: readonly SandboxFollowUp[];
}

/** Something that becomes true once for the whole installation: whoever commits it first wins. `write_probe` tells nothing. */
export interface Fact {
  readonly name: 'demo_merchant' | 'secret_key_id' | 'write_probe';
  readonly value: string;
}

export type CommitOutcome =
  | { readonly committed: true }
  /**
   * `version`: something read has changed since, read and decide again. `idempotency_key`, `fact`: another was first.
   * `limit`: more would count than a counter allows.
   */
  | { readonly committed: false; readonly conflict: 'version' | 'idempotency_key' | 'fact' | 'limit' };
