import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
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

  it('shows nothing of the text, and never seals the same text alike', () => {
    const sealed = [box.seal('whsec_secret', 'we_1'), box.seal('whsec_secret', 'we_1')].map((bytes) =>
      Buffer.from(bytes),
    );
    assert.notDeepEqual(sealed[0], sealed[1]);
    assert.ok(sealed.every((bytes) => !bytes.includes('secret')));
  });

  it('does not open with any bit changed, or anything cut off', () => {
    const sealed = Buffer.from(box.seal('whsec_secret', 'we_1'));
    for (const index of sealed.keys()) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(sealed);
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        assert.throws(() => box.open(changed, 'we_1'), `bit ${bit} of byte ${index}`);
      }
    }
    // Of an empty text there is only the tag to cut, and a shorter tag would be easier to guess.
    for (const whole of [sealed, Buffer.from(box.seal('', 'we_1'))]) {
      for (let length = 0; length < whole.length; length += 1) {
        assert.throws(() => box.open(whole.subarray(0, length), 'we_1'), `only ${length} bytes`);
      }
    }
  });

  it('does not open in another context, or with another key', () => {
    const sealed = box.seal('whsec_secret', 'we_1');
    assert.throws(() => box.open(sealed, 'we_2'));
    assert.throws(() => box.open(sealed, ''));
    assert.throws(() => secretBox(randomBytes(32), randomBytes).open(sealed, 'we_1'));
  });

  it('derives the same secret for the same purpose, and another for another purpose or key', () => {
    assert.equal(box.derive('pi_1'), secretBox(key, randomBytes).derive('pi_1'));
    assert.notEqual(box.derive('pi_1'), box.derive('pi_2'));
    assert.notEqual(box.derive('pi_1'), secretBox(randomBytes(32), randomBytes).derive('pi_1'));
    assert.match(box.derive('pi_1'), /^[0-9a-z]{26,}$/);
  });

  it('names its key without telling it', () => {
    assert.equal(box.keyId, secretBox(key, randomBytes).keyId);
    assert.notEqual(box.keyId, secretBox(randomBytes(32), randomBytes).keyId);
    assert.ok(!key.toString('hex').includes(box.keyId));
  });

  it('takes keys of 32 bytes only', () => {
    for (const length of [0, 16, 31, 33]) assert.throws(() => secretBox(randomBytes(length), randomBytes), RangeError);
  });
});
