// The row of a delivery's result, as both engines read it.

import type { Delivery, DeliveryResult } from '../domain/delivery.ts';

export function resultIn(row: Readonly<Record<string, unknown>>): DeliveryResult {
  return {
    endpointId: String(row.endpoint_id),
    status: row.status as Delivery['status'],
    durationMs: row.duration_ms === null ? null : Number(row.duration_ms),
  };
}
