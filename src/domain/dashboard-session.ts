// A session of a signed-in user. The browser has a random token in a cookie; only its hash is stored.

import { hash } from 'node:crypto';
import { base32Digits, type Random } from './ids.ts';
import type { Scope } from './merchant.ts';
import type { Moment } from './moment.ts';
import type { User } from './user.ts';

export interface DashboardSession {
  readonly id: string;
  readonly version: number;
  /** The SHA-256 of the token. */
  readonly hash: string;
  readonly userId: string;
  /** The user's epoch when the session began. */
  readonly epoch: number;
  /** The merchant and mode that were last used. */
  readonly lastMerchantId: string;
  readonly lastLivemode: boolean;
  /** When the password was last entered. */
  readonly passwordAt: number;
  /** Where it got its token, so that users recognise their sessions. */
  readonly ip: string;
  readonly userAgent: string;
  /** When the user signed in or changed their password; a new token alone does not change it. */
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** A session with its user, as every request needs them. */
export interface SignedIn {
  readonly session: DashboardSession;
  readonly user: User;
}

export const idleMs = 12 * 3_600_000;
/** However much it is used, and however often it gets a new token. */
export const longestSessionMs = 30 * 86_400_000;
/** How long a password counts as just entered. */
export const freshPasswordMs = 600_000;
/** The time of the last use is stored no more often than this. */
const touchEveryMs = 60_000;
const tokenLength = 52;
const maxUserAgent = 300;

export interface SessionOrigin {
  readonly ip: string;
  readonly userAgent: string;
}

export function newSession(
  { id: userId, epoch }: Pick<User, 'id' | 'epoch'>,
  { merchantId, livemode }: Scope,
  { ip, userAgent }: SessionOrigin,
  moment: Moment,
  random: Random,
): { readonly session: DashboardSession; readonly token: string } {
  const token = base32Digits(random(tokenLength));
  const { now } = moment;
  const session: DashboardSession = {
    id: moment.newId('sess'),
    version: 0,
    hash: hashToken(token),
    userId,
    epoch,
    lastMerchantId: merchantId,
    lastLivemode: livemode,
    passwordAt: now,
    ip,
    userAgent: userAgent.slice(0, maxUserAgent),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + idleMs,
  };
  return { session, token };
}

/** The same session with another id and token. No password was entered, so its longest duration does not start again. */
export function renewedSession(
  { createdAt, passwordAt, lastMerchantId, lastLivemode }: DashboardSession,
  user: Pick<User, 'id' | 'epoch'>,
  origin: SessionOrigin,
  moment: Moment,
  random: Random,
): { readonly session: DashboardSession; readonly token: string } {
  const scope = { merchantId: lastMerchantId, livemode: lastLivemode };
  const { session, token } = newSession(user, scope, origin, moment, random);
  const expiresAt = expiryOf(createdAt, moment.now);
  return { session: { ...session, createdAt, passwordAt, expiresAt }, token };
}

/** Of session tokens and one-time links, which are long and random: a fast hash is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

export function isLive({ session, user }: SignedIn, now: number): boolean {
  return session.expiresAt > now && session.epoch === user.epoch && user.disabledAt === null;
}

/** The session after a request at this time, or null if that need not be stored. */
export function used(session: DashboardSession, now: number): DashboardSession | null {
  if (now - session.lastUsedAt < touchEveryMs) return null;
  return { ...session, lastUsedAt: now, expiresAt: expiryOf(session.createdAt, now) };
}

function expiryOf(createdAt: number, usedAt: number): number {
  return Math.min(usedAt + idleMs, createdAt + longestSessionMs);
}

export function ended(session: DashboardSession, now: number): DashboardSession {
  return { ...session, expiresAt: Math.min(session.expiresAt, now) };
}

export function isPasswordFresh({ passwordAt }: DashboardSession, now: number): boolean {
  return now - passwordAt < freshPasswordMs;
}
