// Lists, searches and counts payments for staff, newest first. Whatever the filters, a page examines a bounded number of
// payments: if that is not enough to fill it, it ends early, with a cursor to continue from.

import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import { type ListedStatus, type OwnFilter, type PaymentFilter, passes } from '../domain/payment-filter.ts';
import { paymentIntentStatuses } from '../domain/payment-intent.ts';
import type { Search } from '../domain/payment-search.ts';
import type { Store } from '../storage/store.ts';
import { type FindDeps, findPayments } from './find-payments.ts';

export interface PaymentsWanted {
  readonly scope: Scope;
  readonly filter: PaymentFilter;
  readonly search: Search | null;
}

export interface PaymentPage {
  readonly payments: readonly Payment[];
  /** Where the next page starts; null at the end. The page may be shorter than requested, or empty, before the end. */
  readonly next: string | null;
  /** Whether a search may have missed some, because older payments are still being indexed. */
  readonly isIndexing?: boolean;
}

export interface PageWanted {
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly before?: string | undefined;
}

/** Rows examined with one statement, which blocks SQLite for about 5 ms, and for one page. */
const stepSize = 2_000;
const maxSteps = 10;
/** A merchant with more disputes than this sees the latest of them in the list of disputed payments. */
const maxDisputes = 1_000;

export async function listPayments(
  deps: FindDeps,
  { scope, filter, search }: PaymentsWanted,
  page: PageWanted,
): Promise<PaymentPage> {
  const { store } = deps;
  if (search !== null) return findPayments(deps, scope, filter, search, page);
  if (filter.status === 'disputed') return pageOf(await disputedPayments(store, scope, filter, page), page);
  return listByFilter(store, scope, { ...filter, status: filter.status }, page);
}

/** Of one more than requested, the last only shows that there are more. */
function pageOf(found: readonly Payment[], { limit }: PageWanted): PaymentPage {
  const payments = found.slice(0, limit);
  return { payments, next: found.length > limit ? (payments.at(-1)?.intent.id ?? null) : null };
}

async function listByFilter(
  store: Store,
  scope: Scope,
  filter: OwnFilter,
  { limit, before }: PageWanted,
): Promise<PaymentPage> {
  const ids: string[] = [];
  let start = before;
  for (let step = 0; step < maxSteps; step++) {
    const range = { scope, filter, before: start };
    const bound = isChecked(filter) ? await store.payments.boundary(range, stepSize) : null;
    const wanted = limit + 1 - ids.length;
    const found = await store.payments.ids({ ...range, ...(bound === null ? {} : { atLeast: bound }) }, wanted);
    ids.push(...found);
    if (ids.length > limit) {
      const shown = ids.slice(0, limit);
      return { payments: await paymentsWith(store, scope, shown), next: shown.at(-1) ?? null };
    }
    if (bound === null) return { payments: await paymentsWith(store, scope, ids), next: null };
    start = bound;
  }
  return { payments: await paymentsWith(store, scope, ids), next: start ?? null };
}

/** Whether a filter needs rows to be checked one by one. */
function isChecked({ min, max, currency, method }: PaymentFilter): boolean {
  return min !== undefined || max !== undefined || currency !== undefined || method !== undefined;
}

/** Payments that were erased in the meantime are left out. */
export async function paymentsWith(store: Store, scope: Scope, ids: readonly string[]): Promise<Payment[]> {
  const found = await Promise.all(ids.map((id) => store.find('paymentsByIntent', scope, id)));
  return found.filter((payment) => payment !== null);
}

/** Disputes are few, so they are read first. Returns one more than requested, if there are more. */
async function disputedPayments(
  store: Store,
  scope: Scope,
  filter: PaymentFilter,
  { limit, before }: PageWanted,
): Promise<Payment[]> {
  const disputes = await store.list('disputes', { scope, limit: maxDisputes });
  const ids = [...new Set(disputes.map(({ paymentIntentId }) => paymentIntentId))]
    .filter((id) => before === undefined || id < before)
    .sort()
    .reverse();
  const found: Payment[] = [];
  for (let at = 0; at < ids.length && found.length <= limit; at += limit + 1) {
    const payments = await paymentsWith(store, scope, ids.slice(at, at + limit + 1));
    found.push(...payments.filter(({ intent }) => passes(filter, intent)));
  }
  return found.slice(0, limit + 1);
}

export interface PaymentCounts {
  readonly counts: Readonly<Record<'all' | ListedStatus, number>>;
  /** Whether at least one of them is higher than counted. */
  readonly capped: boolean;
}

/** Payments examined for each count. */
const countAtMost = 10_000;
const countFoundAtMost = 1_000;

/** How many payments of each status pass the filters other than the status. */
export async function countPayments(deps: FindDeps, wanted: PaymentsWanted): Promise<PaymentCounts> {
  const { store } = deps;
  const filter = { ...wanted.filter, status: undefined };
  if (wanted.search !== null) return countFound(deps, wanted.scope, filter, wanted.search);
  const count = (status: OwnFilter['status']) =>
    store.payments.count({ scope: wanted.scope, filter: { ...filter, status } }, countAtMost + 1);
  const statuses = [...paymentIntentStatuses, 'refunded'] as const;
  const counted: [ListedStatus, number][] = [];
  let capped = false;
  for (const status of statuses) {
    const { examined, found } = await count(status);
    if (examined > countAtMost) capped = true;
    counted.push([status, Math.min(found, countAtMost)]);
  }
  const disputed = await disputedPayments(store, wanted.scope, filter, { limit: maxDisputes });
  const byStatus = Object.fromEntries([...counted, ['disputed', disputed.length]]) as Record<ListedStatus, number>;
  const all = paymentIntentStatuses.reduce((sum, status) => sum + byStatus[status], 0);
  return { counts: { all, ...byStatus }, capped };
}

async function countFound(deps: FindDeps, scope: Scope, filter: PaymentFilter, search: Search): Promise<PaymentCounts> {
  const { store } = deps;
  const { payments, next } = await findPayments(deps, scope, filter, search, { limit: countFoundAtMost });
  const disputes = await store.list('disputes', { scope, limit: maxDisputes });
  const disputedIds = new Set(disputes.map(({ paymentIntentId }) => paymentIntentId));
  const having = (isCounted: (payment: Payment) => boolean): number => payments.filter(isCounted).length;
  const byStatus = paymentIntentStatuses.map((status) => [status, having(({ intent }) => intent.status === status)]);
  return {
    counts: {
      all: payments.length,
      ...(Object.fromEntries(byStatus) as Record<(typeof paymentIntentStatuses)[number], number>),
      refunded: having(({ intent }) => intent.amountRefunded > 0),
      disputed: having(({ intent }) => disputedIds.has(intent.id)),
    },
    capped: next !== null,
  };
}
