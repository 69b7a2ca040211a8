// The audit trail: who changed merchants, keys, accounts and webhook endpoints, and when. An entry is committed with its change,
// and is never changed or deleted. It contains no secrets, and only the origin of a webhook URL, because paths can
// contain tokens.

import type { AcquirerAccount } from './acquirer-account.ts';
import type { ApiKey } from './api-key.ts';
import type { Merchant, Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export type AuditAction =
  | 'merchant.created'
  | 'merchant.updated'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.updated'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.secret_rotated'
  | 'webhook_endpoint.disabled'
  | 'acquirer_account.created'
  | 'acquirer_account.updated'
  | 'acquirer_account.enabled'
  | 'acquirer_account.disabled'
  | 'secret_key.rotated'
  | 'customer.erasure_started'
  | 'customer.erased'
  | DashboardAction;

/** What users of the dashboard do. */
type DashboardAction =
  | `user.${'created' | 'signed_in' | 'sign_in_failed' | 'signed_out' | 'joined' | 'disabled' | 'enabled' | 'updated'}`
  | `user.${'password_set' | 'password_changed' | 'link_created' | 'sessions_ended'}`
  | `user.${'second_factor_enabled' | 'second_factor_disabled' | 'recovery_codes_created' | 'recovery_code_used'}`
  | `team.${'member_invited' | 'role_changed' | 'member_removed' | 'link_created' | 'settings_updated'}`
  | `payment_intent.${'captured' | 'canceled'}`
  | 'refund.created'
  | `checkout_session.${'created' | 'expired'}`
  | `payment_link.${'created' | 'updated'}`
  | 'api_key.rolled'
  | `webhook_endpoint.${'enabled' | 'test_sent' | 'failed_resent'}`
  | 'event.resent'
  | `${'payments' | 'audit_log'}.exported`;

export interface AuditEntry {
  readonly id: string;
  /** `cli:<operating system user>`, the id of an API key, `user:usr_…`, or `paydesk` for automatic changes. */
  readonly actor: string;
  readonly action: AuditAction;
  /** The id of what was changed; of an erased customer, a fingerprint. */
  readonly subject: string;
  /** Null: it affects the whole installation. */
  readonly merchantId: string | null;
  /** Of a user of the dashboard, at that time. */
  readonly email: string | null;
  /** Where a user's request came from. */
  readonly ip: string | null;
  readonly details: AuditDetails;
  readonly createdAt: number;
}

export type AuditDetails = Readonly<Record<string, unknown>>;

/** A merchant's program, identified by its API key. */
export interface ApiActor extends Scope {
  readonly keyId: string;
}

export const systemActor = 'paydesk';

export function auditEntry(
  moment: Moment,
  entry: Omit<AuditEntry, 'id' | 'createdAt' | 'email' | 'ip'>,
  by: Pick<AuditEntry, 'email' | 'ip'> = { email: null, ip: null },
): AuditEntry {
  return { ...entry, ...by, id: moment.newId('aud'), createdAt: moment.now };
}

/** How a user of the dashboard appears as an actor. */
export function userActor(userId: string): string {
  return `user:${userId}`;
}

export function merchantEntry(
  moment: Moment,
  actor: string,
  action: Extract<AuditAction, `merchant.${string}`>,
  { merchant: { id }, details }: { readonly merchant: Merchant; readonly details: AuditDetails },
): AuditEntry {
  return auditEntry(moment, { actor, action, subject: id, merchantId: id, details });
}

export function apiKeyEntry(
  moment: Moment,
  actor: string,
  action: Extract<AuditAction, `api_key.${string}`>,
  { id, merchantId, livemode, name, lastFour }: ApiKey,
  details: AuditDetails = {},
): AuditEntry {
  return auditEntry(moment, {
    actor,
    action,
    subject: id,
    merchantId,
    details: { livemode, name, last_four: lastFour, ...details },
  });
}

export function acquirerEntry(
  moment: Moment,
  actor: string,
  action: Extract<AuditAction, `acquirer_account.${string}`>,
  { account, details }: { readonly account: AcquirerAccount; readonly details: AuditDetails },
): AuditEntry {
  const { id, merchantId, livemode, provider } = account;
  return auditEntry(moment, { actor, action, subject: id, merchantId, details: { livemode, provider, ...details } });
}

export function endpointEntry(
  moment: Moment,
  actor: string,
  action: Extract<AuditAction, `webhook_endpoint.${string}`>,
  { endpoint, details = {} }: { readonly endpoint: WebhookEndpoint; readonly details?: AuditDetails },
): AuditEntry {
  const { id, merchantId, livemode, url } = endpoint;
  const shown = { livemode, origin: URL.parse(url)?.origin ?? null, ...details };
  return auditEntry(moment, { actor, action, subject: id, merchantId, details: shown });
}

/**
 * The fields that differ between two versions of a record, or null if none do. Lists show what was added and removed.
 */
export function changesBetween<R extends object>(
  before: R,
  after: R,
  fields: Readonly<Record<string, keyof R>>,
): AuditDetails | null {
  const changes: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const change = changeBetween(before[field], after[field]);
    if (change !== null) changes[name] = change;
  }
  return Object.keys(changes).length === 0 ? null : changes;
}

function changeBetween(from: unknown, to: unknown): AuditDetails | null {
  if (JSON.stringify(from) === JSON.stringify(to)) return null;
  if (!Array.isArray(from) || !Array.isArray(to)) return { from, to };
  const notIn = (others: unknown[]) => (entry: unknown) => !others.includes(entry);
  return { added: to.filter(notIn(from)), removed: from.filter(notIn(to)) };
}
