// What merchants ask their customers for: asked on the page, checked, stored with the payment, returned by the API.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { entriesOf, type Fields, must } from '../support/api-client.ts';
import { cardFields, formOf, type PageResponse, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { manyDeclines, openShop, paymentState, type Shop } from './scene.ts';

const visa = '4242424242424242';
const declined = '4000000000000002';
const browser = { headers: { Accept: 'text/html' } };

const everything = ['email', 'phone', 'billing_address', 'shipping_address'];
const typed = {
  ...{ email: 'ada@example.com', phone: '+33 6 12 34 56 78', full_name: 'Ada Lovelace' },
  ...{ shipping_line1: '12 Rue Cler', shipping_line2: '', shipping_city: 'Paris' },
  ...{ shipping_postal_code: '75007', shipping_state: '', shipping_country: 'FR' },
};
const paris = { line1: '12 Rue Cler', line2: null, city: 'Paris', postal_code: '75007', state: null, country: 'FR' };

async function submit(
  { customer }: Shop,
  session: Fields,
  fields: Readonly<Record<string, string>>,
): Promise<PageResponse> {
  const form = formOf(await customer.open(session.id));
  const { same_address: _, ...hidden } = form.fields;
  return customer.post(form.action, { ...hidden, ...cardFields(visa), ...fields }, browser);
}

function enteredIn(html: string, name: string): string | null {
  return new RegExp(`<input[^>]*\\sname="${name}"[^>]*\\svalue="([^"]*)"`).exec(html)?.[1] ?? null;
}
const messageOf = (html: string, name: string): string =>
  new RegExp(`id="${name}-error">([^<]*)<`).exec(html)?.[1] ?? `there is no ${name}`;

describeOnEachEngine('Customer details', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });

  it('are asked for, stored with the payment, and returned with the session and the payment intent', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: everything });
    assert.deepEqual([session.collect, session.customer_details], [everything, null]);
    await submit(shop, session, { ...typed, same_address: '1' });
    const { intent, session: paid } = await paymentState(shop, session);
    assert.equal(intent.status, 'succeeded');
    const details = {
      ...{ email: 'ada@example.com', phone: '+33612345678', name: 'Ada Lovelace' },
      ...{ billing_address: paris, shipping_address: paris },
    };
    assert.deepEqual([paid.customer_details, intent.customer_details], [details, details]);
    assert.equal(paid.customer_email, null, 'what the merchant passed stays as it is');
    const lists = ['/checkout-sessions', '/payment-intents'].map((path) => shop.merchant.test.get(path));
    for (const list of await Promise.all(lists)) assert.deepEqual(entriesOf(list)[0]?.customer_details, details);
  });

  it('of two addresses are kept apart', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: ['shipping_address', 'billing_address'] });
    const billing = { billing_line1: '1 Main St', billing_city: 'Springfield', billing_country: 'US' };
    await submit(shop, session, { ...typed, ...billing, billing_postal_code: '62701', billing_state: 'IL' });
    const { intent } = await paymentState(shop, session);
    const { shipping_address, billing_address, email } = intent.customer_details as Fields;
    assert.deepEqual([shipping_address, email], [paris, null]);
    assert.deepEqual(billing_address, {
      ...{ line1: '1 Main St', line2: null, city: 'Springfield', postal_code: '62701', state: 'IL', country: 'US' },
    });
  });

  it('are not asked for if the merchant passed the address, which is returned all the same', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: ['email'], customer_email: 'ada@example.com' });
    assert.equal((session.customer_details as Fields).email, 'ada@example.com');
    const page = await shop.customer.open(session.id);
    assert.doesNotMatch(page.html, /name="email"/);
    await submit(shop, session, { email: 'eve@example.com' });
    const { intent, session: paid } = await paymentState(shop, session);
    assert.equal((intent.customer_details as Fields).email, 'ada@example.com');
    assert.equal((paid.customer_details as Fields).email, 'ada@example.com');
  });

  it('are null where nothing is asked for, whatever is sent', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    assert.deepEqual([session.collect, session.customer_details], [[], null]);
    await submit(shop, session, typed);
    const { intent, session: paid } = await paymentState(shop, session);
    assert.deepEqual([intent.status, intent.customer_details, paid.customer_details], ['succeeded', null, null]);
  });

  it('that are missing or wrong are named beside their fields, and nothing is charged; the rest stays entered', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: everything, locale: 'de' });
    const bad = { ...typed, email: 'ada@', shipping_city: ' ', number: '4242', same_address: '1' };
    const page = await shop.customer.backToForm(await submit(shop, session, bad));
    assert.equal(messageOf(page.html, 'email'), 'Bitte geben Sie eine E-Mail-Adresse wie name@example.com ein.');
    assert.equal(messageOf(page.html, 'shipping_city'), 'Bitte füllen Sie dieses Feld aus.');
    assert.match(messageOf(page.html, 'number'), /Kartennummer/);
    assert.equal(messageOf(page.html, 'phone'), '');
    assert.match(page.html, /<input id="email"[^>]* aria-invalid="true" autofocus/);
    assert.deepEqual(
      ['email', 'phone', 'shipping_line1', 'shipping_postal_code'].map((name) => enteredIn(page.html, name)),
      ['ada@', '+33 6 12 34 56 78', '12 Rue Cler', '75007'],
    );
    assert.match(page.html, /<option value="FR" selected>Frankreich<\/option>/);
    const { intent, session: open, events } = await paymentState(shop, session);
    assert.deepEqual(
      [intent.status, intent.payment_method, open.customer_details, events],
      ['requires_payment_method', null, null, []],
    );
  });

  it('are also checked for methods that are paid elsewhere', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: ['phone'] });
    const page = await shop.customer.backToForm(await submit(shop, session, { method: 'ideal', phone: 'none' }));
    assert.match(messageOf(page.html, 'phone'), /country code/);
    assert.match(textOfPage(page), /You have not been charged\. Please correct the fields marked below\./);
    const bank = await submit(shop, session, { method: 'ideal', phone: '030 1234567' });
    await shop.customer.choose(await shop.customer.follow(bank), 'pass');
    const { intent } = await paymentState(shop, session);
    assert.equal((intent.customer_details as Fields).phone, '0301234567');
  });

  it('can be corrected after a decline, and the last ones count', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: ['email'] });
    await submit(shop, session, { email: 'ada@exmaple.com', number: declined });
    assert.equal(((await paymentState(shop, session)).session.customer_details as Fields).email, 'ada@exmaple.com');
    const again = await shop.customer.open(session.id);
    assert.equal(enteredIn(again.html, 'email'), 'ada@exmaple.com');
    await submit(shop, session, { email: 'ada@example.com' });
    const { intent, session: paid } = await paymentState(shop, session);
    for (const { customer_details } of [intent, paid])
      assert.equal((customer_details as Fields).email, 'ada@example.com');
  });

  it('that fill every field to its end are accepted, even though the cookie cannot keep them', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: everything });
    const long = '漢'.repeat(150);
    const city = '漢'.repeat(100);
    const most = {
      ...{ full_name: long, shipping_line1: long, shipping_line2: long, shipping_city: city, shipping_state: city },
      ...{
        billing_line1: long,
        billing_line2: long,
        billing_city: city,
        billing_country: 'JP',
        billing_postal_code: '1',
      },
    };
    const page = await shop.customer.backToForm(await submit(shop, session, { ...typed, ...most, email: '' }));
    assert.deepEqual(
      [enteredIn(page.html, 'shipping_line1'), messageOf(page.html, 'email')],
      ['', 'Enter your email address.'],
    );
    await submit(shop, session, { ...typed, ...most });
    assert.equal((await paymentState(shop, session)).intent.status, 'succeeded');
  });

  it('are escaped on the page', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: ['shipping_address'] });
    const page = await shop.customer.backToForm(
      await submit(shop, session, { full_name: '"><script>alert(1)</script>' }),
    );
    assert.doesNotMatch(page.html, /<script>alert/);
  });

  it('are collected by the sessions of a payment link', async () => {
    const shop = await openShop(paydesk());
    const link = must(
      201,
      await shop.merchant.test.post('/payment-links', { amount: 500, currency: 'EUR', collect: ['email'] }),
    );
    assert.deepEqual(link.collect, ['email']);
    const start = await shop.customer.get(`/pay/${link.id}`);
    const form = formOf(start);
    const started = await shop.customer.post(form.action, form.fields);
    const page = await shop.customer.follow(started);
    assert.match(page.html, /name="email"/);
    const [session = {}] = entriesOf(await shop.merchant.test.get(`/checkout-sessions?payment_link=${link.id}`));
    await submit(shop, session, { email: 'ada@example.com' });
    const { intent } = await paymentState(shop, session);
    assert.deepEqual([intent.status, (intent.customer_details as Fields).email], ['succeeded', 'ada@example.com']);
  });

  it('that the page cannot ask for are refused', async () => {
    const { test } = await paydesk().newMerchant();
    for (const collect of [['birthday'], ['email', 'email'], 'email']) {
      const { status, body } = await test.post('/checkout-sessions', { amount: 1, currency: 'EUR', collect });
      assert.equal(status, 400);
      assert.match(String((body.error as Fields).param), /^collect/);
    }
  });

  it('are not in events, nor in the log', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession({ collect: everything });
    await submit(shop, session, { ...typed, email: 'only.here@example.com', same_address: '1' });
    assert.equal((await paymentState(shop, session)).intent.status, 'succeeded');
    const written = JSON.stringify([await shop.merchant.events(), paydesk().logLines()]);
    for (const text of ['only.here', '612345678', 'Lovelace', 'Rue Cler']) assert.ok(!written.includes(text), text);
  });
});
