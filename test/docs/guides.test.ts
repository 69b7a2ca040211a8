// Every command and snippet of the README and the guides works: each document is followed from start to end.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { follow } from './follow.ts';
import { checkout, documents, noteOf, stepsOf } from './guide-steps.ts';

/** Those that a new developer reads, in the order in which the index lists them. */
const inOrder = ['quick-start', 'integrating-node', 'local-work', 'testing-with-the-sandbox'].map(
  (name) => `docs/${name}.md`,
);

describe('Following', { concurrency: 2 }, () => {
  it('the guides for developers one after the other works, with one Paydesk', (t) =>
    follow(cleanUpInReverse(t), ...inOrder));
  for (const document of documents()) {
    if (stepsOf(document).length === 0 || inOrder.includes(document)) continue;
    it(`${document} works from start to end`, (t) => follow(cleanUpInReverse(t), document));
  }
});

describe('What the tests cannot run', () => {
  it('is little, and each block of it says why', () => {
    const notRun = documents().flatMap((document) =>
      stepsOf(document).flatMap((step) => {
        const reason = step.kind === 'block' ? noteOf(step, 'not run: ') : undefined;
        return reason === undefined ? [] : [`${document}: ${reason}`];
      }),
    );
    assert.deepEqual(notRun, [
      'README.md: it would run itself',
      'docs/operating.md: needs systemd and root',
      'docs/operating.md: needs Docker',
      'docs/operating.md: needs Docker',
    ]);
  });

  it('is not what a block leaves to a test of its own: that test is there, and asks for it', () => {
    const left = documents().flatMap((document) =>
      stepsOf(document).flatMap((step) => (step.kind === 'block' ? (noteOf(step, 'run by ') ?? []) : [])),
    );
    assert.deepEqual([...new Set(left)], ['test/docs/behind-nginx.test.ts']);
    for (const file of left)
      assert.match(readFileSync(join(checkout, file), 'utf8'), /\btextsRunBy\(import\.meta\.filename, /);
  });
});
