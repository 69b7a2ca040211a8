// The verifiers in the guide return the right verdict for every shared vector, in every language.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
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

  const now = 1_700_000_000;
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', created_at: '2026-01-01', livemode: true, data: {} };
  const body = JSON.stringify(event);
  const signedWith = (secret: string): string =>
    `t=${now},v1=${createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')}`;
  async function verdictOf(language: 'PHP' | 'Python', code: string): Promise<string> {
    const { binary } = languages[language] ?? { binary: '' };
    const args = language === 'PHP' ? ['-r', code] : ['-B', '-c', code];
    return (await run(findBinary([binary]) ?? '', args, { cwd: join(checkout, 'docs/verifiers') })).stdout.trim();
  }

  for (const unset of ["getenv('NOT_SET')", 'null', "''"]) {
    it(`PHP refuses ${unset} as a secret`, async () => {
      const call = (secret: string, header: string): Promise<string> =>
        verdictOf('PHP', `require 'verify.php'; echo verify('${body}', '${header}', [${secret}], ${now})[0];`);
      assert.equal(await call(unset, signedWith('')), 'secret_missing');
      assert.equal(await call("'whsec_1'", signedWith('whsec_1')), 'ok');
    });
  }

  it('Python refuses a single string instead of a list of secrets', async () => {
    const call = (secrets: string, header: string): Promise<string> =>
      verdictOf('Python', `from verify import verify; print(verify(b'${body}', '${header}', ${secrets}, ${now})[0])`);
    assert.equal(await call("'whsec_1'", signedWith('w')), 'secret_missing');
    assert.equal(await call("['whsec_1']", signedWith('whsec_1')), 'ok');
  });

  it('each language is quoted verbatim in the guide', () => {
    const quoted = stepsOf('docs/verifying-webhooks.md').flatMap((step) =>
      step.kind === 'block' ? [noteOf(step, 'file: ')] : [],
    );
    for (const { file } of Object.values(languages)) assert.ok(quoted.includes(`docs/verifiers/${file}`), file);
  });
});
