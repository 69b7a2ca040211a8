// A Mollie account before and besides payments: credentials, amounts, languages, the check and the test payment.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { AcquirerSilent } from '../../../src/acquirers/acquirer.ts';
import { type MollieMethod, methodRules, mollieAmount, unitsOf } from '../../../src/acquirers/mollie/amounts.ts';
import { idempotencyKey } from '../../../src/acquirers/mollie/idempotency.ts';
import { mollieLocale } from '../../../src/acquirers/mollie/locales.ts';
import { mollie } from '../../../src/acquirers/mollie/provider.ts';
import { CredentialsRefused, type TestStep } from '../../../src/acquirers/provider.ts';
import { maxAmount } from '../../../src/domain/money.ts';
import { beginRequest, mollieAccount } from './mollie-account.ts';

describe('the credentials of Mollie', () => {
  it('are an API key of the mode', () => {
    assert.equal(mollie.refuseCredentials({ api_key: 'test_abc123' }, false), null);
    assert.equal(mollie.refuseCredentials({ api_key: 'live_abc123' }, true), null);
  });

  for (const [key, livemode, reason] of [
    ['live_abc123', false, /is a live key/],
    ['test_abc123', true, /is a test key/],
    ['access_abc123', true, /organization access token/],
    ['sk_test_abc123', false, /must be an API key of Mollie/],
    ['', false, /must be an API key of Mollie/],
  ] as const) {
    it(`are refused with the reason: ${reason.source}`, () => {
      const message = mollie.refuseCredentials({ api_key: key }, livemode);
      assert.match(message ?? '', reason);
      assert.doesNotMatch(message ?? '', /abc123/);
    });
  }
});

describe('an amount at Mollie', () => {
  it('is a decimal string with the decimals of the currency', () => {
    assert.deepEqual(mollieAmount(1250, 'EUR'), { currency: 'EUR', value: '12.50' });
    assert.deepEqual(mollieAmount(5, 'EUR'), { currency: 'EUR', value: '0.05' });
    assert.deepEqual(mollieAmount(1250, 'JPY'), { currency: 'JPY', value: '1250' });
    assert.deepEqual(mollieAmount(maxAmount, 'EUR'), { currency: 'EUR', value: '9999999999.99' });
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: maxAmount }),
        fc.constantFrom('EUR', 'JPY', 'HUF', 'ISK'),
        (units, currency) => {
          assert.equal(unitsOf(mollieAmount(units, currency), currency), units);
        },
      ),
    );
  });

  for (const value of ['12.5', '12.500', '12', '-1.00', '1e3', '1,000.00', ' 1.00', 12.5, null]) {
    it(`is not ${JSON.stringify(value)} in EUR`, () => {
      assert.equal(unitsOf({ currency: 'EUR', value }, 'EUR'), null);
    });
  }

  for (const [method, currency, amount, code] of [
    ['ideal', 'EUR', 1, null],
    ['ideal', 'CHF', 100, 'currency_not_supported'],
    ['ideal', 'EUR', 5_000_001, 'parameter_invalid'],
    ['bancontact', 'EUR', 1, 'parameter_invalid'],
    ['eps', 'EUR', 99, 'parameter_invalid'],
    ['eps', 'EUR', 1_000_001, 'parameter_invalid'],
    ['twint', 'CHF', 100, null],
    ['card', 'JPY', 100, null],
    ['card', 'KWD', 1000, 'currency_not_supported'],
    ['sepa_debit', 'EUR', 1000, 'parameter_invalid'],
  ] as const) {
    it(`of ${amount} ${currency} by ${method} is ${code ?? 'accepted'}`, () => {
      const charge = { method, currency, amount, captureMethod: 'automatic' } as const;
      assert.equal(mollie.refuseCharge(charge)?.code ?? null, code);
    });
  }

  for (const method of mollie.methods) {
    const [currency = ''] = methodRules[method as MollieMethod].currencies;
    it(`by ${method} can ${method === 'card' ? '' : 'not '}be captured later`, () => {
      const charge = { method, currency: method === 'card' ? 'EUR' : currency, amount: 1_000 } as const;
      const refusal = mollie.refuseCharge({ ...charge, captureMethod: 'manual' });
      assert.equal(refusal?.param ?? null, method === 'card' ? null : 'capture_method');
    });
  }

  for (const method of mollie.methods) {
    it(`by ${method} is accepted by Mollie too`, async (test) => {
      const { sent, simulator } = await mollieAccount(test);
      const currency = methodRules[method as keyof typeof methodRules].currencies[0];
      await sent({ method, currency, amount: 1234 });
      assert.equal(simulator.books.payments[0]?.amount, 1234);
    });
  }
});

describe('the language of the pages of Mollie', () => {
  for (const [tag, locale] of [
    ['de-AT', 'de_AT'],
    ['de', 'de_DE'],
    ['en', 'en_US'],
    ['en-AU', 'en_US'],
    ['no', 'nb_NO'],
    ['pt-BR', 'pt_PT'],
    ['zh-Hant-TW', null],
    ['', null],
  ] as const) {
    it(`for ${tag || 'nothing'} is ${locale ?? "the browser's"}`, () => {
      assert.equal(mollieLocale(tag), locale);
    });
  }
});

describe('an idempotency key for Mollie', () => {
  it('is a UUID that depends on the operation alone', () => {
    assert.match(idempotencyKey('op_1'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(idempotencyKey('op_1'), idempotencyKey('op_1'));
    assert.notEqual(idempotencyKey('op_1'), idempotencyKey('op_2'));
  });
});

describe('the request for a payment', () => {
  async function requestWith(notificationUrl: string): Promise<string> {
    const account = mollie.connect({
      livemode: false,
      credentials: { api_key: 'test_abc123' },
      apiUrl: 'https://api.mollie.com',
      now: () => 0,
      door: { send: () => Promise.reject(new Error('begin sends nothing')), close: async () => {} },
    });
    const begun = await account.begin({ ...beginRequest('op_1'), notificationUrl });
    assert.equal(begun.next, 'authorise');
    return JSON.stringify(begun);
  }

  for (const url of [
    ...['http://127.0.0.1:4020', 'http://localhost:4020', 'http://0.0.0.0:4020', 'http://192.168.1.20:4020'],
    ...['https://10.1.2.3', 'https://[fd00::1]', 'http://paydesk:4020', 'https://paydesk.local'],
  ]) {
    it(`omits the notification address ${url}, which Mollie cannot reach`, async () => {
      assert.doesNotMatch(await requestWith(`${url}/acquirers/acq_1/notifications`), /webhookUrl/);
    });
  }

  it('has a public notification address', async () => {
    const url = 'https://pay.shop.example/acquirers/acq_1/notifications';
    assert.ok((await requestWith(url)).includes(`"webhookUrl":"${url}"`));
  });

  it('shortens a long description to what Mollie takes', async (test) => {
    const { simulator, sent } = await mollieAccount(test);
    await sent({ description: `${'x'.repeat(254)}😀` });
    assert.equal(simulator.books.payments[0]?.description, 'x'.repeat(254));
  });
});

describe('the check of a Mollie account', () => {
  it('tells the profile, the methods that are switched on, and the clock difference', async (test) => {
    const { account, simulator } = await mollieAccount(test);
    simulator.enableMethods(['ideal', 'twint', 'klarna']);
    assert.deepEqual(await account.check(), {
      account: 'Simulated shop (pfl_simulator)',
      country: null,
      currencies: ['CHF', 'EUR'],
      methods: ['ideal', 'twint'],
      clockAheadMs: 0,
    });
  });

  it('tells that the key is not accepted, without repeating it', async (test) => {
    const { account } = await mollieAccount(test, { apiKey: 'test_revoked' });
    await assert.rejects(account.check(), (error) => {
      assert.ok(error instanceof CredentialsRefused);
      assert.doesNotMatch(error.message, /test_revoked/);
      return true;
    });
  });
});

describe('a ping of Mollie', () => {
  it('is a single request, and tells that the key is not accepted', async (test) => {
    const { account, simulator } = await mollieAccount(test);
    await account.ping?.();
    assert.equal(simulator.requests.length, 1);
    simulator.faults.add({ when: 'before', how: 503 });
    await assert.rejects(account.ping?.() ?? Promise.resolve(), AcquirerSilent);
    const revoked = await mollieAccount(test, { apiKey: 'test_revoked' });
    await assert.rejects(revoked.account.ping?.() ?? Promise.resolve(), CredentialsRefused);
  });
});

describe('a test payment at Mollie', () => {
  const request = {
    currency: 'EUR',
    returnUrl: 'https://shop.example',
    notificationUrl: 'http://127.0.0.1:9/',
    id: 't1',
  };

  it('is captured and refunded after a person has paid it', async (test) => {
    const { account, simulator } = await mollieAccount(test);
    const steps: TestStep[] = [];
    const wait = async (): Promise<void> => {
      const [, url = ''] = /open (\S+)/.exec(steps[0]?.message ?? '') ?? [];
      await simulator.choose(url, 'authorized');
    };
    for await (const step of account.payForTest({ ...request, wait })) steps.push(step);
    assert.deepEqual(
      steps.map(({ name, ok }) => [name, ok]),
      [
        ['payment', true],
        ['capture', true],
        ['refund', true],
      ],
    );
    assert.deepEqual(simulator.books.sums(), { EUR: { captured: 1000, refunded: 1000, chargedBack: 0 } });
  });

  it('says that it is not paid if nobody is waited for', async (test) => {
    const { account } = await mollieAccount(test);
    const steps: TestStep[] = [];
    for await (const step of account.payForTest(request)) steps.push(step);
    assert.deepEqual(
      steps.map(({ name, ok }) => [name, ok]),
      [
        ['payment', true],
        ['capture', false],
      ],
    );
    assert.match(steps[1]?.message ?? '', /not paid yet/);
  });

  it('is refused with a live key', async (test) => {
    const { account } = await mollieAccount(test, { livemode: true });
    assert.throws(() => account.payForTest(request), /test key/);
  });
});
