// How records lie in tables: one description, from which both engines take their columns, encoding and writes.

import type { ApiKey } from '../domain/api-key.ts';
import type { AttemptCounter } from '../domain/attempt-counts.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import type { ChangeSet, CommitOutcome, Fact } from '../domain/change-set.ts';
import type { CheckoutSession } from '../domain/checkout-session.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Event, PositionedEvent } from '../domain/event.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import type { Merchant, MerchantLook } from '../domain/merchant.ts';
import type { Operation } from '../domain/operation.ts';
import type { PaymentIntent } from '../domain/payment-intent.ts';
import type { Refund } from '../domain/refund.ts';
import type { SandboxFollowUp, SandboxPayment } from '../domain/sandbox-payment.ts';
import type { Subscription, WebhookEndpoint } from '../domain/webhook-endpoint.ts';

export type ColumnKind = 'text' | 'integer' | 'boolean' | 'json' | 'bytes';

export interface Column {
  readonly field: string;
  readonly name: string;
  readonly kind: ColumnKind;
}

type Conflict = Extract<CommitOutcome, { committed: false }>['conflict'];

export interface Table<R> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns that identify one row. */
  readonly key: readonly Column[];
  /** Rows that change carry a version; the others are only ever inserted. */
  readonly versioned: boolean;
  /** Columns that a commit only sets on a new row; later they are updated outside commits, without a version. */
  readonly writtenSeparately: readonly Column[];
  /** The conflict that a commit returns if a new row's key exists. */
  readonly taken: Conflict;
  /** One commit may insert many rows. */
  readonly inBulk: boolean;
  /** New rows get a `position`: their place in the commit order of their merchant and mode, starting at 1. */
  readonly positioned: boolean;
  /** Never present: keeps a table tied to its record's type. */
  readonly record?: R;
}

function table<R>(
  name: string,
  fields: { readonly [F in keyof R & string]: ColumnKind },
  options: {
    key: readonly (keyof R & string)[];
    versioned: boolean;
    writtenSeparately?: readonly (keyof R & string)[];
    taken?: Conflict;
    inBulk?: boolean;
    positioned?: boolean;
  },
): Table<R> {
  const columns = (Object.entries(fields) as [string, ColumnKind][]).map(([field, kind]) => ({
    field,
    name: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    kind,
  }));
  const named = (fields: readonly string[]) => columns.filter((column) => fields.includes(column.field));
  return {
    name,
    columns,
    key: named(options.key),
    versioned: options.versioned,
    writtenSeparately: named(options.writtenSeparately ?? []),
    taken: options.taken ?? 'version',
    inBulk: options.inBulk ?? false,
    positioned: options.positioned ?? false,
  };
}

const scoped = { merchantId: 'text', livemode: 'boolean' } as const;

export const merchants = table<Merchant>(
  'merchants',
  {
    id: 'text',
    version: 'integer',
    name: 'text',
    currencies: 'json',
    paymentMethodTypes: 'json',
    logoUrl: 'text',
    accentColor: 'text',
    createdAt: 'integer',
  },
  { key: ['id'], versioned: true },
);

export const merchantLooks = table<MerchantLook>(
  'merchants',
  { name: 'text', logoUrl: 'text', accentColor: 'text' },
  { key: [], versioned: false },
);

export const apiKeys = table<ApiKey>(
  'api_keys',
  {
    ...scoped,
    id: 'text',
    version: 'integer',
    name: 'text',
    hash: 'text',
    lastFour: 'text',
    createdAt: 'integer',
    lastUsedAt: 'integer',
    revokedAt: 'integer',
  },
  { key: ['merchantId', 'id'], versioned: true, writtenSeparately: ['lastUsedAt'] },
);

export const paymentIntents = table<PaymentIntent>(
  'payment_intents',
  {
    ...scoped,
    id: 'text',
    version: 'integer',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    metadata: 'json',
    captureMethod: 'text',
    amountCaptured: 'integer',
    amountRefunded: 'integer',
    checkoutSessionId: 'text',
    paymentMethod: 'json',
    lastPaymentError: 'json',
    canceledAt: 'integer',
    cancellationReason: 'text',
    operationId: 'text',
    pendingOperationId: 'text',
    captureBefore: 'integer',
    createdAt: 'integer',
  },
  { key: ['merchantId', 'livemode', 'id'], versioned: true },
);

export const checkoutSessions = table<CheckoutSession>(
  'checkout_sessions',
  {
    ...scoped,
    id: 'text',
    version: 'integer',
    status: 'text',
    amount: 'integer',
    currency: 'text',
    metadata: 'json',
    paymentIntentId: 'text',
    returnUrl: 'text',
    cancelUrl: 'text',
    captureMethod: 'text',
    paymentMethodTypes: 'json',
    description: 'text',
    customerEmail: 'text',
    locale: 'text',
    lineItems: 'json',
    expiresAt: 'integer',
    completedAt: 'integer',
    createdAt: 'integer',
  },
  { key: ['merchantId', 'livemode', 'id'], versioned: true },
);

export const operations = table<Operation>(
  'operations',
  {
    ...scoped,
    id: 'text',
    version: 'integer',
    kind: 'text',
    status: 'text',
    paymentIntentId: 'text',
    checkoutSessionId: 'text',
    amount: 'integer',
    paymentMethod: 'json',
    actionUrl: 'text',
    refundId: 'text',
    reason: 'text',
    requestFingerprint: 'text',
    attempt: 'json',
    dueAt: 'integer',
    inquiries: 'integer',
    createdAt: 'integer',
  },
  { key: ['merchantId', 'livemode', 'id'], versioned: true },
);

export const refunds = table<Refund>(
  'refunds',
  {
    ...scoped,
    id: 'text',
    version: 'integer',
    paymentIntentId: 'text',
    amount: 'integer',
    currency: 'text',
    status: 'text',
    reason: 'text',
    createdAt: 'integer',
  },
  { key: ['merchantId', 'livemode', 'id'], versioned: true },
);

export const sandboxPayments = table<SandboxPayment>(
  'sandbox_payments',
  {
    id: 'text',
    version: 'integer',
    amount: 'integer',
    currency: 'text',
    captureMethod: 'text',
    method: 'text',
    cardLast4: 'text',
    action: 'text',
    actionStatus: 'text',
    returnUrl: 'text',
    merchant: 'json',
    locale: 'text',
    result: 'text',
    settlesLater: 'boolean',
    silent: 'boolean',
    status: 'text',
    settleAt: 'integer',
    amountCaptured: 'integer',
    amountRefunded: 'integer',
    createdAt: 'integer',
  },
  { key: ['id'], versioned: true },
);

export const sandboxFollowUps = table<SandboxFollowUp>(
  'sandbox_follow_ups',
  { id: 'text', payment: 'text', kind: 'text', amount: 'integer', createdAt: 'integer' },
  { key: ['id'], versioned: false },
);

const eventFields = { ...scoped, id: 'text', type: 'text', data: 'json', createdAt: 'integer' } as const;

export const events = table<Event>('events', eventFields, {
  key: ['merchantId', 'livemode', 'id'],
  versioned: false,
  positioned: true,
});

export const positionedEvents = table<PositionedEvent>(
  'events',
  { ...eventFields, position: 'integer' },
  { key: [], versioned: false },
);

export const webhookEndpoints = table<WebhookEndpoint>(
  'webhook_endpoints',
  {
    ...scoped,
    id: 'text',
    version: 'integer',
    url: 'text',
    description: 'text',
    enabledEvents: 'json',
    disabledReason: 'text',
    secret: 'bytes',
    nextSecret: 'bytes',
    nextSecretAt: 'integer',
    secretKeyId: 'text',
    createdAt: 'integer',
    deletedAt: 'integer',
  },
  { key: ['merchantId', 'livemode', 'id'], versioned: true },
);

export const subscriptions = table<Subscription>(
  'webhook_endpoints',
  { id: 'text', enabledEvents: 'json' },
  { key: [], versioned: false },
);

export const deliveries = table<Delivery>(
  'deliveries',
  {
    ...scoped,
    eventId: 'text',
    id: 'text',
    endpointId: 'text',
    status: 'text',
    attempts: 'json',
    dueAt: 'integer',
    createdAt: 'integer',
  },
  { key: ['merchantId', 'livemode', 'eventId', 'id'], versioned: false, inBulk: true },
);

export const idempotencyRecords = table<IdempotencyRecord>(
  'idempotency_records',
  {
    ...scoped,
    key: 'text',
    version: 'integer',
    fingerprint: 'text',
    status: 'integer',
    sealedBody: 'bytes',
    createdAt: 'integer',
  },
  { key: ['merchantId', 'livemode', 'key'], versioned: true, taken: 'idempotency_key' },
);

export const auditEntries = table<AuditEntry>(
  'audit_entries',
  {
    id: 'text',
    actor: 'text',
    action: 'text',
    subject: 'text',
    merchantId: 'text',
    details: 'json',
    createdAt: 'integer',
  },
  { key: ['id'], versioned: false },
);

export const facts = table<Fact>(
  'facts',
  { name: 'text', value: 'text' },
  { key: ['name'], versioned: false, taken: 'fact' },
);

/** Counts are added up in place, by each engine in its own way: see `attemptCounts` of a change set. */
export const attemptCounters = table<AttemptCounter>(
  'attempt_counters',
  { key: 'text', slots: 'json', lastDeclinedAt: 'integer', eraseAt: 'integer' },
  { key: ['key'], versioned: false },
);

type Rows = Omit<ChangeSet, 'attemptCounts'>;

/** The parts of a change set and where they go, in the order in which they are written. */
const destinations: { readonly [Part in keyof Rows]-?: Table<NonNullable<Rows[Part]>[number]> } = {
  facts,
  merchants,
  apiKeys,
  idempotencyRecords,
  paymentIntents,
  checkoutSessions,
  operations,
  refunds,
  webhookEndpoints,
  events,
  deliveries,
  sandboxPayments,
  sandboxFollowUps,
  auditEntries,
};

export const tables = Object.values(destinations) as readonly Table<unknown>[];

export interface Write {
  readonly table: Table<unknown>;
  readonly record: Readonly<Record<string, unknown>>;
  /** Null: a new row. Otherwise the version that the stored row must still have. */
  readonly readVersion: number | null;
}

export function writesOf(changes: ChangeSet): Write[] {
  const writes: Write[] = [];
  for (const part of Object.keys(destinations) as (keyof Rows)[]) {
    const table = destinations[part] as Table<unknown>;
    for (const record of changes[part] ?? []) {
      const stored = { ...record } as Record<string, unknown>;
      const version = table.versioned ? Number(stored.version) : 0;
      if (table.versioned) stored.version = version + 1;
      writes.push({ table, record: stored, readVersion: version === 0 ? null : version });
    }
  }
  return writes;
}

export function columnNames(table: Table<unknown>, alias?: string): string {
  return table.columns.map(({ name }) => (alias === undefined ? name : `${alias}.${name}`)).join(', ');
}

/** The columns that an update can change. */
export function changingColumns(table: Table<unknown>): readonly Column[] {
  return table.columns.filter((column) => !table.key.includes(column) && !table.writtenSeparately.includes(column));
}
