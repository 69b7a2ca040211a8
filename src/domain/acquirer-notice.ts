// A notification from a provider that is still to be acted on: a reason to ask the provider. It is stored before the
// notification is answered, so that a crash loses none.

import { hash } from 'node:crypto';
import { base32Digits } from './ids.ts';
import type { Scope } from './merchant.ts';

export interface AcquirerNotice extends Scope {
  /** Derived from the account and the provider's id of the notification, so that a duplicate is the same row. */
  readonly id: string;
  readonly version: number;
  /** An account, or `sandboxAccountId`. */
  readonly accountId: string;
  /** The provider's id of the notification. */
  readonly noticeId: string;
  readonly type: string;
  /** The provider's id of what it is about. */
  readonly subject: string;
  readonly state: Readonly<Record<string, unknown>> | null;
  /** How often it was tried to act on it. */
  readonly attempts: number;
  /** When to act on it; null once that is done. */
  readonly dueAt: number | null;
  readonly createdAt: number;
}

/** The sandbox notifies us like any provider, but needs no account. */
export const sandboxAccountId = 'sandbox';

export function noticeRowId(accountId: string, noticeId: string): string {
  return `ntc_${base32Digits(hash('sha256', `${accountId} ${noticeId}`, 'buffer')).slice(0, 30)}`;
}

const delaysMs = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000];
export const longestNoticeDelayMs: number = Math.max(...delaysMs);

/** The provider did not respond, or the payment is not known here yet. */
export function triedAgainLater(notice: AcquirerNotice, now: number): AcquirerNotice {
  const delayMs = delaysMs[Math.min(notice.attempts, delaysMs.length - 1)] ?? 0;
  return { ...notice, attempts: notice.attempts + 1, dueAt: now + delayMs };
}
