// The client address and protocol of a request behind proxies.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientOf } from '../../src/http/client-address.ts';

const peer = '10.0.0.1';
const proxies = clientOf(['10.0.0.0/8', 'fd00::/8', '::1']);
const byFor = (header: string, from = peer): string => proxies(from, { 'x-forwarded-for': header }).address;
const byForwarded = (header: string, from = peer): string => proxies(from, { forwarded: header }).address;

describe("A client's address", () => {
  it('is that of the connection if no proxy is trusted, whatever a header says', () => {
    for (const headers of [{ 'x-forwarded-for': '198.51.100.1' }, { forwarded: 'for=198.51.100.1' }]) {
      const client = { address: '203.0.113.9', protocol: null, problem: 'untrusted' };
      assert.deepEqual(clientOf([])('203.0.113.9', headers), client);
      assert.deepEqual(proxies('203.0.113.9', headers), client);
    }
    assert.deepEqual(clientOf([])('203.0.113.9', {}), { address: '203.0.113.9', protocol: null, problem: null });
  });

  it('is what a trusted proxy forwards', () => {
    assert.equal(byFor('198.51.100.1', '10.1.2.3'), '198.51.100.1');
    assert.equal(byFor('2001:db8::7', '::1'), '2001:db8::7');
    assert.equal(byForwarded('for=198.51.100.1'), '198.51.100.1');
    assert.equal(byForwarded('for="[2001:db8::7]"', '::1'), '2001:db8::7');
  });

  it('is the nearest untrusted hop, because earlier ones may be forged', () => {
    assert.equal(byFor('1.1.1.1, 198.51.100.1, 10.0.0.2'), '198.51.100.1');
    assert.equal(byForwarded('for=1.1.1.1, for=198.51.100.1;by=10.0.0.2, for=10.0.0.2'), '198.51.100.1');
  });

  it('is read with or without port and brackets, in any notation', () => {
    const hops = [
      ['198.51.100.1:5678', '198.51.100.1'],
      ['[198.51.100.1]', '198.51.100.1'],
      ['::ffff:198.51.100.1', '198.51.100.1'],
      ['::FFFF:c633:6401', '198.51.100.1'],
      ['[::ffff:198.51.100.1]:443', '198.51.100.1'],
      ['0:0:0:0:0:ffff:198.51.100.1', '198.51.100.1'],
      ['[2001:DB8:0:0::7]', '2001:db8::7'],
      ['[2001:db8::7]:65535', '2001:db8::7'],
      ['2001:0db8::0007', '2001:db8::7'],
      ['\t198.51.100.1 ', '198.51.100.1'],
    ] as const;
    for (const [hop, address] of hops) {
      assert.equal(byFor(`6.6.6.6, ${hop}`), address, hop);
      assert.equal(byFor(`6.6.6.6,${hop}, 10.0.0.2:80`), address, hop);
      assert.equal(byForwarded(`for=6.6.6.6, for="${hop.trim()}"`), address, hop);
    }
    assert.equal(byForwarded('for="198.51.100.1:_port"'), '198.51.100.1');
  });

  it('is never read beyond a hop that is not an address: the last trusted hop counts', () => {
    const notAddresses = [
      'unknown',
      '_hidden',
      '',
      '<script>',
      '198.51.100',
      '198.51.100.1.2',
      '256.1.1.1',
      '1.1.1.1:x',
    ]
      .concat(['[2001:db8::7', '2001:db8::7]', '[2001:db8::7]:', '1.1.1.1:', '0x7f.1', '01.1.1.1', '1', 'localhost'])
      .concat(['1.1.1.1 2.2.2.2', '::1.2.3.4.5', '[]', ':80', '"1.1.1.1"', 'for=1.1.1.1']);
    for (const hop of notAddresses) {
      assert.equal(byFor(`6.6.6.6, ${hop}`), peer, hop);
      assert.equal(byFor(`6.6.6.6, ${hop}, 10.0.0.2`), '10.0.0.2', hop);
      assert.equal(byFor(`${hop}, 198.51.100.1`), '198.51.100.1', hop);
      const quoted = hop.replaceAll('"', '\\"');
      assert.equal(byForwarded(`for=6.6.6.6, for="${quoted}", for=10.0.0.2`), '10.0.0.2', hop);
    }
    assert.equal(byForwarded('for=6.6.6.6, proto=https, for=10.0.0.2'), '10.0.0.2');
  });

  it('is read from Forwarded in upper or lower case, with quotes and escapes, among other parameters', () => {
    for (const header of [
      'For=198.51.100.1',
      'FOR="198.51.100.1"',
      'for="198.51.\\100.1"',
      'proto=https;host="a, for=6.6.6.6";for=198.51.100.1;by=_x',
      ' for=6.6.6.6 ,  proto=http ; for=198.51.100.1 ',
    ]) {
      assert.equal(byForwarded(header), '198.51.100.1', header);
    }
  });

  it('is that of the proxy if Forwarded is malformed: an open quote may have swallowed what the proxy added', () => {
    for (const header of [
      'for="6.6.6.6, for=198.51.100.1',
      'for=6.6.6.6;x=", for="198.51.100.1:80"',
      'for=6.6.6.6,, for=',
      'for=6.6.6.6;',
      'for',
      'for = 6.6.6.6',
      'for=6.6.6.6;for=198.51.100.1',
      'for=6.6.6.6 for=198.51.100.1',
      ',for=6.6.6.6',
      '"for"=6.6.6.6',
    ]) {
      assert.equal(byForwarded(header), peer, header);
    }
  });

  it('must be the same in both headers: a proxy that sets one may pass on a forgery in the other', () => {
    const both = (forwardedFor: string, forwarded: string) =>
      proxies(peer, { 'x-forwarded-for': forwardedFor, forwarded });
    assert.deepEqual(both('6.6.6.6', 'for=198.51.100.1'), { address: peer, protocol: null, problem: 'contradiction' });
    assert.equal(both('198.51.100.1', 'for=6.6.6.6').address, peer);
    assert.equal(both('198.51.100.1', 'for="').address, peer);
    assert.equal(both('unknown', 'for=6.6.6.6').address, peer);
    assert.equal(both('6.6.6.6', 'for=unknown').address, peer);
    for (const [forwardedFor, forwarded] of [
      ['198.51.100.1', 'for="198.51.100.1:80"'],
      ['198.51.100.1, 10.0.0.2', 'for=198.51.100.1'],
      ['198.51.100.1', 'proto=https'],
      ['198.51.100.1', ''],
      [' ', 'for=198.51.100.1'],
    ] as const) {
      assert.deepEqual(
        [both(forwardedFor, forwarded).address, both(forwardedFor, forwarded).problem],
        ['198.51.100.1', null],
      );
    }
  });

  it('of a connection is normalized too, and trusted in any notation', () => {
    const resolve = clientOf(['10.0.0.0/8']);
    assert.equal(resolve('::ffff:203.0.113.9', {}).address, '203.0.113.9');
    assert.equal(resolve('::ffff:10.0.0.1', { 'x-forwarded-for': '198.51.100.1' }).address, '198.51.100.1');
    assert.equal(resolve('fe80::1%eth0', {}).address, 'fe80::1');
    const gone = { address: '', protocol: null, problem: 'untrusted' };
    assert.deepEqual(resolve('', { 'x-forwarded-for': '1.1.1.1' }), gone, 'the connection is already closed');
    assert.equal(clientOf(['::ffff:10.0.0.0/104'])(peer, { 'x-forwarded-for': '1.1.1.1' }).address, '1.1.1.1');
  });
});

describe("A client's protocol", () => {
  const protocol = (headers: Record<string, string>, from = peer) => proxies(from, headers).protocol;

  it('is what a trusted proxy reports, and unknown otherwise', () => {
    assert.equal(protocol({ 'x-forwarded-proto': 'https' }), 'https');
    assert.equal(protocol({ 'x-forwarded-proto': 'HTTP', 'x-forwarded-for': '1.1.1.1' }), 'http');
    assert.equal(protocol({ forwarded: 'for=1.1.1.1;proto=https' }), 'https');
    assert.equal(protocol({ 'x-forwarded-proto': 'gopher' }), null);
    assert.equal(protocol({}), null);
    assert.equal(protocol({ 'x-forwarded-proto': 'https' }, '203.0.113.9'), null);
  });

  it('is that of the client’s own hop if each proxy adds one', () => {
    const chain = { 'x-forwarded-for': '198.51.100.1, 10.0.0.2' };
    assert.equal(protocol({ ...chain, 'x-forwarded-proto': 'https, http' }), 'https');
    assert.equal(protocol({ ...chain, 'x-forwarded-proto': 'https' }), 'https');
    assert.equal(protocol({ 'x-forwarded-for': '6.6.6.6, 198.51.100.1', 'x-forwarded-proto': 'https, http' }), 'http');
    assert.equal(protocol({ forwarded: 'for=198.51.100.1;proto=https, for=10.0.0.2;proto=http' }), 'https');
    assert.equal(protocol({ forwarded: 'for=6.6.6.6;proto=https, for=198.51.100.1;proto=http' }), 'http');
  });

  it('is unknown if two headers differ', () => {
    assert.equal(protocol({ 'x-forwarded-proto': 'https', forwarded: 'for=1.1.1.1;proto=http' }), null);
  });
});
