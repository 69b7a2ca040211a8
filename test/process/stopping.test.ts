// On SIGTERM, the service stops accepting connections, finishes requests in flight and exits with 0.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { apiClient, entriesOf } from '../support/api-client.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { readEventStream } from '../support/event-stream.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { startStopwatch } from '../support/stopwatch.ts';
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
  it('finishes the request in flight, accepts no new one, and exits with 0', async (t) => {
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

    // An idle keep-alive connection must not keep the process running.
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
    // Responses on later connections show that the server has read the first part by now.
    for (let round = 0; round < 3; round += 1) {
      await fetch(`${server.url}/healthz`, { headers: { Connection: 'close' } });
    }

    // Nor must an open stream: its reader reconnects to the next process.
    const stream = await readEventStream(t, { url: server.url, key });
    await until('the stream has started', () => stream.lastId() !== '');

    const waitedMs = startStopwatch();
    server.signal('SIGTERM');
    await until('it no longer accepts connections', async () => !(await isListening(server.url)));
    inFlight.end(body.slice(10));
    const response = await promise;
    assert.equal(response.status, 201, response.text);
    assert.equal(response.connection, 'close');
    assert.ok(stream.ended());
    assert.equal(await server.ended(), 0);
    assert.ok(waitedMs() < 15_000);
    assert.match(server.stdout(), /"msg":"stopped"/);

    const next = await servePaydesk(t, options);
    const [kept, ...others] = entriesOf(await apiClient({ url: next.url, key }).get('/checkout-sessions'));
    assert.deepEqual(others, []);
    assert.deepEqual(kept, JSON.parse(response.text));
    next.signal('SIGTERM');
    assert.equal(await next.ended(), 0);
  });
});

describeOnEachEngine('A process that is told to stop under load', (engine) => {
  it('fails no request of clients with keep-alive connections, and notifies load balancers', async (t) => {
    const folder = await freshFolder(t);
    const DATABASE_URL = databaseUrl(await freshDatabase(t, engine));
    const settings = { DATABASE_URL, PAYDESK_SHUTDOWN_GRACE: '2', PAYDESK_METRICS_ADDRESS: 'off' };
    const server = await servePaydesk(t, { folder, settings });
    const [key = ''] = /\bsk_test_\w+/.exec(server.stdout()) ?? [];
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    t.after(() => agent.destroy());
    const outcomes: string[] = [];
    let isStopping = false;
    /** Stops on `Connection: close`, like a proxy that has another server. */
    async function client(): Promise<void> {
      for (let isLast = false; !isLast; ) {
        const { outcome, connection } = await send(server.url, key, agent);
        outcomes.push(outcome);
        isLast = isStopping && connection === 'close';
      }
    }
    const clients = Promise.all(Array.from({ length: 20 }, client));
    await until('there is load', () => outcomes.length > 100);
    const waitedMs = startStopwatch();
    isStopping = true;
    server.signal('SIGTERM');
    await until('/readyz reports that it is stopping', async () => {
      const response = await fetch(`${server.url}/readyz`, { headers: { Connection: 'close' } });
      return response.status === 503 && ((await response.json()) as { status: string }).status === 'stopping';
    });
    assert.equal(await server.ended(), 0);
    assert.ok(waitedMs() < 15_000);
    await clients;
    assert.deepEqual([...new Set(outcomes)], ['201']);
  });

  it('does not wait without connections, or after a second signal', async (t) => {
    const folder = await freshFolder(t);
    const DATABASE_URL = databaseUrl(await freshDatabase(t, engine));
    const settings = { DATABASE_URL, PAYDESK_SHUTDOWN_GRACE: '10' };
    const server = await servePaydesk(t, { folder, settings });
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    assert.equal((await send(server.url, 'none', agent)).outcome, '401');
    server.signal('SIGTERM');
    await until('it is stopping', () => server.stdout().includes('"stopping: '));
    assert.equal((await send(server.url, 'none', agent)).outcome, '401', 'it still serves');
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    const waitedMs = startStopwatch();
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);
    assert.ok(waitedMs() < 8_000);
  });
});

/** The status, or the code of the error. */
function send(url: string, key: string, agent: Agent): Promise<{ outcome: string; connection: string }> {
  const body = JSON.stringify({ amount: 1250, currency: 'EUR' });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': body.length };
  const { promise, resolve } = Promise.withResolvers<{ outcome: string; connection: string }>();
  const sent = request(`${url}/checkout-sessions`, { agent, method: 'POST', headers }, (response) => {
    const { statusCode, headers: responseHeaders } = response;
    response
      .resume()
      .on('end', () => resolve({ outcome: String(statusCode), connection: responseHeaders.connection ?? '' }));
  });
  sent.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ outcome: error.code ?? error.message, connection: 'close' }),
  );
  sent.end(body);
  return promise;
}
