// Lists of the settings that two people change at the same time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergedList } from '../../dashboard/pages/settings/merged-list.ts';

describe('A list that was changed here and elsewhere', () => {
  it('is as it was typed if nobody else has changed it', () => {
    assert.deepEqual(mergedList(['b', 'a'], ['a'], ['a']), ['b', 'a']);
  });
  it('keeps what both have added, and loses what either has removed', () => {
    assert.deepEqual(mergedList(['a', 'c', 'new'], ['a', 'b', 'c'], ['b', 'c', 'other']), ['c', 'other', 'new']);
  });
  it('has what both have added once', () => {
    assert.deepEqual(mergedList(['a', 'new'], ['a'], ['a', 'new']), ['a', 'new']);
  });
  it('is in the order of what there is to choose from', () => {
    assert.deepEqual(mergedList(['card', 'ideal'], ['card'], ['card', 'oxxo'], ['card', 'ideal', 'oxxo']), [
      'card',
      'ideal',
      'oxxo',
    ]);
  });
});
