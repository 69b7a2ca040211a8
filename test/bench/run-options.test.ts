// Which parts the benchmark runs, and when it replaces the results in the repository.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runOptions } from '../../bench/run-options.ts';

const parts = ['api', 'checkout'];

describe('A run of the benchmark', () => {
  it('runs all parts and is saved', () => {
    assert.deepEqual(runOptions([], parts), { quick: false, save: true, parts });
  });

  it('is saved only on request if it is quick', () => {
    assert.equal(runOptions(['--quick'], parts).save, false);
    assert.deepEqual(runOptions(['--quick', '--save'], parts), { quick: true, save: true, parts });
  });

  it('of single parts is never saved', () => {
    assert.deepEqual(runOptions(['api'], parts), { quick: false, save: false, parts: ['api'] });
    assert.throws(() => runOptions(['api', '--save'], parts), /single parts are not saved/);
  });

  it('rejects what it does not know', () => {
    assert.throws(() => runOptions(['apis'], parts), /unknown part apis; the parts are api, checkout/);
    assert.throws(() => runOptions(['--fast'], parts), /unknown option --fast/);
  });
});
