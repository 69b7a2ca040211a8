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

  it('contains no formula for spreadsheets that separate values otherwise', () => {
    assert.equal(csvLine(["Ada;=cmd|'/C calc'!A0"]), "Ada;'=cmd|'/C calc'!A0\r\n");
    const texts = [
      'a;=1',
      'a; +1',
      'a\t=1',
      'a\n-1',
      'a\r\n@SUM(A1)',
      'a;"=1"',
      'a; "" =1',
      'a;;=1',
      'a;\t=1',
      'a;＝1',
    ];
    for (const text of texts) {
      const cells = csvLine([text]).split(/[;\t\r\n]/);
      for (const cell of cells) assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝]/, JSON.stringify(text));
    }
    for (const text of ['Weg 1; Hof', 'Ada;Eve', 'a=1;b=2', 'Rhein-Ruhr;x-y', 'a - b; c + d'])
      assert.equal(csvLine([text]), `${text}\r\n`);
  });
});
