// One visit of a payment link leads to one session, which is created when the visitor continues, not when they open the
// page.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { entriesOf, type Fields, must } from '../support/api-client.ts';
import { type Customer, customerAt, type Form, formOf, pathOf } from '../support/customer.ts';
import { describeOnEachStore } from '../support/engines.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';

const newLink = async ({ test }: TestMerchant): Promise<Fields> =>
  must(201, await test.post('/payment-links', { amount: 1250, currency: 'EUR' }));

const openPage = async (customer: Customer, link: Fields): Promise<Form> =>
  formOf(await customer.get(`/pay/${link.id}`));

async function continueFrom(customer: Customer, { action, fields }: Form): Promise<string> {
  return pathOf(await customer.post(action, fields)).replace('/checkout/', '');
}

/** The token of the version before, which named the session that the visitor has or will get. */
const earlierToken = ({ secretBox }: Paydesk, link: Fields, sessionId: string): string =>
  `${sessionId}.${secretBox.derive('link visitor', `${link.id} ${sessionId}`)}`;

describeOnEachStore('A visit of a payment link', (engine) => {
  it('creates a session that is listed first, however long ago the page was opened', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const form = await openPage(customer, await newLink(merchant));
    paydesk.clock.advance(20 * 3_600_000);
    const earlier = await merchant.newSession();
    paydesk.clock.advance(60_000);
    const session = await continueFrom(customer, form);
    const listed = entriesOf(await merchant.test.get('/checkout-sessions'));
    assert.deepEqual(
      listed.map(({ id }) => id),
      [session, earlier.id],
    );
  });

  it('finds its session again for as long as the page of the visit can be submitted', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const link = await newLink(merchant);
    const form = await openPage(customer, link);
    paydesk.clock.advance(23 * 3_600_000);
    const session = await continueFrom(customer, form);
    paydesk.clock.advance(10 * 60_000);
    assert.equal(await continueFrom(customer, form), session);
    assert.equal(await continueFrom(customer, await openPage(customer, link)), session);
    assert.equal(entriesOf(await merchant.test.get('/checkout-sessions')).length, 1);
  });

  it('creates one session if its form is submitted many times at once', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const urls = [paydesk.url, ...(engine.name === 'sqlite' ? [] : [(await paydesk.startAnother()).url])];
    const merchant = await paydesk.newMerchant();
    const link = await newLink(merchant);
    const form = await openPage(customerAt(paydesk.url), link);
    const sessions = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => continueFrom(customerAt(urls[turn % urls.length] ?? ''), form)),
    );
    assert.equal(new Set(sessions).size, 1);
    const listed = entriesOf(await merchant.test.get(`/checkout-sessions?payment_link=${link.id}`));
    assert.deepEqual(
      listed.map(({ id }) => id),
      sessions.slice(0, 1),
    );
    assert.equal(must(200, await merchant.test.get(`/payment-links/${link.id}`)).times_used, 1);
  });

  it('finds the session that it started on the version before', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const link = await newLink(merchant);
    const form = await openPage(customerAt(paydesk.url), link);
    const session = await continueFrom(customerAt(paydesk.url), form);
    const visitor = earlierToken(paydesk, link, session);
    const earlierForm = { ...form, fields: { ...form.fields, visitor } };
    const customer = customerAt(paydesk.url, { Cookie: `paydesk_visitor=${visitor}` });
    assert.equal((await openPage(customer, link)).fields.visitor, visitor);
    assert.equal(await continueFrom(customer, earlierForm), session);
    await customer.payByCard(session, '4242424242424242');
    assert.equal(await continueFrom(customer, earlierForm), session);
    assert.equal(entriesOf(await merchant.test.get('/checkout-sessions')).length, 1);
    const other = await newLink(merchant);
    assert.equal(await continueFrom(customer, { ...earlierForm, action: `/pay/${other.id}` }), `/pay/${other.id}`);
  });

  it('creates one session from a form of the version before', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const link = await newLink(merchant);
    const form = await openPage(customerAt(paydesk.url), link);
    const chosen = aMoment(paydesk.clock.now()).newId('cs');
    const visitor = earlierToken(paydesk, link, chosen);
    const earlierForm = { ...form, fields: { ...form.fields, visitor } };
    const sessions = await Promise.all(
      Array.from({ length: 4 }, () => continueFrom(customerAt(paydesk.url), earlierForm)),
    );
    assert.equal(await continueFrom(customerAt(paydesk.url), earlierForm), sessions[0]);
    const listed = entriesOf(await merchant.test.get('/checkout-sessions'));
    assert.deepEqual(
      listed.map(({ id }) => id),
      [...new Set(sessions)],
    );
    assert.notEqual(sessions[0], chosen);
  });
});
