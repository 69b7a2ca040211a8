// SMTP_URL: what it means, and what is refused without quoting its password.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSmtpUrl } from '../../src/domain/smtp-server.ts';

describe('SMTP_URL', () => {
  it('names the server, how it is encrypted and the login', () => {
    assert.deepEqual(readSmtpUrl('smtp://ada%40shop.example:p%3Ass%2Fw%25rd@mail.example'), {
      ...{ host: 'mail.example', port: 587, implicitTls: false, requireTls: true },
      login: { user: 'ada@shop.example', password: 'p:ss/w%rd' },
    });
    assert.deepEqual(readSmtpUrl('smtps://mail.example/'), {
      ...{ host: 'mail.example', port: 465, implicitTls: true, requireTls: true, login: null },
    });
    assert.equal(readSmtpUrl('smtp://[2001:db8::1]:2525').host, '2001:db8::1');
  });

  it('may do without encryption on this machine only', () => {
    for (const host of ['localhost', '127.0.0.1', '127.3.4.5', '[::1]'])
      assert.equal(readSmtpUrl(`smtp://${host}:25`).requireTls, false, host);
    for (const host of ['10.0.0.1', 'localhost.example.com', 'mail', '[::2]'])
      assert.equal(readSmtpUrl(`smtp://${host}:25`).requireTls, true, host);
  });

  it('is refused if it is not complete, and never quoted', () => {
    const refused = [
      ...[
        'mail.example:587',
        'http://mail.example',
        'smtp://',
        'smtp://user:s3cr3t@',
        'smtp://user:s3c/r3t@mail.example',
      ],
      ...['smtp://user:s3cr3t@mail.example/path', 'smtp://user:s3cr3t@mail.example?tls=no', 'smtp://mail.example#x'],
      ...['smtp://user@mail.example', 'smtp://:s3cr3t@mail.example', 'smtp://user:s3cr3t%zz@mail.example'],
      ...['smtp://mail.example:0', 'smtp://mail.example:99999', 'smtp://ma il.example'],
    ];
    for (const url of refused)
      assert.throws(
        () => readSmtpUrl(url),
        ({ message }: Error) => message.startsWith('must ') && !message.includes('s3c'),
        url,
      );
  });
});
