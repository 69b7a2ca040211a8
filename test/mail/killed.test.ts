// A process that dies after the server took a message and before that was recorded: the next one sends it once more, with
// the same Message-ID. And several processes that send from one queue: each message once.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../src/storage/open-store.ts';
import { apiClient, must } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { describeOnEachEngine, freshDatabase, postgres } from '../support/engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, servePaydesk } from '../support/paydesk-process.ts';
import { until } from '../support/until.ts';
import { openMailShop, untilMails, visa } from './scene.ts';

describeOnEachEngine('A process that is killed between sending and recording', (engine) => {
  it('leaves a message that the next process sends once more, with the same Message-ID', async (t) => {
    const server = await startMailServer(t);
    const address = await freshDatabase(t, engine);
    const options = {
      folder: await freshFolder(t),
      settings: {
        DATABASE_URL: databaseUrl(address),
        SMTP_URL: server.url,
        PAYDESK_MAIL_TIMEOUT: '1',
        LOG_LEVEL: 'warn',
      },
    };
    const { test_key: key } = await paydeskJson<{ test_key: string }>(
      ['merchant', 'create', '--name', 'Shop'],
      options,
      callPaydesk,
    );
    const first = await servePaydesk(t, options);
    server.react(() => {
      process.kill(first.pid, 'SIGKILL');
      return 'accept';
    });
    const api = apiClient({ url: first.url, key });
    const session = must(
      201,
      await api.post('/checkout-sessions', { amount: 1250, currency: 'EUR', customer_email: 'ada@example.com' }),
    );
    // The process may die before it responds.
    await customerAt(first.url)
      .payByCard(session.id, visa)
      .catch((error: unknown) => assert.ok(error instanceof TypeError, String(error)));
    await untilMails(server, 1);
    await first.kill();
    server.react(() => 'accept');
    await servePaydesk(t, options);
    await untilMails(server, 2);
    const store = await openStore(address, { serving: false, schema: 'existing', onConnectionLost: () => {} });
    t.after(() => store.close());
    await until('it is recorded', async () => (await store.list('mailMessages', { limit: 9 }))[0]?.status === 'sent');
    const messages = await store.list('mailMessages', { limit: 9 });
    assert.equal(messages.length, 1);
    assert.equal(server.received.length, 2);
    assert.equal(new Set(server.received.map(({ raw }) => raw)).size, 1, 'both copies are the same to the byte');
  });
});

describe('Several processes', () => {
  it('send each message once', async (t) => {
    const server = await startMailServer(t);
    const shop = await openMailShop(t, postgres, { SMTP_URL: server.url, PAYDESK_MAIL_CONNECTIONS: '3' });
    await shop.paydesk.startAnother({ settings: { SMTP_URL: server.url, PAYDESK_MAIL_CONNECTIONS: '3' } });
    const count = 24;
    await Promise.all(Array.from({ length: count }, (_, at) => shop.pay(`customer-${at}@example.com`)));
    const { store } = shop.paydesk;
    await until(
      'all are sent',
      async () => (await store.count('mailMessages', { where: { status: 'sent' } }, count)) === count,
    );
    assert.equal(server.received.length, count);
    assert.equal(new Set(server.received.map(({ mail }) => mail.messageId)).size, count);
    assert.ok(server.connections() <= 6);
  });
});

describeOnEachEngine('The commit of a payment', (engine) => {
  it('contains the receipt together with the event', async (t) => {
    const server = await startMailServer(t);
    const shop = await openMailShop(t, engine, { SMTP_URL: server.url });
    await shop.pay();
    const paid = shop.commits.filter(({ events }) => events?.some(({ type }) => type === 'payment_intent.succeeded'));
    assert.deepEqual(
      paid.map(({ mailMessages }) => mailMessages?.map(({ kind, status }) => ({ kind, status }))),
      [[{ kind: 'receipt', status: 'pending' }]],
    );
  });
});
