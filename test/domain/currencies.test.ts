import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  currencies,
  currencyExponent,
  defaultCurrencies,
  isCurrency,
  upperCaseCode,
  withdrawnCurrencies,
} from '../../src/domain/currencies.ts';

const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

describe('Currencies', () => {
  it('are the 158 of ISO 4217 plus XCG, each once, in upper case', () => {
    assert.equal(currencies.length, 159);
    assert.equal(new Set(currencies).size, 159);
    assert.ok(currencies.includes('XCG'));
    assert.ok(currencies.every((code) => /^[A-Z]{3}$/.test(code)));
  });

  it('include common currencies, and those still in the list of 2024', () => {
    for (const code of 'ANG BGN CUC ZWL ZWG USD EUR GBP JPY CHF SLE VED VES MGA MRU XCD'.split(' ')) {
      assert.ok(isCurrency(code), code);
    }
  });

  it('exclude funds, metals, test codes, currencies withdrawn earlier, and anything not in upper case', () => {
    const excluded =
      'XAU XAG XDR XTS XXX BOV CHE CHW CLF COU MXV USN UYI UYW XBA XSU XUA SLL HRK VEF eur Eur EURO'.split(' ');
    for (const code of [...excluded, '', 'constructor', '__proto__']) assert.ok(!isCurrency(code), code);
  });

  it('are written in ASCII letters only', () => {
    assert.equal(upperCaseCode('eUr'), 'EUR');
    // In upper case they would be IDR, SEK and FFK.
    for (const code of ['ıdr', 'ſek', 'ﬀk']) assert.ok(!isCurrency(upperCaseCode(code)), code);
  });

  it('have zero, two or three decimals, as in ISO 4217', () => {
    for (const code of currencies) {
      const expected = noDecimals.includes(code) ? 0 : threeDecimals.includes(code) ? 3 : 2;
      assert.equal(currencyExponent(code), expected, code);
    }
    for (const code of [...noDecimals, ...threeDecimals]) assert.ok(isCurrency(code), code);
  });

  it('are all enabled for a new merchant, except withdrawn ones', () => {
    assert.deepEqual([...withdrawnCurrencies].sort(), ['ANG', 'BGN', 'CUC', 'ZWL']);
    assert.equal(defaultCurrencies.length, 155);
    assert.ok(withdrawnCurrencies.every((code) => isCurrency(code) && !defaultCurrencies.includes(code)));
  });

  it('have no decimals if they are not supported', () => {
    assert.throws(() => currencyExponent('XXX'), RangeError);
  });
});
