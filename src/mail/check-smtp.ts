// Talks to the SMTP server on behalf of an operator: whether it can be used, and a message to try it.

import type { MailConfig } from '../config.ts';
import type { Moment } from '../domain/moment.ts';
import { clientNameOf } from './client-name.ts';
import { composed } from './compose.ts';
import type { Letter } from './letter.ts';
import { letterHtml } from './letter-html.ts';
import { letterText } from './letter-text.ts';
import { connectSmtp, type SmtpAnswer } from './smtp.ts';

export interface SmtpCheck {
  readonly isEncrypted: boolean;
  readonly isLoggedIn: boolean;
}

/** Connects, encrypts, logs in and names the sender, and sends nothing. Rejects with an `SmtpFailure`. */
export async function checkSmtp({ server, from, timeoutMs }: MailConfig, publicUrl: string): Promise<SmtpCheck> {
  const signal = AbortSignal.timeout(timeoutMs);
  const connection = await connectSmtp(server, clientNameOf(publicUrl), signal);
  await connection.trySender(from, signal);
  await connection.quit();
  return { isEncrypted: connection.isEncrypted, isLoggedIn: server.login !== null };
}

/** Sends a message at once, past the queue. Rejects with an `SmtpFailure`. */
export async function sendTestMail(
  { server, from, timeoutMs }: MailConfig,
  { to, publicUrl, moment }: { readonly to: string; readonly publicUrl: string; readonly moment: Moment },
): Promise<SmtpAnswer & SmtpCheck> {
  const letter = testLetter(publicUrl, `${server.host}:${server.port}`);
  const message = await composed({
    ...{ id: moment.newId('msg'), date: moment.now, to, replyTo: null, from: { name: 'Paydesk', address: from } },
    ...{ language: letter.language, subject: letter.subject, text: letterText(letter), html: letterHtml(letter) },
  });
  const signal = AbortSignal.timeout(timeoutMs);
  const connection = await connectSmtp(server, clientNameOf(publicUrl), signal);
  const answer = await connection.send({ from, to }, message, signal);
  await connection.quit();
  return { ...answer, isEncrypted: connection.isEncrypted, isLoggedIn: server.login !== null };
}

function testLetter(publicUrl: string, server: string): Letter {
  return {
    language: 'en',
    subject: 'Paydesk can send e-mail',
    merchant: 'Paydesk',
    accentColor: null,
    testNote: null,
    title: 'It works',
    body: 'This message was sent by paydesk mail test. Customers get receipts that look like it.',
    amount: null,
    description: null,
    facts: [
      { label: 'Service', value: publicUrl, isCode: true },
      { label: 'SMTP server', value: server, isCode: true },
    ],
    items: null,
    contact:
      'Check that it did not arrive in the spam folder: see the guide "Receipts by e-mail" for SPF, DKIM and DMARC.',
    footer: 'Sent by Paydesk',
  };
}
