// The changes of a decision, committed together or not at all. A row with version 0 is new; any other replaces the row
// that was read at that version, or the commit returns `conflict`.

import type { AcquirerAccount } from './acquirer-account.ts';
import type { AcquirerNotice } from './acquirer-notice.ts';
import type { ApiKey } from './api-key.ts';
import type { CountChange } from './attempt-counts.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { CheckoutSession } from './checkout-session.ts';
import type { DashboardSession } from './dashboard-session.ts';
import type { Delivery } from './delivery.ts';
import type { Dispute } from './dispute.ts';
import type { Event } from './event.ts';
import type { IdempotencyRecord } from './idempotency.ts';
import type { MailMessage } from './mail-message.ts';
import type { Merchant } from './merchant.ts';
import type { OneTimeLink } from './one-time-link.ts';
import type { Operation } from './operation.ts';
import type { PaymentIntent } from './payment-intent.ts';
import type { PaymentLink } from './payment-link.ts';
import type { PaymentTotals } from './payment-totals.ts';
import type { PaymentWord } from './payment-word.ts';
import type { Refund } from './refund.ts';
import type { RequestRecord } from './request-record.ts';
import type { RollUp } from './roll-up.ts';
import type { SignInCounter } from './sign-in-counter.ts';
import type { Membership, User } from './user.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** What is stored, by the name that it is read and written under. */
export interface Records {
  readonly facts: Fact;
  readonly merchants: Merchant;
  readonly apiKeys: ApiKey;
  readonly users: User;
  readonly memberships: Membership;
  readonly dashboardSessions: DashboardSession;
  readonly oneTimeLinks: OneTimeLink;
  readonly signInCounters: SignInCounter;
  readonly acquirerAccounts: AcquirerAccount;
  readonly acquirerNotices: AcquirerNotice;
  readonly paymentIntents: PaymentIntent;
  readonly checkoutSessions: CheckoutSession;
  readonly paymentLinks: PaymentLink;
  readonly operations: Operation;
  readonly refunds: Refund;
  readonly disputes: Dispute;
  readonly webhookEndpoints: WebhookEndpoint;
  readonly events: Event;
  /** Only new ones: the results of attempts are recorded outside of commits. */
  readonly deliveries: Delivery;
  readonly mailMessages: MailMessage;
  readonly auditEntries: AuditEntry;
  readonly rollUps: RollUp;
  readonly paymentTotals: PaymentTotals;
  readonly paymentWords: PaymentWord;
  readonly requestRecords: RequestRecord;
  readonly idempotencyRecords: IdempotencyRecord;
}

export type Changes<R> = { readonly [Name in keyof R]?: readonly R[Name][] };

export interface ChangeSet extends Changes<Records> {
  /** Added up in place, without a version: commits wait for each other here, and none of them decides again. */
  readonly attemptCounts?: readonly CountChange[];
}

/** Something recorded once for the whole installation: the first commit wins. `write_probe` carries no meaning. */
export interface Fact {
  readonly name: 'demo_merchant' | 'secret_key_id' | 'write_probe';
  readonly value: string;
}

/** A record as it is stored after the commit that wrote it. */
export function committed<R extends { readonly version: number }>(record: R): R {
  return { ...record, version: record.version + 1 };
}

export type Conflict = Extract<CommitOutcome, { committed: false }>['conflict'];

export type CommitOutcome =
  | { readonly committed: true }
  /**
   * `version`: a row has changed since it was read; read and decide again. `idempotency_key`, `fact`: another commit was
   * first. `limit`: a counter would exceed its limit.
   */
  | { readonly committed: false; readonly conflict: 'version' | 'idempotency_key' | 'fact' | 'limit' };
