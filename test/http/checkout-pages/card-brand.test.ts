// The pay page's script detects the same brand as the server, for every prefix of a number.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { brandRules } from '../../../src/domain/card-brands.ts';
import { cardBrandScript } from '../../../src/http/checkout/pages/inline.ts';

type PageBrand = [name: string, mark: string, starts: unknown, lengths: number[], gaps: number[]];
const brandOf = runInNewContext(`${cardBrandScript}; brandOf`) as (digits: string) => PageBrand;

describe('The brand that the page shows while a number is typed', () => {
  it('is the one that the server stores, with the same lengths, for every prefix of up to six digits', () => {
    for (let length = 0; length <= 6; length += 1) {
      for (let at = 0; at < 10 ** length; at += 1) {
        const digits = length === 0 ? '' : String(at).padStart(length, '0');
        const { brand, lengths } = brandRules(digits);
        const [name, , , pageLengths] = brandOf(digits);
        if (name !== (brand === 'unknown' ? '' : brand) || pageLengths.join() !== lengths.join()) {
          assert.fail(`${digits}: ${brand} on the server, ${name} on the page`);
        }
      }
    }
  });

  it('has a name and groups the digits', () => {
    const shown = (digits: string): string => brandOf(digits).toSpliced(2, 2).join(' ');
    assert.equal(shown('81'), 'unionpay UnionPay 4,8,12,16');
    assert.equal(shown('561'), 'maestro Maestro 4,8,12,16');
    assert.equal(shown('34'), 'amex American Express 4,10');
    assert.equal(shown(''), '  4,8,12,16');
  });
});
