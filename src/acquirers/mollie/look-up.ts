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
  parsePart,
  parsePayment,
  senseless,
} from './resources.ts';

const pageSize = 250;
const maxPages = 40;
/** How far Mollie's clock may differ from ours. */
const clockToleranceMs = 600_000;

/** Null if there is none. Mollie lists the newest first, so the search ends at payments older than the operation. */
export async function findPayment(api: MollieApi, { id, createdAt }: AcquirerOperation): Promise<MolliePayment | null> {
  for await (const json of items(api, '/payments', 'payments')) {
    const payment = parsePayment(json);
    if (payment.operation === id) return payment;
    if (payment.createdAt < createdAt - clockToleranceMs) return null;
  }
  return null;
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
    const from: string = cursor === null ? '' : `&from=${encodeURIComponent(cursor)}`;
    const body: Json = await listed(api, `${path}?limit=${pageSize}${from}`);
    yield* itemsOf(body, name);
    cursor = nextCursor(body);
    if (cursor === null) return;
  }
  // Not seeing everything proves nothing.
  throw new AcquirerSilent(`Mollie has more than ${pageSize * maxPages} ${name} to look through`, {
    isOnlyAboutThis: true,
  });
}

async function listed(api: MollieApi, path: string): Promise<Json> {
  const answer = await api.get(path);
  if (answer.kind !== 'ok') throw senseless('list');
  return answer.body;
}
