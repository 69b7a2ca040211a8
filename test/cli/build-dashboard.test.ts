// The dashboard is built on the first start if `npm ci` did not, and a start without it still serves payments.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildDashboardOnce } from '../../src/cli/build-dashboard.ts';
import { type Logger, loggingTo } from '../../src/log.ts';
import type { CleansUp } from '../support/engines.ts';
import { freshFolder } from '../support/paydesk-process.ts';

function logInto(lines: string[]): Logger {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return loggingTo('info', stream).log;
}

/** A folder whose build is this script. */
async function dashboardFolder(test: CleansUp, script: string): Promise<{ path: string; url: URL }> {
  const path = await freshFolder(test);
  writeFileSync(join(path, 'build.ts'), script);
  return { path, url: pathToFileURL(`${path}/`) };
}

const countingBuild = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  const folder = new URL('dist/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('index.html', folder), '<!doctype html>');
  appendFileSync(new URL('runs', import.meta.url), 'run ');`;

describe('The first start', () => {
  it('builds the dashboard, and later ones do not', async (t) => {
    const lines: string[] = [];
    const { path, url } = await dashboardFolder(t, countingBuild);
    await buildDashboardOnce(logInto(lines), url);
    await buildDashboardOnce(logInto(lines), url);
    assert.equal(readFileSync(join(path, 'runs'), 'utf8'), 'run ');
    assert.equal(lines.filter((line) => line.includes('building the dashboard')).length, 1);
  });

  it('goes on without a dashboard that cannot be built, and says what to do', async (t) => {
    const lines: string[] = [];
    const { path, url } = await dashboardFolder(t, `throw new Error('there is no vite');`);
    await buildDashboardOnce(logInto(lines), url);
    assert.ok(!existsSync(join(path, 'dist')));
    assert.match(lines.at(-1) ?? '', /could not be built: run npm ci/);
  });

  it('leaves an installation alone that has only the built files, such as an image', async (t) => {
    const lines: string[] = [];
    const path = await freshFolder(t);
    mkdirSync(join(path, 'dist'));
    writeFileSync(join(path, 'dist/index.html'), '');
    await buildDashboardOnce(logInto(lines), pathToFileURL(`${path}/`));
    assert.deepEqual(lines, []);
  });
});
