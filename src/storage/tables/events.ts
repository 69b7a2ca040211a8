// Events, by id and by their position in the order of commits.

import type { Event, PositionedEvent } from '../../domain/event.ts';
import { scopeColumns, table } from '../table.ts';

const columns = {
  ...scopeColumns,
  id: 'text',
  type: 'text',
  data: 'json',
  paymentIntentId: 'text',
  createdAt: 'integer',
} as const;

export const events = table<Event>()({
  name: 'events',
  columns,
  key: ['merchantId', 'livemode', 'id'],
  positioned: true,
  filters: ['type', 'paymentIntentId'],
  prunedBy: 'createdAt',
  // A delivery needs its event, new positions continue from the last one, and totals are made of events.
  prunedOnly: `NOT EXISTS (
      SELECT 1 FROM deliveries d
      WHERE d.merchant_id = t.merchant_id AND d.livemode = t.livemode AND d.event_id = t.id)
    AND EXISTS (
      SELECT 1 FROM events later
      WHERE later.merchant_id = t.merchant_id AND later.livemode = t.livemode AND later.position > t.position)
    AND EXISTS (
      SELECT 1 FROM roll_ups r
      WHERE r.merchant_id = t.merchant_id AND r.livemode = t.livemode AND r.id = 'totals' AND r.position >= t.position)`,
});

/**
 * Events in the order of commits. No event ever becomes visible at or below a position that was read before, so a reader
 * that continues from its last position misses no event and gets none twice.
 */
export const positionedEvents = table<PositionedEvent>()({
  name: 'events',
  columns: { ...columns, position: 'integer' },
  key: ['merchantId', 'livemode', 'id'],
  order: { by: 'position', ascending: true },
});
