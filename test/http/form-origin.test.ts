// Which origins may post forms. If the public address is on this machine, all of its local names count as one.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { formCheck } from '../../src/http/checkout/form-origin.ts';
import { loggingTo } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';

function accepts(publicUrl: string, origin: string, host: string): boolean {
  const { log } = loggingTo('silent', new Writable());
  return formCheck({ publicUrl, log, clock: fakeClock() })({ origin, host });
}

describe('A form', () => {
  it("is accepted from any name of the developer's own machine, on the same port", () => {
    const names = ['http://localhost:4020', 'http://127.0.0.1:4020', 'http://[::1]:4020', 'http://pay.localhost:4020'];
    for (const publicUrl of names) {
      for (const origin of names) assert.ok(accepts(publicUrl, origin, 'upstream:80'), `${publicUrl} from ${origin}`);
    }
  });

  it('is rejected from another port or scheme of that machine, and from that machine if the service is public', () => {
    const host = 'upstream:80';
    assert.ok(!accepts('http://localhost:4020', 'http://localhost:3000', host));
    assert.ok(!accepts('http://localhost:4020', 'https://localhost:4020', host));
    assert.ok(!accepts('http://localhost:4020', 'http://localhost.evil.example:4020', host));
    assert.ok(!accepts('https://pay.shop.example', 'http://localhost:4020', host));
    assert.ok(!accepts('http://localhost:4020', 'https://pay.shop.example', host));
  });

  it('is accepted from a public address with a port, in punycode, and if Host lacks the port', () => {
    assert.ok(accepts('https://pay.shop.example:8443', 'https://pay.shop.example:8443', 'pay.shop.example'));
    assert.ok(accepts('https://xn--bcher-kva.example', 'https://xn--bcher-kva.example', '127.0.0.1:4020'));
    assert.ok(!accepts('https://pay.shop.example:8443', 'https://pay.shop.example', '127.0.0.1:4020'));
  });
});
