// Cards as typed: brand, check digit, expiry at the end of the month, digits in any script.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCard, type TypedCard } from '../../src/domain/card.ts';
import { brandRules, cardBrands } from '../../src/domain/card-brands.ts';

const now = Date.UTC(2026, 0, 15);
const hourMs = 3_600_000;
const good: TypedCard = { number: '4242424242424242', expiry: '12/34', cvc: '123', name: 'Ada Lovelace' };

function problemsOf(typed: Partial<TypedCard>, at: number = now): unknown {
  const card = readCard({ ...good, ...typed }, at);
  return 'problems' in card ? card.problems : {};
}

function read(typed: Partial<TypedCard>) {
  const card = readCard({ ...good, ...typed }, now);
  assert.ok(!('problems' in card), JSON.stringify(card));
  return card;
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

describe('A card', () => {
  it('has the brand of its first digits', () => {
    const brands = {
      visa: ['4242424242424242', '4'],
      mastercard: ['5105105105105100', '5599', '2221', '2229', '2230', '2299', '23', '26', '270', '271', '2720'],
      amex: ['34', '378282246310005'],
      discover: ['6011', '644', '649', '65', '659'],
      diners: ['300', '305', '309', '3095', '36', '38', '39'],
      jcb: ['3528', '3529', '353', '3589'],
      unionpay: ['62', '622126', '622925', '81', '8199'],
      maestro: ['50', '5018', '56', '5612', '5893', '6304', '61', '6012', '643', '66', '6759', '6763'],
      unknown: ['', '2220', '2721', '3527', '3590', '306', '308', '310', '59', '80', '82', '9', '0', '1'],
    };
    for (const [brand, numbers] of Object.entries(brands)) {
      for (const number of numbers) assert.equal(brandRules(number).brand, brand, number);
    }
  });

  it('has no brand until enough digits are known', () => {
    for (const digits of ['2', '22', '27', '3', '30', '35', '352', '5', '6', '60', '601', '64', '8']) {
      assert.equal(brandRules(digits).brand, 'unknown', digits);
    }
  });

  it('is accepted in the usual notations', () => {
    assert.deepEqual(read({ number: ' 4242-4242 4242\u00a04242 ', expiry: ' 1 / 30 ', cvc: ' 123 ', name: ' Ada ' }), {
      number: '4242424242424242',
      brand: 'visa',
      expMonth: 1,
      expYear: 2030,
      cvc: '123',
      name: 'Ada',
    });
    for (const expiry of [
      '06/30',
      '6/30',
      '06 / 2030',
      '0630',
      '062030',
      '06-30',
      '06.2030',
      '６／３０',
      '٠٦/٣٠',
      '۰۶/۳۰',
      '06 – 30',
      '06⁄30',
      '\u200e06/30\u200e',
      '2030-06',
      '2030 / 6',
      '2030–06',
    ]) {
      const { expMonth, expYear } = read({ expiry });
      assert.deepEqual([expMonth, expYear], [6, 2030], expiry);
    }
    for (const number of [
      '４２４２４２４２４２４２４２４２',
      '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
      '۴۲۴۲۴۲۴۲۴۲۴۲۴۲۴۲',
      '4242 - 4242 - 4242 - 4242',
      '4242–4242—4242‑4242',
      '4242.4242.4242.4242',
      '\u202a4242\u200b4242\u200d4242\ufeff4242\u202c',
    ]) {
      assert.equal(read({ number, cvc: '\u200e１٢۳' }).number, '4242424242424242', number);
    }
  });

  it('is valid until its month has ended everywhere on earth, and not a millisecond longer', () => {
    const end = Date.UTC(2026, 1, 1) + 12 * hourMs;
    assert.deepEqual(problemsOf({ expiry: '01/26' }, end - 1), {});
    assert.deepEqual(problemsOf({ expiry: '01/26' }, end), { expiry: 'past' });
    assert.deepEqual(problemsOf({ expiry: '12/25' }, Date.UTC(2026, 0, 1) + 12 * hourMs - 1), {});
    assert.deepEqual(problemsOf({ expiry: '12/25' }, Date.UTC(2026, 0, 1) + 12 * hourMs), { expiry: 'past' });
  });

  it('may expire in any year of this century that has not ended', () => {
    for (const expiry of ['12/77', '12/99', '1299', '12/2099', '2099-12']) assert.deepEqual(problemsOf({ expiry }), {});
    assert.equal(read({ expiry: '12/99' }).expYear, 2099);
    for (const expiry of ['01/2100', '12/9999', '2100-01']) {
      assert.deepEqual(problemsOf({ expiry }), { expiry: 'invalid' }, expiry);
    }
    assert.deepEqual(problemsOf({ expiry: '12/1999' }), { expiry: 'past' });
  });

  it('has a problem for each invalid field', () => {
    const nothing = { number: '', expiry: ' ', cvc: '' };
    assert.deepEqual(problemsOf(nothing), { number: 'missing', expiry: 'missing', cvc: 'missing' });
    for (const number of ['4242424242424241', '4242', '42424242424242424242', '4242a42424242424', '0x10', '٤٢']) {
      assert.deepEqual(problemsOf({ number }), { number: 'invalid' }, number);
    }
    for (const expiry of [
      '00/30',
      '13/30',
      '1',
      '12/3',
      '12/345',
      'soon',
      '12//34',
      '1234567',
      '-1/30',
      '203006',
      '30-2030',
    ]) {
      assert.deepEqual(problemsOf({ expiry }), { expiry: 'invalid' }, expiry);
    }
    for (const cvc of ['12', '12345', 'abc', '12a', '-12', '1.2']) {
      assert.deepEqual(problemsOf({ cvc }), { cvc: 'invalid' }, cvc);
    }
    assert.deepEqual(problemsOf({ name: 'x'.repeat(200) }), {});
    assert.deepEqual(problemsOf({ name: 'x'.repeat(201) }), { name: 'invalid' });
  });

  it('passes the check digit, but not with any single digit changed', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 });
    fc.assert(
      fc.property(digits, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 }), (body, length, place, by) => {
        const { lengths } = brandRules(body.join(''));
        const number = withCheckDigit(body.slice(0, (lengths[length % lengths.length] ?? 12) - 1).join(''));
        assert.deepEqual(problemsOf({ number }), {});
        const at = place % number.length;
        const wrong = `${number.slice(0, at)}${(Number(number[at]) + by) % 10}${number.slice(at + 1)}`;
        assert.deepEqual((problemsOf({ number: wrong }) as { number?: string }).number, 'invalid');
      }),
    );
  });

  it('must have a number of the length of its brand, and a CVC of three or four digits', () => {
    for (const { starts, lengths } of cardBrands) {
      for (const [from] of starts) {
        for (let length = 11; length <= 20; length += 1) {
          const number = withCheckDigit(from.padEnd(length - 1, '0'));
          assert.deepEqual(problemsOf({ number }), lengths.includes(length) ? {} : { number: 'invalid' }, number);
        }
        const number = withCheckDigit(from.padEnd((lengths[0] ?? 0) - 1, '0'));
        for (const cvc of ['12', '123', '1234', '12345']) {
          assert.deepEqual(problemsOf({ number, cvc }), /^\d{3,4}$/.test(cvc) ? {} : { cvc: 'invalid' });
        }
      }
    }
  });

  it('never makes parsing throw, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string(), (number, expiry, cvc) => {
        readCard({ number, expiry, cvc, name: number }, now);
      }),
    );
  });
});
