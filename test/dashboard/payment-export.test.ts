// Payments as CSV, over HTTP: exactly what is filtered, streamed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entriesOf } from '../support/api-client.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { type DashboardClient, signIn } from '../support/dashboard.ts';
import { engines } from '../support/engines.ts';
import { startOfTests as now } from '../support/fake-clock.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aDispute, aMoment, aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

for (const engine of engines) {
  describe(`The export of payments (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine);

    it('has every payment that passes the filters, and how many there are', async () => {
      const shop = await paydesk().newMerchant();
      const payments = Array.from({ length: 250 }, (_, at) =>
        aPayment({
          scope: shop.scope,
          moment: aMoment(now + at),
          terms: at < 230 ? {} : { currency: 'USD', customerEmail: `customer${at}@example.org` },
        }),
      );
      await mustCommit(paydesk().store, changesOf(...payments));
      const client = await signIn(paydesk(), shop, 'support');
      const all = await client.get('/payments/export');
      assert.equal(all.status, 200);
      assert.equal(all.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.match(
        String(all.headers.get('content-disposition')),
        /^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/,
      );
      assert.equal(all.headers.get('paydesk-total-rows'), '250');
      const lines = all.text.trimEnd().split('\r\n');
      assert.equal(lines.length, 251);
      assert.equal(new Set(lines.slice(1).map((line) => line.split(',')[0])).size, 250);
      const dollars = await client.get('/payments/export?currency=USD&status=requires_payment_method');
      assert.equal(dollars.headers.get('paydesk-total-rows'), '20');
      assert.equal(dollars.text.trimEnd().split('\r\n').length, 21);
      const one = await client.get('/payments/export?q=customer249%40example.org');
      assert.deepEqual([one.headers.get('paydesk-total-rows'), one.text.trimEnd().split('\r\n').length], ['1', 2]);
    });

    it('has every disputed payment, however many there are', async () => {
      const shop = await paydesk().newMerchant();
      const payments = Array.from({ length: 1_050 }, (_, at) => aPayment({ ...shop, moment: aMoment(now + at) }));
      for (let from = 0; from < payments.length; from += 350) {
        const some = payments.slice(from, from + 350);
        const disputes = some.map(({ intent }) => aDispute({ ...shop.scope, paymentIntentId: intent.id }));
        await mustCommit(paydesk().store, { ...changesOf(...some), disputes });
      }
      const client = await signIn(paydesk(), shop, 'support');
      const all = await client.get('/payments/export?status=disputed');
      assert.equal(all.headers.get('paydesk-total-rows'), '1050');
      assert.deepEqual(
        all.text
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[0]),
        payments.map(({ intent }) => intent.id).toReversed(),
      );
    });

    it('is in the audit log, without what was searched for', async () => {
      const shop = await paydesk().newMerchant();
      const client = await signIn(paydesk(), shop, 'support');
      const owner = await signIn(paydesk(), shop);
      assert.equal((await client.get('/payments/export?status=refunded&q=ada%40example.org&mode=live')).status, 200);
      const [entry, ...others] = entriesOf(await owner.get('/audit-log?action=payments.exported'));
      assert.deepEqual(others, []);
      assert.deepEqual(
        [entry?.actor, entry?.email, entry?.ip, entry?.subject],
        [client.user.id, client.user.email, '127.0.0.1', shop.merchant.id],
      );
      // An address that was searched for is a customer's, and could not be erased from the log.
      assert.deepEqual(entry?.details, { livemode: true, status: 'refunded', searched: true });
    });

    it('is downloaded a few times at once by a user, so that nobody slows the others down', async (t) => {
      const shop = await paydesk().newMerchant();
      const [client, other] = [await signIn(paydesk(), shop, 'support'), await signIn(paydesk(), shop)];
      // More than the connection buffers, so that none ends before it is read.
      const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, 'x'.repeat(500)]));
      for (let at = 0; at < 1_500; at += 100) {
        const some = Array.from({ length: 100 }, (_, n) =>
          aPayment({ scope: shop.scope, moment: aMoment(now + at + n), terms: { metadata } }),
        );
        await mustCommit(paydesk().store, changesOf(...some));
      }
      const abort = new AbortController();
      t.after(() => abort.abort());
      const begin = ({ cookie }: DashboardClient, path = '/payments/export') =>
        fetch(`${paydesk().url}/dashboard/api${path}`, { headers: { Cookie: cookie }, signal: abort.signal });
      const begun = await Promise.all(Array.from({ length: 5 }, () => begin(client)));
      assert.deepEqual(begun.map(({ status }) => status).toSorted(), [200, 200, 429, 429, 429]);
      assert.equal((await begin(other, '/audit-log/export')).status, 200);
      const owner = await signIn(paydesk(), shop);
      const entries = entriesOf(await owner.get('/audit-log?action=payments.exported'));
      assert.equal(entries.length, 2, 'what was refused is not in the log');
      await begun.find(({ status }) => status === 200)?.body?.cancel();
      await until('there is room again', async () => (await begin(client)).status === 200);
    });

    it('has amounts in units of their currency, and no text that a spreadsheet would run', async () => {
      const shop = await paydesk().newMerchant();
      const terms = {
        ...{ amount: 1205, description: '=HYPERLINK("http://evil.example")', customerEmail: '+cmd@example.org' },
        metadata: { order: '6735' },
      };
      const yen = { amount: 1000, currency: 'JPY', metadata: {} };
      const payments = [terms, yen].map((given, at) =>
        aPayment({ scope: shop.scope, moment: aMoment(now + at), terms: given }),
      );
      await mustCommit(paydesk().store, changesOf(...payments));
      const client = await signIn(paydesk(), shop);
      const { text } = await client.get('/payments/export');
      const [header = '', second = '', first = ''] = text.replace(/^\uFEFF/, '').split('\r\n');
      assert.ok(header.startsWith('id,created_at,status,amount,'));
      assert.ok(second.includes(',1000,0,0,JPY,'), second);
      assert.ok(
        first.includes(',12.05,0.00,0.00,EUR,"\'=HYPERLINK(""http://evil.example"")",\'+cmd@example.org,'),
        first,
      );
      assert.ok(first.includes('"{""order"":""6735""}"'), first);
    });

    it('has what customers entered: whom to write to, and where to send the order', async () => {
      const shop = await paydesk().newMerchant();
      const { intent, session } = aPayment({ scope: shop.scope, moment: aMoment(now) });
      const paris = {
        line1: '12 Rue Cler',
        line2: null,
        city: 'Paris',
        postal_code: '75007',
        state: null,
        country: 'FR',
      };
      const customerDetails = {
        ...{ email: '=ada@example.org', phone: '+33612345678', name: 'Ada Lovelace' },
        ...{ billing_address: null, shipping_address: paris },
      };
      await mustCommit(paydesk().store, changesOf({ intent, session: { ...session, customerDetails } }));
      const { text } = await (await signIn(paydesk(), shop)).get('/payments/export');
      const [header = '', row = ''] = text.split('\r\n');
      assert.match(
        header,
        /,customer_email,.*,customer_name,customer_phone,shipping_address,billing_address,metadata$/,
      );
      assert.ok(row.includes(",'=ada@example.org,"), row);
      assert.ok(row.includes(`,Ada Lovelace,'+33612345678,"12 Rue Cler, 75007 Paris, FR",,`), row);
    });
  });
}
