// paydesk backup and paydesk restore, interrupted with Ctrl-C while they copy and while they check the copy.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { mustStore } from '../support/committing.ts';
import { runPaydesk } from '../support/paydesk-process.ts';
import { aPayment } from '../support/records.ts';
import { aShop, countIn, enlarge } from '../support/sqlite-shop.ts';

const steps = ['copying', 'checking'];

/** Interrupts the command as soon as it shows the text. */
function interruptAt(text: string, folder: string, args: readonly string[]) {
  const settings = {
    PAYDESK_TEST_INTERRUPT_AT: text,
    NODE_OPTIONS: `--import ${new URL('../support/interrupt-when-shown.ts', import.meta.url)}`,
  };
  return runPaydesk(args, { folder, settings });
}

describe('Ctrl-C', () => {
  it('ends paydesk backup without a backup, and leaves no other file', async (t) => {
    const { folder, path } = await aShop(t, 1);
    enlarge(path);
    for (const step of steps) {
      const { code, stderr } = await interruptAt(step, folder, ['backup', 'copy.db']);
      assert.equal(code, 130, `${step}: ${stderr}`);
      assert.deepEqual(await readdir(folder), ['data'], step);
      assert.match(stderr, /paydesk: interrupted; no backup was made\n$/);
    }
  });

  it('ends paydesk restore without replacing anything, and leaves no other file', async (t) => {
    const { folder, path, backUp } = await aShop(t, 1);
    enlarge(path);
    await backUp('copy.db');
    const store = openSqliteStore({ path, serving: true });
    await mustStore(store, aPayment());
    await store.close();
    const before = await readdir(join(folder, 'data'));
    for (const step of steps) {
      const { code, stderr } = await interruptAt(step, folder, ['restore', 'copy.db']);
      assert.equal(code, 130, `${step}: ${stderr}`);
      assert.match(stderr, /paydesk: interrupted; nothing was replaced\n$/);
      assert.deepEqual(await readdir(join(folder, 'data')), before, step);
    }
    assert.equal(countIn(path), 2);
  });
});
