// paydesk secret-key rotate: afterwards, everything opens with the new key and nothing with the old one, however often
// the run is interrupted; and it does not start when it must not.

import assert from 'node:assert/strict';
import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openResponse, sealResponse } from '../../src/domain/idempotency.ts';
import { type SecretBox, secretBox } from '../../src/domain/secret-box.ts';
import { sealSecret, signingSecret } from '../../src/domain/webhook-endpoint.ts';
import { beginKeyRotation, bindSecretKey } from '../../src/secret-key.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { resealSecrets } from '../../src/usecases/reseal-secrets.ts';
import { apiClient, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, type Engine, freshDatabase } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import {
  callPaydesk,
  databaseUrl,
  freshFolder,
  paydeskJson,
  runPaydesk,
  servePaydesk,
} from '../support/paydesk-process.ts';
import { anIdempotencyRecord, aScope, aWebhookEndpoint } from '../support/records.ts';

interface Rotated {
  readonly old_key: string;
  readonly new_key: string;
  readonly webhook_endpoints: number;
  readonly answers: number;
  readonly unreadable: string[];
}

const command = ['secret-key', 'rotate'];
const aKey = (): string => randomBytes(32).toString('base64');
/** Its id looks like a card number to whatever masks those in messages. */
function aKeyWithDigits(): string {
  let key = aKey();
  while (!/\d{12}/.test(boxOf(key).keyId)) key = aKey();
  return key;
}
const boxOf = (key: string): SecretBox => secretBox(Buffer.from(key, 'base64'), randomBytes);
const url = 'https://shop.example/webhooks';

interface Scene {
  readonly options: { readonly folder: string; readonly settings: Record<string, string> };
  readonly oldKey: string;
  readonly newKey: string;
  /** Opens the store for this call only, as another process would. */
  use<T>(work: (store: Store) => Promise<T>): Promise<T>;
}

/** A database that belongs to the old key, with the settings for a rotation. */
async function scene(t: { after(work: () => Promise<void>): void }, engine: Engine): Promise<Scene> {
  const folder = await freshFolder(t);
  const address = await freshDatabase(t, engine);
  const [oldKey, newKey] = [aKeyWithDigits(), aKeyWithDigits()];
  async function use<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(address, { serving: true, onConnectionLost: () => {} });
    return work(store).finally(() => store.close());
  }
  await use((store) => bindSecretKey(store, boxOf(oldKey)));
  const settings = { DATABASE_URL: databaseUrl(address), PAYDESK_SECRET_KEY: newKey, PAYDESK_OLD_SECRET_KEY: oldKey };
  return { options: { folder, settings }, oldKey, newKey, use };
}

/** Seals in the previous format: with the key itself and without a layout byte. */
function previousBox(key: string): SecretBox {
  return {
    ...boxOf(key),
    seal(text, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },
  };
}

/** On PostgreSQL, with a different application name for the connections. */
function withApplicationName(url: string): string {
  return url.startsWith('sqlite:') ? url : `${url}?application_name=shop`;
}

/** Endpoints and idempotent responses sealed with this key, more of each than fit on a page. */
async function sealMany(store: Store, box: SecretBox, count: number, key?: string) {
  const scope = aScope();
  // Every third one is in the previous format.
  const sealerOf = (at: number): SecretBox => (key !== undefined && at % 3 === 0 ? previousBox(key) : box);
  const endpoints = Array.from({ length: count }, (_, at) => {
    const endpoint = aWebhookEndpoint({ ...scope, secretKeyId: box.keyId });
    return {
      ...endpoint,
      secret: sealSecret(sealerOf(at), endpoint.id, `whsec_${at}`),
      nextSecret: at % 2 === 0 ? null : sealSecret(box, endpoint.id, `whsec_next_${at}`),
      nextSecretAt: at % 2 === 0 ? null : startOfTests + 1_000,
    };
  });
  const records = Array.from({ length: count }, (_, at) => {
    const record = anIdempotencyRecord({ ...(at % 3 === 0 ? aScope({ livemode: true }) : scope) });
    return { ...record, sealedBody: sealResponse(sealerOf(at), record, `{"answer":${at}}`) };
  });
  for (let at = 0; at < count; at += 50) {
    await mustCommit(store, { webhookEndpoints: endpoints.slice(at, at + 50) });
    await mustCommit(store, { idempotencyRecords: records.slice(at, at + 50) });
  }
  return {
    async assertSealedWith(now: Store, key: SecretBox, keyMismatch: SecretBox): Promise<void> {
      for (const [at, { id }] of endpoints.entries()) {
        const endpoint = await now.find('webhookEndpoints', scope, id);
        assert.ok(endpoint !== null);
        assert.equal(endpoint.secretKeyId, key.keyId);
        assert.equal(signingSecret(key, endpoint, startOfTests), `whsec_${at}`);
        const later = at % 2 === 0 ? `whsec_${at}` : `whsec_next_${at}`;
        assert.equal(signingSecret(key, endpoint, startOfTests + 1_000), later);
        assert.equal(endpoint.secret[0], 1, 'sealed in the current format');
        assert.throws(() => signingSecret(keyMismatch, endpoint, startOfTests));
      }
      for (const [at, { merchantId, livemode, key: idempotencyKey }] of records.entries()) {
        const record = await now.find('idempotencyRecords', { merchantId, livemode }, idempotencyKey);
        assert.ok(record !== null);
        assert.equal(openResponse(key, record), `{"answer":${at}}`);
        assert.equal(record.sealedBody[0], 1, 'sealed in the current format');
        assert.throws(() => openResponse(keyMismatch, record));
      }
    },
  };
}

describeOnEachEngine('paydesk secret-key rotate', (engine) => {
  it('lets the service continue with another key: webhook secrets and responses to retries stay the same', async (t) => {
    const { options, oldKey, newKey } = await scene(t, engine);
    const { DATABASE_URL } = options.settings;
    const created = await paydeskJson<{ test_key: string }>(
      ['merchant', 'create', '--name', 'Shop'],
      options,
      callPaydesk,
    );
    const headers = { 'Idempotency-Key': randomUUID() };
    const serve = (key: string) =>
      servePaydesk(t, {
        folder: options.folder,
        settings: { DATABASE_URL: withApplicationName(DATABASE_URL ?? ''), PAYDESK_SECRET_KEY: key },
      });

    const before = await serve(oldKey);
    const first = await apiClient({ url: before.url, key: created.test_key }).post(
      '/webhook-endpoints',
      { url },
      { headers },
    );
    must(201, first);
    // Whatever the application name of its connections.
    const early = await runPaydesk(command, {
      ...options,
      settings: { ...options.settings, DATABASE_URL: withApplicationName(DATABASE_URL ?? '') },
    });
    assert.equal(early.code, 1);
    assert.match(early.stderr, engine.name === 'sqlite' ? /another Paydesk process is serving/ : /Stop all of them/);
    before.signal('SIGTERM');
    assert.equal(await before.ended(), 0);

    const rotated = await paydeskJson<Rotated>(command, options);
    const [from, to] = [boxOf(oldKey).keyId, boxOf(newKey).keyId];
    assert.deepEqual(rotated, {
      old_key: from,
      new_key: to,
      webhook_endpoints: 1,
      acquirer_accounts: 0,
      second_factors: 0,
      answers: 1,
      unreadable: [],
    });

    const after = await serve(newKey);
    const again = await apiClient({ url: after.url, key: created.test_key }).post(
      '/webhook-endpoints',
      { url },
      { headers },
    );
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    await after.kill();
    const old = await runPaydesk(['start'], {
      folder: options.folder,
      settings: {
        DATABASE_URL: DATABASE_URL ?? '',
        PAYDESK_SECRET_KEY: oldKey,
        PORT: '0',
        PAYDESK_METRICS_ADDRESS: 'off',
      },
    });
    assert.match(old.stderr, /belongs to the secret key [0-9a-f]+, but the one in use is/);
  });

  it('reseals everything once, page by page', async (t) => {
    const { options, oldKey, newKey, use } = await scene(t, engine);
    const sealed = await use((store) => sealMany(store, boxOf(oldKey), 230, oldKey));
    const { webhook_endpoints, answers } = await paydeskJson<Rotated>(command, options, callPaydesk);
    assert.deepEqual([webhook_endpoints, answers], [230, 230]);
    await use((store) => sealed.assertSealedWith(store, boxOf(newKey), boxOf(oldKey)));
    const again = await callPaydesk(command, options);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /already belongs to the key [0-9a-f]{8}\. There was nothing left to do/);
    const recorded = await use((store) => store.list('auditEntries', { limit: 10 }));
    assert.deepEqual(
      recorded.map(({ action, subject, merchantId, details }) => [action, subject, merchantId, details.old_key]),
      [['secret_key.rotated', boxOf(newKey).keyId, null, boxOf(oldKey).keyId]],
    );
  });

  it('continues where it was interrupted, and prevents serving in between', async (t) => {
    const { options, oldKey, newKey, use } = await scene(t, engine);
    const [from, to] = [boxOf(oldKey), boxOf(newKey)];
    const sealed = await use((store) => sealMany(store, from, 230));
    for (const stopsAfter of [1, 4]) {
      await use(async (store) => {
        assert.equal(await beginKeyRotation(store, from, to), stopsAfter === 1 ? 'started' : 'resumed');
        let pages = 0;
        const onProgress = () => {
          pages += 1;
          if (pages === stopsAfter) throw new Error('the power went out');
        };
        await assert.rejects(resealSecrets({ store, from, to, onProgress }), /power/);
        for (const box of [from, to]) await assert.rejects(bindSecretKey(store, box), /secret-key rotate again/);
      });
    }
    const other = await callPaydesk(command, {
      ...options,
      settings: { ...options.settings, PAYDESK_SECRET_KEY: aKey() },
    });
    assert.equal(other.code, 1);
    assert.match(
      other.stderr,
      /a rotation from the key [0-9a-f]{8} to [0-9a-f]{8} was interrupted: run it again with those two keys first/,
    );

    const { webhook_endpoints, answers } = await paydeskJson<Rotated>(command, options, callPaydesk);
    assert.deepEqual([webhook_endpoints, answers], [0, 130], 'only the remaining ones');
    await use((store) => sealed.assertSealedWith(store, to, from));
    await use((store) => bindSecretKey(store, to));
  });

  it('lists what neither key opens, and leaves it unchanged', async (t) => {
    const { options, oldKey, newKey, use } = await scene(t, engine);
    const endpoint = aWebhookEndpoint({ secretKeyId: boxOf(oldKey).keyId });
    const record = anIdempotencyRecord();
    await use((store) => mustCommit(store, { webhookEndpoints: [endpoint], idempotencyRecords: [record] }));
    const { unreadable, webhook_endpoints, answers } = await paydeskJson<Rotated>(command, options, callPaydesk);
    assert.deepEqual(unreadable, [endpoint.id, `the answer to ${record.key}`]);
    assert.deepEqual([webhook_endpoints, answers], [0, 0]);
    await use((store) => bindSecretKey(store, boxOf(newKey)));
  });

  it('reports what is wrong with the keys, and changes nothing', async (t) => {
    const { options, oldKey, use } = await scene(t, engine);
    const { PAYDESK_SECRET_KEY: _, PAYDESK_OLD_SECRET_KEY: __, ...bare } = options.settings;
    const wrong: [Record<string, string>, string[], RegExp][] = [
      [bare, [], /the new key is missing: set PAYDESK_SECRET_KEY to it, or pass its file with --new-key-file/],
      [{ ...bare, PAYDESK_SECRET_KEY: aKey() }, [], /the old key is missing: set PAYDESK_OLD_SECRET_KEY/],
      [{ ...options.settings, PAYDESK_SECRET_KEY: oldKey }, [], /the old and the new secret key are the same/],
      [
        { ...options.settings, PAYDESK_OLD_SECRET_KEY: aKey() },
        [],
        new RegExp(
          `belongs to the secret key ${boxOf(oldKey).keyId.slice(0, 8)}, but the specified old key is [0-9a-f]{8}\\.`,
        ),
      ],
      [
        { ...options.settings, PAYDESK_OLD_SECRET_KEY: 'short' },
        [],
        /PAYDESK_OLD_SECRET_KEY must be 32 bytes in base64/,
      ],
      [bare, ['--new-key-file', 'nowhere.key'], /the file nowhere\.key does not exist\. Create it: .*openssl rand/],
    ];
    for (const [settings, args, message] of wrong) {
      const result = await callPaydesk([...command, ...args], { ...options, settings });
      assert.equal(result.code, 1);
      assert.match(result.stderr, message);
      assert.ok(!result.stderr.includes(oldKey), 'no key is printed');
    }
    await use((store) => bindSecretKey(store, boxOf(oldKey)));
  });
});

describe('paydesk secret-key rotate with key files', () => {
  it('reads the old key from its file beside the data and the new one from a file, and says where to put it', async (t) => {
    const folder = await freshFolder(t);
    const settings = {};
    await (await servePaydesk(t, { folder, settings })).kill();
    const oldKey = (await readFile(join(folder, 'data', 'paydesk.key'), 'utf8')).trim();
    await writeFile(join(folder, 'new.key'), `${aKey()}\n`, { mode: 0o600 });
    const result = await callPaydesk([...command, '--new-key-file', 'new.key'], { folder, settings });
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stdout, /mv new\.key data\/paydesk\.key/);
    assert.match(result.stdout, /Keep the old key for as long as you keep older backups/);
    assert.ok(!result.stdout.includes(oldKey));
    await rename(join(folder, 'new.key'), join(folder, 'data', 'paydesk.key'));
    const server = await servePaydesk(t, { folder, settings });
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  });

  it('uses PAYDESK_SECRET_KEY as the old key then, and says how to set the new one', async (t) => {
    const folder = await freshFolder(t);
    const settings = { PAYDESK_SECRET_KEY: aKey() };
    await (await servePaydesk(t, { folder, settings })).kill();
    await writeFile(join(folder, 'new.key'), `${aKey()}\n`, { mode: 0o600 });
    const result = await callPaydesk([...command, '--new-key-file', 'new.key'], { folder, settings });
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stdout, /Set PAYDESK_SECRET_KEY to the content of new\.key/);
  });

  it('reports a database without encrypted secrets', async (t) => {
    const folder = await freshFolder(t);
    const settings = { PAYDESK_SECRET_KEY: aKey(), PAYDESK_OLD_SECRET_KEY: aKey() };
    const without = await callPaydesk(command, { folder, settings });
    assert.equal(without.code, 1);
    assert.match(without.stderr, /there is no database at data\/paydesk\.db/);
    assert.equal((await callPaydesk(['migrate'], { folder, settings })).code, 0);
    const result = await callPaydesk(command, { folder, settings });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /this database has no encrypted secrets yet/);
  });
});
