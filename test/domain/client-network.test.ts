// Which addresses count as one customer.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressPrefix, canonicalAddress, clientNetwork } from '../../src/domain/client-network.ts';

describe('An address', () => {
  it('has a single canonical form', () => {
    const spellings = {
      '198.51.100.1': ['198.51.100.1', '::ffff:198.51.100.1', '::ffff:c633:6401', '0:0:0:0:0:FFFF:198.51.100.1'].concat(
        ['0000:0000:0000:0000:0000:ffff:c633:6401', '64:ff9b::198.51.100.1'],
      ),
      '2001:db8::7': [
        '2001:db8::7',
        '2001:DB8::7',
        '2001:0db8:0:0:0:0:0:7',
        '2001:db8:0:0::0.0.0.7',
        '2001:db8::7%eth0',
      ],
    };
    for (const [canonical, texts] of Object.entries(spellings)) {
      for (const text of texts) assert.equal(canonicalAddress(text), canonical, text);
    }
    for (const text of ['', 'unknown', '1.2.3', '1.2.3.4.5', '1.2.3.256', '1:2:3', 'localhost', '%', '::g']) {
      assert.equal(canonicalAddress(text), null, text);
    }
  });

  it('counts by itself in IPv4, and by its /64 in IPv6', () => {
    assert.equal(clientNetwork('198.51.100.1'), '198.51.100.1');
    assert.equal(clientNetwork('::ffff:198.51.100.1'), '198.51.100.1');
    assert.equal(clientNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(clientNetwork('2001:db8:1:2::'), clientNetwork('2001:DB8:1:2:ffff:ffff:ffff:ffff'));
    assert.notEqual(clientNetwork('2001:db8:1:2::1'), clientNetwork('2001:db8:1:3::1'));
    assert.equal(clientNetwork(''), '');
  });

  it('is truncated to its network for logs', () => {
    const bits = { ipv4Bits: 24, ipv6Bits: 48 };
    assert.equal(addressPrefix('198.51.100.1', bits), '198.51.100.0/24');
    assert.equal(addressPrefix('::ffff:198.51.100.1', bits), '198.51.100.0/24');
    assert.equal(addressPrefix('2001:db8:1:2::7', bits), '2001:db8:1::/48');
    assert.equal(addressPrefix('', bits), '');
  });
});
