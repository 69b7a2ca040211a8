import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const pngSignature = [0x89, 0x50, 0x4e, 0x47];

describe('The page icon', () => {
  const started = paydeskForSuite(sqlite, { settings: { PAYDESK_DOCS: 'on' } });
  const get = (path: string): Promise<Response> => fetch(`${started().url}${path}`);

  it('is at /favicon.ico, in the sizes that browsers show', async () => {
    const response = await get('/favicon.ico');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/x-icon');
    assert.match(response.headers.get('cache-control') ?? '', /public, max-age=\d+/);
    const icon = Buffer.from(await response.arrayBuffer());
    assert.deepEqual([icon.readUInt16LE(0), icon.readUInt16LE(2)], [0, 1]);
    const sizes = Array.from({ length: icon.readUInt16LE(4) }, (_, at) => {
      const entry = icon.subarray(6 + 16 * at);
      const picture = icon.subarray(entry.readUInt32LE(12)).subarray(0, entry.readUInt32LE(8));
      assert.deepEqual([...picture.subarray(0, 4)], pngSignature);
      assert.equal(picture.readUInt32BE(16), entry[0], 'as wide as the directory says');
      return entry[0];
    });
    assert.deepEqual(sizes, [16, 32, 48]);
  });

  it('is at /icon.svg, and may load nothing itself', async () => {
    const response = await get('/icon.svg');
    assert.equal(response.headers.get('content-type'), 'image/svg+xml');
    assert.equal(response.headers.get('content-security-policy'), "default-src 'none'");
    assert.match(await response.text(), /^<svg /);
  });

  it('is named by the pages of the checkout, of payment links, of errors and of the documentation', async () => {
    const merchant = await started().newMerchant();
    const { id } = await merchant.newSession();
    const link = await merchant.test.post('/payment-links', { amount: 1250, currency: 'EUR' });
    for (const path of [`/checkout/${id}`, `/checkout/cs_none`, `/pay/${link.body.id}`, '/docs', '/docs/guides']) {
      const page = await (await get(path)).text();
      assert.match(page, /<link rel="icon" href="(?:data:image\/svg\+xml,[^"]+|\/icon\.svg)"/, path);
    }
  });
});
