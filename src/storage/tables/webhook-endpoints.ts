// Webhook endpoints, and the fields that fan-out reads.

import type { Subscription, WebhookEndpoint } from '../../domain/webhook-endpoint.ts';
import { scopeColumns, table } from '../table.ts';

export const webhookEndpoints = table<WebhookEndpoint>()({
  name: 'webhook_endpoints',
  columns: {
    ...scopeColumns,
    id: 'text',
    version: 'integer',
    url: 'text',
    description: 'text',
    enabledEvents: 'json',
    disabledReason: 'text',
    secret: 'bytes',
    nextSecret: 'bytes',
    nextSecretAt: 'integer',
    secretKeyId: 'text',
    createdAt: 'integer',
    deletedAt: 'integer',
  },
  key: ['merchantId', 'livemode', 'id'],
  versioned: true,
  only: 't.deleted_at IS NULL',
});

/** The fields of enabled endpoints that fan-out needs. */
export const subscriptions = table<Subscription>()({
  name: 'webhook_endpoints',
  columns: { id: 'text', enabledEvents: 'json' },
  key: ['id'],
  scoped: true,
  only: 't.deleted_at IS NULL AND t.disabled_reason IS NULL',
  order: { by: 'id', ascending: true },
  listedQuickly: true,
});
