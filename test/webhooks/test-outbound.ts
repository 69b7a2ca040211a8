// The outbound client for tests: loopback is allowed, so that real receivers can be used, and timeouts are short.

import assert from 'node:assert/strict';
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundResult,
} from '../../src/webhooks/outbound.ts';
import type { OutboundError } from '../../src/webhooks/outbound-failure.ts';
import type { CleansUp } from '../support/engines.ts';

export const allowLoopback: OutboundOptions['policy'] = {
  allowedNetworks: ['127.0.0.0/8', '::1/128'],
  loopbackInTestMode: false,
  ports: 'usual',
};

export interface TestOutbound extends Outbound {
  /** Posts a small event, by default in test mode. */
  send(url: string, livemode?: boolean): Promise<OutboundResult>;
}

export function testOutbound(test: CleansUp, options: Partial<OutboundOptions> = {}): TestOutbound {
  const outbound = createOutbound({ policy: allowLoopback, userAgent: 'Paydesk/test', timeoutMs: 5_000, ...options });
  test.after(outbound.close);
  const headers = { 'content-type': 'application/json' };
  return {
    ...outbound,
    send: (url, livemode = false) => outbound.post({ url, livemode, headers, body: '{"id":"evt_1"}' }),
  };
}

export function assertStatus(result: OutboundResult, statusCode: number): void {
  assert.ok('statusCode' in result, JSON.stringify(result));
  assert.equal(result.statusCode, statusCode);
}

export function assertError(result: OutboundResult, error: OutboundError): void {
  assert.ok('error' in result, JSON.stringify(result));
  assert.equal(result.error, error, result.message);
}
