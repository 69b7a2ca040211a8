// The changes of a decision, committed together or not at all. A row with version 0 is new; any other replaces the row
// that was read at that version, or the commit returns `conflict`.

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
  /** New deliveries only; their progress is recorded outside commits. */
  readonly deliveries?: readonly Delivery[];
  readonly auditEntries?: readonly AuditEntry[];
  readonly idempotencyRecords?: readonly IdempotencyRecord[];
  /**
   * Incremented in place, without a version: concurrent commits wait for each other here, and none has to decide again.
   */
  readonly attemptCounts?: readonly CountChange[];
  /** The sandbox acquirer's own rows, never committed together with ours. */
  readonly sandboxPayments?: readonly SandboxPayment[];
  readonly sandboxFollowUps?: readonly SandboxFollowUp[];
}

/** Something recorded once for the whole installation: the first commit wins. `write_probe` carries no meaning. */
export interface Fact {
  readonly name: 'demo_merchant' | 'secret_key_id' | 'write_probe';
  readonly value: string;
}

export type CommitOutcome =
  | { readonly committed: true }
  /**
   * `version`: a row has changed since it was read; read and decide again. `idempotency_key`, `fact`: another commit was
   * first. `limit`: a counter would exceed its limit.
   */
  | { readonly committed: false; readonly conflict: 'version' | 'idempotency_key' | 'fact' | 'limit' };
