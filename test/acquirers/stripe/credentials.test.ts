// Credentials that cannot work are refused with the reason, which never contains them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripe } from '../../../src/acquirers/stripe/stripe.ts';

const test = { secret_key: 'sk_test_abc', publishable_key: 'pk_test_abc', webhook_secret: 'whsec_abc' };
const live = { secret_key: 'sk_live_abc', publishable_key: 'pk_live_abc', webhook_secret: 'whsec_abc' };

describe('Credentials of Stripe', () => {
  it('are accepted in their mode, with a secret or a restricted key', () => {
    assert.equal(stripe.refuseCredentials(test, false), null);
    assert.equal(stripe.refuseCredentials({ ...test, secret_key: 'rk_test_abc' }, false), null);
    assert.equal(stripe.refuseCredentials(live, true), null);
    assert.deepEqual(
      stripe.credentials.filter(({ isSecret }) => isSecret).map(({ name }) => name),
      ['secret_key', 'webhook_secret'],
    );
  });

  const wrong: readonly (readonly [what: string, credentials: Record<string, string>, livemode: boolean, RegExp])[] = [
    [
      'a live secret key in test mode',
      { ...test, secret_key: live.secret_key },
      false,
      /`secret_key` is a live key.*`--live`/,
    ],
    [
      'a live publishable key in test mode',
      { ...test, publishable_key: live.publishable_key },
      false,
      /`publishable_key` is a live key/,
    ],
    ['a test secret key in live mode', { ...live, secret_key: test.secret_key }, true, /`secret_key` is a test key/],
    [
      'a test publishable key in live mode',
      { ...live, publishable_key: test.publishable_key },
      true,
      /`publishable_key` is a test key/,
    ],
    [
      'swapped keys',
      { ...test, secret_key: test.publishable_key },
      false,
      /`secret_key` must look like .*starts like a publishable key/,
    ],
    [
      'a secret key as publishable key',
      { ...test, publishable_key: test.secret_key },
      false,
      /`publishable_key` must .*starts like a secret key/,
    ],
    [
      'a secret key as webhook secret',
      { ...test, webhook_secret: test.secret_key },
      false,
      /`webhook_secret` must .*starts like a secret key/,
    ],
    [
      'a missing webhook secret',
      { secret_key: 'sk_test_a', publishable_key: 'pk_test_a' },
      false,
      /`webhook_secret` is missing/,
    ],
    ['an empty key', { ...test, secret_key: '' }, false, /`secret_key` is missing/],
    ['a key with spaces', { ...test, secret_key: 'sk_test_a b' }, false, /`secret_key` must look like/],
    ['a key with a line break', { ...test, secret_key: 'sk_test_ab\n' }, false, /`secret_key` must look like/],
    ['an unknown field', { ...test, api_key: 'test_x' }, false, /no credential `api_key`/],
  ];
  for (const [what, credentials, livemode, reason] of wrong) {
    it(`are refused with ${what}`, () => {
      const message = stripe.refuseCredentials(credentials, livemode) ?? '';
      assert.match(message, reason);
      assert.doesNotMatch(message, /abc|test_x/);
    });
  }
});
