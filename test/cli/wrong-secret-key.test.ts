// A wrong, invalid or lost secret key: one message that fails what to do, on either engine, and never a stack trace.

import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { it } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { keyFileOf } from '../../src/secret-key.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import {
  callPaydesk,
  databaseUrl,
  freshFolder,
  runPaydesk,
  type Settings,
  servePaydesk,
} from '../support/paydesk-process.ts';

let keys = 0;
/** Not random: an id with many digits would be taken for a card number, and removed from the message. */
function aKey(): string {
  keys += 1;
  return Buffer.alloc(32, keys).toString('base64');
}

describeOnEachEngine('With a wrong secret key', (engine) => {
  it('start, doctor and rotate print a message that fails what to do', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const right = aKey();
    const bare = { DATABASE_URL: databaseUrl(address), PAYDESK_METRICS_ADDRESS: 'off' };
    await (await servePaydesk(t, { folder, settings: { ...bare, PAYDESK_SECRET_KEY: right } })).kill();
    const keyFile = resolve(folder, keyFileOf(readConfig(bare)));

    async function fails(args: readonly string[], settings: Settings, message: RegExp): Promise<void> {
      const run = args[0] === 'start' ? runPaydesk : callPaydesk;
      const { code, stdout, stderr } = await run(args, { folder, settings: { ...bare, PORT: '0', ...settings } });
      assert.equal(code, 1, `${args} ${stdout}`);
      const output = args[0] === 'doctor' ? stdout : stderr;
      assert.match(output, message);
      assert.doesNotMatch(`${stdout}${stderr}`, /\n\s+at |node:internal/, 'no stack');
      assert.ok(!`${stdout}${stderr}`.includes(right));
    }

    const wrong = { PAYDESK_SECRET_KEY: aKey() };
    await fails(['start'], wrong, /^paydesk: this database belongs to the secret key [0-9a-f]+, but the one in use is/);
    await fails(['doctor'], wrong, /^WRONG +secret key +this database belongs to the secret key/m);
    const rotate = ['secret-key', 'rotate'];
    await fails(
      rotate,
      { ...wrong, PAYDESK_OLD_SECRET_KEY: aKey() },
      /belongs to the secret key .*but the specified old key/,
    );

    for (const args of [['start'], ['doctor'], rotate])
      await fails(args, { PAYDESK_SECRET_KEY: 'too short' }, /PAYDESK_SECRET_KEY must be 32 bytes in base64/);

    await fails(['start'], {}, /^paydesk: this database belongs to the secret key .*there is no \S*paydesk\.key/);
    await fails(['doctor'], {}, /^WRONG +secret key .*there is no \S*paydesk\.key/m);
    await fails(rotate, wrong, /the old key is missing.*paydesk\.key does not exist/);

    await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
    for (const broken of ['', 'broken\n']) {
      await writeFile(keyFile, broken, { mode: 0o600 });
      await fails(['start'], {}, /^paydesk: \S*paydesk\.key does not contain 32 bytes in base64\. Restore it/);
      await fails(['doctor'], {}, /^WRONG +secret key +\S*paydesk\.key does not contain/m);
      await fails(rotate, wrong, /^paydesk: \S*paydesk\.key does not contain/);
    }
    await rm(keyFile);
    await mkdir(keyFile);
    await fails(
      ['start'],
      {},
      /paydesk\.key cannot be read \(EISDIR\)\. Let this user read it, or set PAYDESK_SECRET_KEY/,
    );
    await fails(['doctor'], {}, /^WRONG +secret key .*paydesk\.key cannot be read/m);
  });
});
