// Times in responses and events.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { isoTime } from '../../src/domain/moment.ts';

it('A time is formatted as ISO 8601 in UTC with milliseconds, for any day and in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_102_444_800_000 }), { minLength: 1 }), (times) => {
      for (const ms of times) assert.equal(isoTime(ms), new Date(ms).toISOString());
    }),
  );
});
