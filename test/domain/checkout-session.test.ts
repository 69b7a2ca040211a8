import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extendedExpiry, isOpen, normaliseUrl } from '../../src/domain/checkout-session.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { aMoment, aPayment, aScope, plainTerms } from '../support/records.ts';

describe('A new payment', () => {
  it('is an open session and a payment intent that refer to each other and agree', () => {
    const scope = aScope({ livemode: true });
    const { intent, session } = aPayment({ scope, expiresInSeconds: 300, moment: aMoment(now) });
    assert.equal(session.status, 'open');
    assert.equal(session.expiresAt, now + 300_000);
    assert.equal(session.completedAt, null);
    assert.equal(session.paymentIntentId, intent.id);
    assert.equal(intent.checkoutSessionId, session.id);
    assert.equal(intent.status, 'requires_payment_method');
    assert.equal(intent.amountCaptured, 0);
    assert.equal(intent.amountRefunded, 0);
    for (const half of [intent, session]) {
      const { merchantId, livemode, amount, currency, metadata, captureMethod, createdAt, version } = half;
      assert.deepEqual({ merchantId, livemode }, scope);
      const terms = plainTerms;
      assert.deepEqual(
        [amount, currency, metadata, captureMethod],
        [terms.amount, terms.currency, terms.metadata, terms.captureMethod],
      );
      assert.deepEqual([createdAt, version], [now, 0]);
    }
  });
});

describe('A session', () => {
  const { session } = aPayment({ expiresInSeconds: 600, moment: aMoment(now) });

  it('is open until it expires or ends', () => {
    assert.ok(isOpen(session, now));
    assert.ok(isOpen(session, session.expiresAt - 1));
    assert.ok(!isOpen(session, session.expiresAt));
    assert.ok(!isOpen({ ...session, status: 'completed' }, now));
    assert.ok(!isOpen({ ...session, status: 'expired' }, now));
  });

  it('can be extended from now, up to 24 hours after its creation', () => {
    const hour = 3_600_000;
    assert.equal(extendedExpiry(session, 600, now + hour), now + hour + 600_000);
    assert.equal(extendedExpiry(session, 86_400, now), now + 24 * hour);
    assert.equal(extendedExpiry(session, 300, now + 24 * hour - 300_000), now + 24 * hour);
    for (const [seconds, at] of [
      [86_400, now + 1],
      [301, now + 24 * hour - 300_000],
      [300, now + 24 * hour],
    ] as const) {
      const refused = extendedExpiry(session, seconds, at);
      assert.ok(isRefusal(refused));
      assert.deepEqual([refused.refused, refused.param], ['parameter_invalid', 'expires_in']);
    }
  });
});

describe('A return or cancel URL', () => {
  const refused = (url: string, livemode: boolean): boolean => isRefusal(normaliseUrl('return_url', url, livemode));

  it('is absolute, with https in either mode, and http in test mode only', () => {
    for (const url of [
      'https://shop.example',
      'https://shop.example/a?b=c#d',
      'https://shop.example:8443/{CHECKOUT_SESSION_ID}',
    ]) {
      assert.ok(!refused(url, true), url);
      assert.ok(!refused(url, false), url);
    }
    for (const url of ['http://localhost:3000/thanks', 'HTTP://127.0.0.1/']) {
      assert.ok(!refused(url, false), url);
      assert.ok(refused(url, true), url);
    }
  });

  it('is rejected if a browser would run it, guess at it, or send a password with it', () => {
    const wrong = [
      '',
      '/thanks',
      'thanks',
      'shop.example/thanks',
      '//shop.example/thanks',
      'https:shop.example',
      'https:/shop.example',
      'https://',
      'javascript:alert(1)',
      'javascript://shop.example/%0aalert(1)',
      'data:text/html,hello',
      'file:///etc/passwd',
      'ftp://shop.example',
      'https://shop.example\\@evil.example',
      'https:\\\\shop.example',
      ' https://shop.example',
      'https://shop.example/a\tb',
      'https://a;sandbox/',
      'https://*/',
      'https://shop.example/\nSet-Cookie: a=b',
      'java\nscript:alert(1)',
      'https://user:password@shop.example',
      'https://user@shop.example',
      'http://user@localhost',
      'https://shop.example:99999',
    ];
    for (const url of wrong) {
      assert.ok(refused(url, false), JSON.stringify(url));
      assert.ok(refused(url, true), JSON.stringify(url));
    }
  });

  it('is rejected with the name of its field', () => {
    for (const param of ['return_url', 'cancel_url'] as const) {
      const refusal = normaliseUrl(param, 'thanks', false);
      assert.ok(isRefusal(refusal));
      assert.equal(refusal.refused, 'parameter_invalid');
      assert.equal(refusal.param, param);
      assert.match(refusal.message, new RegExp(`\`${param}\``));
    }
  });
});
