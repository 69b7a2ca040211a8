// What the page is told about Stripe's card fields.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardFields } from '../../../src/acquirers/stripe/card-fields.ts';

const scriptUrl = 'https://js.stripe.com/dahlia/stripe.js';
const apiUrl = 'https://api.stripe.com';
const page = { scriptUrl, amount: 1_250, currency: 'EUR', captureMethod: 'automatic' } as const;

describe("Stripe's card fields", () => {
  it("get the amount in Stripe's units, for the wallets", () => {
    const shown = (currency: string, amount: number) => {
      const fields = cardFields({ ...page, currency, amount }, 'pk_test_1', apiUrl);
      return [fields.amount, fields.currency];
    };
    assert.deepEqual(shown('EUR', 1_250), [1_250, 'eur']);
    assert.deepEqual(shown('ISK', 1_250), [125_000, 'isk']);
    assert.deepEqual(shown('JPY', 1_250), [1_250, 'jpy']);
    assert.deepEqual(shown('MGA', 1_200), [12, 'mga']);
  });

  it("need Stripe's origins, whatever the version of the script", () => {
    for (const url of [scriptUrl, 'https://js.stripe.com/v3/']) {
      assert.deepEqual(cardFields({ ...page, scriptUrl: url }, 'pk_test_1', apiUrl).sources, {
        script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
        frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
        connect: ['https://api.stripe.com'],
      });
    }
  });

  it('need only the origins that replace them, each once', () => {
    const replaced = { ...page, scriptUrl: 'http://127.0.0.1:9000/v3/' };
    const { sources } = cardFields(replaced, 'pk_test_1', 'http://127.0.0.1:9000');
    const only = ['http://127.0.0.1:9000'];
    assert.deepEqual(sources, { script: only, frame: only, connect: only });
  });
});
