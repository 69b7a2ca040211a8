// paydesk secret-key rotate

import { existsSync } from 'node:fs';
import { type Config, readConfig } from '../config.ts';
import { auditEntry } from '../domain/audit-entry.ts';
import type { Random } from '../domain/ids.ts';
import { momentAt } from '../domain/moment.ts';
import { type SecretBox, secretBox } from '../domain/secret-box.ts';
import { pooledRandom } from '../entropy.ts';
import { beginKeyChange, endKeyChange, keyFileOf, readKeyFile } from '../secret-key.ts';
import { openStore } from '../storage/open-store.ts';
import { type Resealed, resealSecrets } from '../usecases/reseal-secrets.ts';
import { type Command, type Output, text } from './command.ts';
import { commandActor, systemClock } from './open.ts';

const tellEveryMs = 2_000;

export const secretKeyRotate: Command = {
  name: 'secret-key rotate',
  summary: 'seal all secrets anew with another PAYDESK_SECRET_KEY',
  usage: '[--new-key-file FILE] [--json]',
  help: `
Changes the key that webhook secrets and kept answers are sealed with. Stop every Paydesk process first, and back the
database up. Can be interrupted and run again with the same keys; nothing can start in between.

The new key is PAYDESK_SECRET_KEY, or in the file that is named. The old key is PAYDESK_OLD_SECRET_KEY, else the one that
the service uses: PAYDESK_SECRET_KEY where the new one is in a file, else the file beside the data.

What is made from the key changes with it: the client secrets of sessions, and the forms on open payment pages, which
have to be loaded again. Webhook secrets, API keys and idempotency keys keep working. Declines are counted from zero.
Backups from before need the old key.

  --new-key-file FILE   the new key: 32 bytes in base64 (openssl rand -base64 32)`,
  options: { 'new-key-file': { type: 'string' } },
  async run(words, output) {
    const config = readConfig(process.env);
    const newKeyFile = text(words, 'new-key-file');
    const keys = keysMeant(config, newKeyFile, pooledRandom());
    if ('no' in keys) return output.fail(keys.no);
    const { from, to } = keys;
    const store = await openStore(config.database, {
      ...{ serving: true, alone: true, schema: 'existing' },
      onConnectionLost: () => {},
    });
    try {
      const begun = await beginKeyChange(store, from, to);
      if (typeof begun === 'object') return output.fail(begun.no);
      const nothing: Resealed = { webhookEndpoints: 0, answers: 0, unreadable: [] };
      const done =
        begun === 'done before' ? nothing : await resealSecrets({ store, from, to, onProgress: teller(output) });
      const audit = auditEntry(momentAt(systemClock.now(), pooledRandom()), {
        actor: commandActor(),
        action: 'secret_key.rotated',
        subject: to.keyId,
        merchantId: null,
        details: { old_key: from.keyId, webhook_endpoints: done.webhookEndpoints, answers: done.answers },
      });
      await endKeyChange(store, from, to, audit);
      const { webhookEndpoints, answers, unreadable } = done;
      output.result(
        { old_key: from.keyId, new_key: to.keyId, webhook_endpoints: webhookEndpoints, answers, unreadable },
        [
          begun === 'done before'
            ? `The database belongs to the key ${to.keyId} already: nothing was left to do.`
            : `The database belongs to the key ${to.keyId} now. Sealed anew: ${amounts(done)}.`,
          ...unreadable.map((what) => `Neither key opens ${what}; it was left as it is.`),
          nextStep(config, newKeyFile),
          'Keep the old key for as long as you keep backups from before.',
        ].join('\n'),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};

type Keys = { readonly from: SecretBox; readonly to: SecretBox };

function keysMeant(config: Config, newKeyFile: string | undefined, random: Random): Keys | { no: string } {
  if (newKeyFile !== undefined && !existsSync(newKeyFile))
    return { no: `there is no file ${newKeyFile}. Make it: (umask 077; openssl rand -base64 32 > ${newKeyFile})` };
  const to = newKeyFile === undefined ? config.secretKey : readKeyFile(newKeyFile);
  if (to === null) {
    return { no: 'give the new key: set PAYDESK_SECRET_KEY to it, or name its file with --new-key-file' };
  }
  const inUse = newKeyFile === undefined ? null : config.secretKey;
  const keyFile = keyFileOf(config);
  const from = config.oldSecretKey ?? inUse ?? (existsSync(keyFile) ? readKeyFile(keyFile) : null);
  if (from === null) return { no: `give the old key: set PAYDESK_OLD_SECRET_KEY to it (there is no ${keyFile})` };
  return { from: secretBox(from, random), to: secretBox(to, random) };
}

function teller(output: Output): (done: Resealed) => void {
  let toldAt = performance.now();
  return (done) => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    output.progress(`sealed anew so far: ${amounts(done)}`);
  };
}

function amounts({ webhookEndpoints, answers }: Resealed): string {
  return `secrets of ${webhookEndpoints} webhook endpoints, ${answers} kept answers`;
}

function nextStep(config: Config, newKeyFile: string | undefined): string {
  const keyFile = keyFileOf(config);
  if (newKeyFile === undefined) return 'Start with this PAYDESK_SECRET_KEY from now on, in every process.';
  if (config.secretKey !== null)
    return `Set PAYDESK_SECRET_KEY to what ${newKeyFile} holds, in every process, and start.`;
  return `Put the new key in the place of the old one, and start: mv ${newKeyFile} ${keyFile}`;
}
