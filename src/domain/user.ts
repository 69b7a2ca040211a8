// A person who signs in to the dashboard, and the merchants whose staff they belong to.

import { mailAddress } from './mail-address.ts';
import type { Moment } from './moment.ts';
import type { Role } from './user-role.ts';

export interface User {
  readonly id: string;
  readonly version: number;
  /** In the form of `userEmail`; no two users have the same. */
  readonly email: string;
  readonly name: string | null;
  /** Null until the user has chosen a password. */
  readonly passwordHash: string | null;
  /**
   * Raised when the password changes, when the user is disabled and when they sign out everywhere: sessions and links of
   * an earlier epoch no longer work.
   */
  readonly epoch: number;
  /** The only link that can reset the password; null: none. */
  readonly linkId: string | null;
  /** The sealed secret of the authenticator app; null: there is no second factor. */
  readonly totpSecret: Uint8Array | null;
  /** Which secret key it is sealed with. */
  readonly secretKeyId: string | null;
  /** When the first code was entered. Null: the second factor is off, or still being set up. */
  readonly totpConfirmedAt: number | null;
  /** The time step of the last accepted code: no code is accepted twice. */
  readonly totpLastStep: number;
  /** Hashes of the recovery codes that are left. */
  readonly recoveryCodes: readonly string[];
  readonly disabledAt: number | null;
  readonly createdAt: number;
}

/** That a user belongs to the staff of a merchant. */
export interface Membership {
  readonly merchantId: string;
  readonly userId: string;
  readonly version: number;
  readonly role: Role;
  /** Null: invited, but the link has not been used. */
  readonly joinedAt: number | null;
  /** The only link that the invitation can be accepted with; null: none. */
  readonly linkId: string | null;
  /** Null: not removed. A user who is invited again keeps the row. */
  readonly removedAt: number | null;
  readonly createdAt: number;
}

/** More than any merchant employs, and than anybody works for. */
export const maxMembers = 500;

export function newUser(email: string, name: string | null, moment: Moment): User {
  return {
    id: moment.newId('usr'),
    version: 0,
    email,
    name,
    passwordHash: null,
    epoch: 0,
    linkId: null,
    totpSecret: null,
    secretKeyId: null,
    totpConfirmedAt: null,
    totpLastStep: 0,
    recoveryCodes: [],
    disabledAt: null,
    createdAt: moment.now,
  };
}

/** `linkId`: of the invitation; null: the user joins at once. */
export function newMembership(
  { merchantId, userId, role }: Pick<Membership, 'merchantId' | 'userId' | 'role'>,
  linkId: string | null,
  { now }: Moment,
): Membership {
  const joinedAt = linkId === null ? now : null;
  return { merchantId, userId, version: 0, role, joinedAt, linkId, removedAt: null, createdAt: now };
}

/** The address that a user signs in with, regardless of case; null if it is not an e-mail address. */
export function userEmail(text: string): string | null {
  return mailAddress(text.trim())?.normalize('NFC').toLowerCase() ?? null;
}

export function isMember({ joinedAt, removedAt }: Membership): boolean {
  return joinedAt !== null && removedAt === null;
}

export function hasSecondFactor({ totpConfirmedAt }: User): boolean {
  return totpConfirmedAt !== null;
}
