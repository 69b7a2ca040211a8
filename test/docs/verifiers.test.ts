// The verifiers of the guide come to the verdict of every shared vector, in every language.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findBinary } from '../support/system-packages.ts';
import { vectorsFile, type WebhookVector } from '../support/webhook-vectors.ts';
import { checkout, noteOf, stepsOf } from './guide-steps.ts';

const run = promisify(execFile);

interface Language {
  readonly file: string;
  readonly binary: string;
  readonly words: readonly string[];
  /** Too large to be installed for this alone: run where the machine has it. */
  readonly large?: true;
}

const languages: Readonly<Record<string, Language>> = {
  Node: { file: 'verify.mjs', binary: 'node', words: [] },
  Python: { file: 'verify.py', binary: 'python3', words: [] },
  Go: { file: 'verify.go', binary: 'go', words: ['run'], large: true },
  PHP: { file: 'verify.php', binary: 'php', words: [] },
  Java: { file: 'Verify.java', binary: 'java', words: [], large: true },
  Ruby: { file: 'verify.rb', binary: 'ruby', words: [] },
};

const { vectors }: { vectors: WebhookVector[] } = JSON.parse(readFileSync(vectorsFile, 'utf8'));
const expected = vectors.map(({ name, verdict }) => `${verdict}: ${name}`);

describe('The verifier in', { concurrency: 2 }, () => {
  for (const [name, { file, binary, words, large }] of Object.entries(languages)) {
    const program = findBinary([binary]);
    const skip = program === null && large === true ? `there is no ${binary} on this machine: not run` : false;
    it(`${name} gives the verdict of every vector`, { skip }, async () => {
      const path = join(checkout, 'docs/verifiers', file);
      // Go must not look for a newer self on the network.
      const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', NODE_TEST_CONTEXT: undefined };
      const { stdout } = await run(program ?? '', [...words, path, fileURLToPath(vectorsFile)], { env });
      const verdicts = stdout.trimEnd().split('\n');
      assert.deepEqual(
        verdicts.map((verdict, at) => `${verdict}: ${vectors[at]?.name}`),
        expected,
      );
    });
  }

  it('each language stands in the guide, word for word', () => {
    const quoted = stepsOf('docs/verifying-webhooks.md').flatMap((step) =>
      step.kind === 'block' ? [noteOf(step, 'file: ')] : [],
    );
    for (const { file } of Object.values(languages)) assert.ok(quoted.includes(`docs/verifiers/${file}`), file);
  });
});
