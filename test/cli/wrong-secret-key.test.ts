// A secret key that is wrong, broken or lost: one message that says what to do, on either engine, and never a stack.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
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

const aKey = (): string => randomBytes(32).toString('base64');

describeOnEachEngine('With a secret key that is not the right one', (engine) => {
  it('start, doctor and rotate print a message that says what to do', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const right = aKey();
    const bare = { DATABASE_URL: databaseUrl(address), PAYDESK_METRICS_ADDRESS: 'off' };
    await (await servePaydesk(t, { folder, settings: { ...bare, PAYDESK_SECRET_KEY: right } })).kill();
    const keyFile = resolve(folder, keyFileOf(readConfig(bare)));

    async function says(words: readonly string[], settings: Settings, message: RegExp): Promise<void> {
      const run = words[0] === 'start' ? runPaydesk : callPaydesk;
      const { code, stdout, stderr } = await run(words, { folder, settings: { ...bare, PORT: '0', ...settings } });
      assert.equal(code, 1, `${words} ${stdout}`);
      const said = words[0] === 'doctor' ? stdout : stderr;
      assert.match(said, message);
      assert.doesNotMatch(`${stdout}${stderr}`, /\n\s+at |node:internal/, 'no stack');
      assert.ok(!`${stdout}${stderr}`.includes(right));
    }

    const wrong = { PAYDESK_SECRET_KEY: aKey() };
    await says(['start'], wrong, /^paydesk: this database belongs to the secret key [0-9a-f]+, but the one in use is/);
    await says(['doctor'], wrong, /^WRONG +secret key +this database belongs to the secret key/m);
    const rotate = ['secret-key', 'rotate'];
    await says(rotate, { ...wrong, PAYDESK_OLD_SECRET_KEY: aKey() }, /belongs to the secret key .*but the specified old key/);

    for (const words of [['start'], ['doctor'], rotate])
      await says(words, { PAYDESK_SECRET_KEY: 'too short' }, /PAYDESK_SECRET_KEY must be 32 bytes in base64/);

    await says(['start'], {}, /^paydesk: this database belongs to the secret key .*there is no \S*paydesk\.key/);
    await says(['doctor'], {}, /^WRONG +secret key .*there is no \S*paydesk\.key/m);
    await says(rotate, wrong, /the old key is missing.*paydesk\.key does not exist/);

    await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
    for (const broken of ['', 'broken\n']) {
      await writeFile(keyFile, broken, { mode: 0o600 });
      await says(['start'], {}, /^paydesk: \S*paydesk\.key does not contain 32 bytes in base64\. Restore it/);
      await says(['doctor'], {}, /^WRONG +secret key +\S*paydesk\.key does not contain/m);
      await says(rotate, wrong, /^paydesk: \S*paydesk\.key does not contain/);
    }
    await rm(keyFile);
    await mkdir(keyFile);
    await says(
      ['start'],
      {},
      /paydesk\.key cannot be read \(EISDIR\)\. Let this user read it, or set PAYDESK_SECRET_KEY/,
    );
    await says(['doctor'], {}, /^WRONG +secret key .*paydesk\.key cannot be read/m);
  });
});
