import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countries } from '../../src/domain/countries.ts';
import { type CollectableDetail, collectableDetails, detailsToAsk } from '../../src/domain/customer-details.ts';
import { type DetailField, readCustomerDetails } from '../../src/domain/read-customer-details.ts';

type Typed = Partial<Record<DetailField, string>>;

const paris: Typed = {
  ...{ full_name: 'Ada Lovelace', shipping_line1: '12 Rue Cler', shipping_city: 'Paris' },
  ...{ shipping_postal_code: '75007', shipping_country: 'FR' },
};

function read(asked: readonly CollectableDetail[], typed: Typed, sameAddress = false) {
  return readCustomerDetails(asked, { field: (name) => typed[name] ?? '', sameAddress });
}
const problemsOf = (asked: readonly CollectableDetail[], typed: Typed, same = false): unknown => {
  const result = read(asked, typed, same);
  return 'problems' in result ? result.problems : null;
};

describe('What a customer enters about themselves', () => {
  it('is an e-mail address that mail can be sent to', () => {
    for (const email of ['ada@example.com', ' ada@example.com ', 'ada+tag@mail.example.co.uk', 'zoë@exämple.de'])
      assert.equal(problemsOf(['email'], { email }), null, email);
    for (const email of [
      'ada',
      'ada@',
      'ada@localhost',
      'a da@example.com',
      'ada@example.com, bob@example.com',
      '@x.de',
    ])
      assert.deepEqual(problemsOf(['email'], { email }), { email: 'invalid' }, email);
    assert.deepEqual(problemsOf(['email'], { email: '  ' }), { email: 'missing' });
  });

  it('is read without the invisible characters that are copied with e-mail addresses and phone numbers', () => {
    const pasted = read(['email', 'phone'], {
      email: '\u2068ada@exam\u00adple.com\u2069\ufeff',
      phone: '\u202a+966 11\u200b 234 5678\u202c',
    });
    assert.ok(!('problems' in pasted));
    assert.deepEqual([pasted.email, pasted.phone], ['ada@example.com', '+966112345678']);
    assert.deepEqual(problemsOf(['email', 'phone'], { email: '\u200b', phone: '\u200e' }), {
      ...{ email: 'missing', phone: 'missing' },
    });
    // In some scripts these are letters of a name: without them it would be another address.
    for (const joiner of ['\u200c', '\u200d'])
      assert.deepEqual(problemsOf(['email'], { email: `a@b${joiner}c.example` }), { email: 'invalid' });
  });

  it('is a phone number, stored without separators, in any digits', () => {
    const numbers = [
      ['+49 (30) 123-4567', '+49301234567'],
      ['0049 30 1234567', '0049301234567'],
      ['030/1234567', '0301234567'],
      ['٠٣٠١٢٣٤٥٦٧', '0301234567'],
      // The zero is dialled only within the country.
      ['+49 (0)176 12345678', '+4917612345678'],
      ['+44(0)20 7946 0123', '+442079460123'],
      ['(+353) ( 0 ) 1 234 5678', '+35312345678'],
      ['0044 (0) 20 7946 0123', '00442079460123'],
      // Except in Italy, where it is always dialled.
      ['+39 (0)6 1234 5678', '+390612345678'],
      ['(0)30 1234567', '0301234567'],
      ['+49 30 (0) 1234567', '+493001234567'],
    ] as const;
    for (const [typed, stored] of numbers) {
      const result = read(['phone'], { phone: typed });
      assert.equal('problems' in result ? null : result.phone, stored);
    }
    // The last is the number of a card.
    for (const phone of ['12', '+12', 'call me', '+1234567890123456', '378282246310005'])
      assert.deepEqual(problemsOf(['phone'], { phone }), { phone: 'invalid' }, phone);
  });

  it('is an address with a name, on single lines, with what can stay empty as null', () => {
    assert.deepEqual(
      read(['shipping_address'], { ...paris, shipping_line1: ' 12\tRue \n Cler ', shipping_line2: ' ' }),
      {
        email: null,
        phone: null,
        name: 'Ada Lovelace',
        billing_address: null,
        shipping_address: {
          ...{ line1: '12 Rue Cler', line2: null, city: 'Paris', postal_code: '75007', state: null, country: 'FR' },
        },
      },
    );
  });

  it('needs a postal code and a state only where mail needs them', () => {
    const without = { ...paris, shipping_postal_code: '' };
    const inCountry = (code: string): Typed => ({ ...without, shipping_country: code });
    assert.deepEqual(problemsOf(['shipping_address'], inCountry('FR')), { shipping_postal_code: 'missing' });
    assert.equal(problemsOf(['shipping_address'], inCountry('HK')), null);
    assert.deepEqual(problemsOf(['shipping_address'], inCountry('US')), {
      ...{ shipping_postal_code: 'missing', shipping_state: 'missing' },
    });
  });

  it('reports every empty and every bad field, and asks for no postal code before it knows the country', () => {
    assert.deepEqual(problemsOf(collectableDetails, { email: 'ada', shipping_city: 'Paris' }, true), {
      ...{ email: 'invalid', phone: 'missing', full_name: 'missing' },
      ...{ shipping_line1: 'missing', shipping_country: 'missing' },
    });
    assert.deepEqual(problemsOf(['shipping_address'], { ...paris, shipping_country: 'XX' }), {
      shipping_country: 'invalid',
    });
    assert.deepEqual(problemsOf(['shipping_address'], { ...paris, shipping_line1: 'x'.repeat(151) }), {
      shipping_line1: 'invalid',
    });
    assert.deepEqual(problemsOf(['shipping_address'], { ...paris, full_name: '?!' }), { full_name: 'invalid' });
  });

  it('never contains the number of a card', () => {
    assert.deepEqual(problemsOf(['shipping_address'], { ...paris, full_name: '4242 4242 4242 4242' }), {
      full_name: 'invalid',
    });
  });

  it('can have one address for both, or two', () => {
    const both: readonly CollectableDetail[] = ['shipping_address', 'billing_address'];
    const same = read(both, paris, true);
    assert.ok(!('problems' in same));
    assert.deepEqual(same.billing_address, same.shipping_address);
    assert.deepEqual(problemsOf(both, paris, false), {
      ...{ billing_line1: 'missing', billing_city: 'missing', billing_country: 'missing' },
    });
    // There is no other address that it could be the same as.
    assert.deepEqual(Object.keys(problemsOf(['billing_address'], {}, true) as object), [
      ...['full_name', 'billing_country', 'billing_line1', 'billing_city'],
    ]);
  });

  it('is not asked for if the merchant has passed it', () => {
    const asked = (customerEmail: string | null) => detailsToAsk({ collect: ['email', 'phone'], customerEmail });
    assert.deepEqual(asked(null), ['email', 'phone']);
    assert.deepEqual(asked('ada@example.com'), ['phone']);
  });
});

it('Every country has a name in the languages of the pages', () => {
  assert.equal(new Set(countries).size, 249);
  const names = new Intl.DisplayNames('de', { type: 'region' });
  for (const code of countries) assert.notEqual(names.of(code), code);
});
