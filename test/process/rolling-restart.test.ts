// A rolling restart: two processes on one PostgreSQL behind nginx, restarted in turn under load. No request fails.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { describe, it } from 'node:test';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { freshDatabase, postgres } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { startNginx } from '../support/nginx.ts';
import { databaseUrl, freshFolder, type ServingProcess, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';

describe('A rolling restart behind nginx', () => {
  it('fails no request', { timeout: 170_000 }, async (test) => {
    const t = cleanUpInReverse(test);
    const folder = await freshFolder(t);
    const DATABASE_URL = databaseUrl(await freshDatabase(t, postgres));
    const ports = [await freePort(), await freePort()];
    const settings = (port: number | undefined) => ({ DATABASE_URL, PAYDESK_SHUTDOWN_GRACE: '2', PORT: String(port) });
    const serve = (port: number | undefined): Promise<ServingProcess> =>
      servePaydesk(t, { folder, settings: settings(port) });
    const first = await serve(ports[0]);
    const second = await serve(ports[1]);
    const [key = ''] = /\bsk_test_\w+/.exec(first.stdout()) ?? [];
    const nginxPort = await freePort();
    const site = `
      upstream paydesk {
        server 127.0.0.1:${ports[0]};
        server 127.0.0.1:${ports[1]};
        keepalive 32;
        keepalive_timeout 60s;
      }
      server {
        listen 127.0.0.1:${nginxPort};
        location / {
          proxy_pass http://paydesk;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $host;
          add_header X-Upstream $upstream_addr;
        }
      }`;
    await startNginx(t, site, nginxPort);

    const agent = new Agent({ keepAlive: true });
    t.after(async () => agent.destroy());
    const outcomes: string[] = [];
    let isDone = false;
    // A test that fails must not leave clients that keep its process alive.
    t.after(async () => {
      isDone = true;
    });
    const clients = Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        while (!isDone)
          outcomes.push(await outcomeOf({ port: nginxPort, key, agent, method: at % 2 ? 'GET' : 'POST' }));
      }),
    );
    async function untilMore(count: number): Promise<void> {
      const target = outcomes.length + count;
      await until('requests are served', () => outcomes.length > target);
    }
    await untilMore(100);
    for (const [at, server] of [first, second].entries()) {
      server.signal('SIGTERM');
      assert.equal(await server.ended(), 0);
      await serve(ports[at]);
      // nginx retries a failed server after 10 s; both must serve before the next one stops.
      await untilMore(100);
      await until('nginx uses both', async () => (await upstreamsInUse(nginxPort)).size === 2);
    }
    isDone = true;
    await clients;
    assert.deepEqual([...new Set(outcomes)].sort(), ['200', '201']);
  });
});

/** The processes that nginx forwards requests to. */
async function upstreamsInUse(port: number): Promise<Set<string>> {
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/healthz`, { headers: { Connection: 'close' } })),
  );
  return new Set(responses.map(({ headers }) => headers.get('x-upstream') ?? ''));
}

function outcomeOf(options: { port: number; key: string; agent: Agent; method: string }): Promise<string> {
  const { port, key, agent, method } = options;
  const body = method === 'POST' ? JSON.stringify({ amount: 1250, currency: 'EUR' }) : '';
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length }),
  };
  const { promise, resolve } = Promise.withResolvers<string>();
  const path = method === 'POST' ? '/checkout-sessions' : '/me';
  const sent = request({ host: '127.0.0.1', port, path, agent, method, headers }, (response) => {
    response.resume().on('end', () => resolve(String(response.statusCode)));
  });
  sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  sent.end(body);
  return promise;
}
