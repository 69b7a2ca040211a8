// The people who sign in to the dashboard, and the merchants that they work for.

import type { Membership, User } from '../../domain/user.ts';
import { table } from '../table.ts';

export const users = table<User>()({
  name: 'users',
  columns: {
    id: 'text',
    version: 'integer',
    email: 'text',
    name: 'text',
    passwordHash: 'text',
    epoch: 'integer',
    linkId: 'text',
    totpSecret: 'bytes',
    secretKeyId: 'text',
    totpConfirmedAt: 'integer',
    totpLastStep: 'integer',
    recoveryCodes: 'json',
    disabledAt: 'integer',
    createdAt: 'integer',
  },
  key: ['id'],
  versioned: true,
  // Two processes may create the same user.
  oftenTaken: true,
  foundBy: ['id', 'email'],
});

const membershipTable = {
  name: 'memberships',
  columns: {
    merchantId: 'text',
    userId: 'text',
    version: 'integer',
    role: 'text',
    joinedAt: 'integer',
    linkId: 'text',
    removedAt: 'integer',
    createdAt: 'integer',
  },
  key: ['merchantId', 'userId'],
  versioned: true,
  oftenTaken: true,
  filters: ['merchantId', 'userId'],
  order: { by: 'userId', ascending: true },
} as const;

/** With those who have been removed. */
export const memberships = table<Membership>()(membershipTable);

/** Those who work for a merchant or are invited. */
export const members = table<Membership>()({ ...membershipTable, only: 't.removed_at IS NULL' });
