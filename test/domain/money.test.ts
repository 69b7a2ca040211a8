import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isRefusal } from '../../src/domain/errors.ts';
import { agreeOnAmount, isAmount, type LineItem, maxAmount } from '../../src/domain/money.ts';
import { amountToCapture } from '../../src/domain/payment-intent.ts';
import { aPayment } from '../support/records.ts';

const item = (quantity: number, unitAmount: number): LineItem => ({
  name: 'Tea',
  quantity,
  unitAmount,
  description: null,
});

function refusal(result: unknown): { refused: string; param?: string } {
  assert.ok(isRefusal(result));
  const { refused, param } = result;
  return param === undefined ? { refused } : { refused, param };
}

describe('An amount', () => {
  it('is an integer from 1 to 999 999 999 999', () => {
    for (const good of [1, 1250, maxAmount]) assert.ok(isAmount(good));
    for (const bad of [0, -1, 0.5, maxAmount + 1, Number.NaN, Number.POSITIVE_INFINITY]) assert.ok(!isAmount(bad));
    assert.equal(maxAmount, 999_999_999_999);
  });

  it('can be given, summed from line items, or both if they agree', () => {
    assert.equal(agreeOnAmount(1250, null), 1250);
    assert.equal(agreeOnAmount(1250, []), 1250);
    assert.equal(agreeOnAmount(undefined, [item(2, 500), item(1, 250), item(9, 0)]), 1250);
    assert.equal(agreeOnAmount(1250, [item(2, 500), item(1, 250)]), 1250);
  });

  it('is rejected if it is missing, if the two disagree, or if the sum is not a valid amount', () => {
    assert.deepEqual(refusal(agreeOnAmount(undefined, null)), { refused: 'parameter_missing', param: 'amount' });
    assert.deepEqual(refusal(agreeOnAmount(undefined, [])), { refused: 'parameter_missing', param: 'amount' });
    assert.deepEqual(refusal(agreeOnAmount(1251, [item(1, 1250)])), { refused: 'parameter_invalid', param: 'amount' });
    const zero = agreeOnAmount(undefined, [item(5, 0)]);
    assert.deepEqual(refusal(zero), { refused: 'parameter_invalid', param: 'line_items' });
    const tooMuch = agreeOnAmount(undefined, [item(1, maxAmount), item(1, 1)]);
    assert.deepEqual(refusal(tooMuch), { refused: 'parameter_invalid', param: 'line_items' });
  });

  it('is summed exactly, even where a double would lose digits', () => {
    const quantities = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    const prices = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const lines = fc.array(fc.tuple(fc.oneof(quantities, fc.integer({ min: 1, max: 9 })), prices), { minLength: 1 });
    fc.assert(
      fc.property(lines, (pairs) => {
        const sum = pairs.reduce((total, [quantity, price]) => total + BigInt(quantity) * BigInt(price), 0n);
        const result = agreeOnAmount(
          undefined,
          pairs.map(([quantity, price]) => item(quantity, price)),
        );
        if (sum >= 1n && sum <= BigInt(maxAmount)) assert.equal(result, Number(sum));
        else assert.equal(refusal(result).param, 'line_items');
      }),
    );
    // 2^53 + 1 is not a double: rounded, it would agree with 2^53.
    assert.equal(refusal(agreeOnAmount(2 ** 53, [item(1, 2 ** 53), item(1, 1)])).param, 'amount');
  });
});

describe('The amount to capture', () => {
  const { intent } = aPayment({ terms: { amount: 1000 } });

  it('is the full amount, or less if requested', () => {
    assert.equal(amountToCapture(intent, undefined), 1000);
    assert.equal(amountToCapture(intent, 1000), 1000);
    assert.equal(amountToCapture(intent, 1), 1);
  });

  it('is never more than the authorised amount', () => {
    const result = amountToCapture(intent, 1001);
    assert.deepEqual(refusal(result), { refused: 'parameter_invalid', param: 'amount_to_capture' });
  });
});
