// A shop with a bundler: `@paydesk/js` packed as for publishing and unpacked as for installing, beside React.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CleansUp } from './engines.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const shopPackages = ['@types', 'react', 'react-dom', 'scheduler', 'csstype'];

export interface JsConsumer {
  readonly folder: string;
  readonly installed: string;
  /** Returns TypeScript's errors in these files as text; empty if there are none. */
  typeCheck(...files: readonly string[]): Promise<string>;
  /** The text of a program and all that it imports, for browsers. */
  bundle(file: string): Promise<string>;
}

export async function newJsConsumer(test: CleansUp): Promise<JsConsumer> {
  const home = await mkdtemp(join(tmpdir(), 'paydesk-test-js-'));
  test.after(() => rm(home, { recursive: true, force: true }));
  const packed = await pack(join(home, 'checkout'));
  const folder = join(home, 'shop');
  const installed = join(folder, 'node_modules', '@paydesk', 'js');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', packed, '-C', installed, '--strip-components=1']);
  for (const name of shopPackages) await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const tool = (name: string): string => join(root, 'node_modules', '.bin', name);
  return {
    folder,
    installed,
    typeCheck(...files) {
      const options = [
        '--noEmit',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom',
        '--jsx',
        'react-jsx',
      ];
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--types', 'react'];
      return run(tool('tsc'), [...options, ...strict, ...files], { cwd: folder }).then(
        () => '',
        (error: { stdout?: string }) => error.stdout ?? String(error),
      );
    },
    async bundle(file) {
      const options = ['--bundle', '--format=iife', '--jsx=automatic', '--define:process.env.NODE_ENV="development"'];
      const { stdout } = await run(tool('esbuild'), [file, ...options], { cwd: folder, maxBuffer: 20_000_000 });
      return stdout;
    },
  };
}

/** In a copy, so that nothing is written into this checkout. */
async function pack(checkout: string): Promise<string> {
  const js = join(checkout, 'js');
  await cp(join(root, 'js'), js, { recursive: true, filter: (path) => !/[\\/](?:dist|node_modules)$/.test(path) });
  await cp(join(root, 'tsconfig.json'), join(checkout, 'tsconfig.json'));
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  await run('npm', ['pack', '--silent'], { cwd: js });
  const [tarball] = (await readdir(js)).filter((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing');
  return join(js, tarball);
}
