// Name resolution with a real name server on loopback, which may be slow, silent or without an answer.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { lookupAddresses, oneAtATime } from '../../src/webhooks/outbound-lookup.ts';
import { startStopwatch } from '../support/stopwatch.ts';

const typeA = 1;

/** Knows only the IPv4 address of `shop.example`; does not respond to names that begin with `silent`. */
async function startNameServer(t: TestContext): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const question = query.subarray(12, end);
    if (question.includes('silent')) return;
    const known = question.includes('\u0004shop\u0007example');
    const hasAnswer = known && question.readUInt16BE(question.length - 4) === typeA;
    const head = Buffer.from([0, 0, 0x81, known ? 0x80 : 0x83, 0, 1, 0, hasAnswer ? 1 : 0, 0, 0, 0, 0]);
    query.copy(head, 0, 0, 2);
    const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    server.send(Buffer.concat([head, question, ...(hasAnswer ? [record] : [])]), port, address);
  });
  await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound));
  t.after(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}

describe('The look-up of a name', () => {
  it('queries the name server, and accepts a single address family', async (t) => {
    const lookup = lookupAddresses([await startNameServer(t)]);
    assert.deepEqual(await lookup('shop.example'), ['192.0.2.7']);
    assert.deepEqual(await lookup('shop.example.'), ['192.0.2.7']);
  });

  it('leaves the names of this machine to the operating system', async (t) => {
    const lookup = lookupAddresses([await startNameServer(t)]);
    for (const name of ['localhost', 'localhost.']) {
      for (const address of await lookup(name)) assert.ok(['127.0.0.1', '::1'].includes(address));
    }
  });

  it('is not delayed by many others without a response', async (t) => {
    const lookup = lookupAddresses([await startNameServer(t)]);
    const silent = Array.from({ length: 50 }, (_, n) => lookup(`silent${n}.example`).catch(() => 'failed'));
    const waitedMs = startStopwatch();
    for (let n = 0; n < 10; n += 1) assert.deepEqual(await lookup('shop.example'), ['192.0.2.7']);
    assert.ok((await lookup('localhost')).length > 0);
    assert.ok(waitedMs() < 1_000);
    assert.deepEqual([...new Set(await Promise.all(silent))], ['failed']);
  });

  it('fails for a name that does not exist', async (t) => {
    const lookup = lookupAddresses([await startNameServer(t)]);
    await assert.rejects(lookup('nowhere.invalid'));
  });
});

describe('Lookups one at a time', () => {
  it('wait for each other, and fail if that takes too long', async () => {
    const slow = Promise.withResolvers<readonly string[]>();
    const asked: string[] = [];
    const lookup = oneAtATime((hostname) => {
      asked.push(hostname);
      return hostname === 'slow.example' ? slow.promise : Promise.resolve(['192.0.2.7']);
    }, 50);
    const first = lookup('slow.example');
    const second = lookup('shop.example');
    assert.equal(lookup('shop.example'), second, 'a name is looked up once');
    await pause(60);
    const third = lookup('other.example');
    assert.deepEqual(asked, ['slow.example']);
    slow.reject(new Error('no response'));
    await assert.rejects(first, /no response/);
    await assert.rejects(second, { code: 'EAI_AGAIN' });
    assert.deepEqual(await third, ['192.0.2.7']);
    assert.deepEqual(asked, ['slow.example', 'other.example']);
  });
});
