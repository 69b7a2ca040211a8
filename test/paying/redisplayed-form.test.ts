// The form is shown again if a browser submitted it and nothing was paid: by a redirect to the page's own URL, with the
// fields that may be kept in a cookie of that page.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { must } from '../support/api-client.ts';
import { formOf, type PageResponse, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { failed, openShop, paymentState, type Shop } from './scene.ts';

const good = '4242424242424242';
const declined = '4000000000000002';
const asBrowser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

async function submit(
  shop: Shop,
  sessionId: unknown,
  card: Parameters<Shop['customer']['payForm']>[1],
): Promise<PageResponse> {
  return shop.customer.payForm(formOf(await shop.customer.open(sessionId)), card, asBrowser);
}

describeOnEachEngine('A form that a browser submitted without success', (engine) => {
  const paydesk = paydeskForSuite(engine, {
    settings: {
      PAYDESK_DECLINES_PER_SESSION: '4',
      PAYDESK_DECLINES_PER_ADDRESS: '1000000',
      PAYDESK_DECLINES_PER_CARD: '1000000',
    },
  });

  it('redirects to the page, which shows the reason, the name and the method, but never the card', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ payment_method_types: ['ideal', 'card'] });
    const response = await submit(shop, session.id, { number: declined, cvc: '987', name: 'Zoë "Q" <O’Neil>' });
    assert.deepEqual([response.status, response.location, response.html], [303, `/checkout/${session.id}`, '']);
    for (const page of [await shop.customer.backToForm(response), await shop.customer.open(session.id)]) {
      assert.ok(textOfPage(page).includes('Your card was declined'));
      const { fields } = formOf(page);
      assert.deepEqual([fields.name, fields.method], ['Zoë "Q" <O’Neil>', 'card']);
      assert.deepEqual([fields.number, fields.expiry, fields.cvc], ['', '', '']);
    }
    assert.deepEqual((await paymentState(shop, session)).events, failed);
  });

  it('carries its problem in the URL if it is stored nowhere else', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const stale = formOf(await shop.customer.open(session.id));
    must(200, await shop.merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 1300 }));
    const cases = [
      [await shop.customer.payForm(stale, good, asBrowser), '?problem=amount_changed', 'The amount is now €13.00'],
      [
        await shop.customer.payForm({ ...stale, fields: { ...stale.fields, attempt: '' } }, good, asBrowser),
        '?problem=form_expired',
        'Please try that again',
      ],
      [
        await submit(shop, session.id, { number: '4242424242424241', expiry: '12/25', cvc: '' }),
        '?problem=invalid&number=invalid&expiry=past&cvc=missing',
        'Enter the security code.',
      ],
      [
        await shop.customer.payForm(stale, good, { headers: { ...asBrowser.headers, Origin: 'https://evil.example' } }),
        '?problem=sent_from_elsewhere',
        'Please pay from this page',
      ],
    ] as const;
    for (const [response, query, text] of cases) {
      assert.equal(response.location, `/checkout/${session.id}${query}`);
      const page = await shop.customer.backToForm(response);
      assert.ok(textOfPage(page).includes(text), text);
      assert.ok(formOf(page).fields.attempt);
    }
    assert.deepEqual((await paymentState(shop, session)).events, []);
  });

  it('shows how long to wait, and finally that no more attempts by card are possible', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    for (const _ of [1, 2]) await submit(shop, session.id, declined);
    const wait = await submit(shop, session.id, declined);
    assert.match(wait.location ?? '', /\?problem=slow_down&seconds=\d+$/);
    assert.match(textOfPage(await shop.customer.backToForm(wait)), /You can try again in \d+ seconds?\./);
    for (const _ of [1, 2]) {
      shop.paydesk.clock.advance(60_000);
      await submit(shop, session.id, declined);
    }
    const final = await submit(shop, session.id, good);
    assert.equal(final.location, `/checkout/${session.id}?problem=too_many_declines`);
    assert.ok(textOfPage(await shop.customer.backToForm(final)).includes('No more attempts by card are possible'));
  });

  it('takes nothing from a URL but the choice of a message', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const odd = [
      '?problem=',
      '?problem=nonsense',
      '?problem=constructor',
      '?problem=slow_down',
      '?problem=slow_down&seconds=1e9',
      '?problem=slow_down&seconds=<b>',
      '?problem=invalid&number=__proto__&cvc=%3Cscript%3E',
    ];
    for (const query of odd) {
      const page = await shop.customer.get(`/checkout/${session.id}${query}`);
      assert.equal(page.status, 200, query);
      assert.doesNotMatch(page.html, /nonsense|&lt;|aria-invalid="true"/, query);
      assert.equal(formOf(page).fields.number, '');
    }
    await submit(shop, session.id, good);
    const paid = await shop.customer.get(`/checkout/${session.id}?problem=form_expired`);
    assert.ok(textOfPage(paid).includes('Payment successful'), 'the state of the payment takes precedence');
  });

  it('keeps name and method sealed, for this session and its lifetime only, and drops them once paid', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ expires_in: 600 });
    const other = await shop.merchant.newSession();
    const response = await submit(shop, session.id, { number: declined, name: 'Zoë Quux' });
    const [cookie = '', ...more] = response.headers.getSetCookie();
    assert.deepEqual(more, []);
    const [pair = '', ...attributes] = cookie.split('; ');
    const path = `Path=/checkout/${session.id}`;
    assert.deepEqual(attributes, [path, 'Max-Age=600', 'HttpOnly', 'SameSite=Lax', 'Secure']);
    const value = Buffer.from(pair.split('=')[1] ?? '', 'base64url').toString('latin1');
    for (const trace of ['Quux', 'card', '4000']) assert.ok(!value.includes(trace), trace);

    const elsewhere = await shop.customer.get(`/checkout/${other.id}`, { headers: { Cookie: pair } });
    assert.equal(formOf(elsewhere).fields.name, '', 'it can be opened in its own session only');
    const altered = { headers: { Cookie: `${pair.slice(0, -2)}AA; paydesk_form; x=1` } };
    assert.equal(formOf(await shop.customer.get(`/checkout/${session.id}`, altered)).fields.name, '');

    const paid = await submit(shop, session.id, good);
    const receipt = await shop.customer.follow(paid);
    assert.deepEqual(receipt.headers.getSetCookie(), [
      `paydesk_form=; ${path}; Max-Age=0; HttpOnly; SameSite=Lax; Secure`,
    ]);
    assert.deepEqual((await shop.customer.open(session.id)).headers.getSetCookie(), []);
  });

  it('fits the longest name into the cookie', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const name = '漢'.repeat(200);
    const response = await submit(shop, session.id, { number: declined, name });
    assert.ok((response.headers.getSetCookie()[0] ?? '').length < 4_096);
    assert.equal(formOf(await shop.customer.backToForm(response)).fields.name, name);
  });

  it('has a target that redirects to the page when opened', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    for (const options of [{}, asBrowser]) {
      const page = await shop.customer.get(`/checkout/${session.id}/pay`, options);
      assert.deepEqual([page.status, page.location], [303, `/checkout/${session.id}`]);
    }
    assert.equal((await shop.customer.get('/checkout/nonsense/pay')).status, 404);
  });
});
