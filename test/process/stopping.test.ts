// SIGTERM: stop accepting, finish what is in flight, exit 0.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { apiClient, entriesOf } from '../support/api-client.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { readEventStream } from '../support/event-stream.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(Number(port), hostname, () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}

describeOnEachEngine('A process that is told to stop', (engine) => {
  it('finishes the request in flight, takes no new one, and exits with 0', async (t) => {
    const folder = await freshFolder(t);
    const DATABASE_URL = databaseUrl(await freshDatabase(t, engine));
    const settings = { DATABASE_URL, PAYDESK_PUBLIC_URL: 'https://pay.test.example' };
    const options = { folder, settings };
    const { test_key: key } = await paydeskJson<{ test_key: string }>(
      ['merchant', 'create', '--name', 'Shop'],
      options,
      callPaydesk,
    );
    const server = await servePaydesk(t, options);
    const api = apiClient({ url: server.url, key });
    assert.deepEqual(entriesOf(await api.get('/checkout-sessions')), []);

    // An idle connection that is kept alive must not hold the process.
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const body = JSON.stringify({ amount: 1250, currency: 'EUR' });
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string; connection: string }>();
    const inFlight = request(`${server.url}/checkout-sessions`, {
      agent,
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    });
    inFlight.on('error', reject);
    inFlight.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { statusCode: status = 0, headers } = response;
      resolve({ status, text: Buffer.concat(chunks).toString(), connection: headers.connection ?? '' });
    });
    const written = Promise.withResolvers<void>();
    inFlight.write(body.slice(0, 10), () => written.resolve());
    await written.promise;
    // Connections that come later and are answered show that the server has read the first part by now.
    for (let round = 0; round < 3; round += 1) {
      await fetch(`${server.url}/healthz`, { headers: { Connection: 'close' } });
    }

    // Nor may what has no end: its reader comes back to the next process.
    const stream = await readEventStream(t, { url: server.url, key });
    await until('the stream has begun', () => stream.lastId() !== '');

    const startedAt = performance.now();
    server.signal('SIGTERM');
    await until('it no longer listens', async () => !(await isListening(server.url)), 5_000);
    inFlight.end(body.slice(10));
    const answer = await promise;
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.connection, 'close');
    assert.ok(stream.ended());
    assert.equal(await server.ended(), 0);
    assert.ok(performance.now() - startedAt < 15_000);
    assert.match(server.stdout(), /"msg":"stopped"/);

    const next = await servePaydesk(t, options);
    const [kept, ...others] = entriesOf(await apiClient({ url: next.url, key }).get('/checkout-sessions'));
    assert.deepEqual(others, []);
    assert.deepEqual(kept, JSON.parse(answer.text));
    next.signal('SIGTERM');
    assert.equal(await next.ended(), 0);
  });
});
