// The benchmark's comparison of sides that are measured alternately.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alternate, compared, together } from '../../bench/alternate.ts';

describe('Sides that are measured alternately', () => {
  it('change their order from turn to turn, and the warm-up does not count', async () => {
    const order: string[] = [];
    const side = (name: string) => async () => ({ perSecond: order.push(name) });
    const results = await alternate({ a: side('a'), b: side('b') }, { count: 2, warmUp: 2 });
    assert.equal(order.join(''), 'abbaabba');
    assert.deepEqual(results, { a: [{ perSecond: 5 }, { perSecond: 8 }], b: [{ perSecond: 6 }, { perSecond: 7 }] });
  });

  it('are compared turn by turn, over all runs', () => {
    const rates = (...all: number[]) => all.map((perSecond) => ({ perSecond }));
    const { few, many } = together([
      { few: rates(100, 200), many: rates(90, 180) },
      { few: rates(10, 10, 10), many: rates(10, 9, 5) },
    ]);
    assert.deepEqual(compared(many, few), { measured: 10, limit: 10, ratio: 0.9 });
  });
});
