// The health of webhook endpoints.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointHealth } from '../../src/domain/webhook-health.ts';

describe('The health of an endpoint', () => {
  it('counts its own deliveries, and says how long the last attempts took', () => {
    const delivered = Array.from({ length: 20 }, (_, at) => ({
      ...{ endpointId: 'we_1', status: 'delivered', durationMs: (at + 1) * 10 },
    })) as { endpointId: string; status: 'delivered'; durationMs: number }[];
    const health = endpointHealth([
      ...delivered,
      { endpointId: 'we_1', status: 'pending', durationMs: null },
      { endpointId: 'we_2', status: 'failed', durationMs: 10_000 },
    ]);
    assert.deepEqual(health.get('we_1'), { delivered: 20, failed: 0, waiting: 1, medianMs: 100, p95Ms: 190 });
    assert.deepEqual(health.get('we_2'), { delivered: 0, failed: 1, waiting: 0, medianMs: 10_000, p95Ms: 10_000 });
    assert.equal(health.get('we_3'), undefined);
  });
});
