import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  currencies,
  currencyExponent,
  defaultCurrencies,
  isCurrency,
  withdrawnCurrencies,
} from '../../src/domain/currencies.ts';

const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

describe('Currencies', () => {
  it('are the 158 of ISO 4217 and XCG, each once, in upper case', () => {
    assert.equal(currencies.length, 159);
    assert.equal(new Set(currencies).size, 159);
    assert.ok(currencies.includes('XCG'));
    assert.ok(currencies.every((code) => /^[A-Z]{3}$/.test(code)));
  });

  it('include those that the list of 2024 still had, and the everyday ones', () => {
    for (const code of 'ANG BGN CUC ZWL ZWG USD EUR GBP JPY CHF SLE VED VES MGA MRU XCD'.split(' ')) {
      assert.ok(isCurrency(code), code);
    }
  });

  it('leave out funds, metals, test codes, withdrawn ones of before, and anything not in upper case', () => {
    const not = 'XAU XAG XDR XTS XXX BOV CHE CHW CLF COU MXV USN UYI UYW XBA XSU XUA SLL HRK VEF eur Eur EURO'.split(
      ' ',
    );
    for (const code of [...not, '', 'constructor', '__proto__']) assert.ok(!isCurrency(code), code);
  });

  it('have no decimals, three, or two, as ISO says', () => {
    for (const code of currencies) {
      const expected = noDecimals.includes(code) ? 0 : threeDecimals.includes(code) ? 3 : 2;
      assert.equal(currencyExponent(code), expected, code);
    }
    for (const code of [...noDecimals, ...threeDecimals]) assert.ok(isCurrency(code), code);
  });

  it('that are withdrawn are not enabled for a new merchant; all others are', () => {
    assert.deepEqual([...withdrawnCurrencies].sort(), ['ANG', 'BGN', 'CUC', 'ZWL']);
    assert.equal(defaultCurrencies.length, 155);
    assert.ok(withdrawnCurrencies.every((code) => isCurrency(code) && !defaultCurrencies.includes(code)));
  });

  it('that are not supported have no decimals to ask for', () => {
    assert.throws(() => currencyExponent('XXX'), RangeError);
  });
});
