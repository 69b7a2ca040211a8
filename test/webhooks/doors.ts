// The door out as its tests open it: loopback is allowed, so that real receivers can stand there, and time is short.

import assert from 'node:assert/strict';
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundResult,
} from '../../src/webhooks/outbound.ts';
import type { OutboundError } from '../../src/webhooks/outbound-failure.ts';
import type { CleansUp } from '../support/engines.ts';

export const openToLoopback: OutboundOptions['policy'] = {
  allowedNetworks: ['127.0.0.0/8', '::1/128'],
  loopbackInTestMode: false,
  ports: 'usual',
};

export interface Door extends Outbound {
  /** With a small event, in test mode. */
  send(url: string, livemode?: boolean): Promise<OutboundResult>;
}

export function openDoor(test: CleansUp, options: Partial<OutboundOptions> = {}): Door {
  const outbound = createOutbound({ policy: openToLoopback, userAgent: 'Paydesk/test', timeoutMs: 5_000, ...options });
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
