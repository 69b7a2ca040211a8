import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { base32Digits } from '../../src/domain/ids.ts';
import { secretBox } from '../../src/domain/secret-box.ts';

const key = randomBytes(32);
const box = secretBox(key, randomBytes);

describe('A secret box', () => {
  it('opens what it sealed, whatever the text and the context', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(texts, texts, (text, context) => assert.equal(box.open(box.seal(text, context), context), text)),
    );
  });

  it('opens after a restart with the same key', () => {
    assert.equal(secretBox(key, randomBytes).open(box.seal('whsec_1', 'we_1'), 'we_1'), 'whsec_1');
  });

  it('reveals nothing of the text, and seals the same text differently each time', () => {
    const sealed = [box.seal('whsec_secret', 'we_1'), box.seal('whsec_secret', 'we_1')].map((bytes) =>
      Buffer.from(bytes),
    );
    assert.notDeepEqual(sealed[0], sealed[1]);
    assert.ok(sealed.every((bytes) => !bytes.includes('secret')));
  });

  it('does not open with any bit changed or any byte missing', () => {
    const sealed = Buffer.from(box.seal('whsec_secret', 'we_1'));
    for (const index of sealed.keys()) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(sealed);
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        assert.throws(() => box.open(changed, 'we_1'), `bit ${bit} of byte ${index}`);
      }
    }
    // With an empty text, only the tag can be truncated, and a shorter tag would be easier to guess.
    for (const whole of [sealed, Buffer.from(box.seal('', 'we_1'))]) {
      for (let length = 0; length < whole.length; length += 1) {
        assert.throws(() => box.open(whole.subarray(0, length), 'we_1'), `only ${length} bytes`);
      }
    }
  });

  it('does not open in another context or with another key', () => {
    const sealed = box.seal('whsec_secret', 'we_1');
    assert.throws(() => box.open(sealed, 'we_2'));
    assert.throws(() => box.open(sealed, ''));
    assert.throws(() => secretBox(randomBytes(32), randomBytes).open(sealed, 'we_1'));
  });

  it('opens what the previous version sealed with the key itself, whatever its first byte', () => {
    for (const first of [0, 1, 2, 255]) {
      const nonce = Buffer.concat([Uint8Array.of(first), randomBytes(11)]);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('we_1'));
      const ciphertext = Buffer.concat([cipher.update('whsec_old', 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
      assert.equal(box.open(sealed, 'we_1'), 'whsec_old');
      assert.throws(() => box.open(sealed, 'we_2'));
      assert.throws(() => secretBox(randomBytes(32), randomBytes).open(sealed, 'we_1'));
    }
  });

  it('seals and derives with keys derived from its key, never with the key itself', () => {
    const sealed = Buffer.from(box.seal('whsec_secret', 'we_1'));
    for (const bytes of [sealed, sealed.subarray(1)]) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        .setAAD(Buffer.from('we_1'))
        .setAuthTag(bytes.subarray(12, 28));
      decipher.update(bytes.subarray(28));
      assert.throws(() => decipher.final(), 'the key itself does not open it');
    }
    const plain = createHmac('sha256', key).update('pi_1').digest();
    assert.notEqual(box.derive('client secret', 'pi_1'), base32Digits(plain));
  });

  it('derives the same secret for the same purpose, and a different one for another purpose or key', () => {
    const ofIntent = box.derive('client secret', 'pi_1');
    assert.equal(ofIntent, secretBox(key, randomBytes).derive('client secret', 'pi_1'));
    assert.notEqual(ofIntent, box.derive('client secret', 'pi_2'));
    assert.notEqual(ofIntent, secretBox(randomBytes(32), randomBytes).derive('client secret', 'pi_1'));
    assert.match(ofIntent, /^[0-9a-z]{26,}$/);
    const purposes = ['card fingerprint', 'address fingerprint', 'form token', 'client secret'] as const;
    assert.equal(new Set(purposes.map((purpose) => box.derive(purpose, 'pi_1'))).size, purposes.length);
  });

  it('identifies its key without revealing it', () => {
    assert.equal(box.keyId, secretBox(key, randomBytes).keyId);
    assert.notEqual(box.keyId, secretBox(randomBytes(32), randomBytes).keyId);
    assert.ok(!key.toString('hex').includes(box.keyId));
  });

  it('accepts only keys of 32 bytes', () => {
    for (const length of [0, 16, 31, 33]) assert.throws(() => secretBox(randomBytes(length), randomBytes), RangeError);
  });
});
