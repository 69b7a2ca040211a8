// Which failed sign-ins share a counter. Strangers choose what they enter as an address, so it must not lead to another one.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { secretBox } from '../../src/domain/secret-box.ts';
import { accountKey, addressKey, type GuessedAccount } from '../../src/domain/sign-in-counter.ts';

const box = secretBox(randomBytes(32), randomBytes);
const kinds: readonly GuessedAccount['by'][] = ['email', 'device', 'user', 'code'];
const id = 'usr_1';
const keys = kinds.map((by) => accountKey(box, { by, value: id }));
/** What somebody might enter to reach the counters above. */
const texts = [id, ...[...kinds, 'account', 'address', 'second factor of'].map((word) => `${word} ${id}`)];

describe('Counters of failed sign-ins', () => {
  it('are the same for the same account', () => {
    assert.equal(accountKey(box, { by: 'user', value: id }), accountKey(box, { by: 'user', value: id }));
  });

  it('are different for each kind of account, and for addresses of clients', () => {
    assert.equal(new Set([...keys, addressKey(box, id)]).size, kinds.length + 1);
  });

  it('of other kinds are reached by nothing that can be entered as an address', () => {
    const others = new Set([...keys.slice(1), addressKey(box, id)]);
    for (const value of texts) assert.ok(!others.has(accountKey(box, { by: 'email', value })), value);
  });

  it('are never those that an earlier version stored, whatever was entered there', () => {
    for (const text of texts) {
      const earlier = `account ${box.derive('sign-in counter', `account ${text}`)}`;
      assert.ok(!keys.includes(earlier), text);
    }
  });
});
