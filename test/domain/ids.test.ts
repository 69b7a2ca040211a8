import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type IdPrefix, idBefore, isId, newId, timeOfId } from '../../src/domain/ids.ts';
import { deterministicRandom } from '../support/deterministic-random.ts';
import { startOfTests } from '../support/fake-clock.ts';

const prefixes: readonly IdPrefix[] = ['pi', 'cs', 'evt', 'we', 'del', 're', 'acct', 'key', 'req'];
const times = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2200, 0) });

describe('Ids', () => {
  it('consist of a prefix, an underscore, and letters and digits', () => {
    for (const prefix of prefixes) {
      const id = newId(prefix, startOfTests, randomBytes);
      assert.match(id, new RegExp(`^${prefix}_[0-9a-z]{30}$`));
      assert.ok(isId(prefix, id));
    }
  });

  it('have at least 96 random bits, so that ids made in the same millisecond differ', () => {
    const requestedCounts: number[] = [];
    newId('pi', startOfTests, (count) => {
      requestedCounts.push(count);
      return randomBytes(count);
    });
    const bitsPerDigit = 5;
    assert.ok((requestedCounts[0] ?? 0) * bitsPerDigit >= 96);
    const ids = Array.from({ length: 20_000 }, () => newId('pi', startOfTests, randomBytes));
    assert.equal(new Set(ids).size, ids.length);
  });

  it('use every digit of an unambiguous alphabet', () => {
    const random = deterministicRandom(1);
    const digits = new Set(
      Array.from({ length: 500 }, () => newId('pi', startOfTests, random).slice(13)).flatMap((id) => [...id]),
    );
    assert.equal([...digits].sort().join(''), '0123456789abcdefghjkmnpqrstvwxyz');
  });

  it('sort by creation time', () => {
    fc.assert(
      fc.property(times, times, fc.integer(), (one, other, seed) => {
        fc.pre(one !== other);
        const random = deterministicRandom(seed);
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        assert.ok(newId('cs', first, random) < newId('cs', second, random));
      }),
    );
  });

  it('contain their creation time, and can be compared with a time', () => {
    fc.assert(
      fc.property(times, fc.integer(), (ms, seed) => {
        const id = newId('evt', ms, deterministicRandom(seed));
        assert.equal(timeOfId(id), ms);
        const before = idBefore('evt', ms);
        assert.ok(isId('evt', before));
        assert.ok(before < id && newId('evt', ms - 1, deterministicRandom(seed)) < before);
      }),
    );
    assert.equal(timeOfId(idBefore('evt', -1)), 0);
  });

  it('are the same for the same time and the same random bytes', () => {
    assert.equal(newId('pi', startOfTests, deterministicRandom(5)), newId('pi', startOfTests, deterministicRandom(5)));
    assert.notEqual(
      newId('pi', startOfTests, deterministicRandom(5)),
      newId('pi', startOfTests, deterministicRandom(6)),
    );
  });

  it('are distinguished from ids of other kinds and from anything else', () => {
    const id = newId('pi', startOfTests, randomBytes);
    for (const prefix of prefixes) assert.equal(isId(prefix, id), prefix === 'pi');
    for (const wrong of [
      '',
      'pi_',
      id.slice(0, -1),
      `${id}0`,
      id.toUpperCase(),
      ` ${id}`,
      `${id}\n`,
      `${id.slice(0, -1)}u`,
    ]) {
      assert.ok(!isId('pi', wrong), JSON.stringify(wrong));
    }
  });
});
