// The pace of sending: rates, and pauses while the server takes nothing.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sendingPace } from '../../src/mail/sending-pace.ts';

function aPace(t: TestContext, ratePerMinute = 0) {
  const clock = { now: 1_000 };
  const pace = sendingPace({ ratePerMinute, now: () => clock.now, onAllowed: () => {} });
  t.after(() => pace.stop());
  return { clock, pace };
}

describe('The pace of sending', () => {
  it('is unlimited by default', (t) => {
    const { pace } = aPace(t);
    pace.begun();
    pace.ended(true);
    assert.equal(pace.allowed(), Number.POSITIVE_INFINITY);
  });

  it('allows one message at a time, at the interval of the rate', (t) => {
    const { pace, clock } = aPace(t, 60);
    assert.equal(pace.allowed(), 1);
    pace.begun();
    clock.now += 999;
    assert.equal(pace.allowed(), 0);
    clock.now += 1;
    assert.equal(pace.allowed(), 1);
  });

  it('pauses longer and longer while the server takes nothing, up to a minute, and probes with one message', (t) => {
    const { pace, clock } = aPace(t);
    const pauses = Array.from({ length: 10 }, () => {
      pace.ended(false);
      // Failed at the same time.
      pace.ended(false);
      const from = clock.now;
      while (pace.allowed() === 0) clock.now += 100;
      assert.equal(pace.allowed(), 1);
      return clock.now - from;
    });
    assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    pace.ended(null);
    assert.equal(pace.allowed(), 1, 'a message that was not sent says nothing about the server');
    pace.ended(true);
    assert.equal(pace.allowed(), Number.POSITIVE_INFINITY);
  });
});
