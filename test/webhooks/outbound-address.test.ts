// The address filter applies to every form of address, every DNS response and every connection.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressRules } from '../../src/domain/webhook-address.ts';
import { AddressRefused, guardedConnect } from '../../src/webhooks/outbound-connector.ts';
import type { Lookup } from '../../src/webhooks/outbound-lookup.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { assertError, assertStatus, testOutbound } from './test-outbound.ts';

const strict = { allowedNetworks: [], loopbackInTestMode: false, ports: 'usual' } as const;
/** Simulates the public internet: 127.0.0.1 is allowed for a receiver, and its neighbour 127.0.0.2 is private. */
const outside = { ...strict, allowedNetworks: ['127.0.0.1/32'] };

/** Returns these addresses, one list per look-up, and the last list from then on. */
function lookupReturning(...addresses: readonly (readonly string[])[]): { lookup: Lookup; lookedUp: string[] } {
  const lookedUp: string[] = [];
  const lookup: Lookup = async (hostname) => addresses[Math.min(lookedUp.push(hostname), addresses.length) - 1] ?? [];
  return { lookup, lookedUp };
}

const urlOf = ({ port }: WebhookReceiver, host = 'shop.example'): string => `http://${host}:${port}/`;

describe('A forbidden address', () => {
  const forms = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.0.0.1.', '%3127.0.0.1', '0']
    .concat(['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[::]'])
    .concat(['localhost', 'localhost.', 'x.localhost', 'LOCALHOST']);
  for (const host of forms) {
    it(`is refused as ${host} in a URL, even though a receiver listens there`, async (t) => {
      const receiver = await startWebhookReceiver(t, { host: '::' });
      assertError(await testOutbound(t, { policy: strict }).send(urlOf(receiver, host)), 'address_refused');
      assert.equal(receiver.accepted(), 0);
    });
  }

  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '64:ff9b::7f00:1']) {
    it(`is refused as ${address} if a name resolves to it`, async (t) => {
      const receiver = await startWebhookReceiver(t, { host: '::' });
      const { lookup, lookedUp } = lookupReturning([address]);
      const result = await testOutbound(t, { policy: strict, lookup }).send(urlOf(receiver));
      assertError(result, 'address_refused');
      assert.ok('message' in result && !result.message.includes(address), 'the resolved address is not revealed');
      assert.deepEqual(lookedUp, ['shop.example']);
      assert.equal(receiver.accepted(), 0);
    });
  }

  it('is refused by the connector itself, even if the URL was not checked', async (t) => {
    const receiver = await startWebhookReceiver(t, { host: '::' });
    const connect = guardedConnect(addressRules(strict, false), lookupReturning([]).lookup, []);
    for (const hostname of ['127.0.0.1', '::1']) {
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      connect({ hostname, protocol: 'http:', port: String(receiver.port) }, (...[error]) => resolve(error));
      assert.ok((await promise) instanceof AddressRefused);
    }
    assert.equal(receiver.accepted(), 0);
  });

  it('is refused if a name also resolves to a public one, whichever is first', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const neighbour = await startWebhookReceiver(t, { host: '127.0.0.2', port: allowed.port });
    for (const response of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '::1'],
    ]) {
      const { lookup } = lookupReturning(response);
      assertError(await testOutbound(t, { policy: outside, lookup }).send(urlOf(allowed)), 'address_refused');
    }
    assert.deepEqual([allowed.accepted(), neighbour.accepted()], [0, 0]);
  });

  it('is refused on the second connection to a name that resolved elsewhere on the first', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const neighbour = await startWebhookReceiver(t, { host: '127.0.0.2', port: allowed.port });
    allowed.answerWith({ headers: { connection: 'close' } });
    const { lookup, lookedUp } = lookupReturning(['127.0.0.1'], ['127.0.0.2']);
    const outbound = testOutbound(t, { policy: outside, lookup });
    assertStatus(await outbound.send(urlOf(allowed)), 200);
    assertError(await outbound.send(urlOf(allowed)), 'address_refused');
    assert.equal(lookedUp.length, 2);
    assert.deepEqual([allowed.requests.length, neighbour.accepted()], [1, 0]);
  });

  it('is refused in live mode if it is allowed in test mode only, and connections are not shared', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const { lookup } = lookupReturning(['127.0.0.1']);
    const outbound = testOutbound(t, { policy: { ...strict, loopbackInTestMode: true }, lookup });
    assertStatus(await outbound.send(urlOf(receiver)), 200);
    assertStatus(await outbound.send(urlOf(receiver, 'localhost')), 200);
    assertError(await outbound.send(`https://shop.example:${receiver.port}/`, true), 'address_refused');
    assertError(await outbound.send(urlOf(receiver), true), 'address_refused');
    assert.equal(receiver.requests.length, 2);
  });

  it('is refused for its port and its scheme, even if the endpoint was created under other rules', async (t) => {
    const outbound = testOutbound(t);
    for (const url of [
      'http://127.0.0.1:6379/',
      'http://127.0.0.1:22/',
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      'x',
    ]) {
      assertError(await outbound.send(url), 'address_refused');
    }
  });
});

describe('A name that resolves to an allowed address', () => {
  it('is resolved once, and the connection goes to that address under that name', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const neighbour = await startWebhookReceiver(t, { host: '127.0.0.2', port: allowed.port });
    // A second look-up, between check and connection, would lead to the neighbour.
    const { lookup, lookedUp } = lookupReturning(['127.0.0.1'], ['127.0.0.2']);
    assertStatus(await testOutbound(t, { policy: outside, lookup }).send(urlOf(allowed)), 200);
    assert.deepEqual(lookedUp, ['shop.example']);
    assert.equal(allowed.requests[0]?.headers.host, `shop.example:${allowed.port}`);
    assert.equal(neighbour.accepted(), 0);
  });

  it('is not resolved again while its connection, which was checked, is in use', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const { lookup, lookedUp } = lookupReturning(['127.0.0.1'], ['127.0.0.2']);
    const outbound = testOutbound(t, { policy: outside, lookup });
    for (let n = 0; n < 3; n += 1) assertStatus(await outbound.send(urlOf(allowed)), 200);
    assert.equal(lookedUp.length, 1);
    assert.equal(allowed.accepted(), 1);
  });

  it('is reached at its second address if the first does not respond', async (t) => {
    const second = await startWebhookReceiver(t, { host: '127.0.0.2' });
    const { lookup } = lookupReturning(['127.0.0.1', '127.0.0.2']);
    assertStatus(await testOutbound(t, { lookup }).send(urlOf(second)), 200);
  });

  it('is reached over IPv6', async (t) => {
    const receiver = await startWebhookReceiver(t, { host: '::1' });
    const { lookup } = lookupReturning(['::1']);
    const outbound = testOutbound(t, { lookup });
    assertStatus(await outbound.send(urlOf(receiver)), 200);
    assertStatus(await outbound.send(receiver.url), 200);
  });
});

describe('A name that does not resolve', () => {
  it('is reported, whether it has no address or its name servers fail', async (t) => {
    const failing: Lookup = async () => {
      throw Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' });
    };
    for (const lookup of [lookupReturning([]).lookup, failing]) {
      assertError(await testOutbound(t, { lookup }).send('http://shop.example/'), 'dns_failed');
    }
  });
});
