// Bad input gets a clear error that names the parameter, and nothing is stored.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { assertRefused, entriesOf, type Fields, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';

const good = { amount: 1250, currency: 'EUR' };
const item = { name: 'Tea', quantity: 1, unit_amount: 1250 };

/** Fields with one mistake each, merged into good ones; the error code, and the parameter that it names. */
const wrong: readonly (readonly [Fields, code: string, param: string])[] = [
  ...[0, -1, -1250, 0.5, 1250.01, 1_000_000_000_000, 1e300, '1250', '', null, true, [], {}, [1250]].map(
    (amount) => [{ amount }, 'parameter_invalid', 'amount'] as const,
  ),
  [{ currency: undefined }, 'parameter_missing', 'currency'],
  [{ amount: undefined }, 'parameter_missing', 'amount'],
  ...['EUX', 'XAU', 'BTC', 'xxx', '€€€', 'E R', 'ıdr', 'ſek'].map(
    (currency) => [{ currency }, 'currency_not_supported', 'currency'] as const,
  ),
  ...['', 'EU', 'EURO', null, 978, ['EUR']].map((currency) => [{ currency }, 'parameter_invalid', 'currency'] as const),
  ...['BGN', 'zwl', 'ANG', 'CUC'].map((currency) => [{ currency }, 'currency_not_enabled', 'currency'] as const),
  ...[299, 86_401, 0, -1, 1800.5, '30m', '1800', null].map(
    (expires_in) => [{ expires_in }, 'parameter_invalid', 'expires_in'] as const,
  ),
  [{ mode: 'subscription' }, 'parameter_invalid', 'mode'],
  [{ mode: null }, 'parameter_invalid', 'mode'],
  [
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`key${at}`, 'v'])) },
    'parameter_invalid',
    'metadata',
  ],
  [{ metadata: { order: { nested: '1' } } }, 'parameter_invalid', 'metadata.order'],
  [{ metadata: { order: ['1'] } }, 'parameter_invalid', 'metadata.order'],
  [{ metadata: { order: 1 } }, 'parameter_invalid', 'metadata.order'],
  [{ metadata: { order: true } }, 'parameter_invalid', 'metadata.order'],
  [{ metadata: { order: null } }, 'parameter_invalid', 'metadata.order'],
  [{ metadata: { order: 'x'.repeat(501) } }, 'parameter_invalid', 'metadata.order'],
  [{ metadata: { ['x'.repeat(41)]: 'v' } }, 'parameter_invalid', 'metadata'],
  [{ metadata: { '': 'v' } }, 'parameter_invalid', 'metadata'],
  [{ metadata: 'order=1' }, 'parameter_invalid', 'metadata'],
  [{ metadata: [] }, 'parameter_invalid', 'metadata'],
  ...['return_url', 'cancel_url'].flatMap((field) =>
    [
      'javascript:alert(1)',
      'JavaScript://%0aalert(1)',
      'data:text/html,hello',
      'file:///etc/passwd',
      'ftp://shop.example/',
      '/thanks',
      '//shop.example/thanks',
      'shop.example/thanks',
      'https:shop.example',
      'https://',
      'https://user:password@shop.example/',
      'https://shop.example/a\tb',
      'https://shop.example/\u0001',
      'https://shop.example/ ',
      'https://a;sandbox/',
      'https://*/',
      'https://a,b/',
      "https://a'b/",
      ' https://shop.example/',
      'https:\\\\shop.example',
      '',
      `https://shop.example/${'x'.repeat(2_048)}`,
      7,
    ].map((url) => [{ [field]: url }, 'parameter_invalid', field] as const),
  ),
  [{ capture_method: 'later' }, 'parameter_invalid', 'capture_method'],
  [{ payment_method_types: [] }, 'parameter_invalid', 'payment_method_types'],
  [{ payment_method_types: ['card', 'card'] }, 'parameter_invalid', 'payment_method_types'],
  [{ payment_method_types: ['card', 'cheque'] }, 'parameter_invalid', 'payment_method_types[1]'],
  [{ payment_method_types: ['card', 'blik'] }, 'payment_method_not_enabled', 'payment_method_types[1]'],
  [{ description: 'x'.repeat(501) }, 'parameter_invalid', 'description'],
  ...['ada', 'ada@', '@example.com', 'a b@example.com', `${'x'.repeat(250)}@example.com`].map(
    (customer_email) => [{ customer_email }, 'parameter_invalid', 'customer_email'] as const,
  ),
  ...['english please', 'x', '../de', ''].map((locale) => [{ locale }, 'parameter_invalid', 'locale'] as const),
  [{ line_items: [{ ...item, unit_amount: 1249 }] }, 'parameter_invalid', 'amount'],
  [{ line_items: [item, item] }, 'parameter_invalid', 'amount'],
  [{ line_items: [] }, 'parameter_invalid', 'line_items'],
  [{ line_items: Array(101).fill({ ...item, unit_amount: 0 }) }, 'parameter_invalid', 'line_items'],
  [{ amount: undefined, line_items: [{ ...item, unit_amount: 0 }] }, 'parameter_invalid', 'line_items'],
  [
    { amount: undefined, line_items: [{ ...item, quantity: 1_000_000, unit_amount: 999_999_999_999 }] },
    'parameter_invalid',
    'line_items',
  ],
  [{ line_items: [{ ...item, quantity: 0 }] }, 'parameter_invalid', 'line_items[0].quantity'],
  [{ line_items: [{ ...item, quantity: 1.5 }] }, 'parameter_invalid', 'line_items[0].quantity'],
  [{ line_items: [{ ...item, unit_amount: -1 }] }, 'parameter_invalid', 'line_items[0].unit_amount'],
  [{ line_items: [{ ...item, name: 'x'.repeat(201) }] }, 'parameter_invalid', 'line_items[0].name'],
  [{ line_items: [{ ...item, description: 'x'.repeat(501) }] }, 'parameter_invalid', 'line_items[0].description'],
  [{ line_items: [{ quantity: 1, unit_amount: 1250 }] }, 'parameter_missing', 'line_items[0].name'],
  [{ line_items: [item, { ...item, sku: 'T1' }] }, 'parameter_unknown', 'line_items[1].sku'],
  [{ ammount: 1250 }, 'parameter_unknown', 'ammount'],
  [{ id: 'cs_chosen' }, 'parameter_unknown', 'id'],
  [{ livemode: true }, 'parameter_unknown', 'livemode'],
  [{ Amount: 1250 }, 'parameter_unknown', 'Amount'],
];

const malformed: readonly (readonly [raw: string | Uint8Array<ArrayBuffer>, code: string])[] = [
  ['{"amount": 1250, "currency": "EUR"', 'json_invalid'],
  ['{"amount": 1250, "currency": "EUR",}', 'json_invalid'],
  ["{'amount': 1250}", 'json_invalid'],
  ['{"amount": 01250, "currency": "EUR"}', 'json_invalid'],
  ['{"amount": NaN, "currency": "EUR"}', 'json_invalid'],
  ['amount=1250&currency=EUR', 'json_invalid'],
  ['{"amount": 1250, "currency": "EUR"}{}', 'json_invalid'],
  ['   ', 'json_invalid'],
  [new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'json_invalid'],
  ['[]', 'parameter_invalid'],
  ['"text"', 'parameter_invalid'],
  ['7', 'parameter_invalid'],
  ['{"amount": 1250, "currency": "EUR", "description": "\\u0000"}', 'parameter_invalid'],
  ['{"amount": 1250, "currency": "EUR", "description": "\\ud83d"}', 'parameter_invalid'],
  ['{"amount": 1250, "currency": "EUR", "metadata": {"\\udead": "x"}}', 'parameter_invalid'],
  [
    `{"amount": 1250, "currency": "EUR", "metadata": ${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}}`,
    'json_invalid',
  ],
  [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'json_invalid'],
  [`{"metadata": ${'['.repeat(32)}${']'.repeat(32)}}`, 'json_invalid'],
  [`{"metadata": ${'['.repeat(31)}${']'.repeat(31)}}`, 'parameter_missing'],
  [`{"metadata": [${'1,'.repeat(10_000)}1]}`, 'json_invalid'],
  ['null', 'parameter_invalid'],
  ['true', 'parameter_invalid'],
  ['', 'parameter_missing'],
];

const badIds = [
  'cs_',
  'cs_x',
  'nonsense',
  `cs_${'0'.repeat(29)}`,
  `cs_${'0'.repeat(31)}`,
  `cs_${'U'.repeat(30)}`,
  `cs_${'x'.repeat(10_240)}`,
  'x'.repeat(10_240),
  '..%2f..%2fetc%2fpasswd',
  '%00',
  "cs_'%20OR%20'1'%3D'1",
  '%F0%9F%92%B3',
  'cs_01kabcd0efghjkmnpqrstvwxyz0123%0a',
  '__proto__',
  'constructor',
];

describeOnEachEngine('Bad input', (engine) => {
  const paydesk = paydeskForSuite(engine);

  async function assertNothingStored({ test, live, events }: TestMerchant): Promise<void> {
    for (const api of [test, live]) {
      assert.deepEqual(entriesOf(await api.get('/checkout-sessions')), []);
      assert.deepEqual(entriesOf(await api.get('/payment-intents')), []);
    }
    assert.deepEqual(await events(), []);
  }

  it('in a field is rejected by name, and nothing is stored', async () => {
    const merchant = await paydesk().newMerchant();
    for (const [fields, code, param] of wrong) {
      const response = await merchant.test.post('/checkout-sessions', { ...good, ...fields });
      assert.equal(response.error.code, code, `${JSON.stringify(fields).slice(0, 200)}: ${response.text}`);
      assertRefused(response, { status: 400, code, param });
      assert.ok(response.text.length < 1_000, 'a long input is not echoed');
    }
    await assertNothingStored(merchant);
  });

  it('that is not a JSON object is rejected, and nothing is stored', async () => {
    const merchant = await paydesk().newMerchant();
    const headers = { 'Content-Type': 'application/json' };
    for (const [raw, code] of malformed) {
      const response = await merchant.test.send('POST', '/checkout-sessions', { raw, headers });
      assert.equal(response.status, 400, `${String(raw).slice(0, 100)}: ${response.text}`);
      assert.equal(response.error.code, code, `${String(raw).slice(0, 100)}: ${response.text}`);
    }
    await assertNothingStored(merchant);
  });

  it('that is JSON but not an object is rejected on every route with a body', async () => {
    const { test, newSession } = await paydesk().newMerchant();
    const { id, payment_intent } = await newSession();
    const { paths } = paydesk().contract.document;
    const routes = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs)
        .filter(([, { requestBody }]) => requestBody !== undefined)
        .map(([verb]) => [verb.toUpperCase(), path] as const),
    );
    assert.ok(routes.length > 8);
    for (const [method, path] of routes) {
      const own = path.startsWith('/payment-intents') ? payment_intent : id;
      const [, kind = ''] = /^\/(events|webhook-endpoints|refunds|payment-links)\//.exec(path) ?? [];
      const prefixes: Record<string, string> = {
        events: 'evt_',
        'webhook-endpoints': 'we_',
        refunds: 're_',
        'payment-links': 'plink_',
      };
      const anyId = kind === '' ? String(own) : `${prefixes[kind]}${String(id).slice(3)}`;
      for (const raw of ['null', '[]', '0', '"{}"', 'false', ' null ']) {
        const headers = { 'Content-Type': 'application/json' };
        const response = await test.send(method, path.replace('{id}', anyId), { raw, headers });
        assert.equal(response.status, 400, `${method} ${path} ${raw}: ${response.text}`);
        assert.equal(response.error.code, 'parameter_invalid');
      }
    }
    must(200, await test.send('PATCH', `/checkout-sessions/${id}`));
  });

  it('of 2 MB is rejected with 413, and nothing is stored', async () => {
    const merchant = await paydesk().newMerchant();
    const body = { ...good, description: 'x'.repeat(2 * 1024 * 1024) };
    assertRefused(await merchant.test.post('/checkout-sessions', body), { status: 413, code: 'body_too_large' });
    await assertNothingStored(merchant);
  });

  it('with another content type is rejected with 415, and nothing is stored', async () => {
    const merchant = await paydesk().newMerchant();
    const types = [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'text/json',
      'application/xml',
      'application/octet-stream',
      'json',
      ';;;',
    ];
    for (const type of types) {
      const headers = { 'Content-Type': type };
      const response = await merchant.test.send('POST', '/checkout-sessions', { raw: JSON.stringify(good), headers });
      assertRefused(response, { status: 415, code: 'content_type_invalid' });
    }
    const raw = new TextEncoder().encode(JSON.stringify(good));
    const untyped = await merchant.test.send('POST', '/checkout-sessions', { raw });
    assertRefused(untyped, { status: 415, code: 'content_type_invalid' });
    await assertNothingStored(merchant);
  });

  it('with http URLs is rejected in live mode, and nothing is stored', async () => {
    const merchant = await paydesk().newMerchant();
    for (const param of ['return_url', 'cancel_url']) {
      const response = await merchant.live.post('/checkout-sessions', { ...good, [param]: 'http://shop.example/' });
      assertRefused(response, { status: 400, code: 'parameter_invalid', param });
    }
    await assertNothingStored(merchant);
  });

  it('as an id gets the same error as an id that does not exist', async () => {
    const { test } = await paydesk().newMerchant();
    for (const id of badIds) {
      for (const [method, path, code] of [
        ['GET', `/checkout-sessions/${id}`, 'checkout_session_not_found'],
        ['PATCH', `/checkout-sessions/${id}`, 'checkout_session_not_found'],
        ['POST', `/checkout-sessions/${id}/expire`, 'checkout_session_not_found'],
        ['GET', `/payment-intents/${id}`, 'payment_intent_not_found'],
        ['POST', `/payment-intents/${id}/cancel`, 'payment_intent_not_found'],
      ] as const) {
        const response = await test.send(method, path);
        assert.equal(response.error.code, code, `${method} ${path.slice(0, 80)}: ${response.text}`);
        assert.ok(response.text.length < 1_000, 'a long id is not echoed');
      }
    }
  });

  it('with a method or currency that the account has not enabled is rejected by name', async () => {
    const merchant = await paydesk().newMerchant();
    await updateMerchant({ store: paydesk().store, moment: aMoment, actor: 'test' }, merchant.merchant.id, {
      currencies: ['EUR', 'JPY'],
      methods: ['ideal', 'oxxo'],
    });
    paydesk().clock.advance(1_000);
    const refusals: [Fields, string, string][] = [
      [{ currency: 'USD' }, 'currency_not_enabled', 'currency'],
      [{ currency: 'JPY' }, 'payment_method_not_enabled', 'currency'],
      [{ payment_method_types: ['card'] }, 'payment_method_not_enabled', 'payment_method_types[0]'],
      [{ payment_method_types: ['ideal', 'oxxo'] }, 'payment_method_not_enabled', 'payment_method_types[1]'],
    ];
    for (const [fields, code, param] of refusals) {
      const response = await merchant.test.post('/checkout-sessions', { ...good, ...fields });
      assertRefused(response, { status: 400, code, param });
    }
    await assertNothingStored(merchant);
    assert.deepEqual((await merchant.newSession()).payment_method_types, ['ideal']);
  });
});
