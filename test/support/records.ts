// Valid records for tests, which can override single fields.

import { randomBytes, randomUUID } from 'node:crypto';
import type { AcquirerAccount } from '../../src/domain/acquirer-account.ts';
import type { AcquirerNotice } from '../../src/domain/acquirer-notice.ts';
import { type ApiKey, hashApiKey, newApiKeySecret } from '../../src/domain/api-key.ts';
import { newPayment, type SessionTerms } from '../../src/domain/checkout-session.ts';
import { type Delivery, resend } from '../../src/domain/delivery.ts';
import type { Dispute } from '../../src/domain/dispute.ts';
import { type Event, hostedCheckoutEventTypes, paymentIntentEvent } from '../../src/domain/event.ts';
import type { IdempotencyRecord } from '../../src/domain/idempotency.ts';
import type { Payment } from '../../src/domain/life-cycle.ts';
import { type Merchant, newMerchant, type Scope } from '../../src/domain/merchant.ts';
import { type Moment, momentAt } from '../../src/domain/moment.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import { newPaymentLink, type PaymentLink } from '../../src/domain/payment-link.ts';
import type { RequestRecord } from '../../src/domain/request-record.ts';
import type { WebhookEndpoint } from '../../src/domain/webhook-endpoint.ts';
import { startOfTests } from './fake-clock.ts';

/** A fixed time with random ids. For reproducible ids, pass a deterministic random source to `momentAt`. */
export function aMoment(now: number = startOfTests): Moment {
  return momentAt(now, randomBytes);
}

export function aMerchant(overrides: Partial<Merchant> = {}): Merchant {
  return { ...newMerchant('Shop of Tests', aMoment()), ...overrides };
}

/** The merchant's appearance and the customer's language, as passed to the acquirer. */
export const plainLook = {
  merchant: { name: 'Shop of Tests', logoUrl: null, accentColor: null, acquirers: [] },
  locale: 'en',
} as const;

/** A new scope, which contains no data. */
export function aScope(overrides: Partial<Scope> = {}): Scope {
  return { merchantId: aMoment().newId('acct'), livemode: false, ...overrides };
}

export function anApiKey(overrides: Partial<ApiKey> = {}): ApiKey {
  return { ...anApiKeyWithSecret(aScope()).key, ...overrides };
}

export function anApiKeyWithSecret(scope: Scope): { key: ApiKey; secret: string } {
  const secret = newApiKeySecret(scope.livemode, randomBytes);
  const { now, newId } = aMoment();
  const key: ApiKey = {
    ...scope,
    id: newId('key'),
    version: 0,
    name: null,
    hash: hashApiKey(secret),
    lastFour: secret.slice(-4),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: null,
  };
  return { key, secret };
}

export const plainTerms: SessionTerms = {
  amount: 1250,
  currency: 'EUR',
  metadata: { order: '1001' },
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
  captureMethod: 'automatic',
  paymentMethodTypes: ['card'],
  description: null,
  customerEmail: null,
  collect: [],
  locale: 'auto',
  lineItems: null,
  uiMode: 'hosted',
};

export interface PaymentOptions {
  readonly scope?: Scope;
  readonly terms?: Partial<SessionTerms>;
  readonly expiresInSeconds?: number;
  readonly moment?: Moment;
}

/** A new payment that is not stored yet: an open session and its intent. */
export function aPayment(options: PaymentOptions = {}): Payment {
  const { scope = aScope(), terms = {}, expiresInSeconds = 1800, moment = aMoment() } = options;
  return newPayment(scope, { ...plainTerms, ...terms }, expiresInSeconds, moment);
}

/** An unlimited link for a fixed amount that is not stored yet. */
export function aPaymentLink(overrides: Partial<PaymentLink> = {}): PaymentLink {
  const { lineItems, amount, currency, captureMethod, metadata, description, collect } = plainTerms;
  const terms = {
    lineItems,
    amount,
    currency,
    captureMethod,
    metadata,
    description,
    collect,
    paymentMethodTypes: null,
  };
  const limits = { minimumAmount: null, maximumAmount: null, redirectUrl: null, maxUses: null, expiresAt: null };
  return { ...newPaymentLink(aScope(), { type: 'fixed', ...terms, ...limits }, aMoment()), ...overrides };
}

export function anEvent(intent: PaymentIntent = aPayment().intent, moment: Moment = aMoment()): Event {
  return paymentIntentEvent('payment_intent.succeeded', intent, moment);
}

export function aDispute(overrides: Partial<Dispute> = {}): Dispute {
  const { now, newId } = aMoment();
  return {
    ...aScope(),
    id: newId('dp'),
    version: 0,
    paymentIntentId: newId('pi'),
    amount: 1250,
    currency: 'EUR',
    reason: 'fraudulent',
    status: 'needs_response',
    evidenceDueBy: now + 604_800_000,
    isClosed: false,
    acquirer: { provider: 'stripe', reference: 'du_1' },
    createdAt: now,
    ...overrides,
  };
}

export function anAcquirerAccount(overrides: Partial<AcquirerAccount> = {}): AcquirerAccount {
  const { now, newId } = aMoment();
  return {
    ...aScope(),
    id: newId('acq'),
    version: 0,
    provider: 'stripe',
    name: 'Main',
    methods: ['card'],
    status: 'enabled',
    credentials: Uint8Array.of(1, 2, 3),
    secretKeyId: '0123456789abcdef',
    lastErrorAt: null,
    lastErrorMessage: null,
    createdAt: now,
    ...overrides,
  };
}

export function anAcquirerNotice(overrides: Partial<AcquirerNotice> = {}): AcquirerNotice {
  const { now, newId } = aMoment();
  return {
    ...aScope(),
    id: newId('evt').replace('evt_', 'ntc_'),
    version: 0,
    accountId: newId('acq'),
    noticeId: 'evt_1',
    type: 'payment.updated',
    subject: 'pi_1',
    state: null,
    attempts: 0,
    dueAt: now,
    createdAt: now,
    ...overrides,
  };
}

export function anIdempotencyRecord(overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    ...aScope(),
    key: randomUUID(),
    version: 0,
    fingerprint: 'f'.repeat(64),
    status: 201,
    sealedBody: Uint8Array.of(1, 2, 3),
    createdAt: startOfTests,
    ...overrides,
  };
}

export function aWebhookEndpoint(overrides: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  const { now, newId } = aMoment();
  return {
    ...aScope(),
    id: newId('we'),
    version: 0,
    url: 'https://shop.example/webhooks',
    description: null,
    enabledEvents: hostedCheckoutEventTypes,
    disabledReason: null,
    secret: Uint8Array.of(1, 2, 3),
    nextSecret: null,
    nextSecretAt: null,
    secretKeyId: '0123456789abcdef',
    createdAt: now,
    deletedAt: null,
    ...overrides,
  };
}

/** A delivery of an event to an endpoint, due immediately. */
export function aDelivery(endpoint: WebhookEndpoint, event: Event, moment: Moment = aMoment()): Delivery {
  return resend(event, endpoint.id, moment);
}

export function aRequestRecord(scope: Scope): RequestRecord {
  const bodies = { requestBody: null, responseBody: '{}', requestBytes: 0, responseBytes: 2 };
  const about = { method: 'GET', path: '/me', status: 200, duration: 1, keyId: 'key_1', unrecorded: null };
  return { ...scope, id: aMoment().newId('req'), ...about, ...bodies, createdAt: startOfTests - 9 };
}
