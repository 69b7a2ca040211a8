import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readWebUrl, safeOrigin, safeWebUrl, withSessionId } from '../../src/domain/web-url.ts';

const read = (text: string): string | null => {
  const result = readWebUrl(text);
  return 'url' in result ? result.url : null;
};
const id = 'cs_01kabcd0efghjkmnpqrstvwxyz0123';

describe('A URL for a browser', () => {
  it('is stored as serialised by the URL parser: percent-encoded, with a host in ASCII', () => {
    const cases = [
      ['https://shop.example', 'https://shop.example/'],
      ['HTTPS://Shop.Example:443/Thanks', 'https://shop.example/Thanks'],
      [
        'https://shop.example/danke schön?käse=☕#é',
        'https://shop.example/danke%20sch%C3%B6n?k%C3%A4se=%E2%98%95#%C3%A9',
      ],
      ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
      ['https://日本.example/', 'https://xn--wgv71a.example/'],
      ['http://0x7f.1:3000/', 'http://127.0.0.1:3000/'],
      ['http://[::1]:3000/', 'http://[::1]:3000/'],
      ['https://shop_1.example./', 'https://shop_1.example./'],
      ["https://shop.example/it's?it's=%zz&b={x}", "https://shop.example/it's?it%27s=%zz&b={x}"],
    ] as const;
    for (const [given, kept] of cases) assert.equal(read(given), kept);
    for (const [, kept] of cases) assert.equal(read(kept), kept, 'parsing it again does not change it');
  });

  it('is rejected with a host that has a special meaning in a header', () => {
    const hosts = [
      'a;sandbox',
      '*',
      '*.shop.example',
      'a,b',
      "a'b",
      'a"b',
      'a!b',
      'a$b',
      'a&b',
      'a(b)',
      'a+b',
      'a=b',
      'a~b',
      'a`b',
    ];
    hosts.push(
      '{CHECKOUT_SESSION_ID}.shop.example',
      '%3Bsandbox',
      '%2a',
      'a..b',
      '.',
      '.a',
      `${'a'.repeat(64)}.example`,
    );
    hosts.push(`${'a.'.repeat(130)}example`);
    for (const host of hosts) {
      assert.equal(read(`https://${host}/`), null, host);
      assert.equal(safeWebUrl(`https://${host}/`), null, host);
      assert.equal(safeOrigin(`https://${host}/`), null, host);
    }
  });

  it('is rejected with control characters anywhere or spaces around it', () => {
    for (const text of ['\u0000', '\t', '\n', '\r\n', '\u000b', '\u001f', '\u007f', '\u0085', '\u009f']) {
      for (const url of [
        `https://shop.example/${text}`,
        `https://shop${text}.example/`,
        `${text}https://shop.example/`,
      ]) {
        assert.equal(read(url), null, JSON.stringify(url));
      }
    }
    for (const url of [' https://shop.example/', 'https://shop.example/ ', '\u00a0https://shop.example/']) {
      assert.equal(read(url), null, JSON.stringify(url));
    }
  });

  it('is rejected if it is too long when encoded', () => {
    const start = 'https://shop.example/';
    assert.equal(read(start + 'a'.repeat(2_048 - start.length))?.length, 2_048);
    assert.equal(read(start + 'a'.repeat(2_049 - start.length)), null);
    assert.equal(read(start + 'ü'.repeat(400)), null);
  });

  it('is made safe for a header where possible, if it was stored by an earlier version', () => {
    assert.equal(safeWebUrl('https://shop.example/\u0001ü'), 'https://shop.example/%01%C3%BC');
    assert.equal(safeWebUrl('https://bücher.example'), 'https://xn--bcher-kva.example/');
    for (const bad of ['', '/thanks', 'javascript:alert(1)', 'data:,x', 'https://a@b/', 'https://']) {
      assert.equal(safeWebUrl(bad), null, bad);
      assert.equal(safeOrigin(bad), null, bad);
    }
    assert.equal(safeOrigin('https://cdn.shop.example:8443/logo.svg'), 'https://cdn.shop.example:8443');
  });
});

describe('{CHECKOUT_SESSION_ID} in a URL', () => {
  it('is stored unencoded in path, query and fragment', () => {
    const kept = 'https://shop.example/{CHECKOUT_SESSION_ID}?s={CHECKOUT_SESSION_ID}#{CHECKOUT_SESSION_ID}';
    assert.equal(read(kept), kept);
    const query = new URLSearchParams({ s: '{CHECKOUT_SESSION_ID}' });
    assert.equal(read(`https://shop.example/?${query}`), 'https://shop.example/?s={CHECKOUT_SESSION_ID}');
  });

  it('is replaced however it is encoded', () => {
    const forms = [
      '{CHECKOUT_SESSION_ID}',
      '%7BCHECKOUT_SESSION_ID%7D',
      '%7bCHECKOUT_SESSION_ID%7d',
      '{CHECKOUT_SESSION_ID%7D',
      '%7bCHECKOUT_SESSION_ID}',
      '%7BCHECKOUT%5FSESSION%5fID%7D',
      '%257BCHECKOUT_SESSION_ID%257D',
      '%25257bCHECKOUT_SESSION_ID%25257D',
    ];
    for (const form of forms) {
      for (const url of [
        `https://shop.example/${form}`,
        `https://shop.example/?a=${form}&b=${form}`,
        `https://s.example/#${form}`,
      ]) {
        const stored = read(url) ?? '';
        assert.equal(withSessionId(stored, id), url.replaceAll(form, id));
        assert.equal(withSessionId(url, id), url.replaceAll(form, id));
      }
    }
  });

  it('is not confused with similar texts', () => {
    for (const text of ['{checkout_session_id}', 'CHECKOUT_SESSION_ID', '{SESSION_ID}', '%7BCHECKOUT_SESSION_ID']) {
      assert.equal(withSessionId(`https://shop.example/?a=${text}`, id), `https://shop.example/?a=${text}`);
    }
  });
});
