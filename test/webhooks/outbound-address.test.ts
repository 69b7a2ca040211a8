// The address filter at the door: it holds for every form of address, every answer of a name server, every connection.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressRules } from '../../src/domain/webhook-address.ts';
import { AddressRefused, guardedConnect } from '../../src/webhooks/outbound-connector.ts';
import type { Lookup } from '../../src/webhooks/outbound-lookup.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { assertError, assertStatus, openDoor } from './doors.ts';

const strict = { allowedNetworks: [], loopbackInTestMode: false, ports: 'usual' } as const;
/** Plays the open internet: a receiver can stand there, and its neighbour 127.0.0.2 is as private as any. */
const outside = { ...strict, allowedNetworks: ['127.0.0.1/32'] };

/** Answers with these, one after the other, and the last from then on. */
function answering(...answers: readonly (readonly string[])[]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = [];
  const lookup: Lookup = async (hostname) => answers[Math.min(asked.push(hostname), answers.length) - 1] ?? [];
  return { lookup, asked };
}

const urlOf = ({ port }: WebhookReceiver, host = 'shop.example'): string => `http://${host}:${port}/`;

describe('An address that webhooks may not go to', () => {
  const forms = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.0.0.1.', '%3127.0.0.1', '0']
    .concat(['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[::]'])
    .concat(['localhost', 'localhost.', 'x.localhost', 'LOCALHOST']);
  for (const host of forms) {
    it(`is refused as ${host} in a URL, though a receiver stands there`, async (t) => {
      const receiver = await startWebhookReceiver(t, { host: '::' });
      assertError(await openDoor(t, { policy: strict }).send(urlOf(receiver, host)), 'address_refused');
      assert.equal(receiver.accepted(), 0);
    });
  }

  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '64:ff9b::7f00:1']) {
    it(`is refused as ${address} where a name leads to it`, async (t) => {
      const receiver = await startWebhookReceiver(t, { host: '::' });
      const { lookup, asked } = answering([address]);
      const result = await openDoor(t, { policy: strict, lookup }).send(urlOf(receiver));
      assertError(result, 'address_refused');
      assert.ok('message' in result && !result.message.includes(address), 'what the name leads to is not told');
      assert.deepEqual(asked, ['shop.example']);
      assert.equal(receiver.accepted(), 0);
    });
  }

  it('is refused by the connector itself, had nobody looked at the URL', async (t) => {
    const receiver = await startWebhookReceiver(t, { host: '::' });
    const connect = guardedConnect(addressRules(strict, false), answering([]).lookup, []);
    for (const hostname of ['127.0.0.1', '::1']) {
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      connect({ hostname, protocol: 'http:', port: String(receiver.port) }, (...[error]) => resolve(error));
      assert.ok((await promise) instanceof AddressRefused);
    }
    assert.equal(receiver.accepted(), 0);
  });

  it('is refused where a name leads to a public one beside it, whichever is first', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const neighbour = await startWebhookReceiver(t, { host: '127.0.0.2', port: allowed.port });
    for (const answer of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '::1'],
    ]) {
      const { lookup } = answering(answer);
      assertError(await openDoor(t, { policy: outside, lookup }).send(urlOf(allowed)), 'address_refused');
    }
    assert.deepEqual([allowed.accepted(), neighbour.accepted()], [0, 0]);
  });

  it('is refused on the second connection of a name that led elsewhere on the first', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const neighbour = await startWebhookReceiver(t, { host: '127.0.0.2', port: allowed.port });
    allowed.answerWith({ headers: { connection: 'close' } });
    const { lookup, asked } = answering(['127.0.0.1'], ['127.0.0.2']);
    const door = openDoor(t, { policy: outside, lookup });
    assertStatus(await door.send(urlOf(allowed)), 200);
    assertError(await door.send(urlOf(allowed)), 'address_refused');
    assert.equal(asked.length, 2);
    assert.deepEqual([allowed.requests.length, neighbour.accepted()], [1, 0]);
  });

  it('is refused in live mode where it is open to test mode, over no connection of the other', async (t) => {
    const receiver = await startWebhookReceiver(t);
    const { lookup } = answering(['127.0.0.1']);
    const door = openDoor(t, { policy: { ...strict, loopbackInTestMode: true }, lookup });
    assertStatus(await door.send(urlOf(receiver)), 200);
    assertStatus(await door.send(urlOf(receiver, 'localhost')), 200);
    assertError(await door.send(`https://shop.example:${receiver.port}/`, true), 'address_refused');
    assertError(await door.send(urlOf(receiver), true), 'address_refused');
    assert.equal(receiver.requests.length, 2);
  });

  it('is refused for its port and its scheme, even if the endpoint was made under other rules', async (t) => {
    const door = openDoor(t);
    for (const url of [
      'http://127.0.0.1:6379/',
      'http://127.0.0.1:22/',
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      'x',
    ]) {
      assertError(await door.send(url), 'address_refused');
    }
  });
});

describe('A name that leads to an address that webhooks may go to', () => {
  it('is resolved once, and the connection goes to that address under that name', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const neighbour = await startWebhookReceiver(t, { host: '127.0.0.2', port: allowed.port });
    // Whoever asked a second time, between check and connection, would end up next door.
    const { lookup, asked } = answering(['127.0.0.1'], ['127.0.0.2']);
    assertStatus(await openDoor(t, { policy: outside, lookup }).send(urlOf(allowed)), 200);
    assert.deepEqual(asked, ['shop.example']);
    assert.equal(allowed.requests[0]?.headers.host, `shop.example:${allowed.port}`);
    assert.equal(neighbour.accepted(), 0);
  });

  it('is not asked for again while its connection is in use: that one was checked', async (t) => {
    const allowed = await startWebhookReceiver(t);
    const { lookup, asked } = answering(['127.0.0.1'], ['127.0.0.2']);
    const door = openDoor(t, { policy: outside, lookup });
    for (let n = 0; n < 3; n += 1) assertStatus(await door.send(urlOf(allowed)), 200);
    assert.equal(asked.length, 1);
    assert.equal(allowed.accepted(), 1);
  });

  it('is reached at its second address where the first does not answer', async (t) => {
    const second = await startWebhookReceiver(t, { host: '127.0.0.2' });
    const { lookup } = answering(['127.0.0.1', '127.0.0.2']);
    assertStatus(await openDoor(t, { lookup }).send(urlOf(second)), 200);
  });

  it('is reached over IPv6', async (t) => {
    const receiver = await startWebhookReceiver(t, { host: '::1' });
    const { lookup } = answering(['::1']);
    const door = openDoor(t, { lookup });
    assertStatus(await door.send(urlOf(receiver)), 200);
    assertStatus(await door.send(receiver.url), 200);
  });
});

describe('A name that leads nowhere', () => {
  it('says so, whether it has no address or its name servers fail', async (t) => {
    const failing: Lookup = async () => {
      throw Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' });
    };
    for (const lookup of [answering([]).lookup, failing]) {
      assertError(await openDoor(t, { lookup }).send('http://shop.example/'), 'dns_failed');
    }
  });
});
