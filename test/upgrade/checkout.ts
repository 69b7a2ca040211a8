// The previous version of Paydesk, from the history of git: the last one on the main line without the newest migration.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CleansUp } from '../support/engines.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const migrations = 'src/storage/migrations';

export interface PreviousVersion {
  readonly commit: string;
  /** Its `bin/paydesk`. */
  readonly command: string;
}

/** A sentence says why there is none: a shallow clone, or a version that opens no newer database. */
export function checkOutPreviousVersion(test: CleansUp): PreviousVersion | string {
  const newest = readdirSync(join(root, migrations, 'sqlite'))
    .sort()
    .at(-1);
  const path = `${migrations}/sqlite/${newest}`;
  let commit: string;
  try {
    const added = git('log', '--first-parent', '-m', '--diff-filter=A', '-1', '--format=%H', '--', path).trim();
    commit = git('rev-parse', '--verify', '--quiet', `${added === '' ? 'HEAD' : `${added}^1`}^{commit}`).trim();
  } catch {
    return `the history of git does not go back to before ${newest}`;
  }
  if (!git('show', `${commit}:${migrations}.ts`).includes('usableFrom')) {
    return `${commit.slice(0, 7)}, the last version before ${newest}, cannot open databases of later versions`;
  }
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-previous-'));
  test.after(async () => rmSync(folder, { recursive: true, force: true }));
  const checkout = join(folder, 'checkout');
  const archive = join(folder, 'archive.tar');
  git('archive', '--output', archive, commit);
  mkdirSync(checkout);
  execFileSync('tar', ['-xf', archive, '-C', checkout]);
  if (!existsSync(join(checkout, 'node_modules')))
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  return { commit, command: join(checkout, 'bin/paydesk') };
}

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
