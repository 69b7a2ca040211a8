// Checkout sessions, payment links and disputes in the dashboard.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { qrCodeSvg } from '../../src/http/checkout/qr-code.ts';
import { assertRefused, entriesOf, must, textOf } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { signIn } from '../support/dashboard.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

describeOnEachEngine('Sessions and links in the dashboard', (engine) => {
  const paydesk = paydeskForSuite(engine, { longestPauseMs: 50 });

  it('create a session whose link and QR code can be given to a customer, and expire it', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'developer');
    const order = { amount: 4_900, currency: 'EUR', description: 'Invoice 17', expires_in: 3_600 };
    const session = must(201, await staff.post('/checkout-sessions', order));
    const path = `/checkout-sessions/${textOf(session.id)}`;
    assert.equal(must(200, await shop.test.get(path)).description, 'Invoice 17');
    assert.equal(Date.parse(textOf(session.expires_at)), paydesk().clock.now() + 3_600_000);
    assert.deepEqual(
      entriesOf(await staff.get('/checkout-sessions?status=open')).map(({ id }) => id),
      [session.id],
    );
    const code = await staff.get(`${path}/qr.svg`);
    assert.equal(code.status, 200);
    assert.equal(code.headers.get('content-type'), 'image/svg+xml');
    assert.equal(code.text, qrCodeSvg(textOf(session.url)));
    const embedded = await shop.newSession({ ui_mode: 'embedded', return_url: 'https://shop.example/thanks' });
    const noPage = { status: 404, code: 'checkout_session_not_found' };
    assertRefused(await staff.get(`/checkout-sessions/${textOf(embedded.id)}/qr.svg`), noPage);
    const expired = must(200, await staff.post(`${path}/expire`));
    assert.equal(expired.status, 'expired');
    assert.equal((await customerAt(paydesk().url).open(session.id)).status, 410);
    const where = { merchantId: shop.merchant.id };
    const entries = (await paydesk().store.list('auditEntries', { where, limit: 20 })).filter(
      ({ subject }) => subject === session.id,
    );
    assert.deepEqual(entries.map(({ action }) => action).toSorted(), [
      'checkout_session.created',
      'checkout_session.expired',
    ]);
  });

  it('create a link, show its QR code, and deactivate it', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'owner');
    const link = must(201, await staff.post('/payment-links', { amount: 500, currency: 'EUR', description: 'Coffee' }));
    const path = `/payment-links/${textOf(link.id)}`;
    assert.equal((await staff.get(`${path}/qr.svg`)).text, qrCodeSvg(textOf(link.url)));
    assert.equal(must(200, await staff.patch(path, { active: false })).status, 'inactive');
    assert.equal(must(200, await shop.test.get(path)).status, 'inactive');
    assert.deepEqual(
      entriesOf(await staff.get('/payment-links?status=inactive')).map(({ id }) => id),
      [link.id],
    );
  });

  it('show at once what a replica does not have yet', async (t) => {
    const behind = { find: async () => null, list: async () => [], count: async () => 0 };
    const service = await startPaydesk(t, engine, {
      storage: (store) => ({ ...store, replica: { ...store.replica, ...behind } }),
    });
    const shop = await service.newMerchant();
    const staff = await signIn(service, shop, 'owner');
    const link = must(201, await staff.post('/payment-links', { amount: 500, currency: 'EUR' }));
    assert.deepEqual(
      entriesOf(await staff.get('/payment-links')).map(({ id }) => id),
      [link.id],
    );
    assert.ok(entriesOf(await staff.get('/audit-log')).some(({ subject }) => subject === link.id));
    assert.deepEqual(entriesOf(await shop.test.get('/payment-links')), [], 'the API may read from it');
  });

  it('show disputes, also in the timeline of their payment', async () => {
    const shop = await paydesk().newMerchant();
    const staff = await signIn(paydesk(), shop, 'support');
    const session = await shop.newSession();
    await customerAt(paydesk().url).payByCard(session.id, '4000000000000259');
    const listed = async () => entriesOf(await staff.get('/disputes?status=needs_response'));
    await until('the payment is disputed', async () => {
      paydesk().clock.advance(1_000);
      return (await listed()).length === 1;
    });
    const [dispute] = await listed();
    assert.equal(must(200, await staff.get(`/disputes/${textOf(dispute?.id)}`)).payment_intent, session.payment_intent);
    const payment = must(200, await staff.get(`/payments/${textOf(session.payment_intent)}`));
    assert.ok(Array.isArray(payment.disputes) && payment.disputes.length === 1);
    assert.match(JSON.stringify(payment.timeline), /"dispute_opened"/);
  });

  it('of another merchant or mode do not exist, and support only reads them', async () => {
    const [shop, other] = [await paydesk().newMerchant(), await paydesk().newMerchant()];
    const staff = await signIn(paydesk(), shop);
    const theirs = textOf((await other.newSession()).id);
    const own = textOf((await shop.newSession()).id);
    const live = { headers: { 'Paydesk-Mode': 'live' } };
    const notFound = { status: 404, code: 'checkout_session_not_found' };
    for (const [id, options] of [
      [theirs, {}],
      [own, live],
    ] as const) {
      assertRefused(await staff.get(`/checkout-sessions/${id}`, options), notFound);
      assertRefused(await staff.get(`/checkout-sessions/${id}/qr.svg`, options), notFound);
      assertRefused(await staff.post(`/checkout-sessions/${id}/expire`, {}, options), notFound);
    }
    const link = must(201, await other.test.post('/payment-links', { amount: 500, currency: 'EUR' }));
    const noLink = { status: 404, code: 'payment_link_not_found' };
    assertRefused(await staff.get(`/payment-links/${textOf(link.id)}`), noLink);
    assertRefused(await staff.get(`/payment-links/${textOf(link.id)}/qr.svg`), noLink);
    assertRefused(await staff.patch(`/payment-links/${textOf(link.id)}`, { active: false }), noLink);
    const support = await signIn(paydesk(), shop, 'support');
    must(200, await support.get(`/checkout-sessions/${own}`));
    const refused = { status: 403, code: 'role_not_allowed' };
    assertRefused(await support.post(`/checkout-sessions/${own}/expire`), refused);
    assertRefused(await support.post('/checkout-sessions', { amount: 1, currency: 'EUR' }), refused);
    assertRefused(await support.post('/payment-links', { amount: 1, currency: 'EUR' }), refused);
  });
});
