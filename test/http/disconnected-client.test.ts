// A client that disconnects is not counted as a server error, on any route.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEachEngine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { connectTo } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

describeOnEachEngine('A client that disconnects during an upload', (engine) => {
  it('is distinguished from server errors in the log and in the metrics', async (t) => {
    const paydesk = await startPaydesk(t, engine, { settings: { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' } });
    const { test, newSession } = await paydesk.newMerchant();
    const session = await newSession();
    const form = 'Content-Type: application/x-www-form-urlencoded';
    const json = `Content-Type: application/json\r\nAuthorization: Bearer ${test.key}`;
    const uploads = [
      ['/csp-reports', 'Content-Type: application/csp-report'],
      [`/checkout/${session.id}/pay`, form],
      ['/checkout-sessions', json],
      [`/payment-intents/${session.payment_intent}/refund`, json],
    ] as const;
    const lines = () => paydesk.logLines().filter(({ status }) => status === 499);
    for (const [path, headers] of uploads) {
      for (const disconnect of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const before = lines().length;
        const socket = await connectTo(t, paydesk.url);
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\nContent-Length: 1000\r\n\r\nhalf`);
        // Once another connection has its responses, this one's headers have been read.
        for (let round = 0; round < 3; round += 1) await fetch(`${paydesk.url}/healthz`);
        socket[disconnect]();
        await until(`${path} is logged`, () => lines().length > before);
      }
    }
    const aboveInfo = paydesk.logLines().filter(({ level }) => level !== 'info');
    assert.deepEqual(aboveInfo, []);
    const metrics = await (await fetch(`${paydesk.metricsUrl}/metrics`)).text();
    assert.match(metrics, /route="\/csp-reports",status="499"/);
    assert.doesNotMatch(metrics, /status="5\d\d"/);
  });
});
