// The receipt says what was charged, which need not be the amount of the order, and what was refunded since.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { must } from '../support/api-client.ts';
import { textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { until } from '../support/until.ts';
import { authorisedSession, intentPath, manyDeclines, openShop, paidSession, type Shop } from './scene.ts';

const lineItems = [{ name: 'Chair', quantity: 2, unit_amount: 2500 }];
const received = /Payment successful Thank you\. Shop of Tests has received your payment\./;

describeOnEachEngine('The receipt', (engine) => {
  const paydesk = paydeskForSuite(engine, { settings: manyDeclines });
  const receiptOf = async (shop: Shop, id: unknown) => textOfPage(await shop.customer.open(id));

  it('of an authorised payment says that nothing was charged yet', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop, { amount: 5000 });
    const receipt = await receiptOf(shop, session.id);
    assert.match(receipt, /Payment authorised Thank you\. The amount has been reserved .* not been charged yet\./);
    assert.match(receipt, /Amount €50\.00/);
    assert.doesNotMatch(receipt, /successful|received/);
    const back = await authorisedSession(shop, { return_url: 'https://shop.example/thanks' });
    const leaving = textOfPage(await shop.customer.get(`/checkout/${back.id}/next`));
    assert.match(leaving, /Payment authorised/);
    assert.doesNotMatch(leaving, /successful|received/);
  });

  it('shows what was captured, not what was ordered', async () => {
    const shop = await openShop(paydesk());
    const session = await authorisedSession(shop, { amount: 5000, line_items: lineItems });
    must(200, await shop.merchant.test.post(intentPath(session, '/capture'), { amount_to_capture: 3000 }));
    const receipt = await receiptOf(shop, session.id);
    assert.match(receipt, received);
    assert.match(receipt, /Amount €30\.00/);
    assert.match(receipt, /Total €50\.00/, 'of the order');
    assert.doesNotMatch(receipt, /Refunded/);
  });

  it('shows what was refunded, and says so if that is all of it', async () => {
    const shop = await openShop(paydesk());
    const session = await paidSession(shop, { amount: 5000 });
    const refund = (amount: number) => shop.merchant.test.post(intentPath(session, '/refund'), { amount });
    must(201, await refund(1000));
    const partly = await receiptOf(shop, session.id);
    assert.match(partly, received);
    assert.match(partly, /Amount €50\.00 Refunded €10\.00/);
    must(201, await refund(4000));
    const fully = await receiptOf(shop, session.id);
    assert.match(fully, /Payment refunded Shop of Tests has refunded your payment\./);
    assert.match(fully, /Amount €50\.00 Refunded €50\.00/);
    assert.doesNotMatch(fully, /successful|received/);
  });

  it('does not show a refund that failed', async () => {
    const shop = await openShop(paydesk());
    const session = await shop.merchant.newSession();
    await shop.customer.payByCard(session.id, '4000000000005126');
    await shop.merchant.test.post(intentPath(session, '/refund'), {});
    await until('the refund has failed', async () => {
      const { data } = must(200, await shop.merchant.test.get(`/refunds?payment_intent=${session.payment_intent}`));
      return (data as { status: string }[]).every(({ status }) => status === 'failed');
    });
    const receipt = await receiptOf(shop, session.id);
    assert.match(receipt, received);
    assert.doesNotMatch(receipt, /Refunded/);
  });

  it('in a frame is one of a payment that was made, whatever has happened to it since', async () => {
    const shop = await openShop(paydesk());
    const byCard = { ui_mode: 'embedded', payment_method_types: ['card'] };
    const session = await shop.merchant.newSession({ ...byCard, capture_method: 'manual' });
    const headers = { Authorization: `Bearer ${session.client_secret}` };
    const page = () => shop.customer.get(`/embed/${session.id}/page`, { headers });
    const attempt = /name="attempt" value="([^"]+)"/.exec((await page()).html)?.[1] ?? assert.fail();
    const card = { number: '4242424242424242', expiry: '12 / 34', cvc: '123', name: 'Ann' };
    const form = { attempt, amount: '1250', method: 'card', ...card };
    await shop.customer.post(`/embed/${session.id}/pay`, form, { headers });
    const shown = async () => {
      const { headers: sent, html } = await page();
      return [sent.get('paydesk-state'), /<h1>([^<]*)/.exec(html)?.[1]];
    };
    assert.deepEqual(await shown(), ['paid', 'Payment authorised']);
    must(200, await shop.merchant.test.post(intentPath(session, '/capture'), {}));
    assert.deepEqual(await shown(), ['paid', 'Payment successful']);
    must(201, await shop.merchant.test.post(intentPath(session, '/refund'), {}));
    assert.deepEqual(await shown(), ['paid', 'Payment refunded']);
  });
});
