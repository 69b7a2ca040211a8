// The proxy configuration of the operating guide, verbatim: a real nginx with TLS in front of a Paydesk with the settings
// from the guide.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Agent, buildConnector, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { maxBodyBytes } from '../../src/http/body.ts';
import { challengedCard, declinedCard, goodCard, payByCard, press, seesReceipt } from '../browser/browsing-customer.ts';
import { type ApiClient, apiClient, type Fields, must, textOf } from '../support/api-client.ts';
import { launchBrowser, visit } from '../support/browser.ts';
import { makeCertificate } from '../support/certificates.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import { customerAt } from '../support/customer.ts';
import { readEventStream } from '../support/event-stream.ts';
import { freePort } from '../support/free-port.ts';
import { startNginx } from '../support/nginx.ts';
import { freshFolder, type ServingProcess, servePaydesk } from '../support/paydesk-process.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { checkout, readDocument, textsRunBy } from './guide-steps.ts';

const { nginx, ini } = textsRunBy(import.meta.filename, 'nginx', 'ini');
const host = 'pay.shop.example';
const publicUrl = `https://${host}`;
const certificate = makeCertificate(`DNS:${host}`);

describe('Behind the proxy from the guide', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  let paydesk: ServingProcess;
  let upstream: TcpProxy;
  let nginxPort: number;
  let merchant: ApiClient;

  before(async () => {
    const test = cleanUpInReverse({ after: (work) => cleanUps.push(work) });
    const folder = await freshFolder(test);
    // After one decline an address is blocked, which shows whether customers are distinguished.
    paydesk = await servePaydesk(test, {
      folder,
      settings: { ...settingsIn(ini), PAYDESK_DECLINES_PER_ADDRESS: '1', PAYDESK_DECLINES_PER_CARD: '1000' },
    });
    upstream = await startTcpProxy(test, { host: '127.0.0.1', port: Number(new URL(paydesk.url).port) });
    nginxPort = await freePort();
    writeFileSync(join(folder, 'certificate.pem'), certificate.cert);
    writeFileSync(join(folder, 'certificate.key'), certificate.key);
    const site = replaceEach(nginx, {
      'listen 443 ssl http2;': `listen 127.0.0.1:${nginxPort} ssl http2;`,
      '127.0.0.1:4020': `127.0.0.1:${upstream.port}`,
      '/etc/ssl/pay.shop.example.pem': join(folder, 'certificate.pem'),
      '/etc/ssl/pay.shop.example.key': join(folder, 'certificate.key'),
    });
    await startNginx(test, site, nginxPort);
    test.after(connectFrom('127.0.0.1', nginxPort));
    const [key = ''] = /\bsk_test_\w+/.exec(paydesk.stdout()) ?? [];
    merchant = apiClient({ url: publicUrl, key });
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const newSession = async (): Promise<Fields> =>
    must(201, await merchant.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }));
  const statusOf = async (session: Fields): Promise<unknown> =>
    must(200, await merchant.get(`/payment-intents/${session.payment_intent}`)).status;

  it('Paydesk is ready over TLS, and session URLs point to the proxy', async () => {
    assert.equal((await fetch(`${publicUrl}/readyz`)).status, 200);
    const { id, url } = await newSession();
    assert.equal(url, `${publicUrl}/checkout/${id}`);
  });

  it('a customer pays with 3DS in a browser, without requests to other origins', async (t) => {
    const browser = await launchBrowser(t, { name: host, port: nginxPort });
    const session = await newSession();
    await visit(browser, [publicUrl], {}, async ({ page }) => {
      await payByCard(page, textOf(session.url), challengedCard);
      await press(page, 'Complete authentication');
      await seesReceipt(page);
    });
    assert.equal(await statusOf(session), 'succeeded');
  });

  it('customers are distinguished by X-Forwarded-For from the proxy only', async () => {
    async function attempt(address: string, card: string, { url = publicUrl, forwardedFor = '' } = {}) {
      const session = await newSession();
      const restore = connectFrom(address, nginxPort);
      const headers = forwardedFor === '' ? {} : { 'X-Forwarded-For': forwardedFor };
      await customerAt(url, headers).payByCard(session.id, card).finally(restore);
      return statusOf(session);
    }
    assert.equal(await attempt('127.0.0.2', declinedCard), 'requires_payment_method');
    assert.equal(await attempt('127.0.0.2', goodCard), 'requires_payment_method', 'refused after a decline');
    assert.equal(await attempt('127.0.0.3', goodCard), 'succeeded', 'another customer is not affected');
    const forged = { forwardedFor: '198.51.100.7' };
    assert.equal(
      await attempt('127.0.0.2', goodCard, forged),
      'requires_payment_method',
      'a forged header does not help',
    );
    const direct = { url: paydesk.url, forwardedFor: '127.0.0.2' };
    assert.equal(await attempt('127.0.0.4', goodCard, direct), 'succeeded', 'only the proxy is trusted');
  });

  it('events arrive while the stream is open', async (t) => {
    const stream = await readEventStream(t, { url: publicUrl, key: merchant.key });
    const session = await newSession();
    await customerAt(publicUrl).payByCard(session.id, goodCard);
    await stream.untilFrames(1);
    assert.equal(stream.ended(), false);
  });

  it('the largest body that Paydesk accepts passes', async () => {
    const body = { metadata: { note: '' } };
    const length = maxBodyBytes - Buffer.byteLength(JSON.stringify(body));
    const response = await merchant.post('/checkout-sessions', { metadata: { note: 'x'.repeat(length) } });
    assert.equal(response.error.code, 'parameter_missing', 'Paydesk has read it and found no amount');
  });

  it('nginx reuses its connections to Paydesk, and closes them before Paydesk does', async () => {
    const before = upstream.connections();
    for (let count = 0; count < 5; count += 1) await (await fetch(`${publicUrl}/healthz`)).text();
    assert.ok(upstream.connections() - before <= 1, 'five requests, one connection');
    const [, kept] =
      /^timeout=(\d+)$/.exec((await fetch(`${paydesk.url}/healthz`)).headers.get('keep-alive') ?? '') ?? [];
    const [, documented] = /closes idle connections after (\d+) seconds/.exec(readDocument('docs/operating.md')) ?? [];
    const [, configured] = /keepalive_timeout (\d+)s;/.exec(nginx) ?? [];
    assert.equal(documented, kept);
    assert.ok(Number(configured) < Number(kept));
  });

  it('a stream is never silent for longer than the guide says', () => {
    const [, documented] = /silent for at most (\d+) seconds/.exec(readDocument('docs/operating.md')) ?? [];
    const source = readFileSync(join(checkout, 'src/http/event-streams.ts'), 'utf8');
    assert.ok(source.includes(`heartbeatMs = ${documented}_000`));
  });
});

describe('Behind nginx with default settings, on a different port', () => {
  const hosts = {
    'set to the address of Paydesk, the default of nginx': '',
    'without the port that customers see': 'proxy_set_header Host $host;',
    'set to an unknown name': 'proxy_set_header Host internal;',
  };
  for (const [how, setting] of Object.entries(hosts)) {
    it(`a customer pays through 3DS, with Host ${how}`, async (t) => {
      const test = cleanUpInReverse(t);
      const folder = await freshFolder(test);
      const paydesk = await servePaydesk(test, { folder, settings: { PAYDESK_PUBLIC_URL: `${publicUrl}:8443` } });
      const nginxPort = await freePort();
      writeFileSync(join(folder, 'certificate.pem'), certificate.cert);
      writeFileSync(join(folder, 'certificate.key'), certificate.key);
      const site = `server {
        listen 127.0.0.1:${nginxPort} ssl;
        ssl_certificate ${join(folder, 'certificate.pem')};
        ssl_certificate_key ${join(folder, 'certificate.key')};
        location / { proxy_pass ${paydesk.url}; ${setting} }
      }`;
      await startNginx(test, site, nginxPort);
      const [key = ''] = /\bsk_test_\w+/.exec(paydesk.stdout()) ?? [];
      const merchant = apiClient({ url: paydesk.url, key });
      const session = must(201, await merchant.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }));
      assert.equal(session.url, `${publicUrl}:8443/checkout/${session.id}`);
      const browser = await launchBrowser(test, { name: host, port: nginxPort });
      await visit(browser, [`${publicUrl}:8443`], {}, async ({ page }) => {
        await payByCard(page, textOf(session.url), challengedCard);
        await press(page, 'Complete authentication');
        await seesReceipt(page);
      });
      assert.ok(!paydesk.stdout().includes('a form was refused'));
    });
  }
});

/** Parses an EnvironmentFile like systemd: NAME=value with or without quotes, comments and empty lines. */
function settingsIn(file: string): Record<string, string> {
  const lines = file.split('\n').filter((line) => line.trim() !== '' && !/^\s*[#;]/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value = ''] = /^\s*(\w+)=(.*)$/.exec(line) ?? [];
      assert.ok(name !== undefined, `systemd would not understand ${line}`);
      return [name, value.trim().replace(/^(["'])(.*)\1$/, '$2')];
    }),
  );
}

/** Replaces each key, which must occur exactly once. */
function replaceEach(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((changed, [original, replacement]) => {
    assert.equal(changed.split(original).length, 2, `the guide contains "${original}" once`);
    return changed.replace(original, replacement);
  }, text);
}

/**
 * Makes `fetch` connect from this local address, resolve the proxy's host name and trust its certificate, until the
 * returned function is called.
 */
function connectFrom(localAddress: string, nginxPort: number): () => Promise<void> {
  const connect = buildConnector({ ca: certificate.cert });
  const agent = new Agent({
    connect(options, done) {
      const target =
        options.hostname === host ? { hostname: '127.0.0.1', port: String(nginxPort), servername: host } : {};
      connect({ ...options, ...target, localAddress }, done);
    },
  });
  const before = getGlobalDispatcher();
  setGlobalDispatcher(agent);
  return async () => {
    setGlobalDispatcher(before);
    // `close` would wait for pending responses, even after a test has timed out.
    await agent.destroy();
  };
}
