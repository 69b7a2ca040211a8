// Stripe's lists, read to their end. They are consistent with writes, unlike Stripe's search, which lags behind by up to a
// minute and more during outages.

import type { StripeClient } from './client.ts';
import { isObject, type Json, textIn } from './json.ts';
import { nonsense, readRefund, type StripeRefund } from './objects.ts';

const pageSize = 100;
/** More refunds or disputes than any payment has. */
const maxPages = 50;

export async function listOfPayment(
  client: StripeClient,
  path: 'refunds' | 'disputes',
  payment: string,
): Promise<Json[]> {
  const all: Json[] = [];
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const fields = { payment_intent: payment, limit: pageSize, starting_after: after };
    const reply = await client.get(path, fields);
    if (!reply.ok || !Array.isArray(reply.body.data)) throw nonsense(`no list of ${path}`);
    const items: unknown[] = reply.body.data;
    for (const item of items) {
      if (!isObject(item)) throw nonsense(`no list of ${path}`);
      all.push(item);
    }
    if (reply.body.has_more !== true) return all;
    const last = all.at(-1);
    after = (last === undefined ? null : textIn(last, 'id')) ?? undefined;
    if (after === undefined) throw nonsense(`no list of ${path}`);
  }
  throw nonsense(`more ${path} than expected`);
}

export async function listRefunds(client: StripeClient, payment: string): Promise<StripeRefund[]> {
  return (await listOfPayment(client, 'refunds', payment)).map(readRefund);
}
