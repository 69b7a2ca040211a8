// Secrets stay secret: whatever is sent, no key, secret or card number is in the logs, and no key or secret is stored.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { it } from 'node:test';
import { apiClient, must } from '../support/api-client.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { storedBytes } from '../support/stored-bytes.ts';

const cards = ['4242424242424242', '4000 0000 0000 0002', '5555-5555-5555-4444', '378282246310005'];

async function sendRaw(url: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname, () => socket.end(bytes));
  socket.on('close', () => resolve());
  socket.on('error', () => resolve());
  socket.resume();
  await promise;
}

describeOnEachEngine('Keys, secrets and card numbers', (engine) => {
  it('are in no log line at any level, and the keys are not in the database', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const settings = { DATABASE_URL: databaseUrl(address), LOG_LEVEL: 'trace' };
    const merchant = await paydeskJson<Record<'test_key' | 'live_key', string>>(
      ['merchant', 'create', '--name', 'Shop'],
      {
        settings,
        folder,
      },
    );
    const server = await servePaydesk(t, { folder, settings });
    const key = merchant.test_key;
    const api = apiClient({ url: server.url, key });
    const idempotencyKey = randomUUID();
    const headers = { 'Idempotency-Key': idempotencyKey };
    const session = must(201, await api.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }, { headers }));
    const clientSecret = String(session.client_secret);
    const endpoint = must(201, await api.post('/webhook-endpoints', { url: 'https://shop.example/webhooks' }));
    const rotated = must(200, await api.post(`/webhook-endpoints/${endpoint.id}/rotate-secret`));
    const webhookSecrets = [String(endpoint.secret), String(rotated.secret)];
    const secrets = [key, merchant.live_key, clientSecret, ...webhookSecrets, ...cards];

    const json = { 'Content-Type': 'application/json' };
    for (const secret of secrets) {
      const urlEncoded = encodeURIComponent(secret);
      for (const path of [
        '',
        '/checkout-sessions',
        '/payment-intents',
        `/checkout-sessions/${session.id}`,
        '/events',
      ]) {
        await api.get(`${path}/${urlEncoded}`);
        await api.get(`${path}?${urlEncoded}=${urlEncoded}&cursor=${urlEncoded}&status=${urlEncoded}`);
        await api.send('DELETE', `${path}/${urlEncoded}`);
      }
      await api.get(`/%zz${urlEncoded}`);
      await api.post(`/payment-intents/${urlEncoded}/cancel`, { cancellation_reason: secret });
      await api.post('/webhook-endpoints', { url: `https://${secret}:${secret}@shop.example`, description: [secret] });
      await api.post(`/webhook-endpoints/${urlEncoded}/rotate-secret`, { activates_in: secret });
      await api.post('/checkout-sessions', { amount: secret, currency: secret, [secret]: secret });
      await api.post('/checkout-sessions', { amount: 1, currency: 'EUR', metadata: { [secret]: { x: secret } } });
      await api.send('POST', '/checkout-sessions', { raw: `{"card": "${secret}", ${secret}`, headers: json });
      await api.send('POST', '/checkout-sessions', { raw: secret, headers: { 'Content-Type': `text/${urlEncoded}` } });
      await api.get('/me', {
        headers: { Referer: secret, 'User-Agent': secret, Cookie: `key=${secret}`, 'X-Api-Key': secret },
      });
      await api.post('/checkout-sessions', { amount: 1, currency: 'EUR' }, { headers: { 'Idempotency-Key': secret } });
      for (const authorization of [
        `Basic ${Buffer.from(`${secret}:${secret}`).toString('base64')}`,
        `Bearer ${secret}x`,
        `Token ${secret}`,
        secret,
      ]) {
        await api.get('/me', { headers: { Authorization: authorization } });
      }
      await sendRaw(server.url, `${secret} /${secret} HTTP/1.1\r\nHost: ${secret}\r\nAuthorization: ${secret}\r\n\r\n`);
      await sendRaw(server.url, `GET http://${secret}@host/${urlEncoded} HTTP/1.1\r\nX: ${secret}\r\n\r\n`);
    }
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);

    const logs = `${server.stdout()}${server.stderr()}`;
    assert.ok(logs.split('\n').length > 100, 'every request was logged');
    const database = await storedBytes(address);
    assert.ok(database.includes(String(session.id)));
    for (const secret of secrets) {
      // Also in part, without separators, or encoded.
      const forms = [secret, secret.replace(/[ -]/g, ''), encodeURIComponent(secret), secret.slice(-16)];
      for (const form of [...forms, Buffer.from(secret).toString('base64').slice(0, -3)]) {
        assert.ok(!logs.includes(form), `the logs contain ${form}`);
      }
    }
    for (const secret of [key, merchant.live_key, clientSecret, ...webhookSecrets]) {
      for (const part of [secret, secret.slice(8), secret.slice(-20)]) {
        assert.equal(database.indexOf(part), -1, `the database contains ${part}`);
      }
    }
    for (const line of server.stdout().split('\n')) {
      if (line.startsWith('{')) assert.equal(typeof (JSON.parse(line) as { time: unknown }).time, 'string');
    }
  });
});
