// The metrics of several workers as one set: sums that never decrease, and gauges of the running workers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { createMetrics, type Metrics } from '../../src/metrics.ts';
import { gatheredMetrics } from '../../src/workers/gathered-metrics.ts';

const valuesIn = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));

describe('The metrics of several workers', () => {
  it('include the counts of workers that have ended or do not respond', async () => {
    const gathered = gatheredMetrics(new Registry());
    const workers: Metrics[] = [createMetrics(), createMetrics(), createMetrics()];
    for (const [at, metrics] of workers.entries()) {
      metrics.countCommit('committed');
      metrics.observeRequest('GET', '/me', 200, 0.002);
      metrics.observeAcquirerCall('stripe', { call: 'authorise', outcome: 'answered', answer: 'done', seconds: 0.3 });
      metrics.watchEventStreams(() => 5);
      metrics.watchWebhooks({ due: () => Promise.resolve(7), inFlight: () => 2 });
      metrics.watchClock(() => -0.5);
      metrics.countTurnedAway('stripe', 'full');
      metrics.observeKnown('stripe', 20);
      metrics.countNotification('stripe', 'charge.refunded', 'accepted');
      metrics.watchAccounts(() => new Map([['stripe', at]]));
      const unknown = [{ provider: 'mollie', operations: 4, since: 1_000 }];
      metrics.watchUnfinished(
        () => Promise.resolve({ unknown, overdueSince: null }),
        () => 61_000,
      );
      gathered.report(at + 1, await metrics.registry.getMetricsAsJSON());
    }
    gathered.ended(1);
    const text = await gathered.text(new Set([2]));
    assert.deepEqual(valuesIn(text, 'paydesk_commits_total'), ['paydesk_commits_total{outcome="committed"} 3']);
    const labels = 'method="GET",route="/me",status="200"';
    assert.deepEqual(valuesIn(text, 'paydesk_http_request_duration_seconds_count'), [
      `paydesk_http_request_duration_seconds_count{${labels}} 3`,
    ]);
    const buckets = valuesIn(text, 'paydesk_http_request_duration_seconds_bucket');
    assert.ok(
      buckets.some((line) => line.includes('le="0.0025"') && line.endsWith(' 3')),
      buckets.join('\n'),
    );
    assert.equal(valuesIn(text, 'paydesk_acquirer_call_duration_seconds_count').length, 1);
    assert.deepEqual(valuesIn(text, 'paydesk_event_streams_open'), ['paydesk_event_streams_open 5']);
    assert.deepEqual(valuesIn(text, 'paydesk_processes'), ['paydesk_processes 1']);

    const both = await gathered.text(new Set([2, 3]));
    assert.deepEqual(valuesIn(both, 'paydesk_event_streams_open'), ['paydesk_event_streams_open 10']);
    assert.deepEqual(valuesIn(both, 'paydesk_webhook_deliveries_due'), ['paydesk_webhook_deliveries_due 7']);
    assert.deepEqual(valuesIn(both, 'paydesk_webhook_deliveries_in_flight'), [
      'paydesk_webhook_deliveries_in_flight 4',
    ]);
    for (const line of [
      'paydesk_acquirer_calls_total{provider="stripe",call="authorise",answer="done"} 3',
      'paydesk_acquirer_calls_turned_away_total{provider="stripe",reason="full"} 3',
      'paydesk_unknown_outcome_duration_seconds_count{provider="stripe"} 3',
      'paydesk_acquirer_notifications_total{provider="stripe",type="charge.refunded",outcome="accepted"} 3',
      'paydesk_acquirer_accounts_down{provider="stripe"} 2',
      'paydesk_unknown_outcomes{provider="mollie"} 4',
      'paydesk_oldest_unknown_outcome_seconds{provider="mollie"} 60',
      'paydesk_session_expiry_lag_seconds 0',
    ])
      assert.ok(both.split('\n').includes(line), line);
    assert.deepEqual(valuesIn(both, 'paydesk_clock_difference_seconds'), ['paydesk_clock_difference_seconds -0.5']);
  });
});
