// Deliveries of events to endpoints. Their results are recorded by the delivery queue of the store.

import type { Delivery } from '../../domain/delivery.ts';
import { notSentAgain } from '../sql.ts';
import { scopeColumns, table } from '../table.ts';

const columns = {
  ...scopeColumns,
  eventId: 'text',
  id: 'text',
  endpointId: 'text',
  status: 'text',
  attempts: 'json',
  dueAt: 'integer',
  createdAt: 'integer',
} as const;

export const deliveries = table<Delivery>()({
  name: 'deliveries',
  columns,
  key: ['merchantId', 'livemode', 'eventId', 'id'],
  filters: ['eventId'],
});

/** Failed deliveries whose event has not been sent to the endpoint again since. */
export const failedDeliveries = table<Delivery>()({
  name: 'deliveries',
  columns,
  key: ['merchantId', 'livemode', 'eventId', 'id'],
  only: `t.status = 'failed' AND ${notSentAgain}`,
  filters: ['endpointId'],
});
