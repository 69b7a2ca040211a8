// When an account is left alone after failures, and how it comes back.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CallResult, type CircuitBreaker, circuitBreaker } from '../../src/acquirers/circuit-breaker.ts';

const rules = {
  ...{ windowMs: 30_000, windowCalls: 20, minFailures: 5 },
  ...{ coolDownMs: 1_000, maxCoolDownMs: 8_000, steadyMs: 60_000 },
};

/** Makes one call after another, as far as they are admitted. */
function make(breaker: CircuitBreaker, now: number, ...results: CallResult[]): void {
  for (const result of results) {
    const admitted = breaker.admit(now);
    if (admitted !== 'refused') breaker.report(admitted, result, now);
  }
}
const times = (count: number, result: CallResult): CallResult[] => Array.from({ length: count }, () => result);

describe('A circuit breaker', () => {
  it('opens after five failures in a row, and admits nothing until its cool-down is over', () => {
    const breaker = circuitBreaker(rules);
    make(breaker, 0, ...times(4, 'failed'));
    assert.equal(breaker.state(0), 'closed');
    make(breaker, 0, 'failed');
    assert.equal(breaker.state(0), 'open');
    assert.equal(breaker.opensFor(400), 600);
    for (const now of [0, 500, 999]) assert.equal(breaker.admit(now), 'refused');
    assert.equal(breaker.state(1_000), 'half_open');
  });

  it('stays closed while most calls work, and opens once half of the last ones failed', () => {
    const breaker = circuitBreaker(rules);
    make(breaker, 0, ...times(20, 'worked'), ...times(9, 'failed'));
    assert.equal(breaker.state(0), 'closed');
    make(breaker, 0, 'failed');
    assert.equal(breaker.state(0), 'open');
  });

  it('forgets failures after half a minute', () => {
    const breaker = circuitBreaker(rules);
    make(breaker, 0, ...times(4, 'failed'));
    make(breaker, 30_000, 'failed');
    assert.equal(breaker.state(30_000), 'closed');
  });

  it('does not count calls that say nothing about the provider', () => {
    const breaker = circuitBreaker(rules);
    make(breaker, 0, ...times(4, 'failed'), ...times(20, 'inconclusive'), 'failed');
    assert.equal(breaker.state(0), 'open');
  });

  it('admits one probe at a time, and closes if it works', () => {
    const breaker = circuitBreaker(rules);
    breaker.open(0);
    assert.equal(breaker.admit(1_000), 'probe');
    assert.equal(breaker.isProbing(), true);
    assert.equal(breaker.admit(1_000), 'refused');
    assert.equal(breaker.report('probe', 'worked', 1_500), 'closed');
    assert.equal(breaker.admit(1_500), 'call');
  });

  it('lets the next call try if a probe said nothing', () => {
    const breaker = circuitBreaker(rules);
    breaker.open(0);
    assert.equal(breaker.admit(1_000), 'probe');
    assert.equal(breaker.report('probe', 'inconclusive', 1_000), 'half_open');
    assert.equal(breaker.admit(1_000), 'probe');
  });

  it('waits twice as long after each failed probe, up to a limit', () => {
    const breaker = circuitBreaker(rules);
    breaker.open(0);
    const waits: number[] = [];
    let now = 0;
    for (let round = 0; round < 5; round += 1) {
      waits.push(breaker.opensFor(now));
      now += breaker.opensFor(now);
      make(breaker, now, 'failed');
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  it('waits longer if it opens again soon after a probe worked, and as at first after a steady minute', () => {
    const breaker = circuitBreaker(rules);
    breaker.open(0);
    make(breaker, 1_000, 'worked');
    breaker.open(2_000);
    assert.equal(breaker.opensFor(2_000), 2_000);
    make(breaker, 4_000, 'worked');
    breaker.open(64_000);
    assert.equal(breaker.opensFor(64_000), 1_000);
  });

  it('ignores calls that began before it opened: only a probe closes it', () => {
    const breaker = circuitBreaker(rules);
    const early = breaker.admit(0);
    assert.equal(early, 'call');
    breaker.open(0);
    breaker.report('call', 'worked', 500);
    breaker.report('call', 'failed', 600);
    assert.equal(breaker.state(700), 'open');
    assert.equal(breaker.opensFor(600), 400, 'nor do they prolong it');
  });
});
