// GET /client/checkout-sessions/{id}: what a client secret shows, to whom, and what it does not open.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { apiClient, assertRefused, type Fields, must } from '../support/api-client.ts';
import { customerAt, formOf } from '../support/customer.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';

const tea = { name: 'Tea', quantity: 2, unit_amount: 625, description: null };
const embedded = { currency: 'EUR', line_items: [tea], payment_method_types: ['card'], ui_mode: 'embedded' };
const wrongSecret = { status: 401, code: 'client_secret_invalid' };

describe('Guessing client secrets', () => {
  const limited = paydeskForSuite(sqlite, { settings: { PAYDESK_RATE_LIMIT: '1' } });

  it('is limited by address', async () => {
    const guess = () => fetch(`${limited().url}/client/checkout-sessions/cs_${'0'.repeat(30)}`);
    assert.deepEqual([(await guess()).status, (await guess()).status], [401, 401]);
    const refused = await guess();
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
  });
});

describeOnEachEngine('A client secret', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const path = ({ id }: Fields): string => `/client/checkout-sessions/${id}`;
  /** A client with that secret. Every response is checked against the OpenAPI document. */
  const clientOf = ({ client_secret }: Fields) =>
    apiClient({ url: paydesk().url, key: String(client_secret), contract: paydesk().contract });

  async function merchantAt(...embedOrigins: string[]) {
    const merchant = await paydesk().newMerchant();
    const context = { store: paydesk().store, moment: aMoment, actor: 'test' };
    await updateMerchant(context, merchant.merchant.id, { embedOrigins });
    const session = must(201, await merchant.test.post('/checkout-sessions', embedded));
    return { merchant, session };
  }

  it('reads its own session, without what is not for customers', async () => {
    const { session } = await merchantAt();
    assert.deepEqual(must(200, await clientOf(session).get(path(session))), {
      id: session.id,
      object: 'checkout_session',
      status: 'open',
      outcome: null,
      amount: 1250,
      currency: 'EUR',
      description: null,
      line_items: [tea],
      payment_method_types: ['card'],
      last_payment_error: null,
      expires_at: session.expires_at,
      completed_at: null,
      livemode: false,
    });
  });

  it('tells the outcome: declined, paid, pending, failed, canceled, expired', async () => {
    const { merchant, session } = await merchantAt();
    const customer = customerAt(paydesk().url, { Authorization: `Bearer ${session.client_secret}` });
    const payByCard = async (number: string) =>
      customer.payForm(formOf(await customer.get(`/embed/${session.id}/page`)), number);
    const outcome = async (of: Fields) => {
      const read = must(200, await clientOf(of).get(path(of)));
      return [read.status, read.outcome];
    };
    await payByCard('4000000000009995');
    const declined = must(200, await clientOf(session).get(path(session)));
    assert.deepEqual([declined.status, declined.outcome], ['open', null]);
    assert.deepEqual((declined.last_payment_error as Fields).code, 'insufficient_funds');
    await payByCard('4242424242424242');
    assert.deepEqual(await outcome(session), ['completed', 'paid']);

    const expired = must(201, await merchant.test.post('/checkout-sessions', embedded));
    must(200, await merchant.test.post(`/checkout-sessions/${expired.id}/expire`));
    assert.deepEqual(await outcome(expired), ['expired', 'expired']);

    const canceled = must(201, await merchant.test.post('/checkout-sessions', embedded));
    must(200, await merchant.test.post(`/payment-intents/${canceled.payment_intent}/cancel`));
    assert.deepEqual(await outcome(canceled), ['expired', 'canceled']);
  });

  it('opens nothing else: a wrong one gets 401, whether the session exists or not', async () => {
    const { merchant, session } = await merchantAt('https://shop.example');
    const other = must(201, await merchant.test.post('/checkout-sessions', embedded));
    const secret = String(session.client_secret);
    const absent = { id: `cs_${'0'.repeat(30)}` };
    const bodies = new Set<string>();
    for (const [key, of] of [
      [secret, other],
      [secret, absent],
      [secret, { id: 'cs_nonsense' }],
      [secret, { id: session.payment_intent }],
      [secret.slice(0, -1), session],
      [`${secret}0`, session],
      [`${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`, session],
      ['', session],
      ['x'.repeat(5_000), session],
      [merchant.test.key, session],
    ] as const) {
      const client = apiClient({ url: paydesk().url, key, contract: paydesk().contract });
      const refused = await client.get(path(of));
      assertRefused(refused, wrongSecret);
      bodies.add(refused.text.replace(/req_\w+/, ''));
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
    }
    assert.equal(bodies.size, 1, 'they are answered alike');
  });

  it('is not an API key', async () => {
    const { session } = await merchantAt();
    const client = clientOf(session);
    for (const refused of [
      await client.get('/me'),
      await client.get(`/checkout-sessions/${session.id}`),
      await client.get(`/payment-intents/${session.payment_intent}`),
      await client.post('/checkout-sessions', { amount: 1, currency: 'EUR' }),
      await client.post(`/checkout-sessions/${session.id}/expire`),
    ])
      assertRefused(refused, { status: 401, code: 'api_key_invalid' });
  });

  it('is accepted with no query and no other method', async () => {
    const { session } = await merchantAt();
    assertRefused(await clientOf(session).get(`${path(session)}?expand=all`), {
      status: 400,
      code: 'parameter_unknown',
    });
    assertRefused(await clientOf(session).post(path(session), {}), { status: 405, code: 'method_not_allowed' });
  });

  it('can be used by scripts of registered origins, and of localhost in test mode, without cookies', async () => {
    const { session } = await merchantAt('https://shop.example', 'http://plain.example');
    const url = `${paydesk().url}${path(session)}`;
    for (const [origin, allowed] of [
      ['https://shop.example', true],
      ['http://plain.example', true],
      ['http://localhost:3000', true],
      ['http://127.0.0.1', true],
      ['https://evil.example', false],
      ['https://shop.example.evil.example', false],
      ['http://localhost.evil.example', false],
      ['https://shop.example:8443', false],
      ['http://shop.example', false],
      ['null', false],
    ] as const) {
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'authorization',
        },
      });
      const read = await fetch(url, { headers: { Origin: origin, Authorization: `Bearer ${session.client_secret}` } });
      const denied = await fetch(url, { headers: { Origin: origin, Authorization: 'Bearer wrong' } });
      assert.deepEqual([preflight.status, read.status, denied.status], [204, 200, 401]);
      for (const { headers } of [preflight, read, denied]) {
        assert.equal(headers.get('access-control-allow-origin'), allowed ? origin : null, origin);
        assert.equal(headers.get('access-control-allow-credentials'), null);
        assert.equal(headers.get('set-cookie'), null);
        assert.equal(headers.get('vary'), 'Origin');
      }
      assert.equal(preflight.headers.get('access-control-allow-headers'), allowed ? 'Authorization' : null);
    }
    const absent = await fetch(`${paydesk().url}/client/checkout-sessions/cs_${'0'.repeat(30)}`, {
      method: 'OPTIONS',
      headers: { Origin: 'http://localhost' },
    });
    assert.deepEqual([absent.status, absent.headers.get('access-control-allow-origin')], [204, null]);
  });
});
