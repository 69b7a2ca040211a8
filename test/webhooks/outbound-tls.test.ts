// Certificates are always checked, and no environment variable changes how requests are sent.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { makeCertificate } from '../support/certificates.ts';
import { startProgram } from '../support/child-process.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { assertError, assertStatus, testOutbound } from './test-outbound.ts';

const certificate = makeCertificate('DNS:shop.example', 'IP:127.0.0.1');
const lookup = async () => ['127.0.0.1'];
const trusting = { lookup, extraCa: [certificate.cert] };

describe('A secure connection', () => {
  it('is made to a receiver whose certificate has its name, or its address', async (t) => {
    const receiver = await startWebhookReceiver(t, { tls: certificate });
    const outbound = testOutbound(t, trusting);
    for (const host of ['shop.example', 'shop.example.', '127.0.0.1']) {
      assertStatus(await outbound.send(`https://${host}:${receiver.port}/`), 200);
      assertStatus(await outbound.send(`https://${host}:${receiver.port}/`, true), 200);
    }
    assert.equal(receiver.requests[0]?.headers.host, `shop.example:${receiver.port}`);
  });

  it('requests the certificate for the name in the URL, without a trailing dot', async (t) => {
    const requestedNames: string[] = [];
    const SNICallback: TlsOptions['SNICallback'] = (name, done) => {
      requestedNames.push(name);
      done(null);
    };
    const receiver = await startWebhookReceiver(t, { tls: { ...certificate, SNICallback } });
    const outbound = testOutbound(t, trusting);
    for (const host of ['shop.example', 'shop.example.']) await outbound.send(`https://${host}:${receiver.port}/`);
    assert.deepEqual(requestedNames, ['shop.example', 'shop.example']);
  });

  it('is not made to a receiver whose certificate has another name', async (t) => {
    const receiver = await startWebhookReceiver(t, { tls: certificate });
    const outbound = testOutbound(t, trusting);
    for (const host of ['other.example', 'evil.shop.example']) {
      assertError(await outbound.send(`https://${host}:${receiver.port}/`), 'tls_failed');
    }
    assert.equal(receiver.requests.length, 0);
  });

  it('is not made to a receiver whose certificate is not trusted', async (t) => {
    const receiver = await startWebhookReceiver(t, { tls: certificate });
    const result = await testOutbound(t, { lookup }).send(`https://shop.example:${receiver.port}/`);
    assertError(result, 'tls_failed');
    assert.ok('message' in result && result.message.includes('SELF_SIGNED'), 'the reason is given');
    assert.equal(receiver.requests.length, 0);
  });

  it('is not made to a receiver that does not speak TLS, or only an old version', async (t) => {
    const plain = await startWebhookReceiver(t);
    const old = await startWebhookReceiver(t, {
      tls: { ...certificate, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    });
    const outbound = testOutbound(t, trusting);
    for (const { port } of [plain, old])
      assertError(await outbound.send(`https://shop.example:${port}/`), 'tls_failed');
    assert.equal(old.requests.length, 0);
  });
});

describe('The environment', () => {
  it('can neither set a proxy nor turn off certificate checks', async (t) => {
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
