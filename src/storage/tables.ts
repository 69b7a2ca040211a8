// Every table and view, by the name that use cases know it by.

import type { Records } from '../domain/change-set.ts';
import type { Table } from './table.ts';
import { acquirerAccounts } from './tables/acquirer-accounts.ts';
import { acquirerNotices } from './tables/acquirer-notices.ts';
import { apiKeys } from './tables/api-keys.ts';
import { auditEntries } from './tables/audit-entries.ts';
import { checkoutSessions } from './tables/checkout-sessions.ts';
import { credentials } from './tables/credentials.ts';
import { dashboardSessions, oneTimeLinks, signedIn, signInCounters } from './tables/dashboard-sessions.ts';
import { deliveries } from './tables/deliveries.ts';
import { disputes } from './tables/disputes.ts';
import { events, positionedEvents } from './tables/events.ts';
import { facts } from './tables/facts.ts';
import { idempotencyRecords } from './tables/idempotency-records.ts';
import { mailMessages } from './tables/mail-messages.ts';
import { merchants } from './tables/merchants.ts';
import { operations } from './tables/operations.ts';
import { paymentIntents } from './tables/payment-intents.ts';
import { linkPages, paymentLinks } from './tables/payment-links.ts';
import { paymentTotals } from './tables/payment-totals.ts';
import { paymentWords } from './tables/payment-words.ts';
import { checkouts, paymentsByIntent, paymentsBySession } from './tables/payments.ts';
import { refunds } from './tables/refunds.ts';
import { requestRecords, requestSummaries } from './tables/request-records.ts';
import { rollUps } from './tables/roll-ups.ts';
import { members, memberships, users } from './tables/users.ts';
import { subscriptions, webhookEndpoints } from './tables/webhook-endpoints.ts';

/** In the order in which a commit writes them. */
export const tables = {
  facts,
  merchants,
  apiKeys,
  users,
  memberships,
  dashboardSessions,
  oneTimeLinks,
  signInCounters,
  acquirerAccounts,
  acquirerNotices,
  idempotencyRecords,
  paymentIntents,
  checkoutSessions,
  paymentLinks,
  operations,
  refunds,
  disputes,
  webhookEndpoints,
  events,
  deliveries,
  mailMessages,
  auditEntries,
  rollUps,
  paymentTotals,
  paymentWords,
  requestRecords,
} satisfies { readonly [Name in keyof Records]: Table<Records[Name]> };

/** Other ways to read them. */
export const views = {
  positionedEvents,
  requestSummaries,
  subscriptions,
  paymentsBySession,
  paymentsByIntent,
  checkouts,
  linkPages,
  credentials,
  signedIn,
  members,
};

export const sources = { ...tables, ...views };
