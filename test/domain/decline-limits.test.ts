// After declines, attempts are free up to half of the limit, then slowed down more and more, then refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Attempts, limitAttempts } from '../../src/domain/decline-limits.ts';

const now = 1_000_000_000;
const limits = { windowMs: 3_600_000, perSession: 10, perAddress: 100, perCard: 51 };
const none: Attempts = { declined: 0, underWay: 0, lastDeclinedAt: 0 };
const clean = { session: none, address: none, card: none };

function waitOf(side: 'session' | 'address' | 'card', count: number, agoMs: number = 0): number | 'refused' {
  const limited = limitAttempts(
    { ...clean, [side]: { ...none, declined: count, lastDeclinedAt: now - agoMs } },
    limits,
    now,
  );
  if (limited === null) return 0;
  return limited.kind === 'slow_down' ? limited.seconds : 'refused';
}

describe('Attempts after declines', () => {
  it('are free below half of the limit, then wait twice as long each time up to a minute, and are refused at the limit', () => {
    assert.deepEqual(
      [0, 4, 5, 6, 7, 8, 9, 10, 11].map((count) => waitOf('session', count)),
      [0, 0, 1, 2, 4, 8, 16, 'refused', 'refused'],
    );
    assert.deepEqual(
      [49, 50, 55, 56, 57, 99, 100].map((count) => waitOf('address', count)),
      [0, 1, 32, 60, 60, 60, 'refused'],
    );
    assert.deepEqual(
      [25, 26, 50, 51].map((count) => waitOf('card', count)),
      [0, 1, 60, 'refused'],
    );
  });

  it('wait from the last decline on, and report the remaining seconds', () => {
    assert.equal(waitOf('session', 7, 0), 4);
    assert.equal(waitOf('session', 7, 1), 4);
    assert.equal(waitOf('session', 7, 3_999), 1);
    assert.equal(waitOf('session', 7, 4_000), 0);
    assert.equal(waitOf('session', 10, 3_000_000), 'refused');
  });

  it('wait only a little for a decline in the future, which a fast clock has caused', () => {
    assert.equal(waitOf('session', 7, -10_000), 14);
    assert.equal(waitOf('session', 7, -3_600_000), 0);
    assert.equal(waitOf('session', 10, -3_600_000), 'refused');
  });

  it('wait for the longest of the three, and are refused if any limit is reached', () => {
    const five = { ...none, declined: 5, lastDeclinedAt: now };
    const eight = { ...none, declined: 8, lastDeclinedAt: now };
    assert.deepEqual(limitAttempts({ ...clean, session: eight, address: five }, limits, now), {
      kind: 'slow_down',
      seconds: 8,
    });
    assert.deepEqual(limitAttempts({ ...clean, session: five, card: { ...none, declined: 51 } }, limits, now), {
      kind: 'too_many_declines',
    });
    assert.equal(limitAttempts(clean, limits, now), null);
  });

  it('are refused after one decline if the limit is one', () => {
    const one = { ...none, declined: 1, lastDeclinedAt: now - 3_000_000 };
    const strict = { ...limits, perSession: 1 };
    assert.equal(limitAttempts(clean, strict, now), null);
    assert.deepEqual(limitAttempts({ ...clean, session: one }, strict, now), { kind: 'too_many_declines' });
  });
});
