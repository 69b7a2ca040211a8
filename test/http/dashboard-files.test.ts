// The dashboard's page and files as they are served: small, cached where they never change, under a strict policy.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

/** The contract's limit for the first load, compressed. */
const firstLoadBytes = 250_000;

describe('The files of the dashboard', () => {
  const paydesk = paydeskForSuite(sqlite);
  const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${paydesk().url}${path}`, init);

  /** As it is sent: `fetch` would decompress it. */
  function raw(path: string, encoding: string): Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
    return new Promise((resolve, reject) => {
      httpGet(`${paydesk().url}${path}`, { headers: { 'Accept-Encoding': encoding } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });
  }

  const assetsOf = (html: string): string[] => [
    ...new Set(html.match(/\/dashboard\/assets\/[\w.-]+\.(?:js|css)/g) ?? []),
  ];

  it('include one page for every path that the dashboard knows', async () => {
    const paths = [
      '',
      '/sign-in',
      '/payments',
      '/payments/pi_1',
      '/developers/api-keys',
      '/set-password',
      '/audit-log',
    ];
    for (const path of paths) {
      const response = await get(`/dashboard${path}`);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(await response.text(), /<div id="dashboard"><\/div>/);
    }
  });

  it('are served under a policy without inline code, third parties or frames', async () => {
    const response = await get('/dashboard');
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const html = await response.text();
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]*\bsrc=)/);
    assert.doesNotMatch(html, /(?:src|href)="(?!\/dashboard\/)/);
  });

  it('have a new nonce in each response', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await get('/dashboard');
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
        assert.ok(nonce.length >= 24, 'the nonce cannot be guessed');
        assert.ok((await response.text()).includes(`nonce="${nonce}"`));
        return nonce;
      }),
    );
    assert.notEqual(nonces[0], nonces[1]);
  });

  it('are cached for a year, as their names change with their content', async () => {
    for (const path of assetsOf(await (await get('/dashboard')).text())) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.match(path, /-[\w-]{8}\.(?:js|css)$/);
    }
  });

  it('are compressed as the browser accepts it', async () => {
    const [path = ''] = assetsOf(await (await get('/dashboard')).text());
    const plain = await raw(path, 'identity');
    assert.equal(plain.headers['content-encoding'], undefined);
    const brotli = await raw(path, 'gzip, deflate, br');
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.equal(brotli.headers.vary, 'Accept-Encoding');
    assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
    const gzip = await raw(path, 'gzip, br;q=0');
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(gzip.body), plain.body);
  });

  it('are below 250 KB compressed for the first load, with the largest page', async () => {
    const html = await (await get('/dashboard')).text();
    const first = await Promise.all(assetsOf(html).map(async (path) => (await raw(path, 'gzip')).body.length));
    const pages = readdirSync(new URL('../../dashboard/dist/assets/', import.meta.url)).filter(
      (name) => /\.(?:js|css)$/.test(name) && !html.includes(name),
    );
    // A page loads its own chunk, and some that it shares with others; all of them together are the upper limit.
    const later = await Promise.all(
      pages.map(async (name) => (await raw(`/dashboard/assets/${name}`, 'gzip')).body.length),
    );
    const total = [...first, ...later].reduce((sum, bytes) => sum + bytes, 0);
    assert.ok(total > 50_000, `${total} bytes: the files are found`);
    assert.ok(total < firstLoadBytes, `${total} bytes`);
  });

  it('do not hide what does not exist', async () => {
    for (const path of ['/dashboard/assets/none-12345678.js', '/dashboard/api/none'])
      assert.equal((await get(path)).status, 404, path);
    assert.equal((await get('/dashboard/assets/..%2f..%2fbuild.ts')).status, 404);
    assert.equal((await get('/dashboard', { method: 'POST' })).status, 405);
  });
});
