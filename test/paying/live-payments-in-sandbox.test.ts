// The sandbox is for test mode. If a live payment reaches it by mistake, it neither accepts nor changes that payment,
// and shows no page for it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FollowUp } from '../../src/acquirers/acquirer.ts';
import { noAcquirer as nobody } from '../../src/acquirers/no-acquirer.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import type { Fields } from '../support/api-client.ts';
import { customerAt, formOf, operationOf, pathOf, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { runSql } from '../support/run-sql.ts';
import { sandboxPayment } from '../support/sandbox-books.ts';

const challenged = '4000000000003220';

function makeLive(address: DatabaseAddress, tables: readonly string[]): Promise<void> {
  const live = address.engine === 'sqlite' ? 1 : true;
  return runSql(address, tables.map((table) => `UPDATE ${table} SET livemode = ${live}`).join(';'));
}

const paymentTables = ['checkout_sessions', 'payment_intents'];

async function liveEvents({ store }: Paydesk, { merchant }: TestMerchant) {
  const events = await store.list('events', { scope: { merchantId: merchant.id, livemode: true }, limit: 100 });
  return events.map(({ type }) => type).filter((type) => type !== 'payment_intent.payment_failed');
}

async function statusOf({ store }: Paydesk, { merchant }: TestMerchant, session: Fields) {
  const intent = await store.find(
    'paymentIntents',
    { merchantId: merchant.id, livemode: true },
    String(session.payment_intent),
  );
  return [intent?.status, intent?.amountCaptured];
}

describeOnEachEngine('A live payment at the sandbox', (engine) => {
  for (const card of ['4242424242424242', challenged]) {
    it(`is not accepted: ${card} gets an error page, and nothing is authorised`, async (t) => {
      const paydesk = await startPaydesk(t, engine);
      const merchant = await paydesk.newMerchant();
      const customer = customerAt(paydesk.url);
      const session = await merchant.newSession();
      const form = formOf(await customer.open(session.id));
      await makeLive(paydesk.address, paymentTables);
      const page = await customer.payForm(form, card);
      assert.equal(page.status, 200, page.html);
      assert.ok(textOfPage(page).includes('Your card details were not accepted'), textOfPage(page));
      assert.equal(await sandboxPayment(paydesk.store, operationOf(form)), null, 'it did not reach the sandbox');
      assert.equal(await paydesk.store.findBy('operations', 'id', operationOf(form)), null);
      assert.deepEqual(await statusOf(paydesk, merchant, session), ['requires_payment_method', 0]);
      assert.deepEqual(await liveEvents(paydesk, merchant), []);
    });
  }

  it('has no challenge or bank page, and does not continue if it became live there', async (t) => {
    const paydesk = await startPaydesk(t, engine);
    const merchant = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const byCard = await merchant.newSession();
    const byBank = await merchant.newSession();
    const pages = [await customer.payByCard(byCard.id, challenged), await customer.payBy(byBank.id, 'ideal')].map(
      pathOf,
    );
    for (const page of pages) assert.equal((await customer.get(page)).status, 200);
    for (const tables of [paymentTables, ['operations']]) {
      await makeLive(paydesk.address, tables);
      for (const page of pages) {
        assert.equal((await customer.get(page)).status, 404, page);
        assert.equal((await customer.post(page, { result: 'pass' })).status, 404, page);
      }
    }
    for (const session of [byCard, byBank]) {
      assert.ok((await customer.get(`/checkout/${session.id}/return`)).status < 400);
      assert.deepEqual(await statusOf(paydesk, merchant, session), ['requires_payment_method', 0]);
    }
    assert.deepEqual(await liveEvents(paydesk, merchant), []);
  });

  it('is not authorised, captured, voided or refunded by anyone', async () => {
    const payment = { id: aMoment().newId('op'), amount: 1250, currency: 'EUR', reference: null, state: null };
    const operation = { ...payment, createdAt: startOfTests };
    const notMade = { outcome: { kind: 'not_made' } };
    assert.deepEqual(await nobody.authorise(operation), notMade);
    for (const kind of ['capture', 'void', 'refund'] as const) {
      const follow: FollowUp = { ...operation, id: aMoment().newId('op'), kind, payment: operation };
      const declined = { outcome: { kind: 'declined', decline: { code: 'processing_error' } } };
      assert.deepEqual(await nobody[kind](follow), declined);
      assert.deepEqual(await nobody.inquire(follow), notMade);
      assert.deepEqual(await nobody.close(follow), notMade);
    }
  });
});
