// The QR code of a payment link: an independent decoder reads the link's URL from it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import jsqr from 'jsqr';
import { qrCodeSvg } from '../../src/http/checkout/qr-code.ts';
import { must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const pixelsPerModule = 4;
const decode = jsqr.default;

/** The dark modules, read from the rectangles of the image. */
function modulesOf(svg: string): { size: number; isDark: (x: number, y: number) => boolean } {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const [, path = ''] = /<path d="([^"]*)"/.exec(svg) ?? [];
  const dark = new Set<string>();
  for (const [, x = '', y = '', length = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let at = 0; at < Number(length); at += 1) dark.add(`${Number(x) + at} ${y}`);
  return { size, isDark: (x, y) => dark.has(`${x} ${y}`) };
}

function read(svg: string): string | undefined {
  const { size, isDark } = modulesOf(svg);
  const width = size * pixelsPerModule;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let at = 0; at < width * width; at += 1) {
    const [x, y] = [Math.floor((at % width) / pixelsPerModule), Math.floor(at / width / pixelsPerModule)];
    if (isDark(x, y)) pixels.fill(0, at * 4, at * 4 + 3);
  }
  return decode(pixels, width, width)?.data;
}

describe('A QR code', () => {
  const url = 'https://pay.shop.example/pay/plink_01kabcd0efghjkmnpqrstvwxyz0123';

  it('is read by an independent decoder, whatever the length of the address', () => {
    for (const text of [url, 'http://localhost:4020/pay/plink_1', `https://${'sub.'.repeat(30)}example/pay/plink_1`])
      assert.equal(read(qrCodeSvg(text)), text);
  });

  it('has a quiet zone of four modules, sharp edges, and modules that phones can tell apart at 2 cm', () => {
    const svg = qrCodeSvg(url);
    const { size, isDark } = modulesOf(svg);
    const all = Array.from({ length: size }, (_, at) => at);
    for (const at of all) {
      for (const near of [0, 1, 2, 3, size - 4, size - 3, size - 2, size - 1])
        assert.ok(!isDark(near, at) && !isDark(at, near));
    }
    assert.ok(isDark(4, 4) && isDark(size - 5, 4) && isDark(4, size - 5), 'the finder patterns start there');
    assert.match(svg, /shape-rendering="crispEdges"/);
    assert.ok(20 / size >= 0.35, `a module is ${20 / size} mm wide`);
  });
});

describeOnEachEngine('The QR code of a payment link', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('leads to its page, and can be cached', async () => {
    const { test } = await paydesk().newMerchant();
    const link = must(201, await test.post('/payment-links', { amount: 1250, currency: 'EUR' }));
    const path = String(link.qr_code_url).replace('https://pay.test.example', '');
    const response = await fetch(`${paydesk().url}${path}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/svg+xml');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=86400');
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(read(await response.text()), link.url);
    const missing = await fetch(`${paydesk().url}${path.replace(/plink_../, 'plink_00')}`);
    assert.equal(missing.status, 404);
  });
});
