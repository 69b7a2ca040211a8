// Sessions of the dashboard, one-time links, and counts of failed sign-ins.

import type { DashboardSession, SignedIn } from '../../domain/dashboard-session.ts';
import type { OneTimeLink } from '../../domain/one-time-link.ts';
import type { SignInCounter } from '../../domain/sign-in-counter.ts';
import { table, view } from '../table.ts';
import { users } from './users.ts';

export const dashboardSessions = table<DashboardSession>()({
  name: 'dashboard_sessions',
  columns: {
    id: 'text',
    version: 'integer',
    hash: 'text',
    userId: 'text',
    epoch: 'integer',
    lastMerchantId: 'text',
    lastLivemode: 'boolean',
    passwordAt: 'integer',
    ip: 'text',
    userAgent: 'text',
    createdAt: 'integer',
    lastUsedAt: 'integer',
    expiresAt: 'integer',
  },
  key: ['id'],
  versioned: true,
  foundBy: ['id'],
  filters: ['userId'],
  prunedBy: 'expiresAt',
});

/** What the token of a session gives access to. */
export const signedIn = view<SignedIn>()({
  root: { session: dashboardSessions },
  with: { user: { table: users, on: { id: 'userId' } } },
  foundBy: ['hash'],
});

export const oneTimeLinks = table<OneTimeLink>()({
  name: 'one_time_links',
  columns: {
    id: 'text',
    version: 'integer',
    hash: 'text',
    purpose: 'text',
    userId: 'text',
    merchantId: 'text',
    usedAt: 'integer',
    expiresAt: 'integer',
    createdAt: 'integer',
  },
  key: ['id'],
  versioned: true,
  foundBy: ['hash'],
  prunedBy: 'expiresAt',
});

export const signInCounters = table<SignInCounter>()({
  name: 'sign_in_counters',
  columns: { key: 'text', version: 'integer', failures: 'integer', lastAt: 'integer', eraseAt: 'integer' },
  key: ['key'],
  versioned: true,
  oftenTaken: true,
  foundBy: ['key'],
  order: { by: 'key', ascending: true },
  prunedBy: 'eraseAt',
});
