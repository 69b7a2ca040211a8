// The public page of a payment link: what it shows, what it refuses, and that a visitor gets one session.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { entriesOf, type Fields, must } from '../support/api-client.ts';
import { type Customer, customerAt, type Form, formOf, pathOf, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { type Paydesk, paydeskForSuite, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';

const navigation = { Accept: 'text/html' };
const good = '4242424242424242';

async function newLink({ test }: TestMerchant, fields: Fields = {}): Promise<Fields> {
  return must(201, await test.post('/payment-links', { amount: 1250, currency: 'EUR', ...fields }));
}

const openLink = (merchant: TestMerchant, fields: Fields = {}): Promise<Fields> =>
  newLink(merchant, { amount: undefined, type: 'open', ...fields });

async function openPage(customer: Customer, link: Fields, options = {}): Promise<Form> {
  const page = await customer.get(`/pay/${link.id}`, options);
  assert.equal(page.status, 200, page.html);
  return formOf(page);
}

async function sessionsOf({ test }: TestMerchant, link: Fields): Promise<Fields[]> {
  return entriesOf(await test.get(`/checkout-sessions?payment_link=${link.id}`));
}

describeOnEachEngine('The page of a payment link', (engine) => {
  const paydesk = paydeskForSuite(engine);
  const scene = async (): Promise<{ merchant: TestMerchant; customer: Customer; paydesk: Paydesk }> => ({
    paydesk: paydesk(),
    merchant: await paydesk().newMerchant(),
    customer: customerAt(paydesk().url),
  });

  it('shows the merchant, the description, the items and the amount, and writes nothing', async () => {
    const { merchant, customer } = await scene();
    const items = [{ name: 'Tea <b>', quantity: 2, unit_amount: 625 }];
    const link = await newLink(merchant, { description: 'Order “7”', line_items: items });
    const page = await customer.get(`/pay/${link.id}`);
    const text = textOfPage(page);
    for (const shown of ['Shop of Tests', 'Order “7”', 'Tea <b>', '€12.50', 'Continue to payment', 'Test mode'])
      assert.ok(text.includes(shown), `${shown} in ${text}`);
    assert.deepEqual(await sessionsOf(merchant, link), []);
    assert.deepEqual(must(200, await merchant.test.get(`/payment-links/${link.id}`)), link);
  });

  it('is as strict as the checkout page, and never framed or cached', async () => {
    const { merchant, customer } = await scene();
    const { headers } = await customer.get(`/pay/${(await newLink(merchant)).id}`);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'none'", "frame-ancestors 'none'", "form-action 'self'"])
      assert.ok(policy.includes(rule), policy);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(
      headers.get('set-cookie') ?? '',
      /^paydesk_visitor=\S+; Path=\/pay\/plink_\w+; Max-Age=86400; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('continues to an ordinary session with the terms of the link, which both carry its id', async () => {
    const { merchant, customer } = await scene();
    const link = await newLink(merchant, {
      description: 'Yoga',
      metadata: { order: '7' },
      payment_method_types: ['card'],
      capture_method: 'manual',
      redirect_url: 'https://shop.example/thanks',
    });
    const form = await openPage(customer, link);
    const response = await customer.post(form.action, form.fields);
    assert.equal(response.status, 303);
    const [session, ...others] = await sessionsOf(merchant, link);
    assert.ok(session !== undefined);
    assert.deepEqual(others, []);
    assert.equal(pathOf(response), `/checkout/${session.id}`);
    assert.deepEqual(
      [session.status, session.amount, session.description, session.metadata, session.payment_link],
      ['open', 1250, 'Yoga', { order: '7' }, link.id],
    );
    assert.deepEqual(
      [session.return_url, session.cancel_url, session.capture_method, session.payment_method_types],
      ['https://shop.example/thanks', link.url, 'manual', ['card']],
    );
    const intents = entriesOf(await merchant.test.get(`/payment-intents?payment_link=${link.id}`));
    assert.deepEqual(
      intents.map(({ id, payment_link, metadata }) => [id, payment_link, metadata]),
      [[session.payment_intent, link.id, { order: '7' }]],
    );
    const other = await merchant.newSession();
    assert.equal(other.payment_link, null);
    const unrelated = entriesOf(
      await merchant.test.get(`/payment-intents?payment_link=${(await newLink(merchant)).id}`),
    );
    assert.deepEqual(unrelated, []);
    assert.equal(must(200, await merchant.test.get(`/payment-links/${link.id}`)).times_used, 1);
    await customer.payByCard(session.id, good);
    const intent = must(200, await merchant.test.get(`/payment-intents/${session.payment_intent}`));
    assert.deepEqual([intent.status, intent.payment_link], ['requires_capture', link.id]);
  });

  it('filters payments and sessions by a link id only', async () => {
    const { merchant } = await scene();
    for (const path of ['/payment-intents', '/checkout-sessions'])
      assert.equal((await merchant.test.get(`${path}?payment_link=cs_1`)).error.param, 'payment_link');
  });

  it('leads one visitor to one session: double clicks, reloads, going back, a second tab', async () => {
    const { merchant, customer } = await scene();
    const link = await newLink(merchant);
    const form = await openPage(customer, link);
    const clicks = await Promise.all(Array.from({ length: 6 }, () => customer.post(form.action, form.fields)));
    const reloaded = await openPage(customer, link);
    const again = await customer.post(reloaded.action, reloaded.fields);
    const targets = new Set([...clicks, again].map((response) => pathOf(response)));
    assert.equal(targets.size, 1);
    assert.equal((await sessionsOf(merchant, link)).length, 1);
    assert.equal(must(200, await merchant.test.get(`/payment-links/${link.id}`)).times_used, 1);
  });

  it('gives every visitor a session of their own, and a new one after the last was paid or has expired', async () => {
    const { merchant, customer } = await scene();
    const link = await newLink(merchant);
    const start = async (visitor: Customer): Promise<string> => {
      const form = await openPage(visitor, link);
      return pathOf(await visitor.post(form.action, form.fields)).replace('/checkout/', '');
    };
    const first = await start(customer);
    assert.notEqual(await start(customerAt(paydesk().url)), first);
    const formWhileUnpaid = await openPage(customer, link);
    await customer.payByCard(first, good);
    const old = await customer.post(formWhileUnpaid.action, formWhileUnpaid.fields);
    assert.equal(pathOf(old), `/checkout/${first}`, 'the old form shows the receipt instead of paying twice');
    const second = await start(customer);
    assert.notEqual(second, first);
    const formWhileOpen = await openPage(customer, link);
    must(200, await merchant.test.post(`/checkout-sessions/${second}/expire`, {}));
    const expired = await customer.post(formWhileOpen.action, formWhileOpen.fields);
    assert.equal(pathOf(expired), `/pay/${link.id}`);
    const third = await start(customer);
    assert.equal(new Set([first, second, third]).size, 3);
    assert.deepEqual((await sessionsOf(merchant, link)).map(({ status }) => status).sort(), [
      'completed',
      'expired',
      'open',
      'open',
    ]);
  });

  it('is where a customer can start again after their session has expired', async () => {
    const { merchant, customer } = await scene();
    const link = await newLink(merchant);
    const form = await openPage(customer, link);
    const session = pathOf(await customer.post(form.action, form.fields));
    must(200, await merchant.test.post(`/checkout-sessions/${session.split('/')[2]}/expire`, {}));
    const page = await customer.get(session);
    assert.equal(page.status, 410);
    assert.ok(page.html.includes(`href="${link.url}"`), page.html);
  });

  it('does not accept a visitor that it did not issue for this link', async () => {
    const { merchant, customer } = await scene();
    const [link, other] = [await newLink(merchant), await newLink(merchant)];
    const { fields } = await openPage(customer, other);
    const [visitId = '', proof = ''] = (fields.visitor ?? '').split('.');
    const made = aMoment(paydesk().clock.now()).newId('visit');
    for (const visitor of [
      '',
      'x',
      visitId,
      fields.visitor ?? '',
      `${made}.${proof}`,
      `${visitId}.${'0'.repeat(32)}`,
    ]) {
      const response = await customer.post(`/pay/${link.id}`, { visitor });
      assert.equal(pathOf(response), `/pay/${link.id}`);
    }
    const notAForm = await customer.post(`/pay/${link.id}`, {}, { headers: { 'Content-Type': 'text/plain' } });
    assert.equal(pathOf(notAForm), `/pay/${link.id}`);
    assert.deepEqual([...(await sessionsOf(merchant, link)), ...(await sessionsOf(merchant, other))], []);
  });

  it('refuses forms of other sites', async () => {
    const { merchant, customer } = await scene();
    const link = await newLink(merchant);
    const form = await openPage(customer, link);
    const response = await customer.post(form.action, form.fields, { headers: { Origin: 'https://evil.example' } });
    assert.equal(response.status, 403);
    assert.deepEqual(await sessionsOf(merchant, link), []);
  });

  it('says that the link is inactive, expired or paid, and that there is no such link', async () => {
    const { merchant, customer } = await scene();
    const inactive = await newLink(merchant);
    must(200, await merchant.test.patch(`/payment-links/${inactive.id}`, { active: false }));
    const inAnHour = new Date(paydesk().clock.now() + 3_600_000).toISOString();
    const expired = await newLink(merchant, { expires_at: inAnHour });
    const expiredForm = await openPage(customer, expired);
    const completed = await newLink(merchant, { max_uses: 1 });
    const form = await openPage(customer, completed);
    const late = await openPage(customerAt(paydesk().url), completed);
    await customer.payByCard(pathOf(await customer.post(form.action, form.fields)).replace('/checkout/', ''), good);
    assert.equal(must(200, await merchant.test.get(`/payment-links/${completed.id}`)).status, 'completed');
    const listed = entriesOf(await merchant.test.get('/payment-links?status=completed'));
    assert.deepEqual(
      listed.map(({ id }) => id),
      [completed.id],
    );
    paydesk().clock.advance(3_600_000);
    const expectations: readonly [Fields, RegExp][] = [
      [inactive, /This link is no longer active/],
      [expired, /This link has expired/],
      [completed, /This link has already been paid/],
    ];
    for (const [link, expected] of expectations) {
      const page = await customer.get(`/pay/${link.id}`);
      assert.equal(page.status, 410);
      assert.match(textOfPage(page), expected);
      assert.match(textOfPage(page), /Shop of Tests/);
    }
    for (const old of [expiredForm, late]) {
      const page = await customer.post(old.action, old.fields);
      assert.equal(page.status, 410, page.html);
    }
    assert.deepEqual(await sessionsOf(merchant, expired), []);
    for (const id of [aMoment().newId('plink'), 'plink_1', 'x', String(inactive.id).replace('plink', 'cs')]) {
      for (const page of [await customer.get(`/pay/${id}`), await customer.post(`/pay/${id}`, {})]) {
        assert.equal(page.status, 404);
        assert.match(textOfPage(page), /Page not found/);
      }
    }
  });

  it('asks for the amount of an open link, and takes what is typed in any language', async () => {
    const { merchant } = await scene();
    const link = await openLink(merchant, { minimum_amount: 500, maximum_amount: 500_000, description: 'Donation' });
    const typed: readonly [language: string, text: string, amount: number][] = [
      ['en', '12.50', 1250],
      ['en', '1,234.50', 123_450],
      ['de', '1.234,50 €', 123_450],
      ['fr', '1 234,5', 123_450],
      ['ar', '١٢٫٥٠', 1250],
      ['ja', '１２', 1200],
    ];
    for (const [language, text, amount] of typed) {
      const customer = customerAt(paydesk().url, { 'Accept-Language': language });
      const form = await openPage(customer, link);
      assert.equal(form.fields.amount, '');
      const response = await customer.post(form.action, { ...form.fields, amount: text }, { headers: navigation });
      const session = must(200, await merchant.test.get(`/checkout-sessions/${pathOf(response).split('/')[2]}`));
      assert.equal(session.amount, amount, text);
    }
  });

  it('names what is wrong with an amount beside the field, and creates nothing', async () => {
    const { merchant, customer } = await scene();
    const link = await openLink(merchant, { minimum_amount: 500, maximum_amount: 500_000 });
    const form = await openPage(customer, link);
    const wrong: readonly [string, RegExp][] = [
      ['', /Enter the amount you want to pay/],
      ['abc', /Enter an amount such as €25\.00/],
      ['-7', /Enter an amount such as €25\.00/],
      ['1.234', /Did you mean €1,234\.00 or €1\.23\?/],
      ['$12', /Enter the amount in EUR/],
      ['4.99', /The smallest amount is €5\.00/],
      ['0', /The smallest amount is €5\.00/],
      ['5000.01', /The largest amount is €5,000\.00/],
      ['9'.repeat(50), /The largest amount is €5,000\.00/],
      ['9'.repeat(500), /Enter an amount such as €25\.00/],
    ];
    for (const [amount, expected] of wrong) {
      const redirected = await customer.post(form.action, { ...form.fields, amount }, { headers: navigation });
      assert.equal(redirected.status, 303);
      const page = await customer.follow(redirected);
      const direct = await customer.post(form.action, { ...form.fields, amount });
      assert.deepEqual([page.status, direct.status], [200, 422]);
      for (const shown of [page, direct]) {
        const [, message = ''] = /id="amount-error">([^<]*)</.exec(shown.html) ?? [];
        assert.match(message, expected, amount.slice(0, 20));
        assert.match(shown.html, /aria-invalid="true"/);
        assert.equal(formOf(shown).fields.amount, amount.slice(0, 61));
      }
    }
    assert.deepEqual(await sessionsOf(merchant, link), []);
  });

  it('changes the amount of the session when the visitor goes back and enters another', async () => {
    const { merchant, customer } = await scene();
    const link = await openLink(merchant);
    const form = await openPage(customer, link);
    await customer.post(form.action, { ...form.fields, amount: '10' });
    const back = await openPage(customer, link);
    assert.equal(back.fields.amount, '10.00', 'what was entered before');
    const response = await customer.post(back.action, { ...back.fields, amount: '25,5' });
    const [session, ...others] = await sessionsOf(merchant, link);
    assert.deepEqual([session?.amount, others], [2550, []]);
    assert.equal(pathOf(response), `/checkout/${session?.id}`);
  });

  it('keeps the amount of a visitor who goes back and continues without changing it', async () => {
    const { merchant } = await scene();
    const cases: readonly [language: string, currency: string, typed: string, amount: number][] = [
      ['ar-TN', 'TND', '12,500', 12_500],
      ['fr-TN', 'TND', '12,500', 12_500],
      ['de-DE', 'KWD', '1,500', 1_500],
      ['en-GB', 'KWD', '1.500', 1_500],
      ['pl-PL', 'EUR', '1 234,50', 123_450],
      ['de-DE', 'JPY', '1.500', 1_500],
    ];
    for (const [language, currency, typed, amount] of cases) {
      const customer = customerAt(paydesk().url, { 'Accept-Language': language, ...navigation });
      const link = await openLink(merchant, { currency });
      const form = await openPage(customer, link);
      const started = await customer.post(form.action, { ...form.fields, amount: typed });
      const back = await openPage(customer, link);
      const continued = await customer.post(back.action, back.fields);
      assert.equal(pathOf(continued), pathOf(started), `${language} ${back.fields.amount}`);
      const [session] = await sessionsOf(merchant, link);
      assert.equal(session?.amount, amount, `${language} ${back.fields.amount}`);
    }
  });

  it('keeps the amount that is entered after the session has ended', async () => {
    const { merchant, customer } = await scene();
    const link = await openLink(merchant);
    const start = async (amount: string) => {
      const form = await openPage(customer, link);
      const session = pathOf(await customer.post(form.action, { ...form.fields, amount })).split('/')[2];
      return { session, back: await openPage(customer, link) };
    };
    const ended = await start('10');
    must(200, await merchant.test.post(`/checkout-sessions/${ended.session}/expire`, {}));
    const afterEnd = await customer.post(ended.back.action, { ...ended.back.fields, amount: '99' });
    assert.equal(formOf(await customer.follow(afterEnd)).fields.amount, '99');
    const overdue = await start('10');
    const stored = await paydesk().store.findBy('checkoutSessions', 'id', String(overdue.session));
    assert.ok(stored !== null);
    await paydesk().store.commit({ checkoutSessions: [{ ...stored, expiresAt: paydesk().clock.now() }] });
    const afterTime = await customer.post(overdue.back.action, { ...overdue.back.fields, amount: '25,5' });
    assert.equal(formOf(await customer.follow(afterTime)).fields.amount, '25,5');
  });

  it('says so if no session can be created any more', async () => {
    const { merchant, customer } = await scene();
    const link = await newLink(merchant);
    const form = await openPage(customer, link);
    const stored = await paydesk().store.findBy('merchants', 'id', merchant.merchant.id);
    assert.ok(stored !== null);
    await paydesk().store.commit({ merchants: [{ ...stored, currencies: ['USD'] }] });
    const page = await customer.post(form.action, form.fields);
    assert.equal(page.status, 409);
    assert.match(textOfPage(page), /cannot be paid at the moment/);
    assert.deepEqual(await sessionsOf(merchant, link), []);
  });

  it('limits how many checkouts are started from one address and link', async (t) => {
    const limited = await startPaydesk(t, engine, { settings: { PAYDESK_LINK_STARTS_PER_MINUTE: '2' } });
    const merchant = await limited.newMerchant();
    const [link, other] = [await newLink(merchant), await newLink(merchant)];
    const start = async (of: Fields) => {
      const visitor = customerAt(limited.url);
      const form = await openPage(visitor, of);
      return { visitor, form, response: await visitor.post(form.action, form.fields) };
    };
    const first = await start(link);
    assert.equal((await start(link)).response.status, 303);
    const third = await start(link);
    assert.equal(third.response.status, 429);
    assert.equal(third.response.headers.get('retry-after'), '30');
    assert.match(textOfPage(third.response), /Please wait a moment/);
    assert.equal((await sessionsOf(merchant, link)).length, 2);
    const again = await first.visitor.post(first.form.action, first.form.fields);
    assert.equal(again.status, 303, 'a visitor who has a session is not limited');
    assert.equal((await start(other)).response.status, 303, 'another link is not limited');
    limited.clock.advance(30_000);
    assert.equal((await third.visitor.post(third.form.action, third.form.fields)).status, 303);
  });
});
