// Whom the door believes: certificates are checked always, and no variable of the environment changes the way out.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { makeCertificate } from '../support/certificates.ts';
import { startProgram } from '../support/child-process.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { assertError, assertStatus, openDoor } from './doors.ts';

const certificate = makeCertificate('DNS:shop.example', 'IP:127.0.0.1');
const lookup = async () => ['127.0.0.1'];
const trusting = { lookup, extraCa: [certificate.cert] };

describe('A secure connection', () => {
  it('is made to a receiver whose certificate has its name, or its address', async (t) => {
    const receiver = await startWebhookReceiver(t, { tls: certificate });
    const door = openDoor(t, trusting);
    for (const host of ['shop.example', 'shop.example.', '127.0.0.1']) {
      assertStatus(await door.send(`https://${host}:${receiver.port}/`), 200);
      assertStatus(await door.send(`https://${host}:${receiver.port}/`, true), 200);
    }
    assert.equal(receiver.requests[0]?.headers.host, `shop.example:${receiver.port}`);
  });

  it('asks for the certificate of the name in the URL, without a dot at its end', async (t) => {
    const asked: string[] = [];
    const SNICallback: TlsOptions['SNICallback'] = (name, done) => {
      asked.push(name);
      done(null);
    };
    const receiver = await startWebhookReceiver(t, { tls: { ...certificate, SNICallback } });
    const door = openDoor(t, trusting);
    for (const host of ['shop.example', 'shop.example.']) await door.send(`https://${host}:${receiver.port}/`);
    assert.deepEqual(asked, ['shop.example', 'shop.example']);
  });

  it('is not made to a receiver whose certificate has another name', async (t) => {
    const receiver = await startWebhookReceiver(t, { tls: certificate });
    const door = openDoor(t, trusting);
    for (const host of ['other.example', 'evil.shop.example']) {
      assertError(await door.send(`https://${host}:${receiver.port}/`), 'tls_failed');
    }
    assert.equal(receiver.requests.length, 0);
  });

  it('is not made to a receiver whose certificate nobody vouches for', async (t) => {
    const receiver = await startWebhookReceiver(t, { tls: certificate });
    const result = await openDoor(t, { lookup }).send(`https://shop.example:${receiver.port}/`);
    assertError(result, 'tls_failed');
    assert.ok('message' in result && result.message.includes('SELF_SIGNED'), 'the reason is told');
    assert.equal(receiver.requests.length, 0);
  });

  it('is not made to a receiver that does not speak TLS, or only an old one', async (t) => {
    const plain = await startWebhookReceiver(t);
    const old = await startWebhookReceiver(t, {
      tls: { ...certificate, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    });
    const door = openDoor(t, trusting);
    for (const { port } of [plain, old]) assertError(await door.send(`https://shop.example:${port}/`), 'tls_failed');
    assert.equal(old.requests.length, 0);
  });
});

describe('The environment', () => {
  it('names proxies in vain, and cannot turn the check of certificates off', async (t) => {
    const proxy = await startWebhookReceiver(t);
    const plain = await startWebhookReceiver(t);
    const secure = await startWebhookReceiver(t, { tls: certificate });
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const environment = {
      ...Object.fromEntries(names.map((name) => [name, proxy.url])),
      NO_PROXY: '',
      no_proxy: '',
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const urls = [`${plain.url}/`, `${secure.url}/`];
    const file = new URL('programs/post-and-close.ts', import.meta.url);
    const program = startProgram(file, { urls, timeoutMs: 5_000 }, environment);
    assert.equal(await program.ended(), 0);
    assert.deepEqual(JSON.parse(program.lines[0] ?? '[]'), [200, 'tls_failed']);
    assert.deepEqual([proxy.accepted(), plain.requests.length, secure.requests.length], [0, 1, 0]);
  });
});
