// Erases a customer at their request: from payments, payment links and events, and from responses that are kept for repeated
// requests. Repeating it does no harm, so a run that was interrupted is simply started again; the audit trail shows both.

import { type AuditEntry, auditEntry } from '../domain/audit-entry.ts';
import type { CheckoutSession } from '../domain/checkout-session.ts';
import {
  type ErasedCustomer,
  erasedCustomer,
  isSessionOf,
  responseWithoutCustomer,
  withoutCustomer,
  withoutDetails,
} from '../domain/erased-customer.ts';
import type { Event } from '../domain/event.ts';
import { type IdempotencyRecord, isAnswered, openResponse, sealResponse } from '../domain/idempotency.ts';
import type { Payment } from '../domain/life-cycle.ts';
import type { Merchant, Scope } from '../domain/merchant.ts';
import type { Moment } from '../domain/moment.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Store } from '../storage/store.ts';
import { decideAndCommit } from './decide-and-commit.ts';
import { type ErasedTexts, eraseTexts } from './erase-texts.ts';
import { eraseFromIndex } from './index-payments.ts';

const pageSize = 200;

export interface EraseCustomerDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly secretBox: SecretBox;
  readonly actor: string;
  /** Called after each page. */
  readonly onProgress?: (found: FoundOfCustomer) => void;
}

export interface ErasureRequest {
  readonly email: string;
  /** Null: at all merchants. */
  readonly merchantId: string | null;
  /** Only counts. */
  readonly dryRun: boolean;
}

export interface FoundOfCustomer extends ErasedTexts {
  /** Each with its payment intent. */
  readonly sessions: number;
  readonly events: number;
  readonly responses: number;
}

export async function eraseCustomer(deps: EraseCustomerDeps, request: ErasureRequest): Promise<FoundOfCustomer> {
  const customer = erasedCustomer(request.email);
  const found = { sessions: 0, links: 0, reasons: 0, events: 0, responses: 0 };
  const { dryRun } = request;
  const record = (entry: Pick<AuditEntry, 'action' | 'details'>) =>
    dryRun ? null : deps.store.commit({ auditEntries: [entryOf(deps, customer, request, entry)] });
  await record({ action: 'customer.erasure_started', details: {} });
  for await (const scope of scopesOf(deps.store, request.merchantId)) {
    for await (const page of sessionsOf(deps.store, scope)) {
      const theirs = page.filter((session) => isSessionOf(customer, session));
      found.sessions += theirs.length;
      if (!dryRun)
        for (const { id } of theirs)
          await erasePayment(deps.store, scope, id, (payment) => withoutCustomer(customer, payment));
      deps.onProgress?.(found);
    }
    const { links, reasons } = await eraseTexts(deps.store, scope, customer, dryRun);
    found.links += links;
    found.reasons += reasons;
    for await (const page of eventsOf(deps.store, scope)) {
      const theirs = page.filter(({ data }) => customer.isIn(data));
      found.events += theirs.length;
      if (!dryRun)
        for (const event of theirs) await deps.store.rewriteEvent({ ...event, data: customer.removedFrom(event.data) });
      deps.onProgress?.(found);
    }
  }
  found.responses = await eraseResponses(deps, customer, request);
  await record({ action: 'customer.erased', details: { ...found } });
  return found;
}

/** Erases what is known about the customer of one payment, whoever they are. */
export function eraseDetails(store: Store, scope: Scope, sessionId: string): Promise<void> {
  return erasePayment(store, scope, sessionId, withoutDetails);
}

async function erasePayment(
  store: Store,
  scope: Scope,
  sessionId: string,
  erased: (payment: Payment) => Payment,
): Promise<void> {
  const outcome = await decideAndCommit(store, async () => {
    const payment = await store.find('paymentsBySession', scope, sessionId);
    if (payment === null) return { changes: {}, result: null };
    const after = erased(payment);
    // Before the commit: if this is interrupted, the payment is found again by what it still contains.
    await eraseFromIndex(store, payment, after);
    const changes = { checkoutSessions: [after.session], paymentIntents: [after.intent] };
    return { changes, result: { before: payment, after } };
  });
  if (!('done' in outcome))
    throw new Error(`the customer of ${sessionId} could not be erased: the payment keeps changing`);
  // It may have been indexed meanwhile.
  if (outcome.done !== null) await eraseFromIndex(store, outcome.done.before, outcome.done.after);
}

async function eraseResponses(
  { store, secretBox }: EraseCustomerDeps,
  customer: ErasedCustomer,
  { merchantId, dryRun }: ErasureRequest,
): Promise<number> {
  let erased = 0;
  for (let after: IdempotencyRecord | null = null; ; ) {
    const page: readonly IdempotencyRecord[] = await store.walk('idempotencyRecords', after, pageSize);
    for (const record of page) {
      if (!isAnswered(record) || (merchantId !== null && record.merchantId !== merchantId)) continue;
      const text = responseWithoutCustomer(customer, openResponse(secretBox, record));
      if (text === null) continue;
      // An answered record never changes; if it is gone, it was pruned.
      if (!dryRun)
        await store.commit({ idempotencyRecords: [{ ...record, sealedBody: sealResponse(secretBox, record, text) }] });
      erased += 1;
    }
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return erased;
  }
}

async function* scopesOf(store: Store, merchantId: string | null): AsyncGenerator<Scope> {
  if (merchantId !== null) {
    yield* bothModes(merchantId);
    return;
  }
  for (let after: Merchant | null = null; ; ) {
    const page: readonly Merchant[] = await store.walk('merchants', after, pageSize);
    for (const { id } of page) yield* bothModes(id);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
}

const bothModes = (merchantId: string): Scope[] => [false, true].map((livemode) => ({ merchantId, livemode }));

async function* sessionsOf(store: Store, scope: Scope): AsyncGenerator<readonly CheckoutSession[]> {
  for (let after: string | undefined; ; ) {
    const page = await store.list('checkoutSessions', { scope, limit: pageSize, after });
    yield page;
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}

async function* eventsOf(store: Store, scope: Scope): AsyncGenerator<readonly Event[]> {
  for (let after: string | undefined; ; ) {
    const page = await store.list('events', { scope, limit: pageSize, after });
    yield page;
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}

/** The customer appears as a fingerprint: it proves later that they were erased, and does not name them. */
function entryOf(
  { moment, actor, secretBox }: EraseCustomerDeps,
  { address }: ErasedCustomer,
  { merchantId }: ErasureRequest,
  { action, details }: Pick<AuditEntry, 'action' | 'details'>,
) {
  const subject = `customer ${secretBox.derive('erased customer', address)}`;
  return auditEntry(moment(), { actor, action, merchantId, subject, details });
}
