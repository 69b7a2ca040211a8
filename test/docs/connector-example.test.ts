// The worked example of the guide "Write your own connector" takes payments: with a Paydesk whose registry has one more
// line, and a Tillbank on loopback that keeps books of its own.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { tillbank } from '../../examples/connector/tillbank.ts';
import type { Provider } from '../../src/acquirers/provider.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { must } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { type CleansUp, sqlite } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { checkout, textsRunBy } from './guide-steps.ts';
import { codesIn, tableOf } from './tables.ts';

const credentials = { api_key: 'tb_test_1', signing_secret: 'shared' };

interface Booked {
  readonly id: string;
  readonly kind: string;
  readonly amount: number;
  readonly currency: string;
  readonly notificationUrl: string;
  status: string;
}

interface Requested {
  readonly operation?: string;
  readonly kind?: string;
  readonly amount: number;
  readonly currency: string;
  readonly notification_url?: string;
}

/** Refuses what was closed, and answers a repeated request with what became of the first. */
async function startTillbank(t: CleansUp) {
  const books = new Map<string, Booked>();
  const open = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (body: unknown, status = 200) => response.writeHead(status).end(JSON.stringify(body));
    if (request.headers.authorization !== 'Bearer tb_test_1') return void send({}, 401);
    const [, , id = '', verb] = (request.url ?? '').split('/');
    if (request.url === '/account') return void send({ name: 'Acme', methods: ['ideal'], time: Date.now() });
    if (request.method === 'GET') return void (books.has(id) ? send(shown(id)) : send({}, 404));
    const body = JSON.parse(await text(request)) as Requested;
    const { operation = id, kind = 'closed', amount, currency, notification_url: notificationUrl = '' } = body;
    if (!books.has(operation)) {
      const status = kind === 'payment' ? 'waiting_for_customer' : kind === 'closed' ? 'closed' : 'done';
      const number = `tb_${books.size + 1}`;
      books.set(operation, { id: number, kind, amount, currency, notificationUrl, status });
    } else if (verb === 'close' && books.get(operation)?.status === 'waiting_for_customer')
      change(operation, 'canceled');
    send(shown(operation));
  };
  const change = (operation: string, status: string): Booked => {
    const booked = books.get(operation);
    assert.ok(booked !== undefined);
    booked.status = status;
    return booked;
  };
  function shown(operation: string) {
    const { id, kind, amount, currency, status } = books.get(operation) ?? assert.fail();
    return { operation, id, kind, amount, currency, status, page: `${url}/pages/${operation}`, refunds: [] };
  }
  const server = createServer((request, response) => void open(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    url,
    books,
    /** The customer pays on Tillbank's page. Returns the answer to the notification. */
    async pay(operation: string, secret = credentials.signing_secret): Promise<number> {
      const { notificationUrl } = change(operation, 'done');
      const body = JSON.stringify({ id: `evt_${operation}`, payment: operation });
      const headers = { 'tillbank-signature': createHmac('sha256', secret).update(body).digest('hex') };
      return (await fetch(notificationUrl, { method: 'POST', headers, body })).status;
    },
  };
}

async function scene(t: CleansUp) {
  const bank = await startTillbank(t);
  const provider: Provider = { ...tillbank, apiUrl: bank.url };
  const paydesk = await startPaydesk(t, sqlite, { providers: { tillbank: async () => provider } });
  const merchant = await paydesk.newMerchant();
  const { store, secretBox, clock } = paydesk;
  const outcome = await addAcquirerAccount(
    { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) },
    {
      ...{ merchantId: merchant.merchant.id, livemode: false, name: 'Tillbank', methods: ['ideal'] },
      ...{ provider, credentials },
    },
  );
  assert.ok('done' in outcome);
  clock.advance(1_000);
  const session = await merchant.newSession({ payment_method_types: ['ideal'] });
  const intent = async () => must(200, await merchant.test.get(`/payment-intents/${String(session.payment_intent)}`));
  const customer = customerAt(paydesk.url);
  return { bank, paydesk, merchant, session, intent, customer };
}

describe('The connector of the guide', () => {
  it('takes a payment by redirect, learns of it by a signed notification, and refunds it', async (t) => {
    const shop = await scene(t);
    const page = await shop.customer.payBy(shop.session.id, 'ideal');
    assert.match(page.location ?? '', /\/pages\//);
    const [operation = ''] = shop.bank.books.keys();
    const notify = async (secret?: string) => {
      // The address has the public URL of the test.
      const booked = shop.bank.books.get(operation) ?? assert.fail();
      const path = new URL(booked.notificationUrl).pathname;
      shop.bank.books.set(operation, { ...booked, notificationUrl: `${shop.paydesk.url}${path}` });
      return shop.bank.pay(operation, secret);
    };
    assert.equal(await notify('another'), 400, 'a forged notification');
    assert.equal((await shop.intent()).status, 'requires_action');
    assert.equal(await notify(), 200);
    await until('the payment is paid', async () => {
      shop.paydesk.clock.advance(1_000);
      return (await shop.intent()).status === 'succeeded';
    });
    const paid = await shop.intent();
    assert.deepEqual(paid.acquirer, { provider: 'tillbank', reference: 'tb_1' });
    const refund = await shop.merchant.test.post(`/payment-intents/${String(paid.id)}/refund`, { amount: 100 });
    assert.deepEqual([refund.status, refund.body.status], [201, 'succeeded']);
    assert.deepEqual(
      [...shop.bank.books.values()].map(({ kind, status, amount }) => [kind, status, amount]),
      [
        ['payment', 'done', paid.amount],
        ['refund', 'done', 100],
      ],
    );
  });

  it('refuses credentials and amounts before anything is asked', () => {
    assert.match(tillbank.refuseCredentials({ api_key: 'tb_live_1', signing_secret: 's' }, false) ?? '', /live key/);
    assert.equal(tillbank.refuseCredentials(credentials, false), null);
    assert.equal(tillbank.refuseAmount('ideal', 'USD', 100)?.code, 'currency_not_supported');
    assert.equal(tillbank.refuseAmount('ideal', 'EUR', 10)?.code, 'parameter_invalid');
    assert.equal(tillbank.refuseAmount('ideal', 'EUR', 100), null);
  });

  it('is registered with a line like those of the registry', () => {
    const { ts: line } = textsRunBy(import.meta.filename, 'ts');
    const registry = readFileSync(`${checkout}/src/acquirers/providers.ts`, 'utf8');
    assert.ok(registry.includes(`\n${line.replaceAll('tillbank', 'stripe')}\n`), line);
  });
});

describe('The guide about connectors', () => {
  it('lists every outcome of the port', () => {
    const port = readFileSync(`${checkout}/src/acquirers/acquirer.ts`, 'utf8');
    const [, outcomes = ''] = /export type MoneyOutcome =([\s\S]*?)\n\n/.exec(port) ?? [];
    const kinds = [...outcomes.matchAll(/readonly kind: '(\w+)'/g)].map(([, kind]) => kind);
    const listed = tableOf('docs/write-a-connector.md', 'outcome', 'means').flatMap(({ outcome }) => codesIn(outcome));
    assert.deepEqual(listed.toSorted(), kinds.toSorted());
  });
});
