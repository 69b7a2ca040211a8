// paydesk secret-key rotate

import { existsSync } from 'node:fs';
import { type Config, readConfig } from '../config.ts';
import { auditEntry } from '../domain/audit-entry.ts';
import type { Random } from '../domain/ids.ts';
import { momentAt } from '../domain/moment.ts';
import { type SecretBox, secretBox } from '../domain/secret-box.ts';
import { pooledRandom } from '../entropy.ts';
import { beginKeyRotation, endKeyRotation, keyFileOf, readKeyFile, shortKeyId } from '../secret-key.ts';
import { openStore } from '../storage/open-store.ts';
import { nothingResealed, type Resealed, resealSecrets } from '../usecases/reseal-secrets.ts';
import { type Command, type Output, text } from './command.ts';
import { commandActor, systemClock } from './open.ts';

const reportEveryMs = 2_000;

export const secretKeyRotate: Command = {
  name: 'secret-key rotate',
  summary: 're-encrypt all secrets with a new PAYDESK_SECRET_KEY',
  usage: '[--new-key-file FILE] [--json]',
  help: `
Changes the key that encrypts webhook secrets, acquirer credentials, second factors and stored idempotent responses. Stop every Paydesk process first, and
back up the database. If the command is interrupted, run it again with the same keys; no process can start in between.

The new key is PAYDESK_SECRET_KEY, or the content of --new-key-file. The old key is PAYDESK_OLD_SECRET_KEY, or else the
key the service uses: PAYDESK_SECRET_KEY if the new key is in a file, otherwise the key file beside the database.

Everything derived from the key changes with it: the client secrets of sessions, and the forms on open payment pages,
which have to be reloaded, like those of the dashboard. Webhook secrets, API keys and idempotency keys keep working. Counts of declines restart at
zero. Older backups need the old key.

  --new-key-file FILE   the new key: 32 bytes in base64 (openssl rand -base64 32)`,
  options: { 'new-key-file': { type: 'string' } },
  async run(args, output) {
    const config = readConfig(process.env);
    const newKeyFile = text(args, 'new-key-file');
    const keys = keysFrom(config, newKeyFile, pooledRandom());
    if ('problem' in keys) return output.fail(keys.problem);
    const { from, to } = keys;
    const store = await openStore(config.database, {
      ...{ serving: true, alone: true, schema: 'existing' },
      onConnectionLost: () => {},
    });
    try {
      const rotation = await beginKeyRotation(store, from, to);
      if (typeof rotation === 'object') return output.fail(rotation.problem);
      const done =
        rotation === 'already done'
          ? nothingResealed
          : await resealSecrets({ store, from, to, onProgress: progressReporter(output) });
      const audit = auditEntry(momentAt(systemClock.now(), pooledRandom()), {
        actor: commandActor(),
        action: 'secret_key.rotated',
        subject: to.keyId,
        merchantId: null,
        details: {
          old_key: from.keyId,
          webhook_endpoints: done.webhookEndpoints,
          acquirer_accounts: done.acquirerAccounts,
          second_factors: done.secondFactors,
          answers: done.answers,
        },
      });
      await endKeyRotation(store, from, to, audit);
      const { webhookEndpoints, acquirerAccounts, secondFactors, answers, unreadable } = done;
      output.result(
        {
          old_key: from.keyId,
          new_key: to.keyId,
          webhook_endpoints: webhookEndpoints,
          acquirer_accounts: acquirerAccounts,
          second_factors: secondFactors,
          answers,
          unreadable,
        },
        [
          rotation === 'already done'
            ? `The database already belongs to the key ${shortKeyId(to.keyId)}. There was nothing left to do.`
            : `The database now belongs to the key ${shortKeyId(to.keyId)}. Re-encrypted: ${amounts(done)}.`,
          ...unreadable.map((what) => `Neither key decrypts ${what}; it was left unchanged.`),
          nextStep(config, newKeyFile),
          'Keep the old key for as long as you keep older backups.',
        ].join('\n'),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};

type Keys = { readonly from: SecretBox; readonly to: SecretBox };

function keysFrom(config: Config, newKeyFile: string | undefined, random: Random): Keys | { problem: string } {
  if (newKeyFile !== undefined && !existsSync(newKeyFile))
    return {
      problem: `the file ${newKeyFile} does not exist. Create it: (umask 077; openssl rand -base64 32 > ${newKeyFile})`,
    };
  const to = newKeyFile === undefined ? config.secretKey : readKeyFile(newKeyFile);
  if (to === null) {
    return { problem: 'the new key is missing: set PAYDESK_SECRET_KEY to it, or pass its file with --new-key-file' };
  }
  const inUse = newKeyFile === undefined ? null : config.secretKey;
  const keyFile = keyFileOf(config);
  const from = config.oldSecretKey ?? inUse ?? (existsSync(keyFile) ? readKeyFile(keyFile) : null);
  if (from === null)
    return { problem: `the old key is missing: set PAYDESK_OLD_SECRET_KEY to it (${keyFile} does not exist)` };
  return { from: secretBox(from, random), to: secretBox(to, random) };
}

function progressReporter(output: Output): (done: Resealed) => void {
  let reportedAt = performance.now();
  return (done) => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    output.progress(`re-encrypted so far: ${amounts(done)}`);
  };
}

function amounts({ webhookEndpoints, acquirerAccounts, secondFactors, answers }: Resealed): string {
  return `secrets of ${webhookEndpoints} webhook endpoints, credentials of ${acquirerAccounts} acquirer accounts, second factors of ${secondFactors} users, ${answers} stored responses`;
}

function nextStep(config: Config, newKeyFile: string | undefined): string {
  const keyFile = keyFileOf(config);
  if (newKeyFile === undefined) return 'From now on, start every process with this PAYDESK_SECRET_KEY.';
  if (config.secretKey !== null)
    return `Set PAYDESK_SECRET_KEY to the content of ${newKeyFile} for every process, then start.`;
  return `Replace the old key with the new one, then start: mv ${newKeyFile} ${keyFile}`;
}
