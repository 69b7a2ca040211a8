import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currencies } from '../../src/domain/currencies.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import {
  isPaymentMethodType,
  methodAllowsCurrency,
  offeredMethods,
  paymentMethodTypes,
} from '../../src/domain/payment-methods.ts';

const localMethods = {
  ideal: 'EUR',
  bancontact: 'EUR',
  eps: 'EUR',
  blik: 'PLN',
  pix: 'BRL',
  promptpay: 'THB',
  swish: 'SEK',
  twint: 'CHF',
  sepa_debit: 'EUR',
  oxxo: 'MXN',
};

describe('Payment methods', () => {
  it('are card and ten local methods', () => {
    assert.deepEqual([...paymentMethodTypes].sort(), ['card', ...Object.keys(localMethods)].sort());
    assert.ok(isPaymentMethodType('card'));
    for (const other of ['', 'cards', 'paypal', 'toString', '__proto__']) assert.ok(!isPaymentMethodType(other));
  });

  it('support all currencies for cards, and a single currency for each local method', () => {
    for (const currency of currencies) {
      assert.ok(methodAllowsCurrency('card', currency));
      for (const [method, allowed] of Object.entries(localMethods)) {
        assert.ok(isPaymentMethodType(method));
        assert.equal(methodAllowsCurrency(method, currency), currency === allowed, `${method} ${currency}`);
      }
    }
  });

  it('are by default all that the account and the currency allow', () => {
    const euros = offeredMethods(undefined, paymentMethodTypes, 'EUR');
    assert.deepEqual(euros, ['card', 'ideal', 'bancontact', 'eps', 'sepa_debit']);
    assert.deepEqual(offeredMethods(undefined, ['swish', 'card', 'pix'], 'SEK'), ['swish', 'card']);
  });

  it('are offered in the requested order', () => {
    assert.deepEqual(offeredMethods(['ideal', 'card'], paymentMethodTypes, 'EUR'), ['ideal', 'card']);
  });

  it('are rejected if the account has not enabled them, the currency does not allow them, or none is left', () => {
    const cases = [
      [offeredMethods(['card', 'ideal'], ['card'], 'EUR'), 'payment_method_types[1]'],
      [offeredMethods(['twint'], paymentMethodTypes, 'EUR'), 'payment_method_types[0]'],
      [offeredMethods(undefined, ['ideal', 'eps'], 'USD'), 'currency'],
      [offeredMethods(undefined, [], 'USD'), 'currency'],
    ] as const;
    for (const [refusal, param] of cases) {
      assert.ok(isRefusal(refusal));
      assert.equal(refusal.refused, 'payment_method_not_enabled');
      assert.equal(refusal.param, param);
    }
  });
});
