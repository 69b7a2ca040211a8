import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { newWebhookSecret, signWebhook } from '../../src/domain/webhook-signature.ts';
import { deterministicRandom } from '../support/deterministic-random.ts';

const secrets = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
const times = fc.nat({ max: 4_000_000_000 });
const bodies = fc.uint8Array({ maxLength: 300 });

const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** HMAC as in RFC 2104, as an independent reference. */
function referenceHmac(secret: string, message: Uint8Array): string {
  const key = Buffer.from(secret);
  const block = Buffer.alloc(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    block.map((byte) => byte ^ 0x36),
    message,
  );
  return sha256(
    block.map((byte) => byte ^ 0x5c),
    inner,
  ).toString('hex');
}

describe('The signature of a webhook', () => {
  it('is the same as from other tools', () => {
    // printf '1767225600.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_1
    const expected = 'aa4ceab7a70e563f240175d250c71e4ad63937dd0277396a7bc9f381acacf50c';
    assert.equal(signWebhook('whsec_1', 1_767_225_600, '{"id":"evt_1"}'), `t=1767225600,v1=${expected}`);
  });

  it('is HMAC-SHA256 with the literal secret over the time, a dot and the bytes of the body', () => {
    fc.assert(
      fc.property(secrets, times, bodies, (secret, t, body) => {
        const expected = referenceHmac(secret, Buffer.concat([Buffer.from(`${t}.`), body]));
        assert.equal(signWebhook(secret, t, body), `t=${t},v1=${expected}`);
      }),
    );
  });

  it('is the same for a text and its UTF-8 bytes', () => {
    fc.assert(
      fc.property(secrets, times, fc.string({ unit: 'binary' }), (secret, t, text) =>
        assert.equal(signWebhook(secret, t, text), signWebhook(secret, t, Buffer.from(text))),
      ),
    );
  });

  it('has exactly one t and one v1 of 64 hex characters in lower case', () => {
    fc.assert(
      fc.property(secrets, times, bodies, (secret, t, body) =>
        assert.match(signWebhook(secret, t, body), /^t=[0-9]+,v1=[0-9a-f]{64}$/),
      ),
    );
  });

  it('is never created for a time that is not in whole seconds, or with an empty secret', () => {
    for (const t of [1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      assert.throws(() => signWebhook('whsec_1', t, ''), RangeError, String(t));
    assert.throws(() => signWebhook('', 1_767_225_600, ''), RangeError);
  });
});

describe('The secret of a webhook endpoint', () => {
  it('is whsec_ with at least 192 random bits in letters and digits', () => {
    const secret = newWebhookSecret(randomBytes);
    assert.match(secret, /^whsec_[0-9a-z]+$/);
    const bitsPerDigit = 5;
    assert.ok((secret.length - 'whsec_'.length) * bitsPerDigit >= 192, secret);
  });

  it('depends on every byte of the randomness', () => {
    const requestedCounts: number[] = [];
    newWebhookSecret((count) => {
      requestedCounts.push(count);
      return randomBytes(count);
    });
    assert.equal(requestedCounts.length, 1);
    const bytes = deterministicRandom(1)(requestedCounts[0] ?? 0);
    const secretsMade = new Set([newWebhookSecret(() => bytes)]);
    for (const [at, byte] of bytes.entries()) secretsMade.add(newWebhookSecret(() => bytes.with(at, byte ^ 1)));
    assert.equal(secretsMade.size, bytes.length + 1);
  });
});
