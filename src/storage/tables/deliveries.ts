// Deliveries of events to endpoints. Their results are recorded by the delivery queue of the store.

import type { Delivery } from '../../domain/delivery.ts';
import { scopeColumns, table } from '../table.ts';

export const deliveries = table<Delivery>()({
  name: 'deliveries',
  columns: {
    ...scopeColumns,
    eventId: 'text',
    id: 'text',
    endpointId: 'text',
    status: 'text',
    attempts: 'json',
    dueAt: 'integer',
    createdAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'eventId', 'id'],
  filters: ['eventId'],
});
