// A merchant's URLs: stored so that they are safe in a header, and followed by browsers and programs.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CheckoutSession } from '../../src/domain/checkout-session.ts';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { assertRefused, type Fields, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { formOf, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { manyDeclines, openShop, paidSession, type Shop, untilStatus } from './scene.ts';

const good = '4242424242424242';
/** What a browser sends when it navigates. */
const asBrowser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

/** Stores URLs unchecked, as an earlier version did. */
async function storeRaw(shop: Shop, session: Fields, urls: Partial<CheckoutSession>): Promise<void> {
  const stored = await shop.paydesk.store.find('checkoutSessions', shop.merchant.scope, String(session.id));
  assert.ok(stored !== null);
  await mustCommit(shop.paydesk.store, { checkoutSessions: [{ ...stored, ...urls }] });
}

describeOnEachEngine("A merchant's addresses", (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  it('are returned by the API as a browser would write them, and customers are sent to exactly these', async () => {
    const shop = await openShop(paydesk());
    const urls = [
      [
        'https://shop.example/danke schön/☕?käse=ü#é',
        'https://shop.example/danke%20sch%C3%B6n/%E2%98%95?k%C3%A4se=%C3%BC#%C3%A9',
      ],
      ['https://bücher.example', 'https://xn--bcher-kva.example/'],
      ['HTTP://LOCALHOST:80/Thanks', 'http://localhost/Thanks'],
    ] as const;
    for (const [given, kept] of urls) {
      const session = await paidSession(shop, { return_url: given, cancel_url: given });
      assert.deepEqual([session.return_url, session.cancel_url], [kept, kept]);
      assert.equal((await shop.customer.open(session.id)).location, kept);
      const open = await shop.merchant.newSession();
      const patched = must(200, await shop.merchant.test.patch(`/checkout-sessions/${open.id}`, { cancel_url: given }));
      assert.equal(patched.cancel_url, kept);
    }
  });

  it('are rejected if they would add to a header, when a session is created and when it is updated', async () => {
    const shop = await openShop(paydesk());
    const open = await shop.merchant.newSession();
    const long = `https://shop.example/${'ü'.repeat(500)}`;
    for (const url of [
      'https://a;sandbox/',
      'https://*/',
      'https://a,b/',
      "https://a'b/",
      'https://a/\u0007',
      '',
      long,
    ]) {
      for (const param of ['return_url', 'cancel_url']) {
        const body = { amount: 1250, currency: 'EUR', [param]: url };
        assertRefused(await shop.merchant.test.post('/checkout-sessions', body), {
          status: 400,
          code: 'parameter_invalid',
          param,
        });
        const patched = await shop.merchant.test.patch(`/checkout-sessions/${open.id}`, { [param]: url });
        assertRefused(patched, { status: 400, code: 'parameter_invalid', param });
      }
    }
  });

  it('have the session id filled in however its placeholder is encoded', async () => {
    const shop = await openShop(paydesk());
    const query = new URLSearchParams({ session: '{CHECKOUT_SESSION_ID}' });
    const session = await paidSession(shop, {
      return_url: `https://shop.example/{CHECKOUT_SESSION_ID}?${query}&again=%7bCHECKOUT_SESSION_ID%7d#%7BCHECKOUT_SESSION_ID}`,
    });
    const { id } = session;
    const readable = '{CHECKOUT_SESSION_ID}';
    assert.equal(
      session.return_url,
      `https://shop.example/${readable}?session=${readable}&again=${readable}#${readable}`,
    );
    assert.equal((await shop.customer.open(id)).location, `https://shop.example/${id}?session=${id}&again=${id}#${id}`);
  });

  it('that an earlier version stored unchecked are made safe, or replaced by a page of our own', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop);
    await storeRaw(shop, session, { returnUrl: 'https://shop.example/ü?s=%7BCHECKOUT_SESSION_ID%7D' });
    assert.equal((await shop.customer.open(session.id)).location, `https://shop.example/%C3%BC?s=${session.id}`);
    for (const returnUrl of ['https://a;sandbox/', 'https://*/', 'https://', 'javascript:alert(1)']) {
      await storeRaw(shop, session, { returnUrl });
      for (const path of [`/checkout/${session.id}`, `/checkout/${session.id}/next`]) {
        const page = await shop.customer.get(path, asBrowser);
        assert.equal(page.status, 200);
        assert.ok(textOfPage(page).includes('Payment successful'), textOfPage(page));
        assert.ok(!page.headers.get('content-security-policy')?.includes('sandbox'));
        assert.ok(!page.html.includes('http-equiv="refresh"'));
      }
    }
    const open = await shop.merchant.newSession();
    await storeRaw(shop, open, { cancelUrl: 'https://a;sandbox/' });
    assert.ok(!(await shop.customer.open(open.id)).html.includes('class="away"'));
  });

  it('of a logo add only a plain origin to the policy of the pages', async () => {
    const shop = await openShop(paydesk());
    const { id } = shop.merchant.merchant;
    const deps = { store: shop.paydesk.store, moment: aMoment, actor: 'test' };
    for (const logoUrl of [
      'https://a;sandbox/x.svg',
      'https://*/x.svg',
      'http://cdn.example/x.svg',
      'https://cdn.example/\n',
    ]) {
      assert.ok('refused' in (await updateMerchant(deps, id, { logoUrl })), logoUrl);
    }
    const updated = await updateMerchant(deps, id, { logoUrl: 'https://bücher.example/logo ü.svg' });
    assert.ok('done' in updated);
    assert.equal(updated.done.logoUrl, 'https://xn--bcher-kva.example/logo%20%C3%BC.svg');
    const session = await shop.merchant.newSession();
    const page = await shop.customer.open(session.id);
    assert.ok(
      page.headers.get('content-security-policy')?.includes("img-src 'self' data: https://xn--bcher-kva.example;"),
    );
    await mustCommit(shop.paydesk.store, {
      merchants: [{ ...updated.done, version: updated.done.version + 1, logoUrl: 'https://a;sandbox/' }],
    });
    const unsafe = await shop.customer.open(session.id);
    assert.ok(unsafe.headers.get('content-security-policy')?.includes("img-src 'self' data:;"));
    assert.ok(!unsafe.html.includes('<img'));
  });
});

describeOnEachEngine('After submitting a form', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });
  const returnUrl = 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}';

  it('a browser is redirected to a page of our own, which forwards to the shop', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ return_url: returnUrl });
    const form = formOf(await shop.customer.open(session.id));
    const target = `https://shop.example/thanks?s=${session.id}`;
    // Paid, then submitted again from a second tab.
    for (const _ of [1, 2]) {
      const paid = await shop.customer.payForm(form, good, asBrowser);
      assert.deepEqual([paid.status, paid.location], [303, `/checkout/${session.id}/next`]);
      const page = await shop.customer.get(`/checkout/${session.id}/next`, asBrowser);
      assert.equal(page.status, 200);
      assert.ok(page.html.includes(`<meta http-equiv="refresh" content="0; url=${target}">`), page.html);
      assert.ok(page.html.includes(`href="${target}"`));
      assert.ok(textOfPage(page).includes('Payment successful'));
    }
  });

  it('a program is redirected to the session, and from there to the shop', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ return_url: returnUrl });
    const paid = await shop.customer.payByCard(session.id, good);
    assert.equal(paid.location, `/checkout/${session.id}`);
    assert.equal((await shop.customer.follow(paid)).location, `https://shop.example/thanks?s=${session.id}`);
  });

  it('a paid session that is opened again redirects straight to the shop, for browsers too', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop, { return_url: returnUrl });
    const page = await shop.customer.get(`/checkout/${session.id}`, asBrowser);
    assert.deepEqual([page.status, page.location], [303, `https://shop.example/thanks?s=${session.id}`]);
  });

  it('a challenge leads through paths of our own, and back to a page of our own', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ return_url: returnUrl });
    const form = formOf(await shop.customer.open(session.id));
    const steps: (string | null)[] = [];
    let step = await shop.customer.payForm(form, '4000000000003220', asBrowser);
    for (; step.location !== null; step = await shop.customer.get(step.location, asBrowser)) steps.push(step.location);
    const challenge = formOf(step);
    assert.deepEqual(steps, [`/checkout/${session.id}/next`, challenge.action]);
    const passed = await shop.customer.post(challenge.action, { result: 'pass' }, asBrowser);
    assert.equal(passed.location, `/checkout/${session.id}/return`);
    const back = await shop.customer.get(`/checkout/${session.id}/return`, asBrowser);
    assert.equal(back.location, `/checkout/${session.id}/next`);
    await untilStatus(shop, session, 'succeeded');
    const page = await shop.customer.get(`/checkout/${session.id}/next`, asBrowser);
    assert.ok(page.html.includes('content="0; url=https://shop.example/thanks'), page.html);
  });

  it('an action at another site is reached from a page of our own', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000003220');
    const intent = await shop.paydesk.store.find('paymentIntents', shop.merchant.scope, String(session.payment_intent));
    const operation = await shop.paydesk.store.findBy('operations', 'id', intent?.operationId ?? '');
    assert.ok(operation !== null);
    const actionUrl = 'https://bank.example/confirm?of=1';
    await mustCommit(shop.paydesk.store, { operations: [{ ...operation, actionUrl }] });
    const page = await shop.customer.get(`/checkout/${session.id}/next`, asBrowser);
    assert.equal(page.status, 200);
    assert.ok(page.html.includes(`<meta http-equiv="refresh" content="0; url=${actionUrl}">`), page.html);
    assert.equal((await shop.customer.open(session.id)).location, actionUrl);
  });

  it('what can be shown without leaving is shown at once', async () => {
    const shop = await openShop(paydesk());
    const open = await shop.merchant.newSession();
    assert.ok(formOf(await shop.customer.get(`/checkout/${open.id}/next`, asBrowser)).fields.attempt);
    const processing = await shop.merchant.newSession({ return_url: returnUrl });
    await shop.customer.payByCard(processing.id, '4000000000000077');
    const page = await shop.customer.get(`/checkout/${processing.id}/next`, asBrowser);
    assert.ok(textOfPage(page).includes('Processing your payment'));
  });

  it('the status says whether the form may be sent again, how long, and for which amount', async () => {
    const shop = await openShop(paydesk());
    const status = async (session: Fields) =>
      JSON.parse((await shop.customer.get(`/checkout/${session.id}/status`)).html) as unknown;
    const open = await shop.merchant.newSession();
    const shown = ({ id, amount }: Fields) => ({ seconds_left: 1_800, amount, location: `/checkout/${id}` });
    assert.deepEqual(await status(open), { ...shown(open), done: true, payable: true, ended: false });
    await shop.customer.payByCard(open.id, '4000000000000077');
    assert.deepEqual(await status(open), { ...shown(open), done: false, payable: false, ended: false });
    const paid = await paidSession(shop);
    assert.deepEqual(await status(paid), { ...shown(paid), done: true, payable: false, ended: true });
  });
});
