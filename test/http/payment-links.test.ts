// Payment links over the API: creating, retrieving, listing and changing them.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { assertRefused, entriesOf, type Fields, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';

const tea = { name: 'Tea', quantity: 2, unit_amount: 625 };
const fixed = { amount: 1250, currency: 'eur' };

describeOnEachEngine('Payment links', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const create = async ({ test }: TestMerchant, fields: Fields = {}): Promise<Fields> =>
    must(201, await test.post('/payment-links', { ...fixed, ...fields }));
  const inOneHour = (): string => new Date(paydesk().clock.now() + 3_600_000).toISOString();

  it('have every field of the contract, with defaults', async () => {
    const merchant = await paydesk().newMerchant();
    const link = await create(merchant);
    assert.match(String(link.id), /^plink_[0-9a-z]{30}$/);
    const url = `https://pay.test.example/pay/${link.id}`;
    assert.deepEqual(link, {
      id: link.id,
      object: 'payment_link',
      status: 'active',
      type: 'fixed',
      amount: 1250,
      minimum_amount: null,
      maximum_amount: null,
      currency: 'EUR',
      description: null,
      line_items: null,
      payment_method_types: ['card', 'ideal', 'bancontact', 'eps', 'sepa_debit'],
      capture_method: 'automatic',
      redirect_url: null,
      collect: [],
      max_uses: null,
      recurring: true,
      times_used: 0,
      times_completed: 0,
      metadata: {},
      expires_at: null,
      url,
      qr_code_url: `${url}/qr.svg`,
      livemode: false,
      created_at: new Date(paydesk().clock.now()).toISOString(),
    });
    assert.deepEqual(must(200, await merchant.test.get(`/payment-links/${link.id}`)), link);
    assert.deepEqual(await merchant.events(), []);
  });

  it('keep what the merchant chose', async () => {
    const merchant = await paydesk().newMerchant();
    const chosen = {
      description: 'Yoga “東京” 🧘',
      line_items: [{ ...tea, description: null }],
      payment_method_types: ['ideal', 'card'],
      capture_method: 'manual',
      redirect_url: 'http://shop.example/thanks?id={CHECKOUT_SESSION_ID}',
      max_uses: 1,
      metadata: { order: '6735' },
      expires_at: '2027-03-01T12:00:00.000Z',
    };
    const link = await create(merchant, { ...chosen, expires_at: '2027-03-01T13:00+01:00' });
    for (const [field, value] of Object.entries(chosen)) {
      if (field !== 'redirect_url') assert.deepEqual(link[field], value, field);
    }
    assert.match(String(link.redirect_url), /^http:\/\/shop\.example\/thanks\?id=/);
    assert.equal(link.recurring, false);
    assert.equal((await create(merchant, { max_uses: 2 })).recurring, true);
    const open = await create(merchant, {
      type: 'open',
      amount: null,
      currency: 'JPY',
      minimum_amount: 100,
      maximum_amount: 5000,
    });
    assert.deepEqual([open.type, open.amount, open.minimum_amount, open.maximum_amount], ['open', null, 100, 5000]);
  });

  it('are created once for each Idempotency-Key', async () => {
    const { test } = await paydesk().newMerchant();
    const once = { headers: { 'Idempotency-Key': randomUUID() } };
    const responses = await Promise.all(Array.from({ length: 5 }, () => test.post('/payment-links', fixed, once)));
    assert.equal(new Set(responses.map((response) => must(201, response).id)).size, 1);
    assertRefused(await test.post('/payment-links', { ...fixed, amount: 1 }, once), {
      status: 422,
      code: 'idempotency_key_reused',
    });
    assert.equal(entriesOf(await test.get('/payment-links')).length, 1);
  });

  const wrong: readonly [what: string, fields: Fields, refusal: { code: string; param: string }][] = [
    ['no amount', { amount: undefined }, { code: 'parameter_missing', param: 'amount' }],
    ['null as amount', { amount: null }, { code: 'parameter_missing', param: 'amount' }],
    ['no currency', { currency: undefined }, { code: 'parameter_missing', param: 'currency' }],
    ['an unknown currency', { currency: 'EUX' }, { code: 'currency_not_supported', param: 'currency' }],
    ['a currency in other letters', { currency: 'ıdr' }, { code: 'currency_not_supported', param: 'currency' }],
    ['a currency that is not enabled', { currency: 'BGN' }, { code: 'currency_not_enabled', param: 'currency' }],
    ['items with another total', { line_items: [tea], amount: 1 }, { code: 'parameter_invalid', param: 'amount' }],
    ['an amount of an open link', { type: 'open' }, { code: 'parameter_invalid', param: 'amount' }],
    [
      'items of an open link',
      { type: 'open', amount: undefined, line_items: [tea] },
      { code: 'parameter_invalid', param: 'line_items' },
    ],
    [
      'a smallest amount of a fixed link',
      { minimum_amount: 1 },
      { code: 'parameter_invalid', param: 'minimum_amount' },
    ],
    ['a largest amount of a fixed link', { maximum_amount: 1 }, { code: 'parameter_invalid', param: 'maximum_amount' }],
    [
      'limits in the wrong order',
      { type: 'open', amount: undefined, minimum_amount: 2, maximum_amount: 1 },
      { code: 'parameter_invalid', param: 'maximum_amount' },
    ],
    ['no uses', { max_uses: 0 }, { code: 'parameter_invalid', param: 'max_uses' }],
    ['a relative URL', { redirect_url: '/thanks' }, { code: 'parameter_invalid', param: 'redirect_url' }],
    ['a script as URL', { redirect_url: 'javascript:alert(1)' }, { code: 'parameter_invalid', param: 'redirect_url' }],
    ['a time in the past', { expires_at: '2020-01-01T00:00:00Z' }, { code: 'parameter_invalid', param: 'expires_at' }],
    [
      'a time without a zone',
      { expires_at: '2030-01-01T00:00:00' },
      { code: 'parameter_invalid', param: 'expires_at' },
    ],
    [
      'a day that does not exist',
      { expires_at: '2030-02-30T00:00:00Z' },
      { code: 'parameter_invalid', param: 'expires_at' },
    ],
    ['a typing error', { descripton: 'x' }, { code: 'parameter_unknown', param: 'descripton' }],
    [
      'a method of another currency',
      { payment_method_types: ['blik'] },
      { code: 'payment_method_not_enabled', param: 'payment_method_types[0]' },
    ],
  ];
  for (const [what, fields, refusal] of wrong) {
    it(`are refused with ${what}`, async () => {
      const { test } = await paydesk().newMerchant();
      assertRefused(await test.post('/payment-links', { ...fixed, ...fields }), { status: 400, ...refusal });
      assert.deepEqual(entriesOf(await test.get('/payment-links')), []);
    });
  }

  it('are refused in live mode without an account, like sessions', async () => {
    const { live } = await paydesk().newMerchant();
    assertRefused(await live.post('/payment-links', fixed), { status: 400, code: 'live_mode_not_configured' });
    const http = await live.post('/payment-links', { ...fixed, redirect_url: 'http://shop.example/' });
    assertRefused(http, { status: 400, code: 'parameter_invalid', param: 'redirect_url' });
  });

  it('are listed newest first, a page at a time', async () => {
    const merchant = await paydesk().newMerchant();
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      paydesk().clock.advance(1);
      ids.unshift((await create(merchant)).id);
    }
    const first = must(200, await merchant.test.get('/payment-links?limit=2'));
    const second = must(200, await merchant.test.get(`/payment-links?limit=2&cursor=${first.next_cursor}`));
    const listed = [first, second].flatMap(({ data }) => (data as Fields[]).map(({ id }) => id));
    assert.deepEqual(listed, ids);
    assert.deepEqual([first.has_more, second.has_more, second.next_cursor], [true, false, null]);
    assertRefused(await merchant.test.get('/payment-links?cursor=cs_1'), {
      status: 400,
      code: 'parameter_invalid',
      param: 'cursor',
    });
  });

  it('are listed by their status, also when their time is up', async () => {
    const merchant = await paydesk().newMerchant();
    const active = await create(merchant);
    const inactive = await create(merchant);
    const expiring = await create(merchant, { expires_at: inOneHour() });
    must(200, await merchant.test.patch(`/payment-links/${inactive.id}`, { active: false }));
    paydesk().clock.advance(3_600_000);
    const now = must(200, await merchant.test.get(`/payment-links/${expiring.id}`));
    assert.equal(now.status, 'expired', 'the clock decides, not the job');
    const listed = async (status: string): Promise<unknown[]> =>
      entriesOf(await merchant.test.get(`/payment-links?status=${status}`)).map(({ id }) => id);
    await until('the stored status follows', async () => (await listed('expired')).length === 1);
    assert.deepEqual(await listed('expired'), [expiring.id]);
    assert.deepEqual(await listed('active'), [active.id]);
    assert.deepEqual(await listed('inactive'), [inactive.id]);
    assert.deepEqual(await listed('completed'), []);
    const later = must(200, await merchant.test.patch(`/payment-links/${expiring.id}`, { expires_at: inOneHour() }));
    assert.equal(later.status, 'active', 'a new time activates it again');
    assertRefused(await merchant.test.get('/payment-links?status=open'), {
      status: 400,
      code: 'parameter_invalid',
      param: 'status',
    });
  });

  it('can be changed where the contract says so, and nowhere else', async () => {
    const merchant = await paydesk().newMerchant();
    const link = await create(merchant, { metadata: { a: '1', b: '2' }, description: 'Old' });
    const path = `/payment-links/${link.id}`;
    const changes = {
      active: false,
      description: 'New',
      redirect_url: 'https://shop.example/thanks',
      max_uses: 3,
      expires_at: inOneHour(),
    };
    const changed = must(200, await merchant.test.patch(path, { ...changes, metadata: { a: null, c: '3' } }));
    const { active: _, ...visible } = changes;
    assert.deepEqual(changed, { ...link, ...visible, status: 'inactive', metadata: { b: '2', c: '3' } });
    const cleared = must(
      200,
      await merchant.test.patch(path, {
        active: true,
        description: null,
        redirect_url: null,
        max_uses: null,
        expires_at: null,
        metadata: null,
      }),
    );
    assert.deepEqual(cleared, { ...link, description: null, metadata: {} });
    assert.deepEqual(must(200, await merchant.test.patch(path, {})), cleared, 'an empty patch changes nothing');
    for (const field of ['amount', 'currency', 'type', 'line_items', 'status', 'times_completed', 'capture_method'])
      assertRefused(await merchant.test.patch(path, { [field]: 1 }), {
        status: 400,
        code: 'parameter_unknown',
        param: field,
      });
    for (const [param, value] of Object.entries({
      active: 'no',
      max_uses: 0,
      expires_at: '2020-01-01T00:00:00Z',
      redirect_url: 'ftp://shop.example',
    }))
      assertRefused(await merchant.test.patch(path, { [param]: value }), {
        status: 400,
        code: 'parameter_invalid',
        param,
      });
    assert.deepEqual(must(200, await merchant.test.get(path)), cleared);
  });

  it('of another merchant or mode do not exist', async () => {
    const [owner, stranger] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
    const link = await create(owner);
    for (const id of [link.id, aMoment().newId('plink'), 'plink_1', link.id?.toString().replace('plink', 'cs')]) {
      for (const api of [stranger.test, stranger.live, owner.live]) {
        for (const response of [await api.get(`/payment-links/${id}`), await api.patch(`/payment-links/${id}`, {})])
          assertRefused(response, { status: 404, code: 'payment_link_not_found' });
      }
    }
    for (const api of [stranger.test, stranger.live, owner.live])
      assert.deepEqual(entriesOf(await api.get('/payment-links')), []);
    assert.deepEqual(must(200, await owner.test.get(`/payment-links/${link.id}`)), link);
  });
});
