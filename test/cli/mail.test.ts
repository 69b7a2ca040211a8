// paydesk mail: sending a test message, and looking at what became of receipts; and the check of doctor.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { newMail } from '../../src/domain/mail-message.ts';
import { openMailShop, untilAttempts } from '../mail/scene.ts';
import { makeCertificate } from '../support/certificates.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { callPaydesk, databaseUrl, freshFolder, paydeskJson, runPaydesk } from '../support/paydesk-process.ts';
import { aMoment, aScope } from '../support/records.ts';

describe('paydesk mail test', () => {
  it('sends a message at once and prints what the server answered', async (t) => {
    const server = await startMailServer(t);
    const settings = { SMTP_URL: server.url, PAYDESK_MAIL_FROM: 'receipts@shop.example' };
    const { code, stdout } = await callPaydesk(['mail', 'test', 'ada@example.com'], { settings });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^Sent to ada@example\.com from receipts@shop\.example through 127\.0\.0\.1:\d+ \(not encrypted\)\.\n\n {2}250 /,
    );
    assert.equal(server.received[0]?.mail.subject, 'Paydesk can send e-mail');
    assert.equal(server.received[0]?.mail.from?.address, 'receipts@shop.example');
  });

  it('explains what is missing or wrong, and exits with 1', async (t) => {
    const server = await startMailServer(t, {
      login: { user: 'ada', password: 'right' },
      recipient: () => ({ code: 550, text: '5.7.1 Relaying denied' }),
    });
    const gone = await startMailServer(t);
    await gone.stop();
    const at = (login: string): string => server.url.replace('//', `//${login}@`);
    const cases: [args: string[], url: string, pattern: RegExp][] = [
      [['ada@example.com'], '', /SMTP_URL is not set/],
      [[], server.url, /specify an address/],
      [['ada'], server.url, /"ada" is not an address/],
      [['ada@example.com'], gone.url, /refused: Nothing accepts connections.*\n {2}→ check the host and port/],
      [['ada@example.com'], at('ada:wrong'), /login: .*535.*\n {2}→ check the user name and password/],
      [['ada@example.com'], at('ada:right'), /answered: 550 5\.7\.1 Relaying denied/],
      [['ada@example.com'], 'smtp://user:s3cr3t@', /SMTP_URL must be smtp:\/\/user:password@host:587/],
    ];
    for (const [args, SMTP_URL, pattern] of cases) {
      const { code, stdout, stderr } = await callPaydesk(['mail', 'test', ...args], { settings: { SMTP_URL } });
      assert.equal(code, 1, stderr);
      assert.match(stderr, pattern);
      assert.equal(stdout, '');
      assert.doesNotMatch(stderr, /s3cr3t|wrong|right/);
    }
    assert.equal(server.arrived.length, 0);
  });

  it('trusts a certificate of the operator through NODE_EXTRA_CA_CERTS, for STARTTLS and smtps', async (t) => {
    const certificate = makeCertificate('IP:127.0.0.1');
    const file = join(await freshFolder(t), 'authority.pem');
    await writeFile(file, certificate.cert);
    for (const implicit of [false, true]) {
      const server = await startMailServer(t, { tls: { ...certificate, implicit } });
      const settings = { SMTP_URL: server.url };
      const refused = await runPaydesk(['mail', 'test', 'ada@example.com'], { settings });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /tls: .*self-signed certificate[\s\S]*→ .*NODE_EXTRA_CA_CERTS/);
      const trusting = { settings: { ...settings, NODE_EXTRA_CA_CERTS: file } };
      const sent = await paydeskJson<Record<string, unknown>>(['mail', 'test', 'ada@example.com'], trusting);
      assert.equal(sent.encrypted, true);
      assert.equal(server.received[0]?.session.secure, true);
    }
  });
});

describeOnEachEngine('paydesk mail list, show and resend', (engine) => {
  it('show the attempts of a message, and queue it again', async (t) => {
    const refused = { now: true };
    const server = await startMailServer(t, {
      recipient: (address) => (refused.now ? { code: 550, text: `5.1.1 <${address}> unknown` } : null),
    });
    const shop = await openMailShop(t, engine, { SMTP_URL: server.url });
    const payment = await shop.pay('ada@example.com');
    const { id } = await untilAttempts(shop.paydesk, payment, 1);
    const options = { settings: { DATABASE_URL: databaseUrl(shop.paydesk.address) } };

    const listed = await callPaydesk(['mail', 'list', '--status', 'failed'], options);
    assert.equal(listed.code, 0, listed.stderr);
    assert.match(
      listed.stdout,
      new RegExp(`${id} .* receipt +failed +${payment} +answered: 550 5\\.1\\.1 \\[address\\] unknown`),
    );
    for (const [option, value, count] of [
      ['--payment', payment, 1],
      ['--payment', 'pi_x', 0],
      ['--merchant', shop.merchant.merchant.id, 1],
      ['--status', 'sent', 0],
    ] as const)
      assert.equal((await paydeskJson<unknown[]>(['mail', 'list', option, value], options, callPaydesk)).length, count);
    assert.match((await callPaydesk(['mail', 'list', '--status', 'lost'], options)).stderr, /--status must be one of/);

    const shown = await callPaydesk(['mail', 'show', id], options);
    assert.match(shown.stdout, /failed[\s\S]* 550 {2}\d+ ms {2}answered: 550/);
    assert.doesNotMatch(listed.stdout + shown.stdout, /ada@example/);
    assert.match((await callPaydesk(['mail', 'show', 'msg_x'], options)).stderr, /no message msg_x exists/);

    assert.match(
      (await callPaydesk(['doctor'], options)).stdout,
      /WARN +mail +1 receipts could not be sent\n.*paydesk mail list --status failed/,
    );
    refused.now = false;
    // The time of the test stands still, far in the past of the command's.
    const { store, clock } = shop.paydesk;
    const message = await store.findBy('mailMessages', 'id', id);
    assert.ok(message !== null);
    const age = Date.now() - clock.now();
    assert.ok((await store.commit({ mailMessages: [{ ...message, createdAt: message.createdAt + age }] })).committed);
    const again = await callPaydesk(['mail', 'resend', id], options);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /is queued again/);
    clock.advance(age + 60_000);
    assert.equal((await untilAttempts(shop.paydesk, payment, 2)).status, 'sent');
    assert.match((await callPaydesk(['mail', 'resend', id], options)).stderr, /has been sent already/);
  });
});

describeOnEachEngine('paydesk doctor', (engine) => {
  it('warns about receipts that wait although no SMTP server is set', async (t) => {
    const { store, address } = await freshStore(t, engine);
    const mail = { kind: 'receipt', paymentIntentId: 'pi_1', refundId: null, locale: 'en' } as const;
    await mustCommit(store, { mailMessages: [newMail(aScope(), mail, aMoment())] });
    const { stdout } = await callPaydesk(['doctor'], { settings: { DATABASE_URL: databaseUrl(address) } });
    assert.match(stdout, /WARN +mail +1 receipts wait, but SMTP_URL is not set\n +→ set it to send them/);
  });
});

describe('paydesk doctor', () => {
  it('reports whether the SMTP server can be used, without sending anything', async (t) => {
    const server = await startMailServer(t, { login: { user: 'ada', password: 'right' } });
    const folder = await freshFolder(t);
    const at = (login: string) => ({ folder, settings: { SMTP_URL: server.url.replace('//', `//${login}@`) } });
    await callPaydesk(['merchant', 'create', '--name', 'Shop'], { folder });
    const fine = await callPaydesk(['doctor'], at('ada:right'));
    assert.match(
      fine.stdout,
      /ok +mail +127\.0\.0\.1:\d+ is reachable, not encrypted, logged in; receipts come from receipts@localhost/,
    );
    const wrong = await callPaydesk(['doctor'], at('ada:wrong'));
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /WRONG +mail +login: /);
    assert.equal(server.arrived.length, 0);
    assert.doesNotMatch((await callPaydesk(['doctor'], { folder })).stdout, / mail /);
    const strict = await startMailServer(t, { sender: () => ({ code: 550, text: '5.7.1 Sender not allowed' }) });
    const refused = await callPaydesk(['doctor'], { folder, settings: { SMTP_URL: strict.url } });
    assert.equal(refused.code, 1);
    const busy = await startMailServer(t, { sender: () => ({ code: 451, text: '4.7.1 Try again later' }) });
    const postponed = await callPaydesk(['doctor'], { folder, settings: { SMTP_URL: busy.url } });
    assert.match(postponed.stdout, /mail +answered: .*451 4\.7\.1 Try again later/);
    assert.doesNotMatch(postponed.stdout, /PAYDESK_MAIL_FROM/);
    assert.match(refused.stdout, /WRONG +mail +sender: .*550 5\.7\.1 Sender not allowed.*\n +→ set PAYDESK_MAIL_FROM/);
  });
});
