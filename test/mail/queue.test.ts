// The queue of messages: nothing is lost, nothing is sent twice that the server took, and every attempt is visible.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { prune } from '../../src/jobs/prune.ts';
import { resendMail } from '../../src/usecases/resend-mail.ts';
import { updateMerchant } from '../../src/usecases/update-merchant.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { aMoment } from '../support/records.ts';
import { until } from '../support/until.ts';
import { messageOf, openMailShop, untilAttempts, untilMails } from './scene.ts';

const day = 86_400_000;
const retention = { deliveriesMs: null, eventsMs: null, auditEntriesMs: null, customersMs: null, mailMs: 30 * day };
const limits = { windowMs: 1, perSession: 1, perAddress: 1, perCard: 1 };

describeOnEachEngine('A message that the server', (engine) => {
  it('refuses for now is tried again later, with the same Message-ID, and sent once', async (t) => {
    const server = await startMailServer(t);
    const shop = await openMailShop(t, engine, { SMTP_URL: server.url });
    server.react(() => ({ refuse: 451, text: '4.3.0 Try again, <ada@example.com>' }));
    const payment = await shop.pay();
    const first = await untilAttempts(shop.paydesk, payment, 1);
    assert.equal(first.status, 'pending');
    assert.equal(first.attempts[0]?.code, 451);
    assert.match(first.attempts[0]?.error ?? '', /Try again/);
    assert.ok((first.dueAt ?? 0) >= shop.paydesk.clock.now() + 60_000);
    server.react(() => 'accept');
    shop.paydesk.clock.advance(61_000 + 6_000);
    await untilMails(server, 1);
    const second = await untilAttempts(shop.paydesk, payment, 2);
    assert.equal(second.status, 'sent');
    assert.equal(new Set(server.arrived.map(({ mail }) => mail.messageId)).size, 1);
    assert.equal(server.received.length, 1);
  });

  it('refuses for good is given up, can be seen, and is sent again on request', async (t) => {
    const refused = { now: true };
    const server = await startMailServer(t, {
      recipient: (address) => (refused.now ? { code: 550, text: `5.1.1 <${address}>: no such user` } : null),
    });
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: server.url });
    const payment = await pay();
    const message = await untilAttempts(paydesk, payment, 1);
    assert.equal(message.status, 'failed');
    assert.equal(message.dueAt, null);
    assert.match(message.attempts[0]?.error ?? '', /^answered: 550 5\.1\.1 \[address\]: no such user$/);
    refused.now = false;
    const context = { store: paydesk.store, moment: () => aMoment(paydesk.clock.now()) };
    const again = await resendMail(context, message.id);
    assert.ok('done' in again);
    await untilMails(server, 1);
    const sent = await untilAttempts(paydesk, payment, 2);
    assert.equal(sent.status, 'sent');
    assert.ok('refused' in (await resendMail(context, message.id)), 'what was sent is not sent again');
  });

  it('refuses because of its sender is retried', async (t) => {
    const refused = { now: true };
    const asked: string[] = [];
    const server = await startMailServer(t, {
      sender(address) {
        asked.push(address);
        return refused.now ? { code: 550, text: '5.7.1 Sender not allowed' } : null;
      },
    });
    const settings = { SMTP_URL: server.url, PAYDESK_MAIL_FROM: 'receipts@shop.example' };
    const { paydesk, pay } = await openMailShop(t, engine, settings);
    const payment = await pay();
    const first = await untilAttempts(paydesk, payment, 1);
    assert.equal(first.status, 'pending');
    assert.equal(first.attempts[0]?.code, 550);
    assert.match(
      first.attempts[0]?.error ?? '',
      /^sender: 127\.0\.0\.1:\d+ refuses mail from this sender \(550 5\.7\.1/,
    );
    refused.now = false;
    paydesk.clock.advance(67_000);
    await untilMails(server, 1);
    assert.equal((await untilAttempts(paydesk, payment, 2)).status, 'sent');
    assert.deepEqual(asked, ['receipts@shop.example', 'receipts@shop.example']);
  });

  it('took without an answer, because the connection broke, arrives again with the same Message-ID', async (t) => {
    const server = await startMailServer(t);
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: server.url });
    let times = 0;
    server.react(() => (times++ === 0 ? 'hang_up' : 'accept'));
    const payment = await pay();
    const first = await untilAttempts(paydesk, payment, 1);
    assert.equal(first.status, 'pending');
    assert.equal(first.attempts[0]?.code, null);
    assert.match(first.attempts[0]?.error ?? '', /^disconnected: /);
    paydesk.clock.advance(67_000);
    await untilMails(server, 1);
    assert.equal((await untilAttempts(paydesk, payment, 2)).status, 'sent');
    assert.deepEqual(
      server.arrived.map(({ raw }) => raw),
      [server.arrived[0]?.raw, server.arrived[0]?.raw],
      'both copies are the same to the byte',
    );
  });

  it('cannot be reached by waits for it, for more than a day', async (t) => {
    const gone = await startMailServer(t);
    await gone.stop();
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: gone.url });
    const started = paydesk.clock.now();
    const payment = await pay();
    for (let attempts = 1; ; attempts++) {
      const { status, dueAt, attempts: made } = await untilAttempts(paydesk, payment, attempts);
      assert.match(made.at(-1)?.error ?? '', /^refused: Nothing accepts connections at 127\.0\.0\.1:\d+\.$/);
      if (status !== 'pending') break;
      paydesk.clock.advance((dueAt ?? 0) - paydesk.clock.now() + 1);
      // Attempts pause after failures to connect, so that waiting messages do not use up their attempts.
      if (attempts === 3) break;
    }
    const back = await startMailServer(t, { port: gone.port });
    paydesk.clock.advance(day);
    await untilMails(back, 1);
    assert.ok(paydesk.clock.now() - started > day);
  });

  it('answers slowly does not hold up payments, and is left alone at the time limit', async (t) => {
    const server = await startMailServer(t);
    const { promise: never, resolve } = Promise.withResolvers<void>();
    t.after(async () => resolve());
    server.react(() => ({ wait: never }));
    const { paydesk, pay } = await openMailShop(t, engine, {
      SMTP_URL: server.url,
      PAYDESK_MAIL_TIMEOUT: '1',
      PAYDESK_MAIL_CONNECTIONS: '1',
    });
    const payments = [await pay(), await pay(), await pay()];
    const [first = ''] = payments;
    const message = await untilAttempts(paydesk, first, 1);
    assert.equal(message.status, 'pending');
    assert.match(message.attempts[0]?.error ?? '', /^timeout: /);
  });
});

describeOnEachEngine('Messages', (engine) => {
  it('share connections, and no more of them than the setting allows', async (t) => {
    const server = await startMailServer(t);
    const { pay } = await openMailShop(t, engine, { SMTP_URL: server.url, PAYDESK_MAIL_CONNECTIONS: '2' });
    for (let count = 0; count < 8; count++) await pay(`customer-${count}@example.com`);
    await untilMails(server, 8);
    assert.ok(server.connections() <= 2, `${server.connections()} connections`);
    assert.equal(new Set(server.received.map(({ mail }) => mail.messageId)).size, 8);
  });

  it('are sent no faster than the rate that the operator allows', async (t) => {
    const server = await startMailServer(t);
    const times: number[] = [];
    server.react(() => {
      times.push(performance.now());
      return 'accept';
    });
    const { pay } = await openMailShop(t, engine, { SMTP_URL: server.url, PAYDESK_MAIL_RATE_LIMIT: '120' });
    await Promise.all([pay(), pay(), pay()]);
    await untilMails(server, 3);
    const [first = 0, , third = 0] = times;
    assert.ok(third - first > 500, `two more within ${third - first} ms`);
  });

  it('to addresses that mail cannot be sent to are given up at once, and visibly', async (t) => {
    const server = await startMailServer(t);
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: server.url });
    for (const address of ['"a,b"@example.com', 'ada@[127.0.0.1]', 'a,eve@example.com']) {
      const message = await untilAttempts(paydesk, await pay(address), 1);
      assert.equal(message.status, 'failed');
      assert.match(message.attempts[0]?.error ?? '', /^address_invalid: /);
    }
    assert.equal(server.arrived.length, 0);
  });

  it('are canceled if the merchant switches receipts off before they are sent', async (t) => {
    const gone = await startMailServer(t);
    await gone.stop();
    const { paydesk, merchant, pay } = await openMailShop(t, engine, { SMTP_URL: gone.url });
    const payment = await pay();
    await untilAttempts(paydesk, payment, 1);
    const context = { store: paydesk.store, moment: () => aMoment(paydesk.clock.now()), actor: 'test' };
    await updateMerchant(context, merchant.merchant.id, { receipts: false });
    paydesk.clock.advance(67_000);
    const message = await untilAttempts(paydesk, payment, 2);
    assert.equal(message.status, 'canceled');
    assert.match(message.attempts[1]?.error ?? '', /^receipts_off: /);
  });

  it('wait while mail is switched off, and are given up after a week', async (t) => {
    const gone = await startMailServer(t);
    await gone.stop();
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: gone.url });
    const payment = await pay();
    await untilAttempts(paydesk, payment, 1);
    paydesk.clock.advance(8 * day);
    const message = await untilAttempts(paydesk, payment, 2);
    assert.equal(message.status, 'failed');
    assert.match(message.attempts[1]?.error ?? '', /^too_old: /);
  });

  it('are erased when their retention ends, but not while they could still be sent', async (t) => {
    const server = await startMailServer(t);
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: server.url });
    const payment = await pay();
    await untilMails(server, 1);
    const clock = { now: () => paydesk.clock.now() + at };
    let at = 6 * day;
    await prune({ store: paydesk.store, clock, limits, requestLogDays: 7, retention: { ...retention, mailMs: day } });
    assert.equal((await messageOf(paydesk, payment)).kind, 'receipt');
    at = 31 * day;
    await prune({ store: paydesk.store, clock, limits, requestLogDays: 7, retention });
    assert.deepEqual(await paydesk.store.list('mailMessages', { limit: 1 }), []);
  });

  it('appear in the log and in metrics without addresses', async (t) => {
    const server = await startMailServer(t, { recipient: (to) => ({ code: 550, text: `<${to}> unknown` }) });
    const { paydesk, pay } = await openMailShop(t, engine, {
      SMTP_URL: server.url,
      PAYDESK_METRICS_ADDRESS: '127.0.0.1:0',
    });
    const payment = await pay('very-private@example.com');
    const message = await untilAttempts(paydesk, payment, 1);
    const line = (): unknown => paydesk.logLines().find(({ msg }) => msg === 'mail');
    await until('the attempt is logged', () => line() !== undefined);
    const { level, message: id, outcome, status } = line() as Record<string, unknown>;
    assert.deepEqual({ level, id, outcome, status }, { level: 'warn', id: message.id, outcome: 'failed', status: 550 });
    assert.doesNotMatch(JSON.stringify(paydesk.logLines()), /very-private/);
    assert.doesNotMatch(JSON.stringify(message), /very-private/);
    const metrics = await (await fetch(`${paydesk.metricsUrl}/metrics`)).text();
    assert.match(metrics, /^paydesk_mail_attempts_total\{outcome="failed"\} 1$/m);
    assert.match(metrics, /^paydesk_mail_messages_waiting 0$/m);
  });

  it('in flight are finished when the service stops, within a bounded time', async (t) => {
    const server = await startMailServer(t);
    const { promise: later, resolve } = Promise.withResolvers<void>();
    server.react(() => ({ wait: later }));
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: server.url });
    const payment = await pay();
    await until('the message is on its way', () => server.arrived.length === 1);
    const stopped = paydesk.stop();
    resolve();
    await stopped;
    assert.equal((await messageOf(paydesk, payment)).status, 'sent');
  });

  it('to a server that does not answer are interrupted when the service stops, and tried again later', async (t) => {
    const server = await startMailServer(t);
    server.react(() => ({ wait: new Promise(() => {}) }));
    const { paydesk, pay } = await openMailShop(t, engine, { SMTP_URL: server.url, PAYDESK_MAIL_TIMEOUT: '600' });
    const payment = await pay();
    await until('the message is on its way', () => server.arrived.length === 1);
    await paydesk.stop();
    const { status, attempts } = await messageOf(paydesk, payment);
    assert.equal(status, 'pending');
    assert.match(attempts[0]?.error ?? '', /^interrupted: /);
  });
});
