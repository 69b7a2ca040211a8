// Card data is in memory for one call to the acquirer, and nowhere else: after payments, declines, typing errors and
// failures, no number or code is in the database, the log, the metrics, the stored responses or any page.

import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { secretBox } from '../../src/domain/secret-box.ts';
import { type DatabaseAddress, openStore } from '../../src/storage/open-store.ts';
import { apiClient, must } from '../support/api-client.ts';
import { customerAt, formOf, operationOf, type PageResponse, textOfPage } from '../support/customer.ts';
import { describeOnEachEngine, freshDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { secretKey } from '../support/paydesk.ts';
import { databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { runSql } from '../support/run-sql.ts';
import { storedBytes } from '../support/stored-bytes.ts';

const cvc = '7391';
const expiry = '11 / 41';
const name = 'Zacharias Quux';
const typed = [
  '378282246310005',
  '4242 4242 4242 4242',
  '4000-0000-0000-0002',
  '4000000000003220',
  '4242424242424241',
  '4111111111111111',
  '4000000000009995',
];

/** Every form in which the typed data might be stored. */
function traces(): string[] {
  const numbers = typed.flatMap((number) => {
    const digits = number.replace(/\D/g, '');
    const hashes = (['hex', 'base64', 'base64url'] as const).flatMap((form) =>
      ['sha256', 'sha1', 'md5'].map((hash) => createHash(hash).update(digits).digest(form)),
    );
    return [number, digits, encodeURIComponent(number), Buffer.from(digits).toString('base64').slice(0, -3), ...hashes];
  });
  const codes = [`"${cvc}"`, `'${cvc}'`, `=${cvc}`, `:${cvc}`, `${expiry} ${cvc}`, `11/41 ${cvc}`, `1141${cvc}`];
  return [...numbers, ...codes, name, encodeURIComponent(name), name.replace(' ', '+')];
}

/** Without the measured durations of requests, which can be the same number as the CVC. */
async function storedText(address: DatabaseAddress): Promise<string> {
  return (await storedBytes(address)).toString('latin1').replace(/"duration":\d+/g, '');
}

function assertClean(where: string, text: string): void {
  for (const trace of traces()) assert.equal(text.indexOf(trace), -1, `${where} contains ${trace}`);
}

/** Without one of its tables, a payment runs into an unforeseen error. */
function renameTable(address: DatabaseAddress, from: string, to: string): Promise<void> {
  return runSql(address, `ALTER TABLE ${from} RENAME TO ${to}`);
}

describeOnEachEngine('What the customer types', (engine) => {
  it('is stored nowhere but at the acquirer', async (t) => {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, engine);
    const metrics = `127.0.0.1:${await freePort()}`;
    const settings = {
      DATABASE_URL: databaseUrl(address),
      LOG_LEVEL: 'trace',
      PAYDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
      PAYDESK_METRICS_ADDRESS: metrics,
    };
    const args = ['merchant', 'create', '--name', 'Shop'];
    const created = await paydeskJson<{ merchant: string; test_key: string }>(args, { folder, settings });
    const server = await servePaydesk(t, { folder, settings });
    const api = apiClient({ url: server.url, key: created.test_key });
    const customer = customerAt(server.url);
    const newSession = async () => must(201, await api.post('/checkout-sessions', { amount: 1250, currency: 'EUR' }));
    const pages: PageResponse[] = [];
    const operations: string[] = [];

    for (const number of typed) {
      const session = await newSession();
      const form = formOf(await customer.open(session.id));
      operations.push(operationOf(form));
      const card = { number, expiry, cvc, name };
      for (const wrong of [
        { ...card, cvc: '7' },
        { ...card, expiry: '01/20' },
        { ...card, number: `${number}9` },
      ]) {
        pages.push(await customer.payForm(form, { ...wrong, name: '' }));
      }
      for (const headers of [{ 'Content-Type': 'application/json' }, { Origin: 'https://evil.example' }]) {
        pages.push(await customer.payForm(form, { ...card, name: '' }, { headers }));
      }
      const query = new URLSearchParams(card);
      pages.push(
        await customer.get(`/checkout/${session.id}?${query}`),
        await customer.get(`/checkout/${number}?${query}`),
      );
      pages.push(await customer.payForm(form, { ...card, cvc: number.startsWith('37') ? cvc : '739', name: '' }));
      pages.push(await customer.payForm(form, card));
      pages.push(await customer.open(session.id));
    }
    const key = randomUUID();
    const paid = must(200, await api.get('/payment-intents?status=succeeded')).data as { id: string }[];
    must(201, await api.post(`/payment-intents/${paid[0]?.id}/refund`, {}, { headers: { 'Idempotency-Key': key } }));

    const session = await newSession();
    const form = formOf(await customer.open(session.id));
    for (const table of ['operations', 'sandbox_payments']) {
      await renameTable(address, table, 'gone');
      const failed = await customer.payForm(form, { number: '378282246310005', expiry, cvc, name });
      await renameTable(address, 'gone', table);
      assert.ok(failed.status >= 500, failed.html);
      assert.ok(!textOfPage(failed).includes('not charged'), 'it does not claim what is unknown');
      assert.ok(failed.html.includes(`href="/checkout/${session.id}"`), 'it links to the state of the payment');
      pages.push(failed);
    }
    assert.equal((await customer.payForm(form, { number: '378282246310005', expiry, cvc, name })).status, 303);
    assertClean('/metrics', await fetch(`http://${metrics}/metrics`).then((response) => response.text()));
    assertClean('the open database', await storedText(address));
    server.signal('SIGTERM');
    assert.equal(await server.ended(), 0);

    const logs = `${server.stdout()}${server.stderr()}`;
    assert.ok(logs.includes('request failed'), 'the failure was logged');
    assertClean('the log', logs);
    const database = await storedText(address);
    assert.ok(database.includes(String(session.id)));
    assertClean('the database', database);
    // The name is kept on the form when it is shown again; nothing else is.
    for (const { html } of pages) assertClean('a page', html.replaceAll(name, ''));

    const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
    const record = await store.find('idempotencyRecords', { merchantId: created.merchant, livemode: false }, key);
    const box = secretBox(secretKey, randomBytes);
    assert.ok(record !== null);
    assertClean('a stored response', box.open(record.sealedBody, `idempotency ${created.merchant} false ${key}`));
    for (const id of operations) {
      const operation = await store.findBy('operations', 'id', id);
      const hasEnded = operation?.status !== 'action_needed';
      if (hasEnded) assert.equal(operation?.attempt ?? null, null, 'nothing but the last digits identifies the card');
    }
    await store.close();
  });
});
