// paydesk doctor and paydesk migrate: what is wrong with a setup, and what to do about it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/cli/doctor.ts';
import { readConfig } from '../../src/config.ts';
import { keyFileOf } from '../../src/secret-key.ts';
import { describeOnEachEngine, freshDatabase, sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { secretKey, startPaydesk } from '../support/paydesk.ts';
import { callPaydesk, databaseUrl, freshFolder } from '../support/paydesk-process.ts';
import { startRedis } from '../support/redis-server.ts';

async function examine(folder: string, settings: Readonly<Record<string, string>>) {
  // Another Paydesk may run at the default address.
  const quiet = { PAYDESK_METRICS_ADDRESS: 'off', ...settings };
  const result = await callPaydesk(['doctor', '--json'], { folder, settings: quiet });
  const findings = JSON.parse(result.stdout) as Finding[];
  const wrong = findings.filter(({ ok }) => !ok);
  assert.equal(result.code, wrong.length === 0 ? 0 : 1);
  return { findings, wrong };
}

describeOnEachEngine('paydesk doctor and migrate', (engine) => {
  it('report no problems for a healthy setup', async (t) => {
    const folder = await freshFolder(t);
    const redis = await startRedis(t);
    const address = await freshDatabase(t, engine);
    const settings = { DATABASE_URL: databaseUrl(address), REDIS_URL: redis.url, PAYDESK_METRICS_ADDRESS: 'off' };
    await callPaydesk(['migrate'], { folder, settings });
    const keyFile = resolve(folder, keyFileOf(readConfig(settings)));
    await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
    await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
    const { findings, wrong } = await examine(folder, settings);
    assert.deepEqual(wrong, []);
    const checks = findings.map(({ check }) => check);
    const { advice = '' } = findings.find(({ check }) => check === 'secret key') ?? {};
    assert.match(advice, /keep a copy of .*paydesk\.key elsewhere, never with copies of the data/);
    for (const check of ['settings', 'storage', 'secret key', 'clock', 'Redis'])
      assert.ok(checks.includes(check), check);
    const text = await callPaydesk(['doctor'], { folder, settings });
    assert.equal(text.code, 0);
    assert.match(text.stdout, /^ok +storage/m);
    assert.match(text.stdout, /→ no merchant yet: paydesk merchant create/);
  });
});

describe('paydesk doctor', () => {
  it('says what to do about each problem', async (t) => {
    const folder = await freshFolder(t);
    const port = await freePort();
    const settings = {
      DATABASE_URL: `postgres://paydesk:hunter22@127.0.0.1:${port}/paydesk`,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      PAYDESK_PUBLIC_URL: 'http://pay.shop.example',
    };
    const { wrong } = await examine(folder, settings);
    const advice = Object.fromEntries(wrong.map((finding) => [finding.check, finding.advice ?? '']));
    assert.match(advice.storage ?? '', /check that PostgreSQL is running/);
    assert.match(advice.Redis ?? '', /check that Redis is running/);
    assert.match(advice['public URL'] ?? '', /TLS proxy.*PAYDESK_PUBLIC_URL/);
    assert.ok(!JSON.stringify(wrong).includes('hunter22'));
  });

  it('reports what the running service has seen of its proxies, or that this is unknown', async (t) => {
    const folder = await freshFolder(t);
    const paydesk = await startPaydesk(t, sqlite, { settings: { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' } });
    const settings = {
      DATABASE_URL: databaseUrl(paydesk.address),
      PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
      PAYDESK_PUBLIC_URL: 'https://pay.shop.example',
      PAYDESK_METRICS_ADDRESS: paydesk.metricsUrl.replace('http://', ''),
    };
    const proxies = async (chosen: Readonly<Record<string, string>>) =>
      (await examine(folder, chosen)).findings.filter(({ check }) => check === 'proxies');

    const [unknown] = await proxies({ ...settings, PAYDESK_METRICS_ADDRESS: 'off' });
    assert.deepEqual([unknown?.ok, /could not be checked/.test(unknown?.found ?? '')], [true, true]);
    assert.match(unknown?.advice ?? '', /set PAYDESK_TRUSTED_PROXIES/);
    const [fine] = await proxies({ ...settings, PAYDESK_TRUSTED_PROXIES: '10.0.0.0/8' });
    assert.deepEqual(fine, {
      check: 'proxies',
      ok: true,
      found: 'trusted: 10.0.0.0/8; the service has seen no problems',
    });

    await fetch(`${paydesk.url}/healthz`, { headers: { 'X-Forwarded-For': '198.51.100.1' } });
    await fetch(`${paydesk.url}/healthz`, { headers: { Forwarded: 'for=198.51.100.1' } });
    const [wrong, ...more] = await proxies(settings);
    assert.deepEqual(more, []);
    assert.equal(wrong?.ok, false);
    assert.match(wrong?.found ?? '', /^2 requests with X-Forwarded-For or Forwarded came from an untrusted peer/);
    assert.match(wrong?.advice ?? '', /PAYDESK_TRUSTED_PROXIES/);
  });

  it('reports every invalid setting', async (t) => {
    const folder = await freshFolder(t);
    const { wrong } = await examine(folder, { PORT: 'http', LOG_LEVEL: 'loud' });
    assert.equal(wrong.length, 2);
    assert.ok(wrong.every(({ check }) => check === 'settings'));
    const text = await callPaydesk(['doctor'], { folder, settings: { PORT: 'http' } });
    assert.match(text.stdout, /^WRONG +settings +PORT must be a whole number/m);
  });

  it('reports a secret key that is invalid or readable by others', async (t) => {
    const folder = await freshFolder(t);
    const file = join(folder, 'data', 'paydesk.key');
    await mkdir(join(folder, 'data'), { mode: 0o700 });
    const keyFinding = async () => (await examine(folder, {})).wrong.find(({ check }) => check === 'secret key');
    await writeFile(file, `${Buffer.alloc(32, 1).toString('base64')}\n`);
    await chmod(file, 0o644);
    const readable = await keyFinding();
    assert.match(readable?.advice ?? '', /chmod 600/);
    await writeFile(file, 'broken\n');
    const broken = await keyFinding();
    assert.match(broken?.found ?? '', /does not contain 32 bytes/);
    // Nothing else is wrong with the database.
    const settings = { PAYDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
    assert.equal((await callPaydesk(['merchant', 'create', '--name', 'Shop'], { folder, settings })).code, 0);
    const { wrong } = await examine(folder, {});
    assert.deepEqual(
      wrong.map(({ check }) => check),
      ['secret key'],
    );
  });

  it('reports a file that is not a database', async (t) => {
    const folder = await freshFolder(t);
    await writeFile(join(folder, 'not-a-database.db'), 'this is a letter, not a database'.repeat(100), {
      mode: 0o600,
    });
    const { wrong } = await examine(folder, { DATABASE_URL: 'sqlite:not-a-database.db' });
    assert.deepEqual(
      wrong.map(({ check }) => check),
      ['storage'],
    );
  });

  it('adds no advice to a finding that already says what to do', async (t) => {
    const folder = await freshFolder(t);
    const newer = new DatabaseSync(join(folder, 'newer.db'));
    newer.exec('CREATE TABLE facts (name TEXT); PRAGMA user_version = 9999');
    newer.close();
    const { wrong } = await examine(folder, { DATABASE_URL: 'sqlite:newer.db' });
    assert.match(wrong[0]?.found ?? '', /run a newer version$/);
    assert.equal(wrong[0]?.advice, undefined);
  });
});
