// Password hashes: OWASP's parameters, and the same effort for users that do not exist.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { hashPassword, isPassword } from '../../src/domain/password-hash.ts';

const cheap = { ln: 10, r: 8, p: 1 };

describe('A password hash', () => {
  it('has the parameters that OWASP recommends, and a salt of its own', async () => {
    const [one, other] = [await hashPassword('secret', randomBytes), await hashPassword('secret', randomBytes)];
    assert.match(one, /^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.notEqual(one, other);
    assert.equal(await isPassword('secret', one), true);
    assert.equal(await isPassword('Secret', one), false);
  });

  it('can be checked after the parameters have been changed', async () => {
    assert.equal(await isPassword('secret', await hashPassword('secret', randomBytes, cheap)), true);
  });

  it('does not depend on how a keyboard composes letters', async () => {
    assert.equal(await isPassword('caf\u00e9', await hashPassword('cafe\u0301', randomBytes, cheap)), true);
  });

  it('is an error if it is damaged', async () => {
    await assert.rejects(isPassword('secret', '$scrypt$ln=17'), /cannot be read/);
  });

  it('costs as much for a user that does not exist', async () => {
    const stored = await hashPassword('secret', randomBytes);
    const effort = async (hash: string | null): Promise<number> => {
      const before = process.cpuUsage().user;
      assert.equal(await isPassword('wrong', hash), false);
      return process.cpuUsage().user - before;
    };
    const ratio = (await effort(null)) / (await effort(stored));
    assert.ok(ratio > 0.4 && ratio < 2.5, `the ratio is ${ratio}`);
  });
});
