// Who a request came from, behind proxies.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress } from '../../src/http/client-address.ts';

describe("A client's address", () => {
  it('is that of the connection where no proxy is trusted, whatever a header says', () => {
    assert.equal(clientAddress([])('203.0.113.9', '198.51.100.1'), '203.0.113.9');
  });

  it('is what a trusted proxy forwards', () => {
    const addressOf = clientAddress(['10.0.0.0/8', '::1']);
    assert.equal(addressOf('10.1.2.3', '198.51.100.1'), '198.51.100.1');
    assert.equal(addressOf('::1', '2001:db8::7'), '2001:db8::7');
  });

  it('is the nearest hop that is not trusted: what stands before it may be made up', () => {
    const addressOf = clientAddress(['10.0.0.0/8']);
    assert.equal(addressOf('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2'), '198.51.100.1');
    assert.equal(addressOf('203.0.113.9', '198.51.100.1'), '203.0.113.9');
  });

  it('is that of the proxy where it forwards nothing, or nothing that is an address', () => {
    const addressOf = clientAddress(['10.0.0.0/8']);
    assert.equal(addressOf('10.0.0.1', undefined), '10.0.0.1');
    assert.equal(addressOf('10.0.0.1', 'unknown, <script>'), '10.0.0.1');
  });
});
