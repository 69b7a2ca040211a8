// What is kept of the bodies of API requests.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { maskedBody, maskedPath } from '../../src/domain/mask-body.ts';

function masked(body: unknown): unknown {
  const text = maskedBody(JSON.stringify(body));
  return text === null ? null : JSON.parse(text);
}

describe('The masked body of a request', () => {
  it('shows what was asked for, without secrets and personal data', () => {
    assert.deepEqual(
      masked({
        amount: 1250,
        currency: 'EUR',
        description: 'Two bags of coffee for ada@example.org',
        customer_email: 'ada@example.org',
        customer: { name: 'Ada Lovelace', phone: '+44 20 7946 0000', address: { city: 'London', line2: null } },
        metadata: { order: '6735', note: 'Ada' },
        line_items: [{ name: 'Coffee', quantity: 2, unit_amount: 625 }],
        client_secret: 'cs_1_secret_0123456789abcdefghij',
        return_url: 'https://shop.example/thanks?mail=ada@example.org',
        capture_method: 'manual',
        livemode: false,
      }),
      {
        amount: 1250,
        currency: 'EUR',
        description: 'Two bags of coffee for [email]',
        customer_email: '[hidden]',
        customer: { name: '[hidden]', phone: '[hidden]', address: { city: '[hidden]', line2: null } },
        metadata: { order: '[hidden]', note: '[hidden]' },
        line_items: [{ name: 'Coffee', quantity: 2, unit_amount: 625 }],
        client_secret: '[secret]',
        return_url: 'https://shop.example/thanks?mail=[email]',
        capture_method: 'manual',
        livemode: false,
      },
    );
  });

  it('contains no card number, key or secret, whatever the field is called', () => {
    const secrets = ['4242424242424242', '4242 4242 4242 4242', `sk_test_${'a'.repeat(32)}`, `whsec_${'b'.repeat(32)}`];
    for (const secret of secrets)
      for (const body of [{ note: secret }, [secret], { deep: [{ [secret]: 1 }] }, { text: `my ${secret} here` }])
        assert.ok(!JSON.stringify(masked(body)).includes(secret), JSON.stringify(body));
  });

  it('contains no card number that was sent as a number, whole or cut off', () => {
    for (const body of [{ number: 4242424242424242 }, { card: { number: 378282246310005 } }, [5555555555554444]])
      assert.doesNotMatch(JSON.stringify(masked(body)), /\d{12}/, JSON.stringify(body));
    assert.deepEqual(masked({ amount: 99999999, at: 1763324400000, rate: 0.25 }), {
      ...{ amount: 99999999, at: 1763324400000, rate: 0.25 },
    });
    for (const at of [485, 490, 495, 499]) {
      const text = JSON.stringify(masked({ note: `${'x'.repeat(at)} 4242 4242 4242 4242 and more` }));
      assert.doesNotMatch(text, /4242/, text);
    }
  });

  it('hides what identifies a bank account', () => {
    assert.deepEqual(masked({ iban: 'DE89370400440532013000', account_holder: 'Ada', account_number: 12345678 }), {
      ...{ iban: '[hidden]', account_holder: '[hidden]', account_number: '[hidden]' },
    });
  });

  it('has no address that is cut off', () => {
    const text = JSON.stringify(masked({ note: `${'x'.repeat(495)} ada@example.org` }));
    assert.doesNotMatch(text, / ada/, text);
  });

  it('never contains an e-mail address', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.emailAddress(), name, name, (address, one, other) => {
        const text = JSON.stringify(masked({ [one]: { [other]: [`<${address}>`, address] }, [address]: address }));
        assert.ok(!text.includes(address), text);
      }),
    );
    const returnUrl = masked({ return_url: 'https://shop.example/done?email=ada%40example.com&order=1' });
    assert.deepEqual(returnUrl, { return_url: 'https://shop.example/done?email=[email]&order=1' });
  });

  it('is shortened, and left out if it is too large or no JSON', () => {
    const long = masked({ data: Array.from({ length: 30 }, (_, at) => at), text: 'x'.repeat(2_000) }) as {
      data: unknown[];
      text: string;
    };
    assert.deepEqual([long.data.length, long.data.at(-1), long.text.length], [21, '[10 more]', 501]);
    assert.equal(maskedBody('{"amount":'), null);
    assert.equal(maskedBody(''), null);
    assert.equal(maskedBody(JSON.stringify({ text: 'x'.repeat(100_000) })), null);
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`key${at}`, 'y'.repeat(400)]));
    assert.equal(masked(wide), null);
    let deep: unknown = 1;
    for (let at = 0; at < 5_000; at++) deep = [deep];
    assert.ok(JSON.stringify(masked(deep)).includes('[…]'));
  });

  it('has a path whose query is masked in the same way', () => {
    const query = new URLSearchParams({
      limit: '5',
      customer_email: 'ada@example.org',
      q: 'ada@example.org',
      token: 'x',
    });
    const path = maskedPath('/payment-intents', query);
    assert.equal(path, '/payment-intents?limit=5&customer_email=[hidden]&q=[email]&token=[secret]');
  });

  it('is text that every database can store, wherever it is cut off', () => {
    const emoji = '😀';
    for (const value of ['\0', `a\0b`, '\ud83d', `${'a'.repeat(499)}${emoji}b`, `a${emoji.repeat(600)}`]) {
      const pairs = Array.from({ length: 4 }, (_, at): [string, string] => [`q${at}${value}`, value]);
      const texts = [
        maskedPath('/payment-intents', new URLSearchParams(pairs)),
        maskedPath(`/payment-intents/${value}`, new URLSearchParams()),
        maskedBody(JSON.stringify(Object.fromEntries(pairs))) ?? '',
      ];
      for (const text of texts) assert.ok(text.isWellFormed() && !text.includes('\0'), JSON.stringify(text));
    }
    assert.equal(maskedPath('/me', new URLSearchParams('q=a%00b')), '/me?q=a\ufffdb');
  });
});
