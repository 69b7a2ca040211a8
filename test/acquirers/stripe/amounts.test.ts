// Amounts in the units of Stripe, for every currency we know.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fromStripe, toStripe } from '../../../src/acquirers/stripe/amounts.ts';
import { stripe } from '../../../src/acquirers/stripe/stripe.ts';
import { currencies } from '../../../src/domain/currencies.ts';
import { maxAmount } from '../../../src/domain/money.ts';

const refused = (currency: string, amount: number) =>
  stripe.refuseCharge({ method: 'card', currency, amount, captureMethod: 'automatic' });

describe('Amounts at Stripe', () => {
  it('are ours for most currencies, with or without decimals', () => {
    assert.equal(toStripe('EUR', 1_250), 1_250);
    assert.equal(toStripe('JPY', 500), 500);
    assert.equal(toStripe('HUF', 12_345), 12_345);
    assert.equal(toStripe('TWD', 150), 150);
  });

  it('have two decimals, which are zero, for ISK and UGX', () => {
    assert.equal(toStripe('ISK', 5), 500);
    assert.equal(toStripe('UGX', 2_000), 200_000);
    assert.deepEqual(fromStripe('isk', 500), { currency: 'ISK', amount: 5 });
    assert.equal(fromStripe('isk', 550), null);
  });

  it('have three decimals, the last of which must be zero, for five currencies', () => {
    for (const currency of ['BHD', 'JOD', 'KWD', 'OMR', 'TND']) {
      assert.equal(toStripe(currency, 5_120), 5_120);
      assert.equal(refused(currency, 5_124)?.code, 'parameter_invalid');
      assert.match(refused(currency, 5_124)?.message ?? '', /must end in 0, and 5124 does not/);
    }
  });

  it('have no decimals for MGA, which has two here', () => {
    assert.equal(toStripe('MGA', 50_000), 500);
    assert.equal(refused('MGA', 50_050)?.code, 'parameter_invalid');
    assert.deepEqual(fromStripe('mga', 500), { currency: 'MGA', amount: 50_000 });
  });

  it('have at most eight digits, except in a few currencies', () => {
    assert.equal(refused('USD', 99_999_999), null);
    assert.equal(refused('USD', 100_000_000)?.code, 'parameter_invalid');
    assert.equal(refused('ISK', 999_999), null);
    assert.equal(refused('ISK', 1_000_000)?.code, 'parameter_invalid');
    assert.equal(refused('IDR', maxAmount), null);
    assert.equal(refused('HUF', 9_999_999_999), null);
  });

  it('do not exist in currencies that Stripe does not support', () => {
    for (const currency of ['IRR', 'KPW', 'CUP', 'LYD', 'XXX'])
      assert.deepEqual(refused(currency, 1_000), {
        code: 'currency_not_supported',
        param: 'currency',
        message: `Stripe does not support ${currency}.`,
      });
  });

  it('are never rounded: what is accepted comes back as the same amount', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencies), fc.integer({ min: 1, max: maxAmount }), (currency, amount) => {
        const units = toStripe(currency, amount);
        if (typeof units !== 'number') return;
        assert.ok(Number.isSafeInteger(units));
        assert.deepEqual(fromStripe(currency.toLowerCase(), units), { currency, amount });
      }),
    );
  });
});
