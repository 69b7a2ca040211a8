// Lists, searches and counts payments for staff, newest first. Whatever the filters, a page examines a bounded number of
// payments: if that is not enough to fill it, it ends early, with a cursor to continue from.

import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import type { ListedStatus, PaymentFilter } from '../domain/payment-filter.ts';
import { paymentIntentStatuses } from '../domain/payment-intent.ts';
import type { Search } from '../domain/payment-search.ts';
import type { Store } from '../storage/store.ts';
import { type FindDeps, findPayments } from './find-payments.ts';
import { readPayments } from './read-payments.ts';

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

/** Payments examined for one page. */
const examineAtMost = 20_000;

/** `from`: where they are read, unless they are searched for. */
export async function listPayments(
  deps: FindDeps,
  { scope, filter, search }: PaymentsWanted,
  page: PageWanted,
  from: Store['replica'] = deps.store,
): Promise<PaymentPage> {
  if (search !== null) return findPayments(deps, scope, filter, search, page);
  const { ids, next } = await idsOfPage(from, scope, filter, page);
  return { payments: await readPayments(from, scope, ids), next };
}

async function idsOfPage(store: Store['replica'], scope: Scope, filter: PaymentFilter, { limit, before }: PageWanted) {
  const ids: string[] = [];
  let start = before;
  for (let left = examineAtMost; left > 0; ) {
    const wanted = limit + 1 - ids.length;
    const { found, examined, next } = await store.payments.ids({ scope, filter, before: start }, left, wanted);
    ids.push(...found);
    if (ids.length > limit) return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null };
    if (next === null) return { ids, next };
    start = next;
    left -= examined;
  }
  return { ids, next: start ?? null };
}

export interface PaymentCounts {
  readonly counts: Readonly<Record<'all' | ListedStatus, number>>;
  /** Those that may be higher than counted. */
  readonly capped: readonly ('all' | ListedStatus)[];
}

/** Payments examined for each count. */
const countAtMost = 10_000;
const countFoundAtMost = 1_000;

/** How many payments of each status pass the filters other than the status. */
export async function countPayments(deps: FindDeps, wanted: PaymentsWanted): Promise<PaymentCounts> {
  const filter = { ...wanted.filter, status: undefined };
  if (wanted.search !== null) return countFound(deps, wanted.scope, filter, wanted.search);
  const statuses = [...paymentIntentStatuses, 'refunded', 'disputed'] as const;
  const counted: [ListedStatus, number][] = [];
  const capped: ('all' | ListedStatus)[] = [];
  for (const status of statuses) {
    const { found, isCapped } = await countStatus(deps.store, wanted.scope, { ...filter, status });
    if (isCapped) capped.push(status);
    counted.push([status, found]);
  }
  const byStatus = Object.fromEntries(counted) as Record<ListedStatus, number>;
  const all = paymentIntentStatuses.reduce((sum, status) => sum + byStatus[status], 0);
  const isAllCapped = paymentIntentStatuses.some((status) => capped.includes(status));
  return { counts: { all, ...byStatus }, capped: isAllCapped ? ['all', ...capped] : capped };
}

async function countStatus(store: Store, scope: Scope, filter: PaymentFilter) {
  let found = 0;
  let before: string | undefined;
  for (let left = countAtMost + 1; left > 0; ) {
    const counted = await store.payments.count({ scope, filter, before }, left);
    found += counted.found;
    if (counted.next === null) break;
    before = counted.next;
    left -= counted.examined;
    if (left === 0) return { found: Math.min(found, countAtMost), isCapped: true };
  }
  return { found, isCapped: false };
}

async function countFound(deps: FindDeps, scope: Scope, filter: PaymentFilter, search: Search): Promise<PaymentCounts> {
  const { payments, next } = await findPayments(deps, scope, filter, search, { limit: countFoundAtMost });
  const ids = payments.map(({ intent }) => intent.id);
  const disputed = await deps.store.payments.disputed(scope, ids);
  const having = (isCounted: (payment: Payment) => boolean): number => payments.filter(isCounted).length;
  const byStatus = paymentIntentStatuses.map((status) => [status, having(({ intent }) => intent.status === status)]);
  const counts = {
    all: payments.length,
    ...(Object.fromEntries(byStatus) as Record<(typeof paymentIntentStatuses)[number], number>),
    refunded: having(({ intent }) => intent.amountRefunded > 0),
    disputed: disputed.size,
  };
  return { counts, capped: next === null ? [] : (Object.keys(counts) as (keyof typeof counts)[]) };
}
