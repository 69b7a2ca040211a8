// paydesk start: the first start, later starts, and starts that must fail.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { apiClient, must } from '../support/api-client.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { databaseUrl, environment, freshFolder, runPaydesk, servePaydesk } from '../support/paydesk-process.ts';

const keyIn = (text: string): string | undefined => /sk_test_[0-9a-z]+/.exec(text)?.[0];

describeOnEachEngine('The first start', (engine) => {
  it('creates a demo merchant, and prints its key, a curl command that works, and links', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = { DATABASE_URL: databaseUrl(address) };
    const first = await servePaydesk(t, { folder, settings });
    const text = first.stderr();
    const key = keyIn(text);
    assert.ok(key !== undefined);
    assert.equal(keyIn(first.stdout()), key, 'the key is also on standard output');
    const me = must(200, await apiClient({ url: first.url, key }).get('/me'));
    assert.equal(me.livemode, false);

    const [curl] = /curl [\s\S]*?}'/.exec(text) ?? [];
    assert.ok(curl !== undefined, text);
    const pasted = spawnSync('sh', ['-c', `${curl} --silent --show-error`], { env: environment({}), timeout: 10_000 });
    const session = JSON.parse(String(pasted.stdout)) as Record<string, unknown>;
    assert.equal(session.object, 'checkout_session', String(pasted.stdout));
    assert.equal(session.amount, 1250);

    const port = new URL(first.url).port;
    const links = [...text.matchAll(/http:\/\/localhost:\d+\/[\w./-]+/g)].map(([link]) => link);
    for (const page of ['docs', 'openapi.json', 'readyz']) {
      assert.ok(links.includes(`http://localhost:${port}/${page}`), page);
    }
    for (const link of links) {
      // The dashboard's pages have tests of their own.
      if (/\/checkout-sessions/.test(link)) continue;
      assert.equal((await fetch(link.replace('localhost', '127.0.0.1'))).status, 200, link);
    }

    const [setUpLink, token] = /http:\/\/localhost:\d+\/dashboard\/set-up#(\w+)/.exec(text) ?? [];
    assert.ok(setUpLink !== undefined && token !== undefined, text);
    assert.ok(first.stdout().includes(setUpLink), 'the link is also on standard output');
    const created = await fetch(`${first.url}/dashboard/api/set-password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, email: 'ana@shop.example', password: 'correct horse battery staple' }),
    });
    const signedIn = (await created.json()) as { merchant: string };
    assert.equal(signedIn.merchant, me.id, 'the link creates the owner of the demo merchant');

    first.signal('SIGTERM');
    assert.equal(await first.ended(), 0);
    const second = await servePaydesk(t, { folder, settings });
    assert.equal(keyIn(`${second.stdout()}${second.stderr()}`), undefined, 'a key is shown once');
    assert.doesNotMatch(`${second.stdout()}${second.stderr()}`, /set-up#/, 'and so is the link');
    assert.equal(must(200, await apiClient({ url: second.url, key }).get('/me')).id, me.id);
    second.signal('SIGINT');
    assert.equal(await second.ended(), 0);
  });
});

describe('A start without a terminal', () => {
  it('writes only JSON lines to standard output, and the welcome text to standard error', async (t) => {
    const folder = await freshFolder(t);
    for (const LOG_LEVEL of ['info', 'silent']) {
      const server = await servePaydesk(t, { folder, settings: { LOG_LEVEL } });
      await fetch(`${server.url}/healthz`);
      server.signal('SIGTERM');
      assert.equal(await server.ended(), 0);
      const lines = server.stdout().trimEnd().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const ready = entries.filter(
        ({ msg }) => msg === `Paydesk is ready at ${server.url.replace('127.0.0.1', 'localhost')}`,
      );
      assert.equal(ready.length, 1);
      assert.deepEqual([ready[0]?.level, ready[0]?.database, typeof ready[0]?.time], ['info', 'sqlite', 'string']);
      assert.equal(entries.length === 1, LOG_LEVEL === 'silent');
      const times = entries.map(({ time }) => String(time));
      assert.deepEqual(times, times.toSorted(), 'in chronological order');
      if (LOG_LEVEL === 'info') assert.match(server.stderr(), /^\nPaydesk is ready at [\s\S]*curl [\s\S]*\/readyz/);
      else assert.equal(server.stderr(), '');
    }
  });
});

describe('A start on SQLite', () => {
  it('prints links that can be opened', async (t) => {
    const settings = { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' };
    const paydesk = await servePaydesk(t, { folder: await freshFolder(t), settings });
    const printed = `${paydesk.stdout()}${paydesk.stderr()}`;
    const links = [...printed.matchAll(/^ {2}(\w[\w ]*?) {2,}(http\S+)$/gm)].map(([, name = '', url = '']) => [
      name,
      url,
    ]);
    const names = links.map(([name]) => name);
    assert.deepEqual(names, ['Dashboard', 'API reference', 'Guides', 'OpenAPI', 'Health', 'Metrics']);
    for (const [name = '', url = ''] of links) assert.equal((await fetch(url)).status, 200, name);
  });

  it('stores everything in data/, with a secret key that only its owner can read', async (t) => {
    const folder = await freshFolder(t);
    const server = await servePaydesk(t, { folder, settings: {} });
    assert.deepEqual(await readdir(folder), ['data']);
    const { mode, size } = await stat(join(folder, 'data', 'paydesk.key'));
    assert.equal(mode & 0o777, 0o600);
    assert.equal(size, 45);
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
  });

  it('fails while another process serves the same file, but commands still work', async (t) => {
    const folder = await freshFolder(t);
    const first = await servePaydesk(t, { folder, settings: {} });
    const settings = { PORT: String(await freePort()), PAYDESK_METRICS_ADDRESS: 'off' };
    const second = await runPaydesk(['start'], { folder, settings });
    assert.equal(second.code, 1);
    assert.match(
      second.stderr,
      /another Paydesk process is serving data\/paydesk\.db. Stop it first, or use PostgreSQL/,
    );
    assert.equal((await runPaydesk(['merchant', 'create', '--name', 'Beside'], { folder })).code, 0);
    assert.equal((await fetch(`${first.url}/readyz`)).status, 200);
    await first.kill();
    const third = await servePaydesk(t, { folder, settings });
    assert.equal((await fetch(`${third.url}/readyz`)).status, 200, 'SIGKILL leaves no lock behind');
  });

  it('fails with a secret key that does not belong to the database', async (t) => {
    const folder = await freshFolder(t);
    await (await servePaydesk(t, { folder, settings: {} })).kill();
    await writeFile(join(folder, 'data', 'paydesk.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    const result = await runPaydesk(['start'], { folder, settings: { PORT: '0', PAYDESK_METRICS_ADDRESS: 'off' } });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /belongs to the secret key [0-9a-f]+, but the one in use is/);
  });
});

describe('A start that must fail', () => {
  it('reports every invalid setting by name at once, and starts nothing', async (t) => {
    const folder = await freshFolder(t);
    const settings = {
      PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter22@localhost/x',
      REDIS_URL: 'localhost:6379',
      PAYDESK_PUBLIC_URL: 'pay.shop.example',
      PAYDESK_SECRET_KEY: 'short',
      PAYDESK_METRICS_ADDRESS: 'somewhere',
      PAYDESK_TRUSTED_PROXIES: '10.0.0.0/8,elsewhere',
      PAYDESK_RATE_LIMIT: '-1',
      PAYDESK_WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/33',
      PAYDESK_WEBHOOK_PORTS: '443,http',
      PAYDESK_WEBHOOK_RETRY_DELAYS: '60,1.5',
      LOG_LEVEL: 'loud',
    };
    for (const command of ['start', 'migrate']) {
      const result = await runPaydesk([command], { folder, settings });
      assert.equal(result.code, 1);
      for (const name of Object.keys(settings)) assert.match(result.stderr, new RegExp(`- ${name} (must|names)`), name);
      assert.ok(!result.stderr.includes('hunter22') && !result.stderr.includes('short'), 'secrets are not printed');
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('rejects a public URL without TLS, unless the settings allow it', async (t) => {
    const folder = await freshFolder(t);
    const settings = { PAYDESK_PUBLIC_URL: 'http://pay.shop.example' };
    const result = await runPaydesk(['start'], { folder, settings });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /PAYDESK_PUBLIC_URL must be https.*TLS proxy.*PAYDESK_ALLOW_HTTP=true/);
    assert.deepEqual(await readdir(folder), []);
    const allowed = await servePaydesk(t, { folder, settings: { ...settings, PAYDESK_ALLOW_HTTP: 'true' } });
    assert.match(allowed.stdout(), /ready at http:\/\/pay\.shop\.example/);
  });

  it('reports the address that is in use, and prints the demo key on the next start', async (t) => {
    const folder = await freshFolder(t);
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    t.after(() => taken.close());
    const settings = { PORT: String(port), PAYDESK_METRICS_ADDRESS: 'off' };
    const result = await runPaydesk(['start'], { folder, settings });
    assert.equal(result.code, 1);
    assert.match(result.stderr, new RegExp(`EADDRINUSE.*${port}.*Set PORT or HOST`));
    // Metrics at an address that is in use do not prevent it, and are not linked to.
    const next = await servePaydesk(t, { folder, settings: { PAYDESK_METRICS_ADDRESS: `127.0.0.1:${port}` } });
    assert.ok(keyIn(next.stdout()) !== undefined, 'nobody has seen the key yet');
    assert.match(next.stdout(), /metrics are off/);
    assert.doesNotMatch(next.stderr(), /Metrics/);
  });
});
