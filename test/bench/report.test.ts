// The benchmark judges its figures: what counts as met, missed or not judged.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compared } from '../../bench/alternate.ts';
import { amount, amounts, comparison, type Figure, judge, median } from '../../bench/report.ts';

const figure: Figure = { name: 'lookup', measured: 40, limit: 80, wanted: 0.5, unit: '/s' };

describe('A figure', () => {
  it('is met from the wanted share of its limit on', () => {
    assert.equal(judge(figure).verdict, 'met');
    assert.equal(judge({ ...figure, measured: 39.9 }).verdict, 'missed');
    assert.equal(judge({ ...figure, measured: 400 }).verdict, 'met');
  });

  it('with a maximum is met up to the wanted share', () => {
    const latency: Figure = { name: 'p99', measured: 25, limit: 25, wanted: 1, atMost: true, unit: 'ms' };
    assert.equal(judge(latency).verdict, 'met');
    assert.equal(judge({ ...latency, measured: 25.1 }).verdict, 'missed');
  });

  it('is missed if there is no limit to compare it with, or it was not measured', () => {
    for (const limit of [0, Number.NaN]) assert.equal(judge({ ...figure, limit }).verdict, 'missed');
    assert.equal(judge({ ...figure, measured: Number.NaN }).verdict, 'missed');
    assert.equal(judge({ ...figure, limit: 0, atMost: true }).verdict, 'missed');
  });

  it('that was measured in turns is judged by the share of the median turn', () => {
    const rates = (...values: number[]) => values.map((perSecond) => ({ perSecond }));
    // One turn was disturbed, and in the last one the machine was slow.
    const shares = compared(rates(60, 20, 6), rates(100, 100, 10));
    assert.deepEqual(shares, { measured: 20, limit: 100, ratio: 0.6 });
    assert.equal(judge({ ...figure, ...shares }).verdict, 'met');
    assert.equal(comparison({ ...figure, ...shares }), '0.60 (wanted ≥ 0.50)');
    assert.equal(judge({ ...figure, ...compared(rates(60), []) }).verdict, 'missed');
  });

  it('with a reason not to be judged is neither met nor missed', () => {
    assert.equal(judge({ ...figure, measured: 1, notJudged: '2 cores' }).verdict, 'not judged');
  });

  it('is shown beside its limit and the wanted share', () => {
    assert.equal(comparison(figure), '0.50 (wanted ≥ 0.50)');
    assert.equal(comparison({ ...figure, atMost: true }), '0.50 (wanted ≤ 0.50)');
    assert.equal(comparison({ ...figure, measured: 39.96 }), '0.4995 (wanted ≥ 0.50)');
    assert.equal(comparison({ ...figure, limit: 0 }), 'none (wanted ≥ 0.50)');
    assert.equal(amounts({ ...figure, measured: 42_123.4, limit: 1_000_000 }), '42 123 of 1 000 000 /s');
    assert.deepEqual([4.25, 9, 999.6, 1000, 123_456.7].map(amount), ['4.3', '9', '1 000', '1 000', '123 457']);
  });
});

describe('A median', () => {
  it('is the middle value, whatever the order', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([2, 1]), 2);
  });
});
