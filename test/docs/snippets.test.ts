// The programs in the guides pass a strict type check against the published form of the SDK.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { newConsumer } from '../support/sdk-consumer.ts';
import { checkout, documents, noteOf, stepsOf } from './guide-steps.ts';

const run = promisify(execFile);

describe('The programs in the guides', () => {
  it('pass the type check', async (t) => {
    const { folder } = await newConsumer(t);
    const files: string[] = [];
    for (const [at, document] of documents().entries()) {
      mkdirSync(join(folder, String(at)));
      for (const step of stepsOf(document)) {
        if (step.kind !== 'block' || step.language !== 'js') continue;
        const saveAs = noteOf(step, 'save as: ')?.split('/').at(-1);
        assert.ok(saveAs !== undefined || noteOf(step, 'file: ') !== undefined, `${document}:${step.line} is run`);
        if (saveAs === undefined) continue;
        files.push(`${at}/${saveAs}`);
        writeFileSync(join(folder, `${at}/${saveAs}`), `${step.text}\n`);
      }
    }
    copyFileSync(join(checkout, 'docs/verifiers/verify.mjs'), join(folder, 'verify.mjs'));
    assert.ok(files.length >= 5);
    const options = ['--allowJs', '--checkJs', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const tsc = join(checkout, 'node_modules/.bin/tsc');
    const errors = await run(tsc, [...options, '--types', 'node', '--skipLibCheck', 'verify.mjs', ...files], {
      cwd: folder,
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout ?? String(error),
    );
    assert.equal(errors, '');
  });
});
