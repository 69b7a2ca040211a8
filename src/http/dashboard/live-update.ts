// What open pages are told when something changes: its kind and its id. Pages read again what they show of it.

import type { AuditEntry } from '../../domain/audit-entry.ts';
import type { ChangedRecord } from '../../domain/changed-record.ts';
import type { Event } from '../../domain/event.ts';
import type { Permission } from '../../domain/user-role.ts';

/** Who is told of each kind: nobody learns of what they may not see. */
const permissions = {
  payment_intent: 'read',
  checkout_session: 'read',
  payment_link: 'read',
  refund: 'read',
  dispute: 'read',
  event: 'develop',
  webhook_endpoint: 'develop',
  api_key: 'develop',
  settings: 'settings',
  acquirer_account: 'settings',
  team: 'team',
  audit_entry: 'audit',
  /** Something may have been missed: everything shown should be read again. */
  everything: 'read',
} as const satisfies Record<string, Permission>;

export type LiveUpdateType = keyof typeof permissions;

export interface LiveUpdate {
  readonly type: LiveUpdateType;
  readonly id: string;
}

export const everything: LiveUpdate = { type: 'everything', id: '' };

export function permissionFor({ type }: LiveUpdate): Permission {
  return permissions[type];
}

const typesOfTables = {
  paymentIntents: 'payment_intent',
  checkoutSessions: 'checkout_session',
  paymentLinks: 'payment_link',
} as const satisfies Record<ChangedRecord['table'], LiveUpdateType>;

export function updateOfRecord({ table, id }: ChangedRecord): LiveUpdate {
  return { type: typesOfTables[table], id };
}

export function updatesOfEvent({ id, data, paymentIntentId }: Event): LiveUpdate[] {
  const { object, id: subject } = data;
  return [
    { type: 'event', id },
    ...(isUpdateType(object) && typeof subject === 'string' ? [{ type: object, id: subject }] : []),
    ...(paymentIntentId === null ? [] : [{ type: 'payment_intent', id: paymentIntentId } as const]),
  ];
}

const typesOfActions: Readonly<Record<string, LiveUpdateType>> = { merchant: 'settings', user: 'team' };

export function updatesOfEntry({ id, action, subject }: AuditEntry): LiveUpdate[] {
  const [kind = ''] = action.split('.');
  const type = typesOfActions[kind] ?? kind;
  return [{ type: 'audit_entry', id }, ...(isUpdateType(type) ? [{ type, id: subject }] : [])];
}

function isUpdateType(text: unknown): text is LiveUpdateType {
  return typeof text === 'string' && Object.hasOwn(permissions, text);
}
