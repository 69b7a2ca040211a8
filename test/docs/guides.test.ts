// Every command and snippet in the README and the guides works: each document is followed from start to end.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { follow } from './follow.ts';
import { checkout, documents, noteOf, stepsOf } from './guide-steps.ts';

/** The guides for a new developer, in the order of the index. */
const inOrder = ['quick-start', 'integrating-node', 'local-work', 'testing-with-the-sandbox'].map(
  (name) => `docs/${name}.md`,
);

/** The longest first, so that the others are followed meanwhile. */
const others = documents()
  .filter((document) => stepsOf(document).length > 0 && !inOrder.includes(document))
  .toSorted((a, b) => stepsOf(b).length - stepsOf(a).length);

describe('Following', { concurrency: 2 }, () => {
  for (const document of others) {
    it(`${document} works from start to end`, (t) => follow(cleanUpInReverse(t), document));
  }
  it('the developer guides in a row works with a single Paydesk', (t) => follow(cleanUpInReverse(t), ...inOrder));
});

describe('Blocks that the tests do not run', () => {
  it('are few, and each says why', () => {
    const notRun = documents().flatMap((document) =>
      stepsOf(document).flatMap((step) => {
        const reason = step.kind === 'block' ? noteOf(step, 'not run: ') : undefined;
        return reason === undefined ? [] : [`${document}: ${reason}`];
      }),
    );
    assert.deepEqual(notRun, [
      'README.md: it would run itself',
      'docs/operating.md: needs systemd and root',
      'docs/operating.md: needs systemd and root',
      'docs/operating.md: needs Docker',
      'docs/operating.md: needs Docker',
      'docs/operating.md: needs three servers',
      'docs/operating.md: needs three servers with Citus',
      'docs/operating.md: needs three servers with Citus',
      'docs/operating.md: needs a cluster',
    ]);
  });

  it('are not those with a separate test, which exists and runs them', () => {
    const testFiles = documents().flatMap((document) =>
      stepsOf(document).flatMap((step) => (step.kind === 'block' ? (noteOf(step, 'run by ') ?? []) : [])),
    );
    assert.deepEqual(
      [...new Set(testFiles)],
      ['test/docs/embedded-guide.test.ts', 'test/docs/behind-nginx.test.ts', 'test/docs/connector-example.test.ts'],
    );
    for (const file of testFiles)
      assert.match(readFileSync(join(checkout, file), 'utf8'), /\btextsRunBy\(import\.meta\.filename, /);
  });
});
