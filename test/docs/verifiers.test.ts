// The verifiers in the guide return the right verdict for every shared vector, in every language.

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
  readonly args: readonly string[];
  /** Too large to install for this test only: run if present. */
  readonly large?: true;
}

const languages: Readonly<Record<string, Language>> = {
  Node: { file: 'verify.mjs', binary: 'node', args: [] },
  Python: { file: 'verify.py', binary: 'python3', args: [] },
  Go: { file: 'verify.go', binary: 'go', args: ['run'], large: true },
  PHP: { file: 'verify.php', binary: 'php', args: [] },
  Java: { file: 'Verify.java', binary: 'java', args: [], large: true },
  Ruby: { file: 'verify.rb', binary: 'ruby', args: [] },
};

const { vectors }: { vectors: WebhookVector[] } = JSON.parse(readFileSync(vectorsFile, 'utf8'));
const expected = vectors.map(({ name, verdict }) => `${verdict}: ${name}`);

describe('The verifier in', { concurrency: 2 }, () => {
  for (const [name, { file, binary, args, large }] of Object.entries(languages)) {
    const program = findBinary([binary]);
    const skip = program === null && large === true ? `${binary} is not installed` : false;
    it(`${name} returns the right verdict for every vector`, { skip }, async () => {
      const path = join(checkout, 'docs/verifiers', file);
      // Keeps Go from downloading a newer toolchain.
      const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', NODE_TEST_CONTEXT: undefined };
      const { stdout } = await run(program ?? '', [...args, path, fileURLToPath(vectorsFile)], { env });
      const verdicts = stdout.trimEnd().split('\n');
      assert.deepEqual(
        verdicts.map((verdict, at) => `${verdict}: ${vectors[at]?.name}`),
        expected,
      );
    });
  }

  it('each language is quoted verbatim in the guide', () => {
    const quoted = stepsOf('docs/verifying-webhooks.md').flatMap((step) =>
      step.kind === 'block' ? [noteOf(step, 'file: ')] : [],
    );
    for (const { file } of Object.values(languages)) assert.ok(quoted.includes(`docs/verifiers/${file}`), file);
  });
});
