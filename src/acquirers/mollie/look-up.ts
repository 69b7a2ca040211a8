// Looks through Mollie's lists. What an operation made, when its reference was never learned, is found by our id in the
// metadata.

import type { AcquirerOperation, FollowUp } from '../acquirer.ts';
import { AcquirerSilent } from '../acquirer.ts';
import type { Json, MollieApi } from './api.ts';
import {
  itemsOf,
  type MolliePart,
  type MolliePayment,
  nextCursor,
  parseListedPayment,
  parsePart,
  parsePayment,
  senseless,
} from './resources.ts';

const pageSize = 250;
const maxPages = 40;
/** Payments are larger than their parts, above all those of other systems in the same profile. */
const paymentsPerPage = 50;
/** So many pages are read at once, but no more are begun after this time: the call has a deadline. */
const pagesAtOnce = 10;
const searchForMs = 500;
/** How far Mollie's clock may differ from ours. */
const clockToleranceMs = 600_000;

/** `continueFrom`: the cursor at which the search goes on. */
export type Search = { readonly found: MolliePayment | null } | { readonly continueFrom: string };

/**
 * Looks for the payment of an operation among a limited number of payments, from a cursor on; null: from the newest.
 * Mollie lists the newest first, so the search ends at payments older than the operation.
 */
export async function searchPayment(
  { api, now }: { readonly api: MollieApi; readonly now: () => number },
  { id, createdAt }: AcquirerOperation,
  from: string | null,
): Promise<Search> {
  const startedAt = now();
  let cursor = from;
  for (let page = 0; page < pagesAtOnce && now() - startedAt < searchForMs; page += 1) {
    const body: Json = await pageOf(api, '/payments', paymentsPerPage, cursor);
    for (const json of itemsOf(body, 'payments')) {
      const listed = parseListedPayment(json);
      if (listed.operation === id) return { found: parsePayment(json) };
      if (listed.createdAt < createdAt - clockToleranceMs) return { found: null };
    }
    cursor = nextCursor(body);
    if (cursor === null) return { found: null };
  }
  return cursor === null ? { found: null } : { continueFrom: cursor };
}

/** Null if there is none. */
export async function findPart(
  api: MollieApi,
  path: string,
  { id, kind, currency }: FollowUp,
): Promise<MolliePart | null> {
  const resource = kind === 'capture' ? 'capture' : 'refund';
  for await (const json of items(api, path, `${resource}s`)) {
    const part = parsePart(json, resource, currency);
    if (part.operation === id) return part;
  }
  return null;
}

/** All of them, made by us or not. */
export async function partsOf(api: MollieApi, paymentId: string, name: 'refunds' | 'chargebacks'): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const json of items(api, `/payments/${paymentId}/${name}`, name)) found.push(json);
  return found;
}

async function* items(api: MollieApi, path: string, name: string): AsyncGenerator<unknown> {
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const body: Json = await pageOf(api, path, pageSize, cursor);
    yield* itemsOf(body, name);
    cursor = nextCursor(body);
    if (cursor === null) return;
  }
  // Not seeing everything proves nothing.
  throw new AcquirerSilent(`Mollie has more than ${pageSize * maxPages} ${name} to look through`, {
    isOnlyAboutThis: true,
  });
}

async function pageOf(api: MollieApi, path: string, limit: number, cursor: string | null): Promise<Json> {
  const from = cursor === null ? '' : `&from=${encodeURIComponent(cursor)}`;
  const answer = await api.get(`${path}?limit=${limit}${from}`);
  if (answer.kind !== 'ok') throw senseless('list');
  return answer.body;
}
