// Amounts as staff type them into the dashboard's forms: read by the rules of the checkout page, which has tests of its own.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { digitsOf, editableText } from '../../dashboard/components/decimal-text.ts';
import { readTypedAmount } from '../../dashboard/components/typed-amount.ts';
import { currencies, currencyExponent } from '../../src/domain/currencies.ts';
import { readTypedAmount as readByService } from '../../src/domain/typed-amount.ts';

const locales = 'en de fr pl es pt-BR de-CH en-IN en-ZA ar-EG ar-TN ar-KW ja it-CH'.split(' ');

describe('An amount that is typed into a form of the dashboard', () => {
  for (const [text, currency, locale, expected] of [
    ['1,500', 'KWD', 'en', { amount: 1_500_000 }],
    ['1.500', 'KWD', 'en', { amount: 1_500 }],
    ['1,500', 'KWD', 'de', { amount: 1_500 }],
    ['1.500', 'KWD', 'de', { amount: 1_500_000 }],
    ['1.500', 'KWD', 'fr', { either: [1_500_000, 1_500] }],
    ['150,000', 'JPY', 'en', { amount: 150_000 }],
    ['1,500', 'EUR', 'en', { amount: 150_000 }],
    ['1,500', 'EUR', 'de', { either: [150_000, 150] }],
    ['1,234.50', 'EUR', 'en', { amount: 123_450 }],
    ['12,5', 'EUR', 'en', { amount: 1_250 }],
    ['12.505', 'EUR', 'de-CH', { either: [1_250_500, 1_250] }],
    ['0.001', 'EUR', 'en', null],
    ['1.5', 'JPY', 'en', null],
    ['€', 'EUR', 'en', null],
    ['-5', 'EUR', 'en', null],
    ['', 'EUR', 'en', null],
    ['9'.repeat(20), 'EUR', 'en', null],
  ] as const) {
    it(`${JSON.stringify(text)} in ${currency} (${locale}) is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(readTypedAmount(text, currency, [locale]), expected);
    });
  }

  it('is read as the checkout page reads it', () => {
    const parts = fc.array(fc.constantFrom('1', '12', '500', '000', '.', ',', ' ', "'", '0', '00'), { maxLength: 7 });
    fc.assert(
      fc.property(
        parts,
        fc.constantFrom(...locales),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (typed, locale, currency) => {
          const text = typed.join('');
          const read = readTypedAmount(text, currency, [locale]);
          const byService = readByService(text, { currency, locale });
          const expected =
            'amount' in byService
              ? byService
              : byService.problem === 'ambiguous'
                ? { either: byService.readings }
                : null;
          // Amounts that no payment can have are left to the service.
          if ('problem' in byService && byService.problem === 'too_large') return;
          assert.deepEqual(read, expected, `${text} ${currency} ${locale}`);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('is the same amount again if the form fills it in, in every language and currency', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.constantFrom(...currencies),
        fc.oneof(fc.integer({ min: 1, max: 999_999_999_999 }), fc.integer({ min: 1, max: 99_999 })),
        (locale, currency, amount) => {
          const text = editableText(amount, currency, [locale]);
          assert.deepEqual(readTypedAmount(text, currency, [locale]), { amount }, `${text} ${currency} ${locale}`);
        },
      ),
    );
  });

  it('has as many decimals as the service counts', () => {
    for (const code of currencies) assert.equal(digitsOf(code), currencyExponent(code), code);
  });
});
