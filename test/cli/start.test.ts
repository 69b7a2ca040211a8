// paydesk start: the first start, further ones, and those that must not happen.

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
  it('makes a demo merchant and prints its key, a curl that works when pasted, and links', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = { DATABASE_URL: databaseUrl(address) };
    const first = await servePaydesk(t, { folder, settings });
    const words = first.stderr();
    const key = keyIn(words);
    assert.ok(key !== undefined);
    assert.equal(keyIn(first.stdout()), key, 'who keeps only standard output has it too');
    const me = must(200, await apiClient({ url: first.url, key }).get('/me'));
    assert.equal(me.livemode, false);

    const [curl] = /curl [\s\S]*?}'/.exec(words) ?? [];
    assert.ok(curl !== undefined, words);
    const pasted = spawnSync('sh', ['-c', `${curl} --silent --show-error`], { env: environment({}), timeout: 10_000 });
    const session = JSON.parse(String(pasted.stdout)) as Record<string, unknown>;
    assert.equal(session.object, 'checkout_session', String(pasted.stdout));
    assert.equal(session.amount, 1250);

    const port = new URL(first.url).port;
    const links = [...words.matchAll(/http:\/\/localhost:\d+\/[\w./-]+/g)].map(([link]) => link);
    for (const page of ['docs', 'openapi.json', 'readyz']) {
      assert.ok(links.includes(`http://localhost:${port}/${page}`), page);
    }
    for (const link of links) {
      if (link.includes('/checkout-sessions')) continue;
      assert.equal((await fetch(link.replace('localhost', '127.0.0.1'))).status, 200, link);
    }

    first.signal('SIGTERM');
    assert.equal(await first.ended(), 0);
    const second = await servePaydesk(t, { folder, settings });
    assert.equal(keyIn(`${second.stdout()}${second.stderr()}`), undefined, 'a key is shown once');
    assert.equal(must(200, await apiClient({ url: second.url, key }).get('/me')).id, me.id);
    second.signal('SIGINT');
    assert.equal(await second.ended(), 0);
  });
});

describe('Where standard output is no terminal, a start', () => {
  it('writes nothing but JSON lines to it, and the text of the first start to standard error', async (t) => {
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
      assert.deepEqual(times, times.toSorted(), 'in the order of time');
      if (LOG_LEVEL === 'info') assert.match(server.stderr(), /^\nPaydesk is ready at [\s\S]*curl [\s\S]*\/readyz/);
      else assert.equal(server.stderr(), '');
    }
  });
});

describe('A start on SQLite', () => {
  it('keeps all in data/, with a secret key that only its owner can read', async (t) => {
    const folder = await freshFolder(t);
    const server = await servePaydesk(t, { folder, settings: {} });
    assert.deepEqual(await readdir(folder), ['data']);
    const { mode, size } = await stat(join(folder, 'data', 'paydesk.key'));
    assert.equal(mode & 0o777, 0o600);
    assert.equal(size, 45);
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
  });

  it('is refused while another process serves the same file, and commands work beside it', async (t) => {
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
    assert.equal((await fetch(`${third.url}/readyz`)).status, 200, 'kill -9 leaves no lock behind');
  });

  it('is refused with another secret key than the database began with', async (t) => {
    const folder = await freshFolder(t);
    await (await servePaydesk(t, { folder, settings: {} })).kill();
    await writeFile(join(folder, 'data', 'paydesk.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    const ended = await runPaydesk(['start'], { folder, settings: { PORT: '0', PAYDESK_METRICS_ADDRESS: 'off' } });
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /belongs to the secret key [0-9a-f]+, but the one in use is/);
  });
});

describe('A start that cannot be', () => {
  it('reports every bad setting at once, by name, and starts nothing', async (t) => {
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
      const ended = await runPaydesk([command], { folder, settings });
      assert.equal(ended.code, 1);
      for (const name of Object.keys(settings)) assert.match(ended.stderr, new RegExp(`- ${name} (must|names)`), name);
      assert.ok(!ended.stderr.includes('hunter22') && !ended.stderr.includes('short'), 'secrets are not told back');
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('refuses a public address without TLS, unless the settings allow it', async (t) => {
    const folder = await freshFolder(t);
    const settings = { PAYDESK_PUBLIC_URL: 'http://pay.shop.example' };
    const ended = await runPaydesk(['start'], { folder, settings });
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /PAYDESK_PUBLIC_URL must be https.*TLS proxy.*PAYDESK_ALLOW_HTTP=true/);
    assert.deepEqual(await readdir(folder), []);
    const allowed = await servePaydesk(t, { folder, settings: { ...settings, PAYDESK_ALLOW_HTTP: 'true' } });
    assert.match(allowed.stdout(), /ready at http:\/\/pay\.shop\.example/);
  });

  it('says which address is taken, and shows the demo key on the next start', async (t) => {
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
    const ended = await runPaydesk(['start'], { folder, settings });
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, new RegExp(`EADDRINUSE.*${port}.*Set PORT or HOST`));
    const next = await servePaydesk(t, { folder, settings: {} });
    assert.ok(keyIn(next.stdout()) !== undefined, 'nobody has seen the key yet');
  });
});
