// Finds payments by what staff type: an id, or words that the payment has. Words are looked up in the index; payments that
// are not in it yet, or whose attempt is in progress, are examined one by one. Whatever is found is compared with the
// payment itself, because the index also has words that a payment had before.

import type { Payment } from '../domain/life-cycle.ts';
import type { Scope } from '../domain/merchant.ts';
import { type PaymentFilter, passes } from '../domain/payment-filter.ts';
import { isFoundBy, type Search, searchedWords } from '../domain/payment-search.ts';
import { numberOf } from '../domain/payment-word.ts';
import { newRollUp } from '../domain/roll-up.ts';
import type { Store } from '../storage/store.ts';
import { indexedThrough, indexPayments } from './index-payments.ts';
import { readPayments } from './read-payments.ts';

export interface FindDeps {
  readonly store: Store;
  readonly now: () => number;
}

export interface Found {
  /** Newest first. */
  readonly payments: readonly Payment[];
  /** Where to continue; null at the end. */
  readonly next: string | null;
  /** Whether older payments are still being indexed, so that some may be missing. */
  readonly isIndexing: boolean;
}

interface Wanted {
  readonly limit: number;
  readonly before?: string | undefined;
}

type WordSearch = Extract<Search, { words: unknown }>;

/** Steps of the index that a search waits for. */
const maxIndexSteps = 5;
/** Payments that are examined one by one. */
const examineAtMost = 20_000;
/** Payments that are found in the index and read for one page: filters may let few of them pass. */
const maxRead = 2_000;
/** Their cards and references are indexed with the outcome. */
const inProgress = ['processing', 'requires_action'] as const;

export async function findPayments(
  deps: FindDeps,
  scope: Scope,
  filter: PaymentFilter,
  search: Search,
  wanted: Wanted,
): Promise<Found> {
  const { store } = deps;
  async function shownOf(payments: readonly Payment[]): Promise<Payment[]> {
    const passing = payments.filter(({ intent }) => passes(filter, intent));
    if (filter.status !== 'disputed') return passing;
    const ids = passing.map(({ intent }) => intent.id);
    const disputed = await store.payments.disputed(scope, ids);
    return passing.filter(({ intent }) => disputed.has(intent.id));
  }
  if ('id' in search) {
    const id = await paymentIdOf(store, scope, search);
    const isBefore = id !== null && (wanted.before === undefined || id < wanted.before);
    const payments = await shownOf(isBefore ? await readPayments(store, scope, [id]) : []);
    return { payments, next: null, isIndexing: false };
  }
  return findByWords(deps, scope, search, wanted, shownOf);
}

async function findByWords(
  deps: FindDeps,
  scope: Scope,
  search: WordSearch,
  { limit, before }: Wanted,
  shownOf: (payments: readonly Payment[]) => Promise<readonly Payment[]>,
): Promise<Found> {
  const { store } = deps;
  let hasMore = true;
  for (let step = 0; step < maxIndexSteps && hasMore; step++) hasMore = await indexPayments(deps, scope);
  const rollUp = (await store.find('rollUps', scope, 'search')) ?? newRollUp(scope, 'search');
  const indexed = indexedThrough(rollUp, deps.now());
  const words = searchedWords(search).map(numberOf);
  const known = new Set<string>();
  const payments: Payment[] = [];
  let start = before;
  // Each round finds the newest of all sources from one place on, so that no page has gaps.
  for (let left = maxRead; left > 0; ) {
    const sources = await Promise.all([
      examine(store, scope, search, { before: start, atLeast: indexed, limit: limit + 1 }),
      ...inProgress.map((status) => examine(store, scope, search, { before: start, status, limit: limit + 1 })),
      store.payments.byWords(scope, words, start, limit + 1),
    ]);
    const newest = sources.flat().filter((id) => !known.has(id));
    const ids = [...new Set(newest)]
      .sort()
      .reverse()
      .slice(0, limit + 1);
    if (ids.length === 0) return { payments, next: null, isIndexing: hasMore };
    const read = await readPayments(store, scope, ids);
    for (const payment of await shownOf(read.filter((one) => isFoundBy(search, one)))) {
      if (payments.length === limit) return { payments, next: payments.at(-1)?.intent.id ?? null, isIndexing: hasMore };
      payments.push(payment);
    }
    for (const id of ids) known.add(id);
    left -= ids.length;
    start = ids.at(-1);
  }
  return { payments, next: start ?? null, isIndexing: hasMore };
}

async function paymentIdOf(store: Store, scope: Scope, { id, prefix }: Extract<Search, { id: string }>) {
  if (prefix === 'pi') return id;
  if (prefix === 'cs') return (await store.find('checkoutSessions', scope, id))?.paymentIntentId ?? null;
  const table = ({ re: 'refunds', dp: 'disputes', op: 'operations' } as const)[prefix];
  return (await store.find(table, scope, id))?.paymentIntentId ?? null;
}

interface Examined {
  readonly before: string | undefined;
  readonly atLeast?: string;
  readonly status?: (typeof inProgress)[number];
  readonly limit: number;
}

/** The ids of payments that may have one of the words. */
async function examine(
  store: Store,
  scope: Scope,
  search: WordSearch,
  { before, atLeast, status, limit }: Examined,
): Promise<string[]> {
  const found: string[] = [];
  const containing = search.words.map(asciiPart);
  const amounts = search.amounts.map(({ amount }) => amount);
  let start = before;
  for (let left = examineAtMost; left > 0 && found.length < limit; ) {
    const range = { scope, filter: { status }, before: start, atLeast, containing, amounts };
    const step = await store.payments.ids(range, left);
    found.push(...step.found);
    if (step.next === null) break;
    start = step.next;
    left -= step.examined;
  }
  return found.slice(0, limit);
}

/** As it appears within JSON. Databases differ in the lower case of other letters, so only a part of ASCII is compared. */
function asciiPart(word: string): string {
  const inJson = JSON.stringify(word).slice(1, -1);
  return inJson.split(/[^\x20-\x7e]+/).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
