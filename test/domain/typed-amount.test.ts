// Amounts as customers write them: understood if there is one way to read them, never guessed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { currencies, currencyExponent } from '../../src/domain/currencies.ts';
import { readTypedAmount } from '../../src/domain/typed-amount.ts';
import { editableAmount, formatMoney } from '../../src/http/checkout/pages/money-format.ts';
import { languages } from '../../src/http/checkout/views.ts';

type Case = readonly [text: string, expected: number | string, currency?: string, locale?: string];

const understood: readonly Case[] = [
  ['12', 1200],
  ['12.5', 1250],
  ['12,5', 1250],
  ['12.50', 1250],
  ['012.50', 1250],
  ['.5', 50],
  [',50', 50],
  ['12.', 1200],
  ['0.01', 1],
  ['12.5000', 1250],
  ['1234.5', 123_450],
  ['1,234.50', 123_450],
  ['1.234,50', 123_450],
  ['1 234,5', 123_450],
  ['1\u00a0234,5', 123_450],
  ['1\u202f234,50', 123_450],
  ["1'234.50", 123_450],
  ['1’234.50', 123_450],
  ['12,34,567.89', 123_456_789],
  ['1.234.567', 123_456_700],
  ['1,234,567', 123_456_700],
  ['1 234 567', 123_456_700],
  ['1,234', 123_400, 'EUR', 'en'],
  ['1.234', 123_400, 'EUR', 'de'],
  ['0,500', 50, 'EUR', 'en'],
  ['1234,500', 123_450, 'EUR', 'en'],
  ['  12.50  ', 1250],
  ['+12.50', 1250],
  ['12,-', 1200],
  ['12,–', 1200],
  ['€12.50', 1250],
  ['12,50 €', 1250],
  ['EUR 12.50', 1250],
  ['12.50eur', 1250],
  ['12 euros', 1200],
  ['12 Euro', 1200, 'EUR', 'de'],
  ['$12.50', 1250, 'USD'],
  ['US$12.50', 1250, 'USD', 'nl'],
  ['$12.50', 1250, 'AUD'],
  ['A$12.50', 1250, 'AUD'],
  ['$12.50 USD', 1250, 'USD'],
  ['USD $12.50', 1250, 'USD'],
  ['US$12.50', 1250, 'USD', 'de'],
  ['CA$12.50 CAD', 1250, 'CAD', 'fr'],
  ['€12.50 EUR', 1250],
  ['EUR 12,50 €', 1250, 'EUR', 'de'],
  ['12,50 zł', 1250, 'PLN', 'pl'],
  ['￥1,234', 1234, 'JPY', 'ja'],
  ['1234円', 1234, 'JPY', 'ja'],
  ['¥1,234', 1234, 'JPY', 'en'],
  ['1.234', 1234, 'JPY', 'ja'],
  ['1,234.00', 1234, 'JPY'],
  ['5.0', 5, 'JPY'],
  ['1,234', 1234, 'KWD', 'de'],
  ['1,234', 1_234_000, 'KWD', 'en'],
  ['1.234', 1234, 'KWD', 'en'],
  ['1.234', 1_234_000, 'KWD', 'de'],
  ['1,234.567', 1_234_567, 'KWD', 'de'],
  ['١٢٫٥٠', 1250, 'EUR', 'ar'],
  ['١٬٢٣٤٫٥', 123_450, 'EUR', 'ar'],
  ['۱۲٫۵', 1250],
  ['१२.५०', 1250],
  ['１２．５０', 1250],
  ['๑๒.๕๐', 1250, 'THB'],
  ['𝟏𝟐.𝟓', 1250],
  ['\u200f12.50\u200e', 1250],
  ['\ufeff12.50', 1250],
  ['9,999,999,999.99', 999_999_999_999],
];

const refused: readonly Case[] = [
  ['', 'missing'],
  ['   ', 'missing'],
  ['\u200b', 'missing'],
  ['€', 'invalid'],
  ['abc', 'invalid'],
  ['.', 'invalid'],
  [',', 'invalid'],
  ['-5', 'invalid'],
  ['−5', 'invalid'],
  ['(5)', 'invalid'],
  ['5%', 'invalid'],
  ['1+1', 'invalid'],
  ['12.345', 'ambiguous', 'EUR', 'en'],
  ['1.234', 'ambiguous', 'EUR', 'en'],
  ['1,234', 'ambiguous', 'EUR', 'de'],
  ['1.234', 'ambiguous', 'EUR', 'fr'],
  ['1.234', 'ambiguous', 'KWD', 'fr'],
  ['12.3456', 'invalid'],
  ['0.001', 'invalid'],
  ['1.5', 'invalid', 'JPY'],
  ['1,23,45', 'invalid'],
  ['12,34.50', 'invalid'],
  ['1,234,56', 'invalid'],
  ['1.234.56', 'invalid'],
  ['1.2.3', 'invalid'],
  ['1,234.567,89', 'invalid'],
  ["1'234 567", 'invalid'],
  ['1  .  5', 'invalid'],
  // Raised digits are cents in one place and an exponent in another.
  ['12⁹⁹', 'invalid'],
  ['10²', 'invalid'],
  ['12₅', 'invalid'],
  ['①②', 'invalid'],
  ['1½', 'invalid'],
  ['1.23.456', 'invalid'],
  ['1,23,456,789', 'invalid'],
  ['$12.50 AUD', 'other_currency', 'USD'],
  ['A$12.50 USD', 'other_currency', 'USD'],
  ['USD 12.50 EUR', 'other_currency', 'USD'],
  ['5e3', 'other_currency'],
  ['$12', 'other_currency', 'EUR'],
  ['12 USD', 'other_currency', 'EUR'],
  ['£12', 'other_currency', 'EUR'],
  ['12 CHF', 'other_currency', 'EUR'],
  ['0x10', 'other_currency'],
  ['10,000,000,000.00', 'too_large'],
  ['9'.repeat(59), 'too_large'],
  ['9'.repeat(61), 'invalid'],
];

describe('A typed amount', () => {
  for (const [text, expected, currency = 'EUR', locale = 'en'] of understood) {
    it(`${JSON.stringify(text)} in ${currency} (${locale}) is ${expected}`, () => {
      assert.deepEqual(readTypedAmount(text, { currency, locale }), { amount: expected });
    });
  }
  for (const [text, expected, currency = 'EUR', locale = 'en'] of refused) {
    it(`${JSON.stringify(text.slice(0, 20))} in ${currency} (${locale}) is ${expected}`, () => {
      const read = readTypedAmount(text, { currency, locale });
      assert.equal('problem' in read && read.problem, expected, JSON.stringify(read));
    });
  }

  it('names both readings of an ambiguous one', () => {
    const read = readTypedAmount('1.234', { currency: 'EUR', locale: 'en' });
    assert.deepEqual(read, { problem: 'ambiguous', readings: [123_400, 123] });
  });

  it('is understood as any page shows it, in every language, currency and digits', () => {
    const locales = [
      ...languages,
      'ar-EG',
      'fa',
      'hi-u-nu-deva',
      'bn',
      'th-u-nu-thai',
      'de-CH',
      'en-IN',
      'pt-PT',
      'my',
    ];
    const amounts = fc.oneof(fc.integer({ min: 1, max: 999_999_999_999 }), fc.integer({ min: 1, max: 99_999 }));
    fc.assert(
      fc.property(fc.constantFrom(...locales), fc.constantFrom(...currencies), amounts, (locale, currency, amount) => {
        const text = formatMoney(amount, currency, locale);
        assert.deepEqual(readTypedAmount(text, { currency, locale }), { amount }, `${text} ${currency} ${locale}`);
      }),
      { numRuns: 500 },
    );
  });

  it('is the same amount again if the page fills it in, in every language, region and currency', () => {
    const regional =
      'ar-TN ar-KW ar-EG ar-LY fr-TN fr-CH de-DE de-AT de-CH es-ES es-MX it-IT it-CH nl-NL pl-PL pt-BR pt-PT en-GB en-IN';
    const decimals = [0, 2, 3].map((digits) => currencies.filter((code) => currencyExponent(code) === digits));
    const amounts = [1, 10, 500, 999, 1_000, 1_500, 12_500, 12_505, 999_999, 1_000_000, 1_234_567, 999_999_999_999];
    for (const locale of [...languages, ...regional.split(' ')]) {
      for (const currency of decimals.flatMap((codes) => codes.slice(0, 4))) {
        for (const amount of amounts) {
          const text = editableAmount(amount, currency, locale);
          assert.deepEqual(readTypedAmount(text, { currency, locale }), { amount }, `${text} ${currency} ${locale}`);
        }
      }
    }
    assert.equal(editableAmount(12_500, 'TND', 'ar-TN'), '12,500');
    assert.equal(editableAmount(123_456_789, 'KWD', 'de'), '123456,789', 'without separators between thousands');
    assert.equal(editableAmount(1_250, 'EUR', 'ar-EG'), '12.50', 'in Latin digits');
  });

  it('is understood with a decimal point of any kind if it has fewer than three decimals', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies.filter((code) => currencyExponent(code) > 0)),
        fc.integer({ min: 0, max: 9_999_999 }),
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom('.', ',', '٫'),
        fc.constantFrom(...languages),
        (currency, whole, cents, point, locale) => {
          const text = `${whole}${point}${String(cents).padStart(2, '0')}`;
          const unit = 10 ** (currencyExponent(currency) - 2);
          assert.deepEqual(readTypedAmount(text, { currency, locale }), { amount: (whole * 100 + cents) * unit });
        },
      ),
    );
  });

  it('never throws, and is never outside what can be charged', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 70 }), fc.stringMatching(/^[\d.,' ٫٬€$-]{0,20}$/)),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        fc.constantFrom(...languages),
        (text, currency, locale) => {
          const read = readTypedAmount(text, { currency, locale });
          if ('amount' in read) assert.ok(Number.isSafeInteger(read.amount) && read.amount >= 0 && read.amount < 1e12);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
