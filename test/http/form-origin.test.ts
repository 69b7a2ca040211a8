// Where forms may be posted from, with the public address on this machine: the names that it goes by there are one.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { formCheck } from '../../src/http/checkout/form-origin.ts';
import { loggingTo } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';

function takes(publicUrl: string, origin: string, host: string): boolean {
  const { log } = loggingTo('silent', new Writable());
  return formCheck({ publicUrl, log, clock: fakeClock() })({ origin, host });
}

describe('A form', () => {
  it("is taken from any name of a developer's own machine, on the same port", () => {
    const names = ['http://localhost:4020', 'http://127.0.0.1:4020', 'http://[::1]:4020', 'http://pay.localhost:4020'];
    for (const publicUrl of names) {
      for (const origin of names) assert.ok(takes(publicUrl, origin, 'upstream:80'), `${publicUrl} from ${origin}`);
    }
  });

  it('is not taken from another port or scheme of that machine, nor from there when the service is public', () => {
    const host = 'upstream:80';
    assert.ok(!takes('http://localhost:4020', 'http://localhost:3000', host));
    assert.ok(!takes('http://localhost:4020', 'https://localhost:4020', host));
    assert.ok(!takes('http://localhost:4020', 'http://localhost.evil.example:4020', host));
    assert.ok(!takes('https://pay.shop.example', 'http://localhost:4020', host));
    assert.ok(!takes('http://localhost:4020', 'https://pay.shop.example', host));
  });

  it('is taken from a public address with a port, in punycode, and where Host has lost the port', () => {
    assert.ok(takes('https://pay.shop.example:8443', 'https://pay.shop.example:8443', 'pay.shop.example'));
    assert.ok(takes('https://xn--bcher-kva.example', 'https://xn--bcher-kva.example', '127.0.0.1:4020'));
    assert.ok(!takes('https://pay.shop.example:8443', 'https://pay.shop.example', '127.0.0.1:4020'));
  });
});
