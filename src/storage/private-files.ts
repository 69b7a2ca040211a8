// Files that only their owner may read: the data, its locks and the secret key.

import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';

const ownersFile = 0o600;
const ownersFolder = 0o700;
const forOthers = 0o077;

/** Creates missing folders, accessible only to the owner. Existing ones stay as they are: others may use them too. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ownersFolder });
}

/** Creates an empty file, accessible only to the owner, unless it exists. */
export function makePrivateFile(file: string): void {
  // Opening and closing an existing file would release the locks that this process holds on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', ownersFile));
}

/** Syncs a file or folder to disk. Not for a database in use: closing it would release its locks. */
export function syncFile(path: string): void {
  const isFolder = statSync(path).isDirectory();
  // Windows cannot open folders.
  if (isFolder && process.platform === 'win32') return;
  const file = openSync(path, isFolder ? 'r' : 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Which of the existing files others than the owner can access, each with the command that changes it. */
export function tooOpen(files: readonly string[], folders: readonly string[] = []): { path: string; remedy: string }[] {
  const open = (path: string): boolean => ((statOf(path)?.mode ?? 0) & forOthers) !== 0;
  return [
    ...folders.filter(open).map((path) => ({ path, remedy: `chmod 700 ${path}` })),
    ...files.filter(open).map((path) => ({ path, remedy: `chmod 600 ${path}` })),
  ];
}

/** Removes access for everyone but the owner of the files, and reports what it did or could not do. */
export function makePrivate(files: readonly string[], onNotice: (message: string) => void): void {
  for (const { path, remedy } of tooOpen(files)) {
    try {
      chmodSync(path, ownersFile);
      onNotice(`${path} was accessible to other users; its mode is now 600`);
    } catch (error) {
      onNotice(`${path} is accessible to other users: ${remedy} (${(error as Error).message})`);
    }
  }
}

function statOf(path: string): Stats | undefined {
  // Windows has no such modes.
  return process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false });
}
