import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { currencies, currencyExponent } from '../../../src/domain/currencies.ts';
import { maxAmount } from '../../../src/domain/money.ts';
import { decimalText, formatMoney, heldFormatters } from '../../../src/http/checkout/pages/money-format.ts';

/** Replaces no-break spaces and drops direction marks. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f\u061c]/g, '');

describe('Money on the page', () => {
  it('follows the language', () => {
    assert.equal(plain(formatMoney(1250, 'EUR', 'en')), '€12.50');
    assert.equal(plain(formatMoney(1250, 'EUR', 'de')), '12,50 €');
    assert.equal(plain(formatMoney(123456, 'EUR', 'fr')), '1 234,56 €');
    assert.equal(plain(formatMoney(1250, 'EUR', 'de-AT')), '€ 12,50');
    assert.equal(plain(formatMoney(1250, 'EUR', 'nl')), '€ 12,50');
  });

  it('has no decimals for JPY and three for KWD', () => {
    assert.match(plain(formatMoney(1000, 'JPY', 'ja')), /^[¥￥]1,000$/);
    assert.equal(plain(formatMoney(1500, 'KWD', 'en')), 'KWD 1.500');
  });

  it("uses the region's digits", () => {
    assert.match(plain(formatMoney(1500, 'KWD', 'ar-EG')), /١٫٥٠٠/);
    assert.match(plain(formatMoney(1500, 'KWD', 'ar-AE')), /1\.500/);
  });

  it('uses the ISO number of decimals in every currency, even where ICU differs', () => {
    for (const currency of currencies) {
      const [, fraction = ''] = /\.(\d+)\D*$/.exec(plain(formatMoney(1234567, currency, 'en'))) ?? [];
      assert.equal(fraction.length, currencyExponent(currency), currency);
    }
  });

  it('is exact at any amount', () => {
    assert.equal(plain(formatMoney(maxAmount, 'KWD', 'en')), 'KWD 999,999,999.999');
    assert.equal(plain(formatMoney(maxAmount, 'EUR', 'de')), '9.999.999.999,99 €');
    const anyAmount = fc.integer({ min: 0, max: maxAmount });
    fc.assert(
      fc.property(anyAmount, fc.constantFrom('JPY', 'EUR', 'KWD'), (amount, currency) => {
        assert.equal(formatMoney(amount, currency, 'en').replace(/\D/g, '').replace(/^0+/, ''), String(amount || ''));
      }),
    );
  });

  it('writes amounts below one unit with a leading zero', () => {
    assert.equal(decimalText(5, 2), '0.05');
    assert.equal(decimalText(5, 3), '0.005');
    assert.equal(decimalText(5, 0), '5');
  });

  it('caches a bounded number of formatters', () => {
    for (let index = 0; index < 26 * 26; index += 1) {
      const region = String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26));
      formatMoney(1, 'EUR', `en-${region}`);
    }
    assert.ok(heldFormatters() <= 400);
  });
});
