// Finds the merchant of an endpoint. Deliveries are claimed by endpoint, but on a distributed database a claim must name
// the merchant, so that it is routed to one server. The merchant never changes, and a query goes to every server, so the
// result is cached.

import type { RowsOf } from './rows.ts';

const maxCached = 20_000;

/** Endpoints that do not exist are left out; deleted ones are included. */
export type EndpointMerchants = (endpointIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function endpointMerchants(readRows: RowsOf): EndpointMerchants {
  const cached = new Map<string, string>();
  const text = 'SELECT id, merchant_id FROM webhook_endpoints WHERE id = ANY($1)';

  return async (endpointIds) => {
    const missing = endpointIds.filter((id) => !cached.has(id));
    const rows =
      missing.length === 0 ? [] : await readRows({ name: 'merchants of endpoints', text, values: [missing] });
    const found = new Map(rows.map(([id, merchantId]) => [String(id), String(merchantId)]));
    const known = new Map<string, string>();
    for (const id of endpointIds) {
      const merchantId = found.get(id) ?? cached.get(id);
      if (merchantId === undefined) continue;
      known.set(id, merchantId);
      // Moved to the end: the least recently used are dropped first.
      cached.delete(id);
      cached.set(id, merchantId);
    }
    for (const id of cached.keys()) {
      if (cached.size <= maxCached) break;
      cached.delete(id);
    }
    return known;
  };
}
