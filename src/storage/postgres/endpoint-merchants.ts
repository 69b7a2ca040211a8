// Whose an endpoint is. Deliveries are claimed by endpoint, and on a distributed database a claim must name the merchant, so
// that it goes to one server. That never changes, so it is remembered: asking means asking every server.

import type { RowsOf } from './rows.ts';

const maxRemembered = 20_000;

/** Endpoints that do not exist are left out; deleted ones do. */
export type EndpointMerchants = (endpointIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function endpointMerchants(readRows: RowsOf): EndpointMerchants {
  const remembered = new Map<string, string>();
  const text = 'SELECT id, merchant_id FROM webhook_endpoints WHERE id = ANY($1)';

  return async (endpointIds) => {
    const unknown = endpointIds.filter((id) => !remembered.has(id));
    const rows =
      unknown.length === 0 ? [] : await readRows({ name: 'merchants of endpoints', text, values: [unknown] });
    const found = new Map(rows.map(([id, merchantId]) => [String(id), String(merchantId)]));
    const known = new Map<string, string>();
    for (const id of endpointIds) {
      const merchantId = found.get(id) ?? remembered.get(id);
      if (merchantId === undefined) continue;
      known.set(id, merchantId);
      // Those that were used last stay.
      remembered.delete(id);
      remembered.set(id, merchantId);
    }
    for (const id of remembered.keys()) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(id);
    }
    return known;
  };
}
