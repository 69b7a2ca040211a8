// The form of the pay page: what it submits, what it keeps, and which submissions charge nothing.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { secretBox } from '../../src/domain/secret-box.ts';
import { attemptTokens } from '../../src/http/checkout/forms.ts';
import { type Fields, must } from '../support/api-client.ts';
import { cardFields, type Form, formOf, operationOf, type PageResponse, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';
import { failed, manyDeclines, openShop, paid, paymentState, type Shop } from './scene.ts';

const good = '4242424242424242';
const tryAgain = 'Please try that again';

async function assertNothingPaid(shop: Shop, session: Fields, operation?: string): Promise<void> {
  const { intent, session: after, events } = await paymentState(shop, session);
  assert.deepEqual([intent.status, after.status, events], ['requires_payment_method', 'open', []]);
  assert.equal(intent.payment_method, null);
  if (operation !== undefined) assert.equal(await shop.paydesk.store.findBy('operations', 'id', operation), null);
}

function assertFormShownAgain(page: PageResponse, title: string): void {
  assert.equal(page.status, 200);
  assert.ok(textOfPage(page).includes(title), textOfPage(page));
  assert.equal(formOf(page).fields.number, '', 'the card fields are empty');
  assert.equal(formOf(page).fields.expiry, '');
  assert.equal(formOf(page).fields.cvc, '');
}

describeOnEachEngine('The pay form', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  it('submits the amount that it shows, and a token that is new each time', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const [page, again] = [await shop.customer.open(session.id), await shop.customer.open(session.id)];
    assert.equal(formOf(page).action, `/checkout/${session.id}/pay`);
    assert.equal(formOf(page).fields.amount, '1250');
    assert.ok(textOfPage(page).includes('Pay €12.50'), textOfPage(page));
    assert.match(formOf(page).fields.attempt ?? '', /^op_[0-9a-z]{30}\.\S{20,}$/);
    assert.notEqual(formOf(page).fields.attempt, formOf(again).fields.attempt);
    for (const hint of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name']) {
      assert.ok(page.html.includes(`autocomplete="${hint}"`), hint);
    }
    await assertNothingPaid(shop, session, operationOf(formOf(page)));
  });

  it('is shown again after a decline with the reason, the name and the method, and without the card', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ payment_method_types: ['ideal', 'card'] });
    const first = formOf(await shop.customer.open(session.id));
    assert.equal(first.fields.method, 'ideal');
    const card = { number: '4000 0000 0000 9995', name: 'Zoë "Q" <O’Neil>', cvc: '987' };
    const page = await shop.customer.payForm(first, card);
    assertFormShownAgain(page, 'Your card has insufficient funds');
    const { fields } = formOf(page);
    assert.deepEqual([fields.name, fields.method], ['Zoë "Q" <O’Neil>', 'card']);
    assert.notEqual(fields.attempt, first.fields.attempt);
    const withoutIds = page.html.replaceAll(String(fields.attempt), '').replaceAll(String(session.id), '');
    for (const secret of ['4000000000009995', '4000 0000 0000 9995', '987']) {
      assert.ok(!withoutIds.includes(secret), secret);
    }
    const later = await shop.customer.open(session.id);
    assertFormShownAgain(later, 'Your card has insufficient funds');
    assert.equal(formOf(later).fields.method, 'card');
  });

  it('shows a changed amount before anything is charged', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    must(200, await shop.merchant.test.patch(`/checkout-sessions/${session.id}`, { amount: 1300 }));
    const page = await shop.customer.payForm(form, good);
    assertFormShownAgain(page, 'The amount is now €13.00');
    assert.equal(formOf(page).fields.amount, '1300');
    await assertNothingPaid(shop, session, operationOf(form));
    assert.equal(await sandboxPayment(shop.paydesk.store, operationOf(form)), null);
    await shop.customer.payForm(formOf(page), good);
    assert.equal((await paymentState(shop, session)).intent.amount_captured, 1300);
  });

  it('pays once when submitted again later, even after a decline', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    await shop.customer.payForm(form, '4000000000000002');
    const again = await shop.customer.payForm(form, good);
    assert.equal(again.status, 200);
    assert.deepEqual((await paymentState(shop, session)).events, failed);
    shop.paydesk.clock.advance(1);
    const next = formOf(again);
    for (const _ of [1, 2, 3]) {
      assert.equal((await shop.customer.payForm(next, good)).location, `/checkout/${session.id}`);
    }
    assert.equal((await shop.customer.payForm(form, good)).location, `/checkout/${session.id}`);
    assert.deepEqual((await paymentState(shop, session)).events, [...failed, ...paid]);
  });

  it('says the outcome if it is submitted again as it was, and that it was used if it has changed', async () => {
    const shop = await openShop(paydesk());
    const declined = '4000000000000002';
    const sentTwice = async (second: (form: Form) => Promise<PageResponse>): Promise<PageResponse> => {
      const session = await shop.merchant.newSession();
      const form = formOf(await shop.customer.open(session.id));
      await shop.customer.payForm(form, declined);
      const page = await second(form);
      assert.deepEqual((await paymentState(shop, session)).events, failed);
      return page;
    };
    const { payForm, post } = shop.customer;
    assertFormShownAgain(await sentTwice((form) => payForm(form, declined)), 'Your card was declined');
    assertFormShownAgain(await sentTwice((form) => payForm(form, good)), tryAgain);
    assertFormShownAgain(await sentTwice((form) => post(form.action, { ...form.fields, method: 'ideal' })), tryAgain);
  });

  it('does not pay with a token that is forged, altered, from another session or from another installation', async () => {
    const shop = await openShop(paydesk());
    const [session, other] = [await shop.merchant.newSession(), await shop.merchant.newSession()];
    const form = formOf(await shop.customer.open(session.id));
    const [id = '', proof = ''] = (form.fields.attempt ?? '').split('.');
    const foreign = attemptTokens(secretBox(Buffer.alloc(32, 9), (count) => Buffer.alloc(count, 1)));
    const tokens = [
      '',
      '.',
      id,
      `${id}.`,
      `${id}.${proof.slice(0, -1)}`,
      `${id}.${proof.slice(0, -1)}é`,
      `${aMoment().newId('op')}.${proof}`,
      foreign.issue(String(session.id), aMoment()),
      formOf(await shop.customer.open(other.id)).fields.attempt ?? '',
      `${id}.${'x'.repeat(5_000)}`,
    ];
    for (const attempt of tokens) {
      const page = await shop.customer.payForm({ ...form, fields: { ...form.fields, attempt } }, good);
      assertFormShownAgain(page, tryAgain);
    }
    await assertNothingPaid(shop, session, id);
    await assertNothingPaid(shop, other);
  });

  it('does not pay from another site, with another content type, or if it is too large', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    const elsewhere = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://pay.test.example', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'null', 'Sec-Fetch-Site': 'none' },
      { Origin: 'http://pay.test.example' },
      { Origin: 'https://pay.test.example:8443' },
      { Origin: 'https://pay.test.example.evil.example' },
      { Origin: 'nonsense' },
    ];
    for (const headers of elsewhere) {
      assertFormShownAgain(await shop.customer.payForm(form, good, { headers }), 'Please pay from this page');
    }
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      const headers = { 'Content-Type': type };
      assertFormShownAgain(await shop.customer.payForm(form, good, { headers }), tryAgain);
    }
    for (const extra of [17_000, 2_000_000]) {
      const raw = new URLSearchParams({ ...form.fields, ...cardFields(good), extra: 'x'.repeat(extra) }).toString();
      // The server may close the connection before everything is sent.
      const page = await shop.customer.post(form.action, {}, { raw }).catch(() => null);
      if (page !== null) assertFormShownAgain(page, tryAgain);
    }
    await assertNothingPaid(shop, session, operationOf(form));
  });

  it('pays from the public address, whatever Host a proxy sends, and from the address that it was sent to', async () => {
    const shop = await openShop(paydesk());
    const ours = [
      { Origin: 'https://pay.test.example' },
      { Origin: 'HTTPS://PAY.TEST.EXAMPLE:443' },
      { Origin: 'https://pay.test.example.' },
      { Origin: 'https://pay.test.example', 'Sec-Fetch-Site': 'same-origin' },
      { Origin: shop.paydesk.url, 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
    ];
    for (const headers of ours) {
      const session = await shop.merchant.newSession();
      const form = formOf(await shop.customer.open(session.id));
      assert.equal((await shop.customer.payForm(form, good, { headers })).status, 303, JSON.stringify(headers));
      assert.deepEqual((await paymentState(shop, session)).events, paid);
    }
  });

  it('is logged when submitted from elsewhere, with both addresses, a limited number of times a minute', async () => {
    const shop = await openShop(paydesk());
    shop.paydesk.clock.advance(60_000);
    const session = await shop.merchant.newSession();
    const form = formOf(await shop.customer.open(session.id));
    const lines = () => shop.paydesk.logLines().filter(({ msg }) => String(msg).startsWith('a form was refused'));
    const before = lines().length;
    for (let sent = 0; sent < 25; sent += 1) {
      await shop.customer.payForm(form, good, { headers: { Origin: 'https://evil.example/?card=4242424242424242' } });
    }
    const logged = lines().slice(before);
    assert.equal(logged.length, 20);
    const { origin, publicUrl, msg } = logged[0] ?? {};
    assert.deepEqual([origin, publicUrl], ['https://evil.example', 'https://pay.test.example']);
    assert.match(String(msg), /set PAYDESK_PUBLIC_URL/);
    assert.ok(!JSON.stringify(logged).includes('4242'));
  });

  it('says what is wrong with each field, and charges nothing', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    const wrong = [
      [{ number: '' }, 'Enter your card number.'],
      [{ number: '4242424242424241' }, 'Your card number is incorrect. Please check the digits.'],
      [{ number: 'my card' }, 'Your card number is incorrect. Please check the digits.'],
      [{ number: good, expiry: '' }, 'Enter the expiry date.'],
      [{ number: good, expiry: '13/30' }, 'Enter the date as shown on your card, such as 08 / 29.'],
      [{ number: good, expiry: '12/25' }, 'This card has expired. Please use another card.'],
      [{ number: good, cvc: '' }, 'Enter the security code.'],
      [{ number: good, cvc: '12' }, 'Your security code is incomplete.'],
      [{ number: good, cvc: 'abc' }, 'Your security code is incomplete.'],
      [{ number: good, name: 'x'.repeat(201) }, 'Please check the name on the card.'],
    ] as const;
    for (const [card, message] of wrong) {
      const page = await shop.customer.payByCard(session.id, card);
      assertFormShownAgain(page, 'Please check your details');
      const [, shown = ''] = /class="error" id="\w+-error">([^<]+)</.exec(page.html) ?? [];
      assert.equal(shown, message);
      assert.equal(page.html.match(/aria-invalid="true"/g)?.length, 1);
    }
    const all = await shop.customer.payByCard(session.id, { number: '', expiry: '', cvc: '' });
    assert.equal(all.html.match(/aria-invalid="true"/g)?.length, 3);
    await assertNothingPaid(shop, session);
  });

  it('accepts a card as people type it', async () => {
    const shop = await openShop(paydesk());
    const entries = [
      { number: '4242 4242 4242 4242', expiry: '1/34' },
      { number: '4242-4242-4242-4242', expiry: '01/2034' },
      { number: '４２４２４２４２４２４２４２４２', expiry: '０１／３４', cvc: '１２３' },
      { number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', expiry: '٠١/٣٤', cvc: '١٢٣' },
      { number: '378282246310005', expiry: '0134', cvc: '1234', name: '' },
    ];
    for (const card of entries) {
      const session = await shop.merchant.newSession();
      await shop.customer.payByCard(session.id, card);
      const { intent } = await paymentState(shop, session);
      assert.equal(intent.status, 'succeeded', card.number);
      const { card: shown } = intent.payment_method as { card: Fields };
      assert.deepEqual([shown.exp_month, shown.exp_year], [1, 2034]);
    }
  });

  it('accepts any future expiry and any CVC', async () => {
    const shop = await openShop(paydesk());
    for (const card of [
      { number: good, expiry: '12/77' },
      { number: good, expiry: '12 / 99', cvc: '1234' },
      { number: '5555555555554444', expiry: '12/2099', cvc: '0000' },
      { number: '378282246310005', expiry: '2099-12', cvc: '000' },
    ]) {
      const session = await shop.merchant.newSession();
      await shop.customer.payByCard(session.id, card);
      assert.equal((await paymentState(shop, session)).intent.status, 'succeeded', JSON.stringify(card));
    }
  });
});
