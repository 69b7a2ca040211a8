// JSON bodies: what is rejected before and after parsing, and that checking costs about as much as parsing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isRefusal } from '../../src/domain/errors.ts';
import { maxDepth, maxValues, parseJson } from '../../src/http/json-body.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function refusedAs(text: string): string | null {
  const parsed = parseJson(bytesOf(text));
  return isRefusal(parsed) ? parsed.refused : null;
}

/** The expected result of the check, found by walking the parsed value. */
function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => hasUnstorableText(key) || hasUnstorableText(member));
}

describe('A JSON body', () => {
  it('is rejected for a NUL or a lone surrogate, however it is written', () => {
    const good = [
      '\\ud83d\\ude00',
      '\\uD83D\\uDE00',
      '\\\\ud83d',
      '\\\\u0000',
      '\\u00e9',
      '😀',
      '\\u000a',
      '\\\\\\\\ud83d',
    ];
    const bad = ['\\ud83d', '\\ude00', '\\ud83d\\ud83d\\ude00', '\\ude00\\ud83d', '\\u0000', '\\ud83dx', '\\\\\\ud83d'];
    const mixed = ['\\ud83d\\\\ude00', '\\ud83d\\n\\ude00', 'x\\uDBFF', '\\udc00', '\\ud83d😀', '\\ud83d\\u0041'];
    for (const text of good) assert.equal(refusedAs(`{"a":"${text}","${text}":1}`), null, text);
    for (const text of [...bad, ...mixed]) {
      assert.equal(refusedAs(`{"a":"${text}"}`), 'parameter_invalid', text);
      assert.equal(refusedAs(`{"${text}":1}`), 'parameter_invalid', text);
      assert.equal(refusedAs(`{"a":["fine",{"b":"\\ud83d\\ude00${text}"}]}`), 'parameter_invalid', text);
    }
  });

  it('is rejected exactly if its texts cannot be stored', () => {
    const pieces = [
      '\\ud83d',
      '\\ude00',
      '\\uDBFF',
      '\\udC00',
      '\\u0000',
      '\\\\',
      '\\"',
      '\\n',
      'u',
      'd83d',
      '😀',
      'é',
      '\\u0041',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (key, value) => {
        const json = `{"${key}":["${value}"]}`;
        assert.equal(refusedAs(json) !== null, hasUnstorableText(JSON.parse(json)), json);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is rejected before parsing if it is nested too deeply or has too many values', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    assert.equal(refusedAs(nested(maxDepth)), null);
    assert.equal(refusedAs(nested(maxDepth + 1)), 'json_invalid');
    assert.equal(refusedAs('{"a":'.repeat(maxDepth + 1)), 'json_invalid');
    assert.equal(refusedAs(`[${'1,'.repeat(maxValues - 1)}1]`), null);
    assert.equal(refusedAs(`[${'1,'.repeat(maxValues)}1]`), 'json_invalid');
    const brackets = JSON.stringify({ a: '['.repeat(100), b: '"{'.repeat(100), c: '\\', d: ','.repeat(20_000) });
    assert.equal(refusedAs(brackets), null, 'brackets inside strings do not count');
  });

  it('is checked in about the time that parsing takes', () => {
    const megabyte = 1024 * 1024;
    const filled = (piece: string, end: string): string => `{"a":"${piece.repeat(megabyte / piece.length)}${end}"}`;
    const bodies = {
      'pairs, the last one broken': filled('\\ud83d\\ude00', '\\ud83d'),
      'escapes, the last one half a pair': filled('\\n', '\\ud83d'),
      'plain text and half a pair': filled('x', '\\ud83d'),
      'many values': `[${Array(megabyte / 4)
        .fill('{},')
        .join('')}"\\ud83d"]`,
      'many names': `{${Array.from({ length: 9_000 }, (_, n) => `"\\ud83d\\ude00${n}":"${'x'.repeat(80)}"`)},"a":"\\ud83d"}`,
    };
    for (const [name, text] of Object.entries(bodies)) {
      const bytes = bytesOf(text);
      const parsing = fastestMs(() => JSON.parse(new TextDecoder().decode(bytes)));
      const all = fastestMs(() => assert.ok(isRefusal(parseJson(bytes)), name));
      assert.ok(all <= 4 * parsing + 10, `${name}: ${all} ms in all, of which ${parsing} ms to parse`);
    }
  });
});

/** The fastest of many runs: the first are not compiled yet, and a busy machine slows some of them down. */
function fastestMs(work: () => void): number {
  const times = Array.from({ length: 20 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
