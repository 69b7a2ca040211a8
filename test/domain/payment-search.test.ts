// What staff type to find a payment by its amount.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currencyExponent } from '../../src/domain/currencies.ts';
import { isFoundBy, readSearch } from '../../src/domain/payment-search.ts';

function finds(text: string, amount: number, currency: string): boolean {
  const search = readSearch(text);
  assert.ok(search !== null && 'words' in search, text);
  const intent = { amount, currency, metadata: {}, paymentMethod: null, acquirer: null, customerDetails: null };
  return isFoundBy(search, { intent, session: { customerEmail: null } });
}

describe('A search for an amount', () => {
  it('finds amounts as they are written in every language', () => {
    const locales = ['en-US', 'en-GB', 'en-IN', 'de', 'de-CH', 'fr', 'fr-CA', 'es', 'pt-BR', 'it', 'nl', 'he', 'ja'];
    const codes = ['EUR', 'USD', 'GBP', 'JPY', 'KWD', 'TND', 'AUD', 'CAD', 'BRL', 'TWD', 'INR', 'CHF', 'XAF', 'XOF'];
    for (const locale of [...locales, 'pl', 'cs', 'hu', 'sv', 'da', 'nb', 'fi', 'tr']) {
      for (const currency of [...codes, 'PLN', 'CZK', 'HUF', 'SEK', 'DKK', 'NOK', 'TRY']) {
        const exponent = currencyExponent(currency);
        const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
        for (const amount of [12_345, 1_234_500, 123_456_789]) {
          const shown = format.format(amount / 10 ** exponent);
          assert.ok(finds(shown, amount, currency), `${locale} ${shown}`);
        }
      }
    }
  });

  it('finds amounts with three decimals, with or without the currency', () => {
    for (const text of ['12.345', '12,345', 'KWD 12.345', '12,345 KWD']) assert.ok(finds(text, 12_345, 'KWD'), text);
    for (const text of ['1,234.500', '1.234,500', '1 234,500', 'KWD 1,234.500', 'KWD 1234.5'])
      assert.ok(finds(text, 1_234_500, 'KWD'), text);
    for (const text of ['1,234', 'KWD 1,234', '1234']) assert.ok(finds(text, 1_234_000, 'KWD'), text);
  });

  it('takes three digits after the only separator for thousands elsewhere', () => {
    for (const text of ['1,234', '1.234', '€1,234']) {
      assert.ok(finds(text, 123_400, 'EUR'), text);
      assert.ok(!finds(text, 123, 'EUR'), text);
    }
    assert.ok(!finds('1.500', 150, 'EUR'));
  });

  it('finds only the named currency', () => {
    assert.ok(finds('US$1,234.50', 123_450, 'USD'));
    for (const text of ['US$1,234.50', '1 234,50 $US', '1.234,50 USD']) assert.ok(!finds(text, 123_450, 'CAD'), text);
    assert.ok(finds('$12.50', 1_250, 'USD') && finds('$12.50', 1_250, 'CAD'), 'a shared sign');
    for (const text of ['order 1250', 'ABC 12.50', 'kw 12.50', '12.50 of']) assert.ok(!finds(text, 1_250, 'EUR'), text);
  });
});
