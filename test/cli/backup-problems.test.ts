// What paydesk backup and paydesk restore say about a disk that is full or read-only, and about files of another user.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { environment, paydeskCommand } from '../support/paydesk-process.ts';
import { aShop, enlarge } from '../support/sqlite-shop.ts';

const limits = { timeout: 60_000, encoding: 'utf8' } as const;
const isRoot = process.getuid?.() === 0;
/** Root may read everything, so its commands run as a user without rights. */
const someoneElse = { uid: 65_534, gid: 65_534 };

function asSomeoneElse(folder: string, ...args: string[]) {
  return spawnSync(paydeskCommand, args, {
    ...limits,
    ...(isRoot ? someoneElse : {}),
    cwd: folder,
    env: environment({}),
  });
}

const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], limits).status === 0;
const canRunAsSomeoneElse = asSomeoneElse('/', '--version').status === 0;
const withMounts = { skip: canMount ? false : 'needs user namespaces' };
const withUsers = { skip: canRunAsSomeoneElse ? false : 'other users cannot read this checkout' };

/** Runs the command while `small` is a file system of its own; then the files there are listed. */
function withFileSystem(folder: string, options: string, ...args: string[]) {
  const script = `mount -t tmpfs -o ${options} tmpfs small && { "$0" "$@"; echo "exit code $?"; ls -A small; }`;
  return spawnSync('unshare', ['-rm', 'sh', '-c', script, paydeskCommand, ...args], {
    ...{ ...limits, cwd: folder, env: environment({}) },
  });
}

describe('paydesk backup', () => {
  it('says that the disk is full, and leaves nothing on it', withMounts, async (t) => {
    const { folder, path } = await aShop(t, 1);
    enlarge(path);
    await mkdir(join(folder, 'small'));
    const { stdout, stderr } = withFileSystem(folder, 'size=2m', 'backup', 'small/copy.db');
    assert.equal(stdout, 'exit code 1\n');
    assert.equal(
      stderr,
      'paydesk: small/copy.db cannot be written: database or disk is full. ' +
        'Free some space, or choose another file, then try again.\n',
    );
  });

  it('asks for another file if the file system is read-only', withMounts, async (t) => {
    const { folder } = await aShop(t, 1);
    await mkdir(join(folder, 'small'));
    const { stdout, stderr } = withFileSystem(folder, 'ro', 'backup', 'small/copy.db');
    assert.equal(stdout, 'exit code 1\n');
    assert.equal(
      stderr,
      'paydesk: small/copy.db cannot be written: read-only file system. ' +
        'Choose another file, in a directory that this user can write to.\n',
    );
  });

  it('asks for another file if this user cannot write to the directory, or not even reach it', withUsers, async (t) => {
    const { folder, path } = await aShop(t, 1);
    await mkdir(join(folder, 'closed/inner'), { recursive: true });
    await chmod(join(folder, 'closed'), 0o000);
    await chmod(folder, 0o755);
    for (const file of [dirname(path), path]) if (isRoot) await chown(file, someoneElse.uid, someoneElse.gid);
    for (const target of ['closed/copy.db', 'closed/inner/copy.db']) {
      const { status, stderr } = asSomeoneElse(folder, 'backup', target);
      assert.equal(status, 1);
      assert.equal(
        stderr,
        `paydesk: ${target} cannot be written: permission denied. ` +
          'Choose another file, in a directory that this user can write to.\n',
      );
    }
    // So that the folder can be removed.
    await chmod(join(folder, 'closed'), 0o700);
  });

  it('says that this user cannot read the database, wherever the rights are missing', withUsers, async (t) => {
    const { folder, path } = await aShop(t, 1);
    await chmod(folder, 0o755);
    for (const [mode, modeOfFile] of [
      [0o000, 0o600],
      [0o755, 0o000],
    ] as const) {
      await chmod(path, modeOfFile);
      await chmod(join(folder, 'data'), mode);
      const { status, stderr } = asSomeoneElse(folder, 'backup', 'copy.db');
      assert.equal(status, 1);
      assert.equal(
        stderr,
        'paydesk: this user cannot read the database data/paydesk.db: run the command as the user of the service\n',
      );
      await chmod(join(folder, 'data'), 0o700);
    }
    assert.deepEqual(await readdir(folder), ['data']);
  });
});

describe('paydesk restore', () => {
  it('says that this user cannot read the backup', withUsers, async (t) => {
    const { folder, backUp } = await aShop(t, 1);
    await backUp('copy.db');
    await chmod(folder, 0o755);
    await chmod(join(folder, 'copy.db'), 0o000);
    const { status, stderr } = asSomeoneElse(folder, 'restore', 'copy.db');
    assert.equal(status, 1);
    assert.equal(stderr, 'paydesk: this user cannot read copy.db: give it read access to the file, then try again\n');
  });
});
