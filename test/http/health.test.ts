// What operators look at: /healthz, /readyz, metrics, and the documentation pages.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { startApp } from '../../src/app.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import { readiness } from '../../src/http/health.ts';
import { writeProbe } from '../../src/http/write-probe.ts';
import { loggingTo } from '../../src/log.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { StorageUnavailable } from '../../src/storage/store.ts';
import { createMerchant } from '../../src/usecases/create-merchant.ts';
import { apiClient, assertRefused, must } from '../support/api-client.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { describeOnEachEngine, freshDatabase, freshStore, postgres, sqlite } from '../support/engines.ts';
import { paydeskForSuite, secretKey, settingsFor, startPaydesk, systemClock } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const appDeps = (address: DatabaseAddress, settings: Readonly<Record<string, string>> = {}) => ({
  config: settingsFor(address, settings),
  secretBox: secretBox(secretKey, randomBytes),
  logging: loggingTo('silent', { write: () => {} }),
  clock: systemClock,
  random: randomBytes,
});

describeOnEachEngine('A healthy service', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('reports at /healthz that it is alive and at /readyz that it can serve, without an API key', async () => {
    const anonymous = apiClient({ url: paydesk().url, key: '' });
    const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    assert.deepEqual(must(200, await anonymous.get('/healthz')), { status: 'ok', version: manifest.version });
    assert.deepEqual(must(200, await anonymous.get('/readyz')), { status: 'ready' });
  });

  it('redirects from / to the API reference, which loads nothing from elsewhere', async () => {
    const { url } = paydesk();
    const home = await fetch(url);
    assert.equal(home.status, 200);
    assert.match(home.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(new URL(home.url).pathname.replace(/\/$/, ''), '/docs');
    const page = await home.text();
    const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => new URL(source, home.url));
    assert.ok(sources.length > 0);
    for (const source of sources) {
      assert.equal(source.origin, new URL(url).origin, `${source} is loaded from elsewhere`);
      assert.equal((await fetch(source)).status, 200, String(source));
    }
  });
});

describe('A service that has lost PostgreSQL', () => {
  it('returns 503 at /readyz and for every request, and recovers when PostgreSQL is back', async (test) => {
    const t = cleanUpInReverse(test);
    const address = await freshDatabase(t, postgres);
    assert.ok(address.engine === 'postgres');
    const direct = new URL(address.url);
    const proxy = await startTcpProxy(t, { host: direct.hostname, port: Number(direct.port) });
    const url = new URL(address.url);
    url.port = String(proxy.port);
    const store = await openStore({ engine: 'postgres', url: url.href }, { serving: true, onConnectionLost: () => {} });
    const lines: string[] = [];
    const app = await startApp({
      config: settingsFor({ engine: 'postgres', url: url.href }, { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' }),
      store,
      secretBox: secretBox(secretKey, randomBytes),
      logging: loggingTo('trace', { write: (line: string) => lines.push(line) }),
      clock: systemClock,
      random: randomBytes,
    });
    t.after(() => app.close());
    const created = await createMerchant(
      { store, moment: () => aMoment(), random: randomBytes, actor: 'test' },
      'Shop',
    );
    const api = apiClient({ url: app.address, key: created?.testKey ?? '' });
    const { id } = must(201, await api.post('/checkout-sessions', { amount: 5, currency: 'EUR' }));

    proxy.cut();
    const ready = await fetch(`${app.address}/readyz`);
    assert.equal(ready.status, 503);
    const publicBody = (await ready.json()) as { status: string; problem: string };
    assert.equal(publicBody.status, 'not_ready');
    const problemNow = async (): Promise<string> => {
      const operators = await fetch(`${app.metricsAddress}/readyz`);
      assert.equal(operators.status, 503);
      return ((await operators.json()) as { problem: string }).problem;
    };
    // At first connections are cut, then none can be made: two different problems.
    let problem = '';
    await until('the problem stays the same', async () => {
      const before = problem;
      problem = await problemNow();
      return problem === before;
    });
    assert.match(problem, /PostgreSQL did not respond/, 'operators see what is wrong');
    assert.doesNotMatch(publicBody.problem, /PostgreSQL|ECONN|127\.0\.0\.1|\d{4}/, 'the public does not');
    await fetch(`${app.address}/readyz`);
    const logged = lines
      .filter((line) => line.includes('not ready to serve'))
      .map((line) => JSON.parse(line).err.message);
    assert.ok(logged.includes(problem), 'it is logged');
    assert.deepEqual(logged, [...new Set(logged)], 'but not each time');
    assert.equal((await fetch(`${app.address}/healthz`)).status, 200);
    for (const response of [
      await api.get(`/checkout-sessions/${id}`),
      await api.post('/checkout-sessions', { amount: 5, currency: 'EUR' }),
      await api.patch(`/checkout-sessions/${id}`, { amount: 6 }),
      await api.get('/payment-intents'),
    ]) {
      assertRefused(response, { status: 503, code: 'storage_unavailable' });
      assert.equal(response.error.type, 'api_error');
    }

    proxy.restore();
    await until('it is ready again', async () => (await fetch(`${app.address}/readyz`)).status === 200);
    assert.equal(must(200, await api.get(`/checkout-sessions/${id}`)).amount, 5);
    assert.ok(!lines.join('').includes(direct.password), 'the database password is not logged');
  });
});

describe('A problem with storage', () => {
  it('is logged once while it lasts, also if it alternates with another one', async () => {
    const lines: string[] = [];
    let problem: string | null = null;
    const ready = readiness({
      store: {
        async check() {
          if (problem !== null) throw new StorageUnavailable(problem);
        },
      },
      writeProbe: { check: async () => {}, failed: () => {} },
      isStopping: () => false,
      log: loggingTo('info', { write: (line: string) => lines.push(line) }).log,
    });
    const logged = () => lines.map((line) => JSON.parse(line).err.message);
    for (problem of ['reset', 'refused', 'reset', 'refused']) {
      assert.deepEqual(await ready(), { status: 'not_ready', problem });
    }
    assert.deepEqual(logged(), ['reset', 'refused']);
    problem = null;
    assert.deepEqual(await ready(), { status: 'ready' });
    problem = 'reset';
    await ready();
    assert.deepEqual(logged(), ['reset', 'refused', 'reset'], 'it had ended meanwhile');
  });
});

describeOnEachEngine('A service whose disk is full', (engine) => {
  it('is not ready while writes fail, and is ready again when there is space', async (test) => {
    const t = cleanUpInReverse(test);
    const { store, address } = await freshStore(t, engine);
    let isFull = false;
    const orFull = async <T>(write: () => Promise<T>): Promise<T> => {
      if (isFull) throw new StorageUnavailable('database or disk is full');
      return write();
    };
    const app = await startApp({
      ...appDeps(address),
      store: {
        ...store,
        commit: (changes) => orFull(() => store.commit(changes)),
        moveFact: (...move) => orFull(() => store.moveFact(...move)),
      },
    });
    t.after(() => app.close());
    const created = await createMerchant(
      { store, moment: () => aMoment(), random: randomBytes, actor: 'test' },
      'Shop',
    );
    const api = apiClient({ url: app.address, key: created?.testKey ?? '' });
    const statusOf = async (): Promise<number> => (await fetch(`${app.address}/readyz`)).status;
    const create = () => api.post('/checkout-sessions', { amount: 5, currency: 'EUR' });
    assert.equal(await statusOf(), 200);
    isFull = true;
    assertRefused(await create(), { status: 503, code: 'storage_unavailable' });
    assert.equal(await statusOf(), 503, 'at once after a failed commit');
    isFull = false;
    await until('it is ready again', async () => (await statusOf()) === 200);
    must(201, await create());
    isFull = true;
    await until('it is noticed even if nobody writes', async () => (await statusOf()) === 503);
  });
});

describe('The write probe', () => {
  it('trusts storage after a failed commit only once a larger write succeeds', async () => {
    let capacity = 10;
    let value: string | null = null;
    const write = (next: string): void => {
      if (next.length > capacity) throw new StorageUnavailable('database or disk is full');
      value = next;
    };
    let elapsedMs = 0;
    const probe = writeProbe(
      {
        findBy: async () => (value === null ? null : ({ name: 'write_probe', value } as never)),
        moveFact: async (_name, _from, to) => {
          write(to);
          return true;
        },
        commit: async ({ facts }) => {
          write(facts?.[0]?.value ?? '');
          return { committed: true };
        },
      },
      () => elapsedMs,
    );
    const later = (): Promise<void> => {
      elapsedMs += 1_000;
      return probe.check();
    };
    await probe.check();
    await later();
    probe.failed(new Error('a fault of another kind'));
    await probe.check();
    probe.failed(new StorageUnavailable('database or disk is full'));
    await assert.rejects(probe.check(), /full/);
    await assert.rejects(later(), /full/);
    capacity = 1_000_000;
    await assert.rejects(probe.check(), /full/, 'storage is probed at most once a second');
    await later();
    await later();
  });
});

describe('A service with docs turned off', () => {
  it('serves no reference, guides or OpenAPI document, but still identifies itself', async (test) => {
    const t = cleanUpInReverse(test);
    const { store, address } = await freshStore(t, sqlite);
    const app = await startApp({ ...appDeps(address, { PAYDESK_DOCS: 'off' }), store });
    t.after(() => app.close());
    const paths = ['/docs', '/docs/documentation.js', '/openapi.json', '/docs/guides', '/docs/guides/operating.md'];
    for (const path of paths) {
      const response = await fetch(`${app.address}${path}`);
      assert.equal(response.status, 404, path);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      assert.equal(error.code, 'route_not_found');
      assert.ok(!error.message.includes('/docs'));
    }
    const home = await fetch(app.address);
    assert.equal(home.status, 200);
    assert.equal(((await home.json()) as { service: string }).service, 'paydesk');
  });
});

describeOnEachEngine('Metrics', (engine) => {
  it('are served on a separate address, count requests by route, and reveal no id', async (t) => {
    const paydesk = await startPaydesk(t, engine, {
      settings: { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0', PAYDESK_RATE_LIMIT: '2' },
    });
    const { test, newSession } = await paydesk.newMerchant();
    const { id } = await newSession();
    for (let count = 0; count < 4; count += 1) await test.get(`/checkout-sessions/${id}`);
    await test.get('/nothing/sk_test_0000');
    const response = await fetch(`${paydesk.metricsUrl}/metrics`);
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const counted = (line: RegExp) => Number(line.exec(text)?.[1] ?? Number.NaN);
    const requests = 'paydesk_http_request_duration_seconds_count\\{';
    assert.equal(counted(new RegExp(`${requests}[^}]*route="/checkout-sessions"[^}]*status="201"[^}]*\\} (\\d+)`)), 1);
    assert.equal(
      counted(new RegExp(`${requests}[^}]*route="/checkout-sessions/:id"[^}]*status="200"[^}]*\\} (\\d+)`)),
      3,
    );
    assert.equal(counted(/paydesk_rate_limited_requests_total (\d+)/), 1);
    assert.match(text, /^process_resident_memory_bytes /m);
    assert.ok(!text.includes(String(id)) && !text.includes('sk_test_'));
    assert.equal((await fetch(`${paydesk.metricsUrl}/other`)).status, 404);
    assert.equal((await fetch(`${paydesk.url}/metrics`)).status, 404, 'not on the public address');
  });
});
