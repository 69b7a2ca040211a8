// The connection to the SMTP server: encryption, certificates, login, and what is reported if one of them fails.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { readSmtpUrl } from '../../src/domain/smtp-server.ts';
import { connectSmtp } from '../../src/mail/smtp.ts';
import { failureOf, isPermanent, SmtpFailure, wasServerReady } from '../../src/mail/smtp-failure.ts';
import { smtpPool } from '../../src/mail/smtp-pool.ts';
import { makeCertificate } from '../support/certificates.ts';
import { startMailServer } from '../support/mail-server.ts';

const soon = (): AbortSignal => AbortSignal.timeout(60_000);
const message = Buffer.from('Subject: x\r\n\r\nx\r\n');
const envelope = { from: 'receipts@shop.example', to: 'ada@example.com' };

function fails(phase: string, pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SmtpFailure, String(error));
    assert.equal(error.phase, phase);
    assert.match(error.message, pattern);
    return true;
  };
}

describe('The SMTP connection', () => {
  it('refuses a self-signed certificate that the server offers with STARTTLS, even on loopback', async (t) => {
    const server = await startMailServer(t, { tls: makeCertificate('IP:127.0.0.1') });
    await assert.rejects(
      connectSmtp(readSmtpUrl(server.url), 'client', soon()),
      fails('greeting', /^tls: .*self-signed certificate/),
    );
    assert.equal(server.arrived.length, 0);
  });

  it('refuses a self-signed certificate with smtps', async (t) => {
    const server = await startMailServer(t, { tls: { ...makeCertificate('IP:127.0.0.1'), implicit: true } });
    await assert.rejects(
      connectSmtp(readSmtpUrl(server.url), 'client', soon()),
      fails('greeting', /^tls: .*self-signed certificate/),
    );
  });

  it('sends neither password nor message to a server without STARTTLS that is not on this machine', async (t) => {
    const login = { user: 'ada', password: 's3cr3t' };
    const server = await startMailServer(t, { login });
    const elsewhere = { ...readSmtpUrl(server.url), requireTls: true, login };
    await assert.rejects(connectSmtp(elsewhere, 'client', soon()), fails('greeting', /^tls: .*did not start TLS/));
    assert.equal(server.arrived.length, 0);
  });

  it('logs in, and reports a refused login without the user name', async (t) => {
    const server = await startMailServer(t, { login: { user: 'ada@shop.example', password: 'p@ss/word' } });
    const right = readSmtpUrl(server.url.replace('//', '//ada%40shop.example:p%40ss%2Fword@'));
    const connection = await connectSmtp(right, 'client', soon());
    const answer = await connection.send(envelope, message, soon());
    assert.equal(answer.code, 250);
    assert.equal(server.received[0]?.session.user, 'ada@shop.example');
    await connection.quit();
    const wrong = readSmtpUrl(server.url.replace('//', '//ada%40shop.example:wrong@'));
    await assert.rejects(connectSmtp(wrong, 'client', soon()), (error) => {
      assert.ok(error instanceof SmtpFailure && error.code === 535);
      assert.doesNotMatch(error.message, /ada|wrong/);
      return fails('login', /^login: /)(error);
    });
  });

  it('ends at its deadline, wherever the server stops to answer', async (t) => {
    const timedOut = new DOMException('', 'TimeoutError');
    const atGreeting = new AbortController();
    // A turn of the event loop later: then the client knows that it is connected, too.
    const silent = createServer(() => setTimeout(() => atGreeting.abort(timedOut), 10));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    t.after(() => silent.close());
    const { port } = silent.address() as { port: number };
    await assert.rejects(
      connectSmtp(readSmtpUrl(`smtp://127.0.0.1:${port}`), 'client', atGreeting.signal),
      fails('greeting', /^timeout: /),
    );
    const server = await startMailServer(t);
    const connection = await connectSmtp(readSmtpUrl(server.url), 'client', soon());
    const atMessage = new AbortController();
    server.react(() => {
      atMessage.abort(timedOut);
      return { wait: new Promise(() => {}) };
    });
    await assert.rejects(connection.send(envelope, message, atMessage.signal), fails('message', /^timeout: /));
    assert.equal(connection.isOpen(), false);
  });

  it('sends to international addresses, which needs SMTPUTF8', async (t) => {
    const server = await startMailServer(t);
    const connection = await connectSmtp(readSmtpUrl(server.url), 'client', soon());
    await connection.send({ ...envelope, to: 'jürgen@xn--bcher-kva.example' }, message, soon());
    await connection.quit();
    // The server shows domains as people write them.
    assert.deepEqual(server.received[0]?.to, ['jürgen@bücher.example']);
  });
});

describe('The pool of SMTP connections', () => {
  it('sends over a new connection what the server refuses because a used one has carried enough', async (t) => {
    const messages = new Map<string, number>();
    const server = await startMailServer(t, {
      sender(_address, connection) {
        messages.set(connection, (messages.get(connection) ?? 0) + 1);
        return messages.get(connection) === 1 ? null : { code: 421, text: '4.7.0 Too many messages' };
      },
    });
    const pool = smtpPool(readSmtpUrl(server.url), 'client');
    t.after(pool.close);
    for (let n = 0; n < 3; n += 1) assert.equal((await pool.send(envelope, message, soon())).code, 250);
    assert.deepEqual([server.received.length, server.connections()], [3, 3]);
    assert.deepEqual([...messages.values()], [2, 2, 1]);
  });

  it('reports it if a new connection gets the same answer', async (t) => {
    const server = await startMailServer(t, { sender: () => ({ code: 421, text: '4.3.2 Going down' }) });
    const pool = smtpPool(readSmtpUrl(server.url), 'client');
    t.after(pool.close);
    await assert.rejects(pool.send(envelope, message, soon()), fails('message', /^answered: 421 4\.3\.2/));
    assert.equal(server.connections(), 1);
  });
});

describe('A failure to send', () => {
  const server = readSmtpUrl('smtp://mail.example:587');
  const answer = (responseCode: number, response: string): Error =>
    Object.assign(new Error('refused'), { responseCode, response });

  it('is permanent only if the server refuses the message itself', () => {
    const verdicts = [450, 451, 421, 500, 503, 530, 535, 550, 552, 554].map((code) =>
      isPermanent(failureOf('message', answer(code, `${code} no`), server)),
    );
    assert.deepEqual(verdicts, [false, false, false, true, false, false, false, true, true, true]);
    const toSender = (code: number) =>
      failureOf('message', Object.assign(answer(code, `${code} no`), { command: 'MAIL FROM' }), server);
    const ofSender = [450, 503, 530, 550, 552, 553].map(toSender);
    assert.deepEqual(ofSender.map(isPermanent), [false, false, false, false, true, false]);
    assert.deepEqual(ofSender.map(wasServerReady), [true, true, false, false, true, false], 'otherwise sending pauses');
    assert.equal(isPermanent(failureOf('greeting', answer(554, '554 no service'), server)), false);
    assert.equal(isPermanent(failureOf('login', answer(535, '535 no'), server)), false);
    assert.equal(isPermanent(failureOf('message', new Error('the connection was closed'), server)), false);
  });

  it('says what to look at, in one line and without addresses', () => {
    const words = (phase: 'connect' | 'message', error: object): string => failureOf(phase, error, server).message;
    const system = (code: string): Error => Object.assign(new Error(code), { code });
    assert.equal(
      words('connect', system('ENOTFOUND')),
      'dns: The name mail.example could not be resolved (ENOTFOUND).',
    );
    assert.equal(words('connect', system('ECONNREFUSED')), 'refused: Nothing accepts connections at mail.example:587.');
    assert.equal(
      words('message', answer(550, '550-5.1.1 <ada@example.com>\r\n550 gone\u0007')),
      'answered: 550-5.1.1 [address] 550 gone',
    );
    assert.ok(words('message', answer(550, `550 ${'x'.repeat(9_000)}`)).length < 400);
  });
});
