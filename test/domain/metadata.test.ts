import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isRefusal } from '../../src/domain/errors.ts';
import { type Metadata, maxMetadataKeys, patchMetadata } from '../../src/domain/metadata.ts';

const keysUpTo = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']));

function patched(...given: Parameters<typeof patchMetadata>): Metadata {
  const result = patchMetadata(...given);
  assert.ok(!isRefusal(result));
  return result;
}

describe('A patch of metadata', () => {
  it('sets, replaces and removes keys, and keeps the others', () => {
    const after = patched({ keep: '1', change: '2', drop: '3' }, { change: 'two', drop: null, add: '4' });
    assert.deepEqual(after, { keep: '1', change: 'two', add: '4' });
    assert.deepEqual(Object.keys(after), ['keep', 'change', 'add']);
  });

  it('removes all keys if it is null', () => {
    assert.deepEqual(patched({ a: '1' }, null), {});
  });

  it('changes nothing if it is empty or removes missing keys', () => {
    assert.deepEqual(patched({ a: '1' }, {}), { a: '1' });
    assert.deepEqual(patched({ a: '1' }, { b: null }), { a: '1' });
  });

  it('does not mutate the current metadata', () => {
    const current = { a: '1' };
    patchMetadata(current, { a: '2', b: '3' });
    assert.deepEqual(current, { a: '1' });
  });

  it('treats every key as data, even special property names', () => {
    const after = patched({ a: '1' }, JSON.parse('{"__proto__":"x","constructor":"y","refused":"z"}'));
    assert.deepEqual(Object.entries(after), [
      ['a', '1'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['refused', 'z'],
    ]);
  });

  it('can result in at most 50 keys', () => {
    assert.equal(maxMetadataKeys, 50);
    assert.ok(!isRefusal(patchMetadata(keysUpTo(49), { more: '1' })));
    const refused = patchMetadata(keysUpTo(50), { more: '1' });
    assert.ok(isRefusal(refused));
    assert.equal(refused.param, 'metadata');
    assert.ok(!isRefusal(patchMetadata(keysUpTo(50), { more: '1', key0: null })), 'one added, one removed');
  });

  it('has the same result as a JSON merge patch', () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const current = fc.dictionary(keys, fc.string());
    const patch = fc.dictionary(keys, fc.option(fc.string()));
    fc.assert(
      fc.property(current, patch, (before, change) => {
        const after = patched(before, change);
        for (const key of ['a', 'b', 'c', 'd', 'e']) {
          const expected = Object.hasOwn(change, key) ? (change[key] ?? undefined) : before[key];
          assert.equal(after[key], expected);
        }
      }),
    );
  });
});
