// Rows of a merchant for every table: at least one that each claim finds, and an old one where a table is pruned.

import { randomBytes } from 'node:crypto';
import { auditEntry } from '../../src/domain/audit-entry.ts';
import type { Changes, Records } from '../../src/domain/change-set.ts';
import { newSession } from '../../src/domain/dashboard-session.ts';
import { newMail } from '../../src/domain/mail-message.ts';
import type { Scope } from '../../src/domain/merchant.ts';
import { newLink } from '../../src/domain/one-time-link.ts';
import { newOperation } from '../../src/domain/operation.ts';
import { noTotals } from '../../src/domain/payment-totals.ts';
import { indexedWords } from '../../src/domain/payment-word.ts';
import { newRollUp } from '../../src/domain/roll-up.ts';
import { counted } from '../../src/domain/sign-in-counter.ts';
import { newMembership, newUser } from '../../src/domain/user.ts';
import { tables } from '../../src/storage/tables.ts';
import { startOfTests as now } from './fake-clock.ts';
import {
  aDelivery,
  aDispute,
  aMerchant,
  aMoment,
  anAcquirerAccount,
  anAcquirerNotice,
  anApiKey,
  anEvent,
  anIdempotencyRecord,
  aPayment,
  aPaymentLink,
  aRequestRecord,
  aWebhookEndpoint,
} from './records.ts';

export type RowsOfTables = Required<Changes<Records>>;

const dayMs = 86_400_000;

/** New rows, in both modes where a table is distributed by merchant. */
export function rowsOfTables(merchantId: string): RowsOfTables {
  const [test, live] = [false, true].map((livemode) => rowsOfMode({ merchantId, livemode }));
  const rows = Object.entries(tables).map(([name, { placement }]) => {
    const modes = placement === 'by_merchant' ? [test, live] : [test];
    return [name, modes.flatMap<unknown>((each) => each?.[name as keyof RowsOfTables] ?? [])];
  });
  return Object.fromEntries(rows);
}

function rowsOfMode(scope: Scope): RowsOfTables {
  const { merchantId } = scope;
  const refund = { ...scope, id: aMoment().newId('re'), version: 0, paymentIntentId: 'pi_1', amount: 1 };
  const receipt = { kind: 'receipt', paymentIntentId: 'pi_1', refundId: null, locale: 'en' } as const;
  return {
    facts: [{ name: 'write_probe', value: '1' }],
    merchants: [aMerchant({ id: merchantId })],
    apiKeys: [anApiKey(scope)],
    ...rowsOfUser(merchantId),
    acquirerAccounts: [anAcquirerAccount(scope)],
    acquirerNotices: [anAcquirerNotice(scope), anAcquirerNotice({ ...scope, dueAt: null, createdAt: now - 9 })],
    idempotencyRecords: [anIdempotencyRecord({ ...scope, createdAt: now - 9 })],
    ...rowsOfPayments(scope),
    paymentLinks: [aPaymentLink({ ...scope, expiresAt: now })],
    operations: operationsOf(scope),
    refunds: [{ ...refund, currency: 'EUR', status: 'pending', reason: null, createdAt: now }],
    disputes: [aDispute({ ...scope, paymentIntentId: 'pi_1' })],
    ...rowsOfWebhooks(scope),
    mailMessages: [newMail(scope, receipt, aMoment(now - 9))],
    auditEntries: [anAuditEntry(now - 9)],
    // The totals are ahead of all events, so that these can be pruned.
    rollUps: [{ ...newRollUp(scope, 'totals'), position: 1_000 }, newRollUp(scope, 'search')],
    paymentTotals: [noTotals(scope, '2026-01-01T00:00Z')],
    paymentWords: indexedWords(aPayment({ scope })),
    requestRecords: [aRequestRecord(scope)],
  };
}

export function anAuditEntry(at: number) {
  return auditEntry(aMoment(at), {
    ...{ actor: 'a', action: 'merchant.created', subject: 'acct_1', merchantId: null, details: {} },
  } as const);
}

/** With a session, a link and a counter that have ended. */
function rowsOfUser(merchantId: string) {
  const moment = aMoment(now - 100 * dayMs);
  const user = newUser(`${merchantId}@staff.example`, null, moment);
  const { link } = newLink({ purpose: 'invite', userId: user.id, merchantId }, moment, randomBytes);
  const origin = { ip: '127.0.0.1', userAgent: '' };
  const { session } = newSession(user, { merchantId, livemode: false }, origin, moment, randomBytes);
  return {
    users: [user],
    memberships: [newMembership({ merchantId, userId: user.id, role: 'owner' }, link.id, moment)],
    dashboardSessions: [session],
    oneTimeLinks: [link],
    signInCounters: [counted(null, `account ${merchantId}`, moment.now)],
  };
}

/** A payment that is open past its times, and one that has expired and whose customer is known. */
function rowsOfPayments(scope: Scope) {
  const moment = aMoment(now - 3_600_000);
  const open = aPayment({ scope, moment });
  const ended = aPayment({ scope, moment, terms: { customerEmail: 'ada@shop.example' } });
  const status = 'expired' as const;
  return {
    paymentIntents: [
      { ...open.intent, captureBefore: now - 1 },
      { ...ended.intent, status },
    ],
    checkoutSessions: [open.session, { ...ended.session, status }],
  };
}

/** One that is due, and one that waits. */
function operationsOf(scope: Scope) {
  const about = { kind: 'refund', paymentIntentId: 'pi_1', checkoutSessionId: 'cs_1', amount: 1 } as const;
  const attempt = { keys: { session: 's', address: 'a', card: 'c' }, slot: now };
  return [now, now + dayMs].map((dueAt) => ({
    ...newOperation(aMoment().newId('op'), scope, about, aMoment(now - 9)),
    ...{ dueAt, attempt },
  }));
}

/** Deliveries that are due, have ended and wait. */
function rowsOfWebhooks(scope: Scope) {
  const endpoint = aWebhookEndpoint(scope);
  const { intent } = aPayment({ scope });
  const recent = anEvent(intent);
  return {
    webhookEndpoints: [endpoint],
    events: [anEvent(intent, aMoment(now - 9)), recent],
    deliveries: [
      aDelivery(endpoint, recent),
      { ...aDelivery(endpoint, recent), status: 'delivered', dueAt: null, createdAt: now - 9 } as const,
      { ...aDelivery(endpoint, recent), dueAt: now + dayMs },
    ],
  };
}
