// A merchant's project: the SDK packed as for publishing and unpacked as for installing, and a Node to run it with.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CleansUp } from './engines.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Packages that a merchant would install for a webhook receiver. */
const receiverPackages = ['@types', '@hono', 'express', 'fastify', 'hono'];

export interface Consumer {
  readonly folder: string;
  /** Where the SDK is installed. */
  readonly installed: string;
  /** Returns TypeScript's errors in the project as text; empty if there are none. */
  typeCheck(): Promise<string>;
}

export async function newConsumer(test: CleansUp): Promise<Consumer> {
  const home = await mkdtemp(join(tmpdir(), 'paydesk-test-sdk-'));
  test.after(() => rm(home, { recursive: true, force: true }));
  const packed = await pack(join(home, 'checkout'));
  const folder = join(home, 'shop');
  const installed = join(folder, 'node_modules', '@paydesk', 'node');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', packed, '-C', installed, '--strip-components=1']);
  for (const name of receiverPackages)
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return { folder, installed, typeCheck: () => typeCheck(folder) };
}

async function pack(checkout: string): Promise<string> {
  await copySdk(checkout);
  const sdk = join(checkout, 'sdk');
  await run('npm', ['pack', '--silent'], { cwd: sdk });
  const [tarball] = (await readdir(sdk)).filter((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing');
  return join(sdk, tarball);
}

/** Copies what packing needs from a checkout, so that nothing is written into this one. */
export async function copySdk(checkout: string): Promise<void> {
  const sdk = join(checkout, 'sdk');
  await cp(join(root, 'sdk'), sdk, { recursive: true, filter: (path) => !/[\\/](?:dist|node_modules)$/.test(path) });
  await cp(join(root, 'tsconfig.json'), join(checkout, 'tsconfig.json'));
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
}

/** Compiles with the strictest options and also checks the package's own declarations. */
async function typeCheck(folder: string): Promise<string> {
  const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--exactOptionalPropertyTypes'];
  const more = ['--noUncheckedIndexedAccess', '--skipLibCheck', 'false', '--types', 'node'];
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  return run(tsc, [...options, ...more, ...files], { cwd: folder }).then(
    () => '',
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
}

/** Finds a Node of version 20 or later outside of `node_modules`; falls back to the one that runs the tests. */
export async function findMerchantNode(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((candidate) => !candidate.includes('node_modules'));
  for (const candidate of folders) {
    const node = join(candidate, 'node');
    const major = await run(node, ['-p', 'process.versions.node']).then(
      ({ stdout }) => Number.parseInt(stdout, 10),
      () => 0,
    );
    if (major >= 20) return node;
  }
  return process.execPath;
}
