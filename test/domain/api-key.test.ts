import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashApiKey, isApiKeySecret, newApiKeySecret } from '../../src/domain/api-key.ts';
import { deterministicRandom } from '../support/deterministic-random.ts';

const secrets = fc
  .tuple(fc.boolean(), fc.integer())
  .map(([livemode, seed]) => newApiKeySecret(livemode, deterministicRandom(seed)));

describe('An API key', () => {
  it('names its mode, followed by letters and digits', () => {
    assert.match(newApiKeySecret(false, randomBytes), /^sk_test_[0-9a-z]{33}$/);
    assert.match(newApiKeySecret(true, randomBytes), /^sk_live_[0-9a-z]{33}$/);
  });

  it('is recognised without a lookup', () => {
    fc.assert(fc.property(secrets, (secret) => isApiKeySecret(secret)));
  });

  it('is not recognised with any single character changed', () => {
    fc.assert(
      fc.property(
        secrets,
        fc.nat(),
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
        (secret, at, other) => {
          const index = at % secret.length;
          fc.pre(secret[index] !== other);
          assert.ok(!isApiKeySecret(secret.slice(0, index) + other + secret.slice(index + 1)));
        },
      ),
      { numRuns: 2000 },
    );
    const secret = newApiKeySecret(false, deterministicRandom(3));
    for (const index of secret.split('').keys()) {
      for (const other of '0123456789abcdefghijklmnopqrstuvwxyz_') {
        if (secret[index] === other) continue;
        assert.ok(!isApiKeySecret(secret.slice(0, index) + other + secret.slice(index + 1)), `${other} at ${index}`);
      }
    }
  });

  it('is not recognised with adjacent characters swapped, the other mode, or a different length', () => {
    fc.assert(
      fc.property(secrets, fc.nat({ max: 31 }), (secret, at) => {
        const index = 'sk_test_'.length + at;
        const [one = '', other = ''] = secret.slice(index, index + 2);
        if (one !== other) assert.ok(!isApiKeySecret(secret.slice(0, index) + other + one + secret.slice(index + 2)));
        const swapped = secret.startsWith('sk_test') ? secret.replace('test', 'live') : secret.replace('live', 'test');
        for (const wrong of [
          swapped,
          secret.slice(0, -1),
          `${secret}0`,
          `${secret}\n`,
          ` ${secret}`,
          secret.toUpperCase(),
        ]) {
          assert.ok(!isApiKeySecret(wrong), JSON.stringify(wrong));
        }
      }),
    );
  });

  it('is stored as its SHA-256 hash', () => {
    const secret = newApiKeySecret(true, randomBytes);
    assert.equal(hashApiKey(secret), hash('sha256', secret, 'hex'));
  });
});
