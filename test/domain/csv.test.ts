// CSV: what a spreadsheet makes of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvLine } from '../../src/domain/csv.ts';

describe('A line of CSV', () => {
  it('quotes what would be read in another way', () => {
    assert.equal(
      csvLine(['a', 1, null, 'b,c', 'say "hi"', 'two\nlines', ' x']),
      'a,1,,"b,c","say ""hi""","two\nlines"," x"\r\n',
    );
  });

  it('contains no formula, whoever typed it', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '%0A=1', '|calc', '＝1+1'])
      assert.match(csvLine([text]), /^"?'/, JSON.stringify(text));
    assert.equal(csvLine(['a=1', -5]), 'a=1,-5\r\n');
  });
});
