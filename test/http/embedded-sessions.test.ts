// Embedded sessions over the API: how they differ from hosted ones.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const amount = { amount: 1250, currency: 'EUR' };
const embedded = { ...amount, ui_mode: 'embedded' };
const byCard = { ...embedded, payment_method_types: ['card'] };
const needsReturnUrl = { status: 400, code: 'parameter_missing', param: 'return_url' };
const return_url = 'https://shop.example/thanks';

describeOnEachEngine('An embedded session', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('has no URL, and a client secret that contains its id', async () => {
    const { test } = await paydesk().newMerchant();
    const session = must(201, await test.post('/checkout-sessions', byCard));
    assert.deepEqual([session.ui_mode, session.url], ['embedded', null]);
    assert.match(
      String(session.client_secret),
      new RegExp(`^${session.payment_intent}_secret_${String(session.id).slice(3)}[0-9a-z]{32}$`),
    );
    assert.deepEqual(must(200, await test.get(`/checkout-sessions/${session.id}`)), session);
    const hosted = must(201, await test.post('/checkout-sessions', { ...amount, ui_mode: 'hosted' }));
    assert.deepEqual([hosted.ui_mode, typeof hosted.url], ['hosted', 'string']);
  });

  it('needs a return URL if it offers methods that redirect', async () => {
    const { test } = await paydesk().newMerchant();
    const refused = await test.post('/checkout-sessions', embedded);
    assertRefused(refused, needsReturnUrl);
    assert.match(String(refused.error.message), /`ideal`, `bancontact`, `eps`, `sepa_debit` are redirected/);
    const onlyIdeal = { ...embedded, payment_method_types: ['ideal'] };
    assertRefused(await test.post('/checkout-sessions', onlyIdeal), needsReturnUrl);
    must(201, await test.post('/checkout-sessions', { ...embedded, return_url }));
  });

  it('keeps its return URL for as long as it offers such methods', async () => {
    const { test } = await paydesk().newMerchant();
    const { id } = must(201, await test.post('/checkout-sessions', { ...embedded, return_url }));
    const removed = await test.patch(`/checkout-sessions/${id}`, { return_url: null });
    assertRefused(removed, needsReturnUrl);
    assert.equal(must(200, await test.get(`/checkout-sessions/${id}`)).return_url, return_url);
    const other = must(200, await test.patch(`/checkout-sessions/${id}`, { return_url: `${return_url}/2`, amount: 2 }));
    assert.deepEqual([other.return_url, other.amount, other.ui_mode], [`${return_url}/2`, 2, 'embedded']);
    const card = must(201, await test.post('/checkout-sessions', { ...byCard, return_url }));
    assert.equal(must(200, await test.patch(`/checkout-sessions/${card.id}`, { return_url: null })).return_url, null);
  });

  it('is refused with a mode that does not exist', async () => {
    const { test } = await paydesk().newMerchant();
    for (const ui_mode of ['custom', '', null, 1, 'Embedded'])
      assertRefused(await test.post('/checkout-sessions', { ...byCard, ui_mode }), {
        status: 400,
        code: 'parameter_invalid',
        param: 'ui_mode',
      });
  });
});
