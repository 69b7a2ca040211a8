// Results for people, with texts that somebody else entered: a name must not control the operator's terminal.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { details, paint, statusCell, table, tableUnder } from '../../src/cli/terminal.ts';

/** Clears the screen, rings the bell, starts another line, and does the first again as a single C1 character. */
const hostile = 'Acme\u001b[2J\u0007\r\nacct_forged\u009b2J';
const harmless = 'Acme\\u001b[2J\\u0007\\u000d\\nacct_forged\\u009b2J';

const colourSettings = ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS'] as const;

describe('A text on a terminal', () => {
  let before: NodeJS.ProcessEnv;
  beforeEach(() => {
    before = { ...process.env };
    for (const name of colourSettings) delete process.env[name];
    process.env.FORCE_COLOR = '1';
  });
  afterEach(() => {
    for (const name of colourSettings) delete process.env[name];
    Object.assign(process.env, before);
  });

  it('shows its control characters in a table instead of executing them, within its own row', () => {
    const rows = [
      ['acct_1', hostile, 'EUR'],
      ['acct_2', 'Tea', 'EUR'],
    ];
    assert.deepEqual(table(rows).split('\n'), [
      `acct_1  ${harmless}  EUR`,
      `acct_2  ${'Tea'.padEnd(harmless.length)}  EUR`,
    ]);
  });

  it('shows them in the details of a record too, in names, values and nested values', () => {
    const shown = details({ id: 'plink_1', description: hostile, metadata: { order: '7\u009b2J' }, [hostile]: 1 });
    // Of all that, only our own colours are control characters.
    const dim = (text: string): string => paint('dim', text);
    assert.notEqual(dim('id'), 'id');
    const width = harmless.length;
    const gap = (name: string): string => ' '.repeat(width - name.length + 2);
    assert.deepEqual(shown.split('\n'), [
      `${dim('id')}${gap('id')}plink_1`,
      `${dim('description')}${gap('description')}${harmless}`,
      `${dim('metadata')}${gap('metadata')}{"order":"7\\u009b2J"}`,
      `${dim(harmless)}  1`,
    ]);
  });

  it('does not affect the colours of headings and statuses', () => {
    const [headings, row] = tableUnder(['STATUS', 'NAME'], [[statusCell('succeeded'), 'Tea']]).split('\n');
    assert.equal(headings, `${paint('dim', 'STATUS')}     ${paint('dim', 'NAME')}`);
    assert.equal(row, `${paint('green', 'succeeded')}  Tea`);
  });
});
